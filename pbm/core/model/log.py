"""The log of a board: what its rows say, which of them count, and the positions that they make.

The moves are the truth: `replay` makes any position anew. It writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from pbm.rules import CHANCE, Game, Position, Value
from pbm.store.tables import MoveRow

RETRACTABLE = ("resign", "draw", "cancel", "undo")
"""What who did it may take back for an hour: the move of such an undo is one of these."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the log. `seat` is None for chance and the server."""

    number: int
    ply: int
    kind: str
    seat: int | None
    move: str
    words: str
    news: str
    comment: str
    at: float
    key: str = ""


def entry_of(row: MoveRow) -> Entry:
    """The log entry that a row of the table is."""
    return Entry(
        row.number,
        row.ply,
        row.kind,
        row.seat,
        row.move,
        row.words,
        row.news,
        row.comment,
        row.at,
        row.key,
    )


def effective(log: Iterable[Entry]) -> list[Entry]:
    """The entries that made the position: what an undo took back is left out, and the undo too.

    An undo that players agree on takes back moves and what came after them. One of the operator's
    (it has no seat) takes back all that came after the move itself: resignations, forfeits and
    what was decided. One that names an act in the place of a ply takes back the last such act, and
    nothing else."""
    kept: list[Entry] = []
    before: list[Entry] = []
    for entry in log:
        if entry.kind == "undo" and entry.move in RETRACTABLE:
            kept = before
            continue
        if entry.kind in RETRACTABLE:
            before = kept[:]
        if entry.kind == "undo":
            kept = list(takewhile(partial(_stays, entry), kept))
        else:
            kept.append(entry)
    return kept


def ply_of(log: Iterable[Entry]) -> int:
    """How many moves of seats a log leaves standing."""
    kept = effective(log)
    return kept[-1].ply if kept else 0


def _stays(undo: Entry, entry: Entry) -> bool:
    """Whether an undo leaves an earlier entry of the log as it is."""
    ply = int(undo.move)
    if undo.seat is None and entry.kind not in ("move", "chance"):
        return entry.ply < ply
    return entry.ply <= ply


def replay(
    game: Game, players: int, options: Mapping[str, Value], log: Iterable[Entry]
) -> Position:
    """The position that the log makes."""
    position = game.setup(players, options)
    for entry in effective(log):
        position = step(position, entry)
    return position


def step(position: Position, entry: Entry) -> Position:
    """The position after one entry; entries of the server leave it as it is."""
    if entry.kind == "move" and entry.seat is not None:
        return position.play(entry.seat, entry.move)
    if entry.kind == "chance":
        return position.play(CHANCE, entry.move)
    if entry.kind in ("resign", "forfeit") and entry.seat is not None:
        return position.resign(entry.seat)
    return position


def short_key(position: Position) -> str:
    """What stands in the log for the position, so that repetitions are found without a replay."""
    key = position.key
    return "" if key is None else hashlib.sha256(key.encode()).hexdigest()[:24]
