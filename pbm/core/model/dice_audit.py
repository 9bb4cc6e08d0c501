"""Chance audited: every roll, draw and shuffle of a board computed anew from its secret.

It knows logs and secrets only, no database: the same for a board here and for a record from
anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbm.core.model.log import Entry, effective, step
from pbm.core.model.secrets import decide
from pbm.rules import Position


@dataclass(frozen=True, slots=True)
class Roll:
    """An answer of chance in a log: the question as it was asked, what was written down and what
    the secret decides."""

    number: int
    ply: int
    question: int
    kind: str
    outcomes: int
    written: str
    decided: str

    @property
    def is_right(self) -> bool:
        """Whether the log says what the secret decides."""
        return self.written == self.decided


def audit_rolls(start: Position, board: int, secret: bytes, log: Sequence[Entry]) -> Iterator[Roll]:
    """Every answer of chance in the whole log, those that were taken back later included. A move
    that is played again in the place of one that was taken back gets the same answers."""
    position, asked = start, 0
    for at, entry in enumerate(log, 1):
        if entry.kind == "undo":
            position, asked = start, 0
            for before in effective(log[:at]):
                position = step(position, before)
                asked = _asked(asked, before)
            continue
        if entry.kind == "chance" and position.chance is not None:
            outcomes = position.chance.outcomes
            picked = decide(secret, board, entry.ply, asked, len(outcomes))
            yield Roll(
                entry.number,
                entry.ply,
                asked,
                position.chance.kind,
                len(outcomes),
                entry.move,
                outcomes[picked],
            )
        position = step(position, entry)
        asked = _asked(asked, entry)


def _asked(asked: int, entry: Entry) -> int:
    """The number of the next question within the ply."""
    return 0 if entry.kind == "move" else asked + (entry.kind == "chance")
