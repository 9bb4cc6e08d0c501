"""Dice audit: every roll, draw and shuffle of a board recomputed from its secret.

It works on logs and secrets alone, so that it checks boards here and records from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbm.core.kernel.boards.log import Entry, apply_entry, drop_undone
from pbm.core.kernel.secrets import decide
from pbm.rules import Position


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
    log: Sequence[Entry],
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


def _count_questions(question: int, entry: Entry) -> int:
    """Return the number of the next question within the ply."""
    return 0 if entry.kind == "move" else question + (entry.kind == "chance")
