"""A long run over all games: `python -m tools.plans [--trees 100000] [--jobs 2] [--folder DIR]`.

Chunks of a game run one beside the other, on a database in memory each; what each came to is a line
in DIR/chunks.jsonl, and a run that was interrupted goes on there. Every game gets `--least` trees,
and then the same time as the others. A chunk is repeated with `--games GAME --chunk NUMBER`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))

from pbm.games import list_game_names
from pbm.store.engine import Store
from pbm.store.tables import metadata
from tools.plans.rig import Rig

_CHUNK = 250


def run_chunk(seed: int, game: str, number: int, trees: int) -> dict[str, Any]:
    """Write so many plans in a game, on a new database; what was counted."""
    store = Store("sqlite://")
    metadata.create_all(store.engine)
    try:
        figures = Rig(store, f"{seed} {game} {number}").run(trees, [game])
    finally:
        store.close()
    return {"game": game, "chunk": number, **vars(figures), "games": None}


class _Run:
    """What has been done, and what is to be done next."""

    def __init__(self, games: list[str], file: Path, least: int) -> None:
        self.file, self.least, self.games = file, least, games
        self.done: list[dict[str, Any]] = []
        if file.exists():
            self.done = [json.loads(line) for line in file.read_text().splitlines()]
        self._begun = {
            game: {each["chunk"] for each in self.done if each["game"] == game} for game in games
        }

    def keep(self, result: dict[str, Any]) -> None:
        self.done.append(result)
        with self.file.open("a") as lines:
            lines.write(json.dumps(result) + "\n")

    def take(self) -> tuple[str, int]:
        """Return the next chunk: of a game that has too few trees, or else too little time."""
        spent = Counter[str]()
        for each in self.done:
            spent[each["game"]] += each["seconds"]

        def rank(game: str) -> tuple[bool, float]:
            done = sum(each["game"] == game for each in self.done)
            begun = len(self._begun[game])
            return begun * _CHUNK >= self.least, spent[game] / max(1, done) * begun

        game = min(self.games, key=rank)
        number = next(each for each in count() if each not in self._begun[game])
        self._begun[game].add(number)
        return game, number

    def sum_up(self, what: str) -> int:
        return sum(each[what] for each in self.done)

    def list_wrong(self) -> Iterator[str]:
        for each in self.done:
            for sentence in each["wrong"]:
                yield f"--games {each['game']} --chunk {each['chunk']}: {sentence}"

    def summarize(self) -> dict[str, Any]:
        kinds = ("trees", "branches", "answers", "commands", "mails", "boards")
        trees = Counter[str]()
        for each in self.done:
            trees[each["game"]] += each["trees"]
        fewest = min(trees.items(), key=lambda pair: pair[1], default=("", 0))
        return {
            **{kind: self.sum_up(kind) for kind in kinds},
            "games": len(trees),
            "fewest": " ".join(map(str, fewest)),
            "minutes": round(self.sum_up("seconds") / 60, 1),
            "wrong": list(self.list_wrong()),
        }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.plans", description=__doc__)
    parser.add_argument("--trees", type=int, default=100_000)
    parser.add_argument("--least", type=int, default=500, help="trees a game")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", default=())
    parser.add_argument("--chunk", type=int)
    given = parser.parse_args()
    games = list(given.games or list_game_names())
    if given.chunk is not None:
        results = [run_chunk(given.seed, game, given.chunk, _CHUNK) for game in games]
        print(json.dumps(results, indent=1))
        sys.exit(any(result["wrong"] for result in results))
    given.folder.mkdir(parents=True, exist_ok=True)
    run = _Run(games, given.folder / "chunks.jsonl", given.least)
    with ProcessPoolExecutor(given.jobs) as pool:
        waiting = set[Future[dict[str, Any]]]()
        while run.sum_up("trees") + len(waiting) * _CHUNK < given.trees or waiting:
            if (
                len(waiting) < given.jobs
                and run.sum_up("trees") + len(waiting) * _CHUNK < given.trees
            ):
                waiting.add(pool.submit(run_chunk, given.seed, *run.take(), _CHUNK))
                continue
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in ended:
                run.keep(each.result())
    summary = run.summarize()
    print(json.dumps(summary, indent=1))
    sys.exit(bool(summary["wrong"]))


if __name__ == "__main__":
    main()
