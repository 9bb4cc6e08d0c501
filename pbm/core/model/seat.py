"""A seat at a board: its player, its plan, its submitted move, and its clock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from pbm.core.model.plans.plan_tree import Plan, decode_plan


class SubmittedMove(NamedTuple):
    """A move that `confirm` plays, valid at that ply and number of undos, and the lines of the plan
    below it."""

    ply: int
    undos: int
    text: str
    comment: str
    plan: tuple[str, ...] = ()


class Seat(Struct):
    """A seat and its player; `changed` seats are written back, their rank if `has_new_rank`."""

    seat: int
    player: int
    userid: str
    is_active: bool
    preferences: Mapping[str, str]
    accepted: bool
    moved: bool
    plan: str | None
    submitted: str | None
    rank: int | None
    spent: float = 0.0
    due: float | None = None
    reminded: int = 0
    away: float | None = None
    notes: int = 0
    changed: bool = False
    has_new_rank: bool = False

    def accept(self) -> None:
        """Agree to play."""
        self.accepted = self.changed = True

    def make_plan(self, plan: Plan | None) -> None:
        """Keep a plan in place of any other; None for no plan."""
        self.plan, self.changed = plan.encode() if plan is not None else None, True

    @property
    def current_plan(self) -> Plan | None:
        """The seat's plan."""
        return decode_plan(self.plan) if self.plan else None

    def submit(self, move: SubmittedMove) -> None:
        """Keep a move for `confirm`, in place of any other."""
        self.submitted, self.changed = json.dumps(move), True

    @property
    def submitted_move(self) -> SubmittedMove | None:
        """The move that `confirm` would play."""
        if not self.submitted:
            return None
        ply, undos, text, comment, *plan = json.loads(self.submitted)
        return SubmittedMove(ply, undos, text, comment, tuple(plan[0]) if plan else ())

    def discard_submitted(self) -> None:
        """Forget the submitted move."""
        self.submitted, self.changed = None, True

    def discard_plans(self) -> None:
        """Forget the plan and the submitted move, reminders and warning."""
        self.plan, self.submitted, self.changed = None, None, True
        self.due, self.reminded = None, 0

    def count_notes(self, notes: int) -> None:
        """Note how many notes its player has made on the board."""
        self.notes, self.changed = notes, True

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
        self.rank, self.changed, self.has_new_rank = rank, True, True
