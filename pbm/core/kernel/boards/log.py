"""The log of a board: its entries, which of them are in effect, and the positions they lead to.

The log is the truth: `replay` restores any position from it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import takewhile

from msgspec import Struct

from pbm.rules import CHANCE, Game, Position, Value
from pbm.rules.phrases import Phrase, pack, unpack
from pbm.store.tables import MoveRow

ROUGH = "~"
"""What the key of an entry begins with if it is made of the position's `rough_key`."""
RETRACTABLE = ("resign", "draw", "cancel", "undo")
"""Acts that whoever did them may take back for an hour; the undo then names the act as its move."""


class Entry(Struct, frozen=True):
    """An entry of the log. `seat` is None for chance and the server, whose
    comment is a phrase; `news` are the sentences that the game adds to it."""

    number: int
    ply: int
    kind: str
    seat: int | None
    move: str
    words: str
    news: tuple[str, ...]
    comment: str
    at: float
    key: str = ""


def join_news(news: Iterable[str]) -> str:
    """Return the sentences as the table of moves keeps them: a sentence a line."""
    return "\n".join(
        pack(said) if isinstance(said, Phrase) else " ".join(said.splitlines()) for said in news
    )


def split_news(text: str) -> tuple[str, ...]:
    """Return the sentences that the table of moves keeps in this text."""
    return tuple(map(unpack, filter(None, text.split("\n"))))


def build_entry(row: MoveRow) -> Entry:
    """Return the log entry in a row of the table."""
    return Entry(
        row.number,
        row.ply,
        row.kind,
        row.seat,
        row.move,
        unpack(row.words),
        split_news(row.news),
        row.comment if row.seat is not None else unpack(row.comment),
        row.at,
        row.key,
    )


def drop_undone(log: Iterable[Entry]) -> list[Entry]:
    """Return the entries that are in effect: without undos and what they took back.

    An undo by agreement takes back moves and what followed them. One by the operator (without a
    seat) also takes back resignations, forfeits and decisions that followed the move. One that
    names an act instead of a ply takes back the last such act only."""
    kept: list[Entry] = []
    before: list[Entry] = []
    for entry in log:
        if entry.kind == "undo" and entry.move in RETRACTABLE:
            kept = before
            continue
        if entry.kind in RETRACTABLE:
            before = kept[:]
        if entry.kind == "undo":
            kept = list(takewhile(partial(_is_in_effect, entry), kept))
        else:
            kept.append(entry)
    return kept


def count_plies(log: Iterable[Entry]) -> int:
    """Return the number of moves by seats that are in effect."""
    kept = drop_undone(log)
    return kept[-1].ply if kept else 0


def _is_in_effect(undo: Entry, entry: Entry) -> bool:
    """Whether an entry stays in effect after an undo."""
    ply = int(undo.move)
    if undo.seat is None and entry.kind not in ("move", "chance"):
        return entry.ply < ply
    return entry.ply <= ply


def replay(
    game: Game, players: int, options: Mapping[str, Value], log: Iterable[Entry]
) -> Position:
    """Return the position that a log leads to."""
    position = game.setup(players, options)
    for entry in drop_undone(log):
        position = apply_entry(position, entry)
    return position


def apply_entry(position: Position, entry: Entry) -> Position:
    """Return the position after one entry; entries by the server do not change it."""
    if entry.kind == "move" and entry.seat is not None:
        return position.play(entry.seat, entry.move)
    if entry.kind == "chance":
        return position.play(CHANCE, entry.move)
    if entry.kind in ("resign", "forfeit") and entry.seat is not None:
        return position.resign(entry.seat)
    return position


def build_key(position: Position) -> str:
    """Return the position's key in the log, which finds repetitions without a replay; "" where
    repetition means nothing."""
    rough = position.rough_key
    key = position.key if rough is None else rough
    if key is None:
        return ""
    digest = hashlib.sha256(key.encode()).hexdigest()[:24]
    return digest if rough is None else ROUGH + digest


def count_occurrences(
    position: Position, game: Game, players: int, options: Mapping[str, Value], log: Iterable[Entry]
) -> int:
    """Return how often a position stands in a log, its own entry included."""
    each = game.setup(players, options)
    found = int(_is_same(each, position))
    for entry in drop_undone(log):
        each = apply_entry(each, entry)
        found += bool(entry.key) and _is_same(each, position)
    return found


def _is_same(position: Position, other: Position) -> bool:
    return position.rough_key == other.rough_key and position.key == other.key
