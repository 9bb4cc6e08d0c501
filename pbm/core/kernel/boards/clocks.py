"""The clocks of a board: time used, deadlines, and when the scheduler has to look at it again.

Most moves cost a sum; pauses are read only where a board counts the time of earlier turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pbm.core.kernel.boards import clock
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clock import Calendar, Span
from pbm.core.kernel.boards.deadlines import align
from pbm.core.kernel.boards.seat import Seat
from pbm.locale import Moment
from pbm.rules.phrases import combine
from pbm.store.transaction import Session

GRACE = 120.0
"""Seconds of grace before a forfeit: a mail that arrived in time may not be in the database yet."""

SLEEP_LIMIT = 7 * clock.DAY
"""Seconds after which a sleeping board is deleted."""


def build_calendar(preferences: Mapping[str, str]) -> Calendar:
    """Return the calendar of a player's days off, without pauses."""
    off = preferences.get("off", "no")
    return clock.ALWAYS if off == "no" else _read_week(preferences.get("zone", "UTC"), off)


@lru_cache(maxsize=1024)
def _read_week(zone: str, off: str) -> Calendar:
    return Calendar(zone, clock.read_off(off) or frozenset())


def read_stops(session: Session, player: int, since: float) -> tuple[Span, ...]:
    """Return the player's vacations and the server's downtimes that end after a time."""
    from pbm.store.reads.player_rows import find_pauses  # seldom needed

    return tuple((row.begins, row.ends) for row in find_pauses(session, player, since))


def read_calendar(session: Session, seat: Seat, since: float, event: int | None = None) -> Calendar:
    """Return the calendar of a seat with its days off, and all pauses that end after a time: on a
    board of an event, vacations only as far as the event allows."""
    week = build_calendar(seat.preferences)
    stops = read_stops(session, seat.player, since)
    if event is not None:
        stops = _limit_vacations(session, event, seat.player, stops)
    return Calendar(week.zone, week.off, stops)


def _limit_vacations(
    session: Session, event: int, player: int, stops: Iterable[Span]
) -> tuple[Span, ...]:
    """Return the pauses, with the player's vacations cut to the days that the event allows."""
    from pbm.store.reads.event_rows import find_event  # seldom needed
    from pbm.store.reads.player_rows import find_vacations

    row = find_event(session, event)
    vacations = [(each.begins, each.ends) for each in find_vacations(session, player)]
    if row is None or not vacations:
        return tuple(stops)
    allowed = clock.take_first(vacations, row.begins, row.vacation * clock.DAY)
    return (*(span for span in stops if span not in vacations), *allowed)


def settle_clocks(session: Session, board: Board) -> None:
    """Charge each seat whose clock stopped with the time of its turn."""
    for which, begin, end in board.stopped:
        seat = board.seats[which]
        spent = seat.spent
        if board.control.is_cumulative:
            calendar = read_calendar(session, seat, begin, board.event)
            spent = board.control.add_turn(spent, clock.count_running_seconds(calendar, begin, end))
        seat.stop_clock(spent)
    board.stopped = []


def find_next_check(board: Board, session: Session | None = None) -> float | None:
    """Return when the scheduler has to look at the board again: before anything can be due. Without
    a session pauses are left out, since they only postpone."""
    if board.state == "sleeping":
        return board.created + SLEEP_LIMIT
    if board.state == "invited":
        return find_invitation_end(board, session)
    if board.state != "running":
        return None
    times = [
        find_next_notice(
            board,
            seat,
            read_calendar(session, seat, board.moved, board.event)
            if session is not None
            else build_calendar(seat.preferences),
        )
        for seat in board.on_move
    ]
    return min([at for at in times if at is not None], default=None)


def find_turn_end(board: Board, calendar: Calendar, allowed: float) -> float:
    """Return when a turn of so many seconds ends by a calendar, at the hour that the board has."""
    end = clock.find_end(calendar, board.moved, allowed)
    return align(board.control.at, end) if board.control.at else end


def find_invitation_end(board: Board, session: Session | None) -> float | None:
    """Return when an invitation that nobody answers ends; None for one that waits for ever. Without
    a session the server's downtimes are left out."""
    days = board.answer_days or board.control.forfeit or board.control.bank
    if days is None:
        return None
    stops = read_stops(session, 0, board.created) if session is not None else ()
    return clock.find_end(Calendar(stops=stops), board.created, days * clock.DAY)


def find_next_notice(board: Board, seat: Seat, calendar: Calendar) -> float | None:
    """Return when the seat's next reminder, the warning of all players or its forfeit is due."""
    allowed = board.control.compute_turn_limit(seat.spent)
    times = clock.compute_reminder_times(board.control, allowed)
    times_due = []
    if seat.reminded < len(times):
        times_due.append(clock.find_end(calendar, board.moved, times[seat.reminded]))
    if allowed is not None:
        end = find_turn_end(board, calendar, allowed)
        if is_warned(seat, end, calendar):
            times_due.append(max(end, seat.due or 0.0) + GRACE)
        else:
            times_due.append(end - clock.compute_warning_lead(allowed))
    return min(times_due, default=None)


def is_warned(seat: Seat, end: float, calendar: Calendar) -> bool:
    """Whether a forfeit at about `end` was announced, for a time at which the clock runs."""
    due = seat.due
    if due is None or due < end - clock.HOUR:
        return False
    return clock.find_end(calendar, due, 0.0) <= due + clock.HOUR


def find_deadline(board: Board, seat: Seat) -> float | None:
    """Return the deadline of a seat on the move, by its clock and its days off. None when it has
    none, or when a vacation reaches beyond it."""
    allowed = board.control.compute_turn_limit(seat.spent)
    if allowed is None:
        return None
    end = find_turn_end(board, build_calendar(seat.preferences), allowed)
    if seat.away is not None and seat.away > end:
        return None
    return max(end, seat.due or 0.0)


def format_time(at: float, preferences: Mapping[str, str]) -> Moment:
    """Return a time in the player's own zone: Mon 23 Mar 2026, 12:00 UTC."""
    return _format_minute(at // 60, preferences.get("zone", "UTC"))


@lru_cache(maxsize=1024)
def _format_minute(minute: float, zone: str) -> Moment:
    """Return what `format_time` returns, which moves of one minute often share."""
    return Moment(clock.to_local(minute * 60, zone), zone)


def format_end(at: float, preferences: Mapping[str, str], now: float) -> str:
    """Return a time as `format_time` has it, and how far away it is: ... (in 3 days)."""
    time, span = format_time(at, preferences), clock.format_span(at - now)
    return combine("{time} ({span})", time=time, span=span)


def format_deadline(board: Board, seat: Seat, now: float) -> str:
    """Return the deadline of a seat on the move, as `format_end` has it; "" for none."""
    end = find_deadline(board, seat)
    return format_end(end, seat.preferences, now) if end is not None else ""
