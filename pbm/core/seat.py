"""A seat at a board: who holds it, its submitted move, its clock, and what it has planned.

A seat is held by one person, or by a party: several people with a way to decide, in whose name a
team's account sits there. `Seat.people` are those who read what the seat sees, and
`list_speakers` those whose word is the seat's; whatever has to do with a seat's player asks
these."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct

from pbm.core.player import format_name
from pbm.store.tables import SeatRow

PLAIN_COLUMNS = tuple(
    name for name in SeatRow.column_types if name not in ("board_id", "seat", "player_id")
)
"""The columns of the table of seats that are fields of `Seat`."""
COLUMNS = ("player_id", *PLAIN_COLUMNS)
"""The columns of the table of seats, without its key."""


LATE = 1000
"""Stands for the reminders of a seat that was announced to be late."""


class Way(StrEnum):
    """How a party decides. What ends or settles something is for its captain, but where the word of
    anybody is enough."""

    CAPTAIN = "captain"
    """Its captain plays; what others send is a proposal."""
    FIRST = "first"
    """Whoever answers first plays."""
    TURN = "turn"
    """They play in turn, in the order in which they joined; what others send is a proposal."""
    VOTE = "vote"
    """They vote by reply, until all have voted or the time to vote is over."""


class Person(Struct, frozen=True):
    """Somebody who holds a seat, alone or with others."""

    player: int
    account: str
    is_active: bool
    preferences: Mapping[str, str]


class Ballot(NamedTuple):
    """A move that a member of a party proposes or votes for.

    move   as the game spells it: ballots for the same one are counted together
    words  the move as people read it
    text   what was typed
    """

    player: int
    move: str
    words: str
    text: str
    at: float


class Ballots(NamedTuple):
    """What the members of a party want played, the earliest first; valid at that ply and number of
    undos."""

    ply: int
    undos: int
    cast: tuple[Ballot, ...] = ()

    def find_choice(self, captain: int) -> Ballot:
        """Return the winning ballot: the one with most votes; of several, the captain's choice;
        else the first."""
        votes = {each.move: 0 for each in self.cast}
        for each in self.cast:
            votes[each.move] += 1
        most = max(votes.values())
        tied = [each for each in self.cast if votes[each.move] == most]
        return next((each for each in tied if each.player == captain), tied[0])


class SubmittedMove(NamedTuple):
    """A move that `confirm` plays, valid at that ply and number of undos, and the lines below it
    that go with it; `by` which member of a party, who alone may confirm it, or 0."""

    ply: int
    undos: int
    text: str
    comment: str
    below: tuple[str, ...] = ()
    by: int = 0


class Seat(Struct):
    """A seat and its player.

    player   the account that sits there: a person's, or a team's
    account  the userid of the person who reads it, only for that person: see `read_as`
    alias    the name for everybody else; "" for the userid
    plan     its later acts, as text that a feature reads; None for none
    standin  since when a computer player moves for it; None while its player does
    given    seconds that others gave it for its present turn, or its next one
    stored   its columns in the database; empty before it is inserted
    is_bot   whether a computer player has it
    decides  the way to decide of the party that holds it; "" where a person does
    party    the name of that party
    members  the people of the party, its captain first
    ballots  the moves that these want, as text; None for none
    tried    the variations that its holder saved, as text; None for none
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
    decides: str = ""
    ballots: str | None = None
    tried: str | None = None
    party: str = ""
    members: tuple[Person, ...] = ()

    @property
    def people(self) -> Sequence[Person]:
        """The people who hold it and see what it sees. The captain of a party comes first."""
        if self.decides:
            return self.members
        return (Person(self.player, self.account, self.is_active, self.preferences),)

    def is_held_by(self, player: int) -> bool:
        """Whether a player holds it, alone or with others."""
        if self.decides:
            return any(each.player == player for each in self.members)
        return self.player == player

    def list_speakers(self, round_number: int | None = None) -> Sequence[int]:
        """Return the players whose word is the seat's: for a move in that round of the game, or
        (None) for what ends or settles something. None of them is alone where a party votes."""
        if not self.decides:
            return (self.player,)
        active = [each.player for each in self.members if each.is_active]
        if not active or self.decides == Way.FIRST:
            return active
        if self.decides == Way.TURN and round_number is not None:
            return (active[round_number % len(active)],)
        if self.decides == Way.VOTE and round_number is not None:
            return ()
        return active[:1]

    def read_as(self, player: int) -> Seat:
        """Return it, with the userid and preferences of that member of its party: those of whoever
        reads it or acts for it now."""
        for each in self.members:
            if each.player == player:
                self.account, self.preferences = each.account, each.preferences
        return self

    @property
    def clock_preferences(self) -> Mapping[str, str]:
        """The preferences by which its clock runs: a party has no days off."""
        return {} if self.decides else self.preferences

    def name_member(self, player: int) -> str:
        """Return the userid of who holds it with that number; "" for nobody."""
        return next((each.account for each in self.people if each.player == player), "")

    @property
    def userid(self) -> str:
        """The name that everybody reads: the userid of who holds it, or an alias that hides it."""
        return self.alias or self.party or self.account

    @property
    def full_name(self) -> str:
        """The userid and the name that the player has set, or the alias."""
        return self.alias or self.party or format_name(self.account, self.preferences)

    @property
    def columns(self) -> tuple[object, ...]:
        """The values of its columns, in the order of COLUMNS."""
        return (self.player, *[getattr(self, name) for name in PLAIN_COLUMNS])

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
        ply, undos, text, comment, *more = json.loads(self.submitted)
        return SubmittedMove(ply, undos, text, comment, tuple(more[0]) if more else (), *more[1:])

    def read_ballots(self, ply: int, undos: int) -> Ballots:
        """Return the ballots at a ply, none where the present ones are of another."""
        if self.ballots:
            of_ply, of_undos, cast = json.loads(self.ballots)
            if (of_ply, of_undos) == (ply, undos):
                return Ballots(ply, undos, tuple(Ballot(*each) for each in cast))
        return Ballots(ply, undos)

    def store_ballots(self, ballots: Ballots) -> None:
        """Keep what the members of its party want played."""
        self.ballots = json.dumps(ballots) if ballots.cast else None

    def discard_plans(self) -> None:
        """Forget the plan, the submitted move and ballots, reminders and warning."""
        self.plan = self.submitted = self.due = self.ballots = None
        self.reminded = 0

    def remind(self, reminders: int) -> None:
        """Note the number of reminders sent in this turn."""
        self.reminded = reminders

    def warn(self, due: float, reminders: int) -> None:
        """Note that a forfeit at `due` was announced, which stands for the reminders before it."""
        self.due = due
        self.remind(max(self.reminded, reminders))

    @property
    def is_late(self) -> bool:
        """Whether it was announced that its time is up."""
        return self.reminded >= LATE

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

    def stop_clock(self, spent: float) -> None:
        """Note the time used so far, at the end of a turn."""
        self.spent, self.given, self.due, self.reminded = spent, 0.0, None, 0
