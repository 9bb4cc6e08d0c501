"""The log of a board: its entries, which of them are in effect, and the positions they lead to.

The log is the truth: `replay` restores any position from it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from msgspec import Struct

from pbm.core.secrets import decide
from pbm.rules import CHANCE, Game, Position, Value
from pbm.rules.phrases import Phrase, pack, unpack
from pbm.store.tables import MoveRow

ROUGH = "~"
"""What the key of an entry begins with if it is made of the position's `rough_key`."""
RETRACTABLE = ("resign", "draw", "cancel", "undo")
"""Acts that their player may take back for an hour; the undo then names the act as its move."""


class LogEntry(Struct, frozen=True):
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

    @property
    def shown(self) -> str:
        """The move as people write it, or the kind of an entry that is no move."""
        return self.words or self.move


def join_news(news: Iterable[str]) -> str:
    """Return the sentences as the table of moves keeps them: a sentence a line."""
    return "\n".join(
        pack(said) if isinstance(said, Phrase) else " ".join(said.splitlines()) for said in news
    )


def split_news(text: str) -> tuple[str, ...]:
    """Return the sentences that the table of moves keeps in this text."""
    return tuple(map(unpack, filter(None, text.split("\n"))))


def build_entry(row: MoveRow) -> LogEntry:
    """Return the log entry in a row of the table."""
    return LogEntry(
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


def drop_undone(log: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries that are in effect: without undos and what they took back.

    An undo by agreement takes back moves and what followed them. One by the operator (without a
    seat) also takes back resignations, forfeits and decisions that followed the move. One that
    names an act instead of a ply takes back the last such act only."""
    kept: list[LogEntry] = []
    before: list[LogEntry] = []
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


def count_plies(log: Iterable[LogEntry]) -> int:
    """Return the number of moves by seats that are in effect."""
    kept = drop_undone(log)
    return kept[-1].ply if kept else 0


def _is_in_effect(undo: LogEntry, entry: LogEntry) -> bool:
    ply = int(undo.move)
    if undo.seat is None and entry.kind not in ("move", "chance"):
        return entry.ply < ply
    return entry.ply <= ply


def replay(
    game: Game, players: int, options: Mapping[str, Value], log: Iterable[LogEntry]
) -> Position:
    """Return the position that a log leads to."""
    position = game.setup(players, options)
    for entry in drop_undone(log):
        position = apply_entry(position, entry)
    return position


def apply_entry(position: Position, entry: LogEntry) -> Position:
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
    position: Position,
    game: Game,
    players: int,
    options: Mapping[str, Value],
    log: Iterable[LogEntry],
) -> int:
    """Return the number of times that a position stands in a log, its own entry included."""
    each = game.setup(players, options)
    found = int(_is_same(each, position))
    for entry in drop_undone(log):
        each = apply_entry(each, entry)
        found += bool(entry.key) and _is_same(each, position)
    return found


def _is_same(position: Position, other: Position) -> bool:
    return position.rough_key == other.rough_key and position.key == other.key


# Dice audit: every roll, draw and shuffle of a board recomputed from its secret.
#
# It works on logs and secrets alone, so that it checks boards here and records from anywhere.


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll in a log: the question to chance, what was logged and what the secret decides."""

    number: int
    ply: int
    question: int
    kind: str
    outcomes: int
    written: str
    decided: str

    @property
    def is_right(self) -> bool:
        """Whether the log agrees with the secret."""
        return self.written == self.decided


def audit_rolls(
    start: Position,
    board: int,
    secret: bytes,
    log: Sequence[LogEntry],
    former: Sequence[tuple[int, bytes]] = (),
) -> Iterator[Roll]:
    """Yield every roll in the log, including those that were taken back. A move that replaces one
    taken back gets the same rolls, unless the secret was another: `former` has earlier ones, each
    with the number of the last entry that follows from it."""
    position, question = start, 0
    for at, entry in enumerate(log, 1):
        if entry.kind == "undo":
            position, question = start, 0
            for before in drop_undone(log[:at]):
                position = apply_entry(position, before)
                question = _count_questions(question, before)
            continue
        if entry.kind == "chance" and position.chance is not None:
            outcomes = position.chance.outcomes
            own = next((each for last, each in former if entry.number <= last), secret)
            picked = decide(own, board, entry.ply, question, len(outcomes))
            yield Roll(
                entry.number,
                entry.ply,
                question,
                position.chance.kind,
                len(outcomes),
                entry.move,
                outcomes[picked],
            )
        position = apply_entry(position, entry)
        question = _count_questions(question, entry)


def _count_questions(question: int, entry: LogEntry) -> int:
    """Return the number of the next question within the ply."""
    return 0 if entry.kind == "move" else question + (entry.kind == "chance")
