"""Random plans in all games:
`python -m tools.populations.plans [--trees 100000] [--jobs 2] [--folder DIR]`.

Chunks of a game run one beside the other, on a database in memory each; what each came to is a line
in DIR/chunks.jsonl, and a run that was interrupted goes on there. Every game gets `--least` trees,
and then the same time as the others. A chunk is repeated with `--games GAME --chunk NUMBER`."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import structs

from pbm.config import Config, Limits, Server
from pbm.core.board import Board
from pbm.core.command import Sender
from pbm.core.log import LogEntry, build_entry, replay
from pbm.core.notices import Notice, Refused
from pbm.core.parser import read_line
from pbm.core.storing import load
from pbm.core.submit import CommandService, Submission, send_all, send_nothing
from pbm.games import get_game, list_game_names
from pbm.rules import Position
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import metadata
from pbm.store.transaction import Session
from tests.harness.mail import Mail
from tests.harness.mail_room import NOW, SERVER, Room
from tools.games.sampling import list_sampled_names
from tools.populations.random_trees import (
    Expected,
    Node,
    Wrong,
    grow_tree,
    guess_tree,
    take_turn,
    write_lines,
)

# Boards of all games on which random plans are written and played.


_PEOPLE = ("ann", "bob", "carl", "dora", "emil", "fred")
_TREES_A_BOARD = 12
_DEPTH = 5
_ACTS = ("move", "resign", "draw")
_WORD = 0.02
"""How often somebody resigns or proposes a draw in place of a move."""
_SETTINGS = {
    "hex": "-size=5",
    "go": "-size=5",
    "connect6": "-size=9",
    "gomoku": "-size=9",
    "cradle": "-size=3",
    "pegs": "-size=8",
    "havannah": "-side=4",
}
"""Smaller boards, on which games end."""


@dataclass
class Figures:
    """What was counted."""

    trees: int = 0
    branches: int = 0
    answers: int = 0
    commands: int = 0
    mails: int = 0
    boards: int = 0
    seconds: float = 0.0
    games: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Rig:
    """Writes plans on board after board, and checks everything that comes of them."""

    def __init__(self, store: Store, seed: int | str) -> None:
        limits = Limits(open_boards=0, mails_a_day=0, errors_a_day=0, plan_moves=0)
        room = Room(store, Config(server=Server(SERVER), limits=limits))
        with room.kept() as session:
            for name in _PEOPLE:
                room.player(session, name)
        self._store = store
        self._service: CommandService = room.services.service
        self._dice = random.Random(seed)
        self.figures = Figures()

    def run(self, trees: int, games: Sequence[str] = (), *, mailed: float = 0.02) -> Figures:
        """Write so many plans, in these games or in all; on some of the boards (`mailed`) all mails
        are composed and read."""
        began = time.process_time()
        names = list(games or list_sampled_names())
        while self.figures.trees < trees and not self.figures.wrong:
            name, sends = self._dice.choice(names), self._dice.random() < mailed
            with self._store.writing() as session:
                _Table(self._service, session, self._dice, name, self.figures, sends).play(trees)
        self.figures.seconds = round(time.process_time() - began, 1)
        return self.figures


class _Table:
    """One board."""

    def __init__(
        self,
        service: CommandService,
        session: Session,
        dice: random.Random,
        name: str,
        figures: Figures,
        sends: bool,
    ) -> None:
        self._service, self._session, self._dice = service, session, dice
        self._name, self._figures, self._sends = name, figures, sends
        count = dice.choice(list(get_game(name).info.players)[:4])
        self._people = _PEOPLE[:count]
        setting = _SETTINGS.get(name, "")
        self._number = self._begin(f"{name} challenge {' '.join(self._people)} {setting}".strip())
        self._plans: list[Expected] = []
        self._mails: list[Mail] = []
        figures.boards += 1

    def _begin(self, line: str) -> int:
        notices = self._submit(line)
        number = next(n.thread.board for n in notices if n.thread is not None)
        for who in self._people:
            if load(self._session, number).state == "invited":
                self._submit(f"{self._name} accept {number} {who}")
        return number

    def _submit(self, line: str, text: str = "") -> Sequence[Notice]:
        sender = Sender(via="terminal", operator=True)
        command = read_line(line, sender)
        policy = send_all if self._sends else send_nothing
        submission = Submission((structs.replace(command, text=text),), NOW, policy)
        self._figures.commands += 1
        result = self._service.submit(self._session, submission, NOW)
        self._mails = [Mail(row["recipient"], row["message"]) for row in result.rows]
        self._figures.mails += len(self._mails)
        notices = result.notices
        for notice in notices:
            if isinstance(notice.content, Refused):
                raise Wrong(f"{notice.content.reason}: {line} / {text!r}")
        return notices

    def play(self, trees: int) -> None:
        """Write plans and play until the board is over or has had enough of them."""
        written = 0
        try:
            while written < _TREES_A_BOARD and self._figures.trees < trees:
                board = self._load()
                if board.state != "running":
                    break
                if not any(plan.is_alive for plan in self._plans) or self._dice.random() < 0.05:
                    written += self._write(board)
                    continue
                self._step(board)
            self._check_replay()
        except Wrong as wrong:
            log = [(entry.seat, entry.move) for entry in self._log()]
            self._figures.wrong.append(f"{self._name} {self._number}: {wrong}; {log[-8:]}")

    def _load(self) -> Board:
        return load(self._session, self._number)

    def _log(self) -> list[LogEntry]:
        return [build_entry(row) for row in reads.find_log(self._session, self._number)]

    def _write(self, board: Board) -> int:
        """Write a plan for one seat or for two; the number of plans."""
        playing = sorted(board.position.playing)
        owners = self._dice.sample(playing, self._dice.choice((1, 1, min(2, len(playing)))))
        for owner in owners:
            board = self._load()
            if board.state != "running":
                return 0
            self._plans = [plan for plan in self._plans if plan.owner != owner]
            self._write_one(board, owner)
        return len(owners)

    def _write_one(self, board: Board, owner: int) -> None:
        position, who = board.position, board.seats[owner].userid
        head = f"{self._name} plan {self._number} {who}"
        typed = ""
        if owner in position.to_move:
            typed, position = take_turn(position, owner, self._dice)
        tree = self._grow(board, position, owner)
        if not tree:
            if typed:
                self._move(board, owner, typed, "", None)
            return
        lines = "\n".join(write_lines(tree))
        plan = Expected(owner, tree, hides=board.is_hidden)
        self._figures.trees += 1
        self._figures.branches += lines.count("\n") + 1
        self._figures.games[self._name] += 1
        if not typed:
            self._submit(head, lines)
            self._plans.append(plan)
        elif self._dice.random() < 0.5 or (owner in position.to_move and not position.chance):
            plan.own = True
            self._submit(head, lines)
            self._plans.append(plan)
            self._move(board, owner, typed, "", None)
        else:
            self._move(board, owner, typed, lines, plan)

    def _grow(self, board: Board, position: Position, owner: int) -> list[Node]:
        if position.outcome is not None:
            return []
        if board.is_hidden:
            return guess_tree(position, owner, self._dice)
        if owner in position.to_move:
            return []
        return [
            node
            for node in grow_tree(position, owner, self._dice.randint(1, _DEPTH), self._dice)
            if node.children
        ]

    def _step(self, board: Board) -> None:
        """Have somebody to move do what a plan names, or anything else; now and then somebody
        resigns or proposes a draw."""
        if self._dice.random() < _WORD:
            return self._speak(board)
        mover = self._dice.choice(sorted(board.position.to_move))
        named = [
            node.text
            for plan in self._plans
            for node in plan.nodes or ()
            if not node.answers and node.after and plan.owner != mover and not plan.own
        ]
        if named and self._dice.random() < 0.8 and not board.is_hidden:
            text = self._dice.choice(named)
        else:
            text, _ = take_turn(board.position, mover, self._dice)
        self._move(board, mover, text, "", None)

    def _speak(self, board: Board) -> None:
        seat = self._dice.choice(sorted(board.position.playing))
        asked = board.proposals.get("draw", ())
        is_draw = len(board.position.playing) == 2 and seat not in asked
        word = "propose" if is_draw and self._dice.random() < 0.7 else "resign"
        if word == "propose" and not asked:
            for plan in self._plans:
                if plan.owner != seat:
                    plan.hear_proposal()
        self._move(board, seat, word, "", None)

    def _move(self, board: Board, mover: int, text: str, below: str, plan: Expected | None) -> None:
        """Have a seat move, with a plan below it, and check what all plans made of it."""
        who = board.seats[mover].userid
        self._submit(f"{self._name} move {self._number} {who} {text}", below)
        new = [entry for entry in self._log() if entry.number > board.number]
        if plan is not None:
            plan.own = True
            self._plans.append(plan)
        for each in self._plans:
            before = each.answers
            each.follow(board.position, new, mover=mover)
            self._figures.answers += each.answers - before
        automatic = [e for e in new if e.kind in _ACTS and e.seat != mover]
        owners = {each.owner for each in self._plans}
        if any(entry.seat not in owners for entry in automatic):
            raise Wrong("somebody without a plan has moved")
        self._read_mails(board, is_planned=bool(automatic))
        self._plans = [each for each in self._plans if each.is_alive]

    def _read_mails(self, board: Board, *, is_planned: bool) -> None:
        """Check that everybody gets one mail, which says what was planned, and a plan only its
        owner's."""
        readers = [mail.address for mail in self._mails]
        if len(set(readers)) < len(readers):
            raise Wrong(f"more than one mail to somebody: {readers}")
        for mail in self._mails:
            text = " ".join(mail.text.split())
            is_certain = is_planned or not any(plan.spoke for plan in self._plans)
            if is_certain and is_planned != (" as planned" in text):
                raise Wrong(f"planned, or not, but the mail to {mail.address} says: {text[:400]}")
            who = mail.address.partition("@")[0]
            owners = {board.seats[plan.owner].userid for plan in self._plans}
            if "Your plan" in text and who not in owners:
                raise Wrong(f"{who} reads of a plan: {text[:400]}")

    def _check_replay(self) -> None:
        board = self._load()
        position = replay(board.game, len(board.seats), board.options, self._log())
        if position.encode() != board.position.encode():
            raise Wrong("the log replays to another position")


_CHUNK = 250


def run_chunk(seed: int, game: str, number: int, trees: int) -> dict[str, Any]:
    """Write `trees` plans in a game, on a new database. Return the figures."""
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
    sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))
    parser = argparse.ArgumentParser(prog="python -m tools.populations.plans", description=__doc__)
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
