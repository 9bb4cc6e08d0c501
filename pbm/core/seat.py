"""A seat at a board: its player, its submitted move, its clock, and what it has planned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from pbm.core.player import format_name

COLUMNS = (
    "player_id",
    "accepted",
    "moved",
    "plan",
    "submitted",
    "spent",
    "due",
    "reminded",
    "given",
    "standin",
    "rank",
    "notes",
)
"""The columns of the table of seats, without its key."""


_LATE = 1000
"""Stands for the reminders of a seat of which everybody was told that it is late."""


class SubmittedMove(NamedTuple):
    """A move that `confirm` plays, valid at that ply and number of undos, and the lines below it
    that go with it."""

    ply: int
    undos: int
    text: str
    comment: str
    below: tuple[str, ...] = ()


class Seat(Struct):
    """A seat and its player.

    account  the player's userid, for the player alone
    alias    what everybody reads in its place; "" for the userid
    plan     what it is to do later, as text that a feature reads; None for nothing
    standin  since when a computer player moves for it; None while its player does
    given    seconds that others gave it for its present turn, or its next one
    stored   its columns in the database; empty before it is inserted
    is_bot   whether a computer player has it
    """

    seat: int
    player: int
    account: str
    is_active: bool
    preferences: Mapping[str, str]
    accepted: bool
    moved: bool = False
    plan: str | None = None
    submitted: str | None = None
    rank: int | None = None
    spent: float = 0.0
    due: float | None = None
    reminded: int = 0
    away: float | None = None
    notes: int = 0
    given: float = 0.0
    standin: float | None = None
    stored: tuple[Any, ...] = ()
    alias: str = ""
    is_bot: bool = False

    @property
    def userid(self) -> str:
        """The name that everybody reads: the player's userid, or an alias that hides it."""
        return self.alias or self.account

    @property
    def full_name(self) -> str:
        """The userid and the name that the player has set, or the alias."""
        return self.alias or format_name(self.account, self.preferences)

    @property
    def columns(self) -> tuple[Any, ...]:
        """The values of its columns, in the order of COLUMNS."""
        return (
            self.player,
            self.accepted,
            self.moved,
            self.plan,
            self.submitted,
            self.spent,
            self.due,
            self.reminded,
            self.given,
            self.standin,
            self.rank,
            self.notes,
        )

    @property
    def has_changed(self) -> bool:
        """Whether it differs from its row in the database."""
        return self.columns != self.stored

    def accept(self) -> None:
        """Agree to play."""
        self.accepted = True

    def submit(self, move: SubmittedMove) -> None:
        """Keep a move for `confirm`, in place of any other."""
        self.submitted = json.dumps(move)

    @property
    def submitted_move(self) -> SubmittedMove | None:
        """The move that `confirm` would play."""
        if not self.submitted:
            return None
        ply, undos, text, comment, *below = json.loads(self.submitted)
        return SubmittedMove(ply, undos, text, comment, tuple(below[0]) if below else ())

    def discard_submitted(self) -> None:
        """Forget the submitted move."""
        self.submitted = None

    def discard_plans(self) -> None:
        """Forget the plan and the submitted move, reminders and warning."""
        self.plan = self.submitted = self.due = None
        self.reminded = 0

    def count_notes(self, notes: int) -> None:
        """Note how many notes its player has made on the board."""
        self.notes = notes

    def remind(self, reminders: int) -> None:
        """Note that so many reminders have gone out in this turn."""
        self.reminded = reminders

    def warn(self, due: float, reminders: int) -> None:
        """Note that a forfeit at `due` was announced, which stands for the reminders before it."""
        self.due = due
        self.remind(max(self.reminded, reminders))

    @property
    def is_late(self) -> bool:
        """Whether everybody was told that its time is up."""
        return self.reminded >= _LATE

    def mark_late(self) -> None:
        """Note that everybody was told that its time is up, which stands for all reminders."""
        self.remind(_LATE)

    def give(self, seconds: float) -> None:
        """Let it have more time for its turn, or (0) note that its clock stands still: what was
        announced of its end is void."""
        self.given += seconds
        self.due, self.reminded = None, 0 if self.is_late else self.reminded

    def stand_in(self, now: float, seconds: float) -> None:
        """Let a computer player move for it from now on, which has as long for the turn as it has
        taken until now."""
        self.standin = now
        self.give(seconds)

    def come_back(self) -> None:
        """Note that its player is there."""
        self.standin = None

    def stop_clock(self, spent: float) -> None:
        """Note the time used so far, at the end of a turn."""
        self.spent, self.given, self.due, self.reminded = spent, 0.0, None, 0

    def set_rank(self, rank: int | None) -> None:
        """Give the seat its rank in the result; None when there is no result."""
        self.rank = rank
