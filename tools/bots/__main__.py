"""Measure the levels: python -m tools.bots [--games G,H] [--pairs 1-2,2-3] [--count 200].

Neighbouring levels, or level1 and a beginner (--pairs 1-beginner), play each seat equally often.
Each game is a line of JSON in `--results`, and what is there is not played again unless the
strength of a level has changed: the program can be stopped and continued. Prints a table with the
share of the higher level, its interval at 95 %."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from pbm.bots import LEVELS
from pbm.bots.strengths import Strength, get_strength
from tools.bots.matches import compute_interval, list_searchable_games, play


class Match(NamedTuple):
    """One game to be played: its number decides who begins."""

    game: str
    low: str
    high: str
    number: int


class Result(NamedTuple):
    """What the higher level got of a game, from 0 to 1, with the strengths of both, and how many
    turns it took."""

    match: Match
    strengths: tuple[Strength, Strength]
    share: float
    turns: int

    def dump(self) -> str:
        """Return the result as a line of JSON."""
        return json.dumps([*self.match, self.strengths, self.share, self.turns])


def get_strengths(match: Match) -> tuple[Strength, Strength]:
    """Return the strengths of the lower and of the higher level."""
    return get_strength(match.game, match.low), get_strength(match.game, match.high)


def play_match(match: Match, tried: tuple[Strength, Strength] | None = None) -> Result:
    """Play a game, with other strengths than those of the levels if they are to be tried; even
    numbers are begun by the higher level."""
    low, high = tried or (match.low, match.high)
    strengths = tried or get_strengths(match)
    seed = "/".join(map(str, (*match, *strengths)))
    if match.number % 2:
        share, turns = play(match.game, (low, high), seed)
        return Result(match, strengths, 1 - share, turns)
    share, turns = play(match.game, (high, low), seed)
    return Result(match, strengths, share, turns)


def load_results(path: Path) -> Iterator[Result]:
    """Yield the results in a file that are of the present strengths."""
    for line in path.read_text().splitlines() if path.exists() else ():
        game, low, high, number, (weaker, stronger), share, turns = json.loads(line)
        match, strengths = Match(game, low, high, number), (Strength(*weaker), Strength(*stronger))
        if strengths == get_strengths(match):
            yield Result(match, strengths, share, turns)


def run(matches: Sequence[Match], path: Path, processes: int) -> None:
    """Play what is not in the file yet and append it."""
    done = {result.match for result in load_results(path)}
    waiting = [match for match in matches if match not in done]
    with ProcessPoolExecutor(processes) as pool, path.open("a") as results:
        for future in as_completed([pool.submit(play_match, match) for match in waiting]):
            results.write(future.result().dump() + "\n")
            results.flush()


def build_table(results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each game and pair."""
    pairs: dict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for result in results:
        pairs[result.match[:3]].append(result)
    yield f"{'game':<22} {'pair':<16} {'games':>5} {'score':>6} {'95 %':>13} {'turns':>6}"
    for (game, low, high), played in sorted(pairs.items()):
        count = len(played)
        score = sum(result.share for result in played) / count
        least, most = compute_interval(score, count)
        turns = sum(result.turns for result in played) / count
        pair = f"{high} - {low}"
        yield (
            f"{game:<22} {pair:<16} {count:5} {score:6.1%} {least:6.1%}-{most:6.1%} {turns:6.1f}"
        )


def read_name(text: str) -> str:
    """Return the player that a number or a name means."""
    return LEVELS[int(text) - 1] if text.isdigit() else text


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bots")
    parser.add_argument("--games", default="", help="separated by commas; all unless given")
    parser.add_argument("--pairs", default="1-2,2-3,3-4,4-5", help="or 1-beginner, random-1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--results", type=Path, default=Path("levels.jsonl"))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    games = options.games.split(",") if options.games else list_searchable_games()
    pairs = [[read_name(name) for name in pair.split("-")] for pair in options.pairs.split(",")]
    matches = [
        Match(game, low, high, number)
        for game in games
        for low, high in pairs
        for number in range(options.count)
    ]
    run(matches, options.results, options.processes)
    sys.stdout.write("\n".join(build_table(load_results(options.results))) + "\n")


if __name__ == "__main__":
    main()
