"""A seat at a board: its player, its queued and submitted moves, and its clock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class QueuedMove(NamedTuple):
    """A move for the seat's next turn, or for the turn at `ply` only (0 = any)."""

    text: str
    comment: str
    ply: int


class SubmittedMove(NamedTuple):
    """A move that `confirm` plays, valid at that ply and number of undos."""

    ply: int
    undos: int
    text: str
    comment: str


@dataclass(slots=True)
class Seat:
    """A seat and its player; `changed` seats are written back."""

    seat: int
    player: int
    userid: str
    is_active: bool
    preferences: Mapping[str, str]
    accepted: bool
    moved: bool
    queued: str | None
    submitted: str | None
    rank: int | None
    spent: float = 0.0
    due: float | None = None
    reminded: int = 0
    away: float | None = None
    changed: bool = False

    def accept(self) -> None:
        """Agree to play."""
        self.accepted = self.changed = True

    def queue(self, move: QueuedMove) -> None:
        """Keep a move for the seat's turn, in place of any other."""
        self.queued, self.changed = json.dumps(move), True

    def pop_queued(self) -> QueuedMove | None:
        """The queued move, which is queued no longer."""
        queued, self.queued, self.changed = self.queued, None, True
        return QueuedMove(*json.loads(queued)) if queued else None

    def submit(self, move: SubmittedMove) -> None:
        """Keep a move for `confirm`, in place of any other."""
        self.submitted, self.changed = json.dumps(move), True

    @property
    def submitted_move(self) -> SubmittedMove | None:
        """The move that `confirm` would play."""
        return SubmittedMove(*json.loads(self.submitted)) if self.submitted else None

    def discard_submitted(self) -> None:
        """Forget the submitted move."""
        self.submitted, self.changed = None, True

    def discard_plans(self) -> None:
        """Forget the queued and the submitted move, reminders and warning."""
        self.queued, self.submitted, self.changed = None, None, True
        self.due, self.reminded = None, 0

    def remind(self, reminders: int) -> None:
        """Note that so many reminders have gone out in this turn."""
        self.reminded, self.changed = reminders, True

    def warn(self, due: float, reminders: int) -> None:
        """Note that a forfeit at `due` was announced, which stands for the reminders before it."""
        self.due = due
        self.remind(max(self.reminded, reminders))

    def stop_clock(self, spent: float) -> None:
        """Note the time used so far, at the end of a turn."""
        self.spent, self.due, self.reminded, self.changed = spent, None, 0, True

    def set_rank(self, rank: int | None) -> None:
        """Give the seat its rank in the result; None when there is no result."""
        self.rank, self.changed = rank, True
