"""Clocks of boards: whose clock stopped, what of it counts, and when a board has to be looked at.

The hot path pays for a sum; pauses are read only where a board counts the time of earlier turns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbm.core.model import clock
from pbm.core.model.board import Board
from pbm.core.model.clock import Calendar, Span
from pbm.core.model.seat import Seat
from pbm.store.reads.pause_rows import pauses_of
from pbm.store.transaction import Session

SLACK = 120.0
"""Seconds after its end in which nothing is forfeited: a mail that came in time may still be on its
way into the database."""

SLEEPS = 7 * clock.DAY
"""Seconds after which a board that nobody wakes is forgotten."""


def calendar_of(preferences: Mapping[str, str]) -> Calendar:
    """The days off of a player, without any pause."""
    off = preferences.get("off", "no")
    return clock.ALWAYS if off == "no" else _week(preferences.get("zone", "UTC"), off)


@lru_cache(maxsize=1024)
def _week(zone: str, off: str) -> Calendar:
    return Calendar(zone, clock.read_off(off) or frozenset())


def read_stops(session: Session, player: int, since: float) -> tuple[Span, ...]:
    """A player's vacations and the server's downtimes that end after a time."""
    return tuple((row.begins, row.ends) for row in pauses_of(session, player, since))


def read_calendar(session: Session, seat: Seat, since: float) -> Calendar:
    """All that stops the clock of a seat from a time on."""
    week = calendar_of(seat.preferences)
    return Calendar(week.zone, week.off, read_stops(session, seat.player, since))


def settle_clocks(session: Session, board: Board) -> None:
    """Write down what the clocks that stopped have used; their seats need no reminder any more."""
    for which, begin, end in board.stopped:
        seat = board.seats[which]
        spent = seat.spent
        if board.control.counts:
            calendar = read_calendar(session, seat, begin)
            spent = board.control.settled(spent, clock.running_seconds(calendar, begin, end))
        seat.stop_clock(spent)
    board.stopped = []


def next_check(board: Board) -> float | None:
    """When the clockwork has to look at the board: no later than anything can be due. Pauses are
    left out, since they only make it later."""
    if board.state == "sleeping":
        return board.created + SLEEPS
    if board.state == "invited":
        return _invited(board)
    if board.state != "running":
        return None
    ends = [
        due
        for seat in board.on_move
        if (due := next_notice(board, seat, calendar_of(seat.preferences))) is not None
    ]
    return min(ends, default=None)


def _invited(board: Board) -> float | None:
    days = board.control.forfeit or board.control.bank
    return board.created + days * clock.DAY if days is not None else None


def next_notice(board: Board, seat: Seat, calendar: Calendar) -> float | None:
    """When the next reminder of that seat, the warning of all or its forfeit is due."""
    allowed = board.control.allowed(seat.spent)
    times = clock.reminder_times(board.control, allowed)
    found = [clock.end_of(calendar, board.moved, at) for at in times[seat.reminded :][:1]]
    if allowed is not None:
        end = clock.end_of(calendar, board.moved, allowed)
        if is_warned(seat, end, calendar):
            found.append(max(end, seat.due or 0.0) + SLACK)
        else:
            found.append(end - clock.warning_before(allowed))
    return min(found, default=None)


def is_warned(seat: Seat, end: float, calendar: Calendar) -> bool:
    """Whether the seat was told that it forfeits then, or about then, and its clock does not rest
    at the time that it was told."""
    due = seat.due
    if due is None or due < end - clock.HOUR:
        return False
    return clock.end_of(calendar, due, 0.0) <= due + clock.HOUR


def move_by(board: Board, seat: Seat) -> float | None:
    """When a seat on the move forfeits at the earliest, as its board and its days off say. None
    when it never does, or when a vacation reaches beyond that."""
    allowed = board.control.allowed(seat.spent)
    if allowed is None:
        return None
    end = clock.end_of(calendar_of(seat.preferences), board.moved, allowed)
    if seat.away is not None and seat.away > end:
        return None
    return max(end, seat.due or 0.0)


def format_time(at: float, preferences: Mapping[str, str]) -> str:
    """A time in words, in a player's own zone: Mon 23 Mar 2026, 12:00 UTC."""
    zone = preferences.get("zone", "UTC")
    return f"{clock.local(at, zone):%a %d %b %Y, %H:%M} {zone}"


def format_deadline(board: Board, seat: Seat) -> str:
    """When a seat on the move forfeits, in words; "" when it never does."""
    end = move_by(board, seat)
    return format_time(end, seat.preferences) if end is not None else ""
