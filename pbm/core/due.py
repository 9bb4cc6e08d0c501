"""Does what is due: reminders, warnings, forfeits, digests, and offers and invitations that expire.

`do_due` runs inside the caller's transaction, does a bounded piece of the work and never commits. A
row only says when to check a board; whether anything is due is decided then."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sqlalchemy import bindparam, case, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core import retention
from pbm.core.kernel.boards import clock
from pbm.core.kernel.boards import clocks as board_clocks
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import build_board, save
from pbm.core.kernel.boards.turns import end_orders, follow_up
from pbm.core.kernel.boards.updates import Change, build_change, notify_board, notify_changes
from pbm.core.kernel.boards.view import BoardViews, find_thread
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.notices.boards import Reminder
from pbm.core.kernel.notices.held import build_summaries, has_summaries
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.secrets import Secrets
from pbm.core.lobby import sleeping
from pbm.core.vacations import commands as vacations
from pbm.games import list_missing_names
from pbm.store import reads
from pbm.store.tables import boards, inbound, outbound, pauses, seats, settings
from pbm.store.transaction import Session

EVERY = 60.0
"""Seconds from one tick to the next."""
_MISSED_TICKS = 3
"""Ticks without a heartbeat after which the server counts as having been down."""
_MOST_BOARDS = 50
_POSTPONED_FOR = 600.0
"""Seconds until a board whose check failed is checked again."""
HEARTBEAT = "heartbeat"

_FIRST_BEAT = text(
    "INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
)
_LAST_BEAT = (
    select(settings.c.value).where(settings.c.name == HEARTBEAT).with_for_update(skip_locked=True)
)
_OLDEST = select(func.min(inbound.c.received)).where(inbound.c.state == "waiting")

_OUT_LATE = update(outbound).where(
    outbound.c.state == "waiting", outbound.c.next_attempt > bindparam("now")
)
_IN_LATE = update(inbound).where(
    inbound.c.state == "waiting", inbound.c.received > bindparam("now")
)
_MARKED_LATE = 1000
"""Stands for the reminders of a seat that was told to everybody to be late."""


def do_due(
    session: Session,
    now: float,
    secrets: Secrets,
    config: Config,
    every: float = EVERY,
    failed: Callable[[str, int, Exception], object] = lambda kind, number, error: None,
    background: Any = None,
) -> list[Notice]:
    """Do what is due; the notices of it. Does nothing while another daemon is at it. The check of a
    board or event that fails is postponed, and reported to `failed` with its kind and number. What
    takes long to compute is asked of `background`, if there is one."""
    if not record_heartbeat(session, now, every):
        return []
    context = Context(session, now, secrets, config)
    oldest = session.execute(_OLDEST).scalar()
    notices: list[Notice] = []
    query = select(boards.c.id).where(boards.c.look <= now).order_by(boards.c.look, boards.c.id)
    for number in session.execute(query.limit(_MOST_BOARDS)).scalars().all():
        try:
            with session.savepoint():
                notices += _check_board(
                    context, number, math.inf if oldest is None else oldest, every
                )
        except DBAPIError:
            raise
        except Exception as error:
            _postpone(session, number, now)
            failed("board", number, error)
    work = DueWork(context, failed, background)
    for do_more in find_hooks("due"):
        notices += do_more(work)
    notices += build_summaries(context)
    retention.clean_up(session, now, config.retention)
    return notices


def _postpone(session: Session, number: int, now: float) -> None:
    """Postpone the check of a board. Its clock stands still meanwhile, and its players are warned
    again before they lose anything."""
    stood = now - boards.c.look + _POSTPONED_FOR
    moved = boards.c.moved + case((boards.c.state == "running", stood), else_=0.0)
    values = {"look": now + _POSTPONED_FOR, "moved": moved}
    session.execute(update(boards).where(boards.c.id == number).values(**values))
    session.execute(update(seats).where(seats.c.board_id == number).values(due=None))


def has_more(session: Session, now: float) -> bool:
    """Whether anything is due that the last tick left."""
    late = select(boards.c.id).where(boards.c.look <= now).limit(1)
    if session.execute(late).scalar() is not None or has_summaries(session, now):
        return True
    return any(is_due(session, now) for is_due in find_hooks("is_due"))


def record_heartbeat(session: Session, now: float, every: float = EVERY) -> bool:
    """Record that the server runs; whether it is this daemon's turn to tick. Time in which no
    server ran, or by which the system clock was set forward, counts on no player's clock. When the
    system clock was set back, no pause and no mail is left in the future."""
    value = session.execute(_LAST_BEAT).scalar()
    if value is None and reads.read_setting(session, HEARTBEAT) is not None:
        return False
    if value is None:
        session.execute(_FIRST_BEAT, {"name": HEARTBEAT, "value": repr(now)})
        value = repr(now)
    last = float(value)
    if now - last > _MISSED_TICKS * every:
        session.execute(insert(pauses).values(begins=last, ends=now, kind="down", created=now))
        later = seats.c.due + (now - last)
        session.execute(update(seats).where(seats.c.due > last).values(due=later))
    elif now > last:
        _hold_clocks(session, now - last)
    if now < last:
        down = pauses.c.kind == "down"
        session.execute(delete(pauses).where(down, pauses.c.begins >= now))
        session.execute(update(pauses).where(down, pauses.c.ends > now).values(ends=now))
    if last - now > _MISSED_TICKS * every:
        _repair_times(session, last, now)
    session.execute(update(settings).where(settings.c.name == HEARTBEAT).values(value=repr(now)))
    return True


def _hold_clocks(session: Session, seconds: float) -> None:
    """Shift the clocks of boards whose game is missing: they stood still for so long."""
    names = list_missing_names()
    if not names:
        return
    waits = (boards.c.state == "running") & boards.c.game.in_(names)
    numbers = select(boards.c.id).where(waits)
    session.execute(
        update(seats).where(seats.c.board_id.in_(numbers)).values(due=seats.c.due + seconds)
    )
    later = {"moved": boards.c.moved + seconds, "look": boards.c.look + seconds}
    session.execute(update(boards).where(waits).values(**later))


def _repair_times(session: Session, last: float, now: float) -> None:
    """Repair what was stored while the system clock was fast: check everything anew, and repeat
    warnings of times in the future."""
    session.execute(update(boards).where(boards.c.look > now).values(look=now))
    session.execute(update(boards).where(boards.c.moved > now).values(moved=now))
    waiting = boards.c.state.in_(("sleeping", "invited"))
    session.execute(update(boards).where(waiting, boards.c.created > now).values(created=now))
    session.execute(_OUT_LATE.values(next_attempt=now), {"now": now})
    session.execute(_IN_LATE.values(received=now), {"now": now})
    if last - now > clock.WARNED:
        session.execute(update(seats).where(seats.c.due > last).values(due=None))
    for repair in find_hooks("on_clock_back"):
        repair(session, last, now)


def _check_board(context: Context, number: int, oldest: float, every: float) -> list[Notice]:
    """Remind, warn or forfeit on one board, and schedule its next check."""
    row = reads.try_lock_board(context.session, number)
    if row is None:
        return []
    board = build_board(context.session, row, reads.find_seats(context.session, number))
    if board.state == "sleeping" and context.now >= board.created + board_clocks.SLEEP_LIMIT:
        sleeping.drop(context.session, number)
        return []
    if board.state == "sleeping":
        notices = []
    elif board.state == "invited":
        notices = _expire_invitation(context, board)
    else:
        notices = _check_clocks(context, board, oldest)
    _schedule_next_check(context, board, every)
    return notices


def _schedule_next_check(context: Context, board: Board, every: float) -> None:
    look = board_clocks.find_next_check(board, context.session)
    if look is not None:
        look = max(look, context.now + every / 2)
    context.session.execute(update(boards).where(boards.c.id == board.id).values(look=look))


def _expire_invitation(context: Context, board: Board) -> list[Notice]:
    """Cancel an invitation that nobody answered within the time for a move."""
    end = board_clocks.find_invitation_end(board, context.session)
    if end is None or context.now < end + board_clocks.GRACE:
        return []
    board.cancel(None, "", context.now)
    save(context.session, board, context.now)
    event = "the invitation was not answered in time"
    if board.event is not None:
        event = f"the challenge was not answered in time, and so lost in event {board.event}"
    return notify_board(context, board, event)


def _check_clocks(context: Context, board: Board, oldest: float) -> list[Notice]:
    notices: list[Notice] = []
    late: list[Seat] = []
    for seat in board.on_move:
        allowed = board.control.compute_turn_limit(seat.spent)
        calendar = board_clocks.read_calendar(context.session, seat, board.moved, board.event)
        used = clock.count_running_seconds(calendar, board.moved, context.now)
        passed = sum(at <= used for at in clock.compute_reminder_times(board.control, allowed))
        if allowed is not None:
            end = clock.find_end(calendar, board.moved, allowed)
            announced = max(end, seat.due or 0.0)
            if not board_clocks.is_warned(seat, end, calendar):
                if context.now >= end - clock.compute_warning_lead(allowed):
                    least = clock.compute_least_warning(allowed)
                    seat.warn(max(end, context.now + least), passed)
                    if not board_clocks.is_warned(seat, end, calendar):
                        seat.warn(clock.find_end(calendar, context.now, least), passed)
                    notices += _warn(context, board, seat)
                    continue
            elif context.now >= announced + board_clocks.GRACE and oldest > announced:
                if board.position.takes_orders:  # no one player's holiday holds up all others
                    if context.now >= announced + board.position.grace * clock.HOUR:
                        late.append(seat)
                    elif seat.reminded < _MARKED_LATE:
                        notices += _mark_late(context, board, seat, announced)
                    continue
                vacation = vacations.take_automatically(context, seat, end - 1.0)
                vacation = vacation or vacations.take_automatically(context, seat, announced - 1.0)
                if vacation is None:
                    late.append(seat)
                else:
                    notices += vacation[1]
                continue
        if passed > seat.reminded:
            seat.remind(passed)
            notices += _remind(context, board, seat)
    if late:
        return notices + _forfeit(context, board, late)
    if any(seat.has_changed for seat in board.seats):
        save(context.session, board, context.now)
    return notices


def _mark_late(context: Context, board: Board, seat: Seat, deadline: float) -> list[Notice]:
    """Tell everybody that a seat is late, and until when its orders are taken all the same."""
    seat.remind(_MARKED_LATE)
    until = board_clocks.format_time(deadline + board.position.grace * clock.HOUR, {})
    name = board.position.seat_names[seat.seat]
    return notify_board(context, board, f"{name} is late: orders are taken until {until}")


def _forfeit(context: Context, board: Board, late: list[Seat]) -> list[Notice]:
    """Forfeit the seats that ran out of time; cancel the board when all seats did."""
    if board.position.takes_orders:
        return end_orders(context, board, late)
    if board.position.playing <= {seat.seat for seat in late}:
        board.cancel(None, "", context.now)
        save(context.session, board, context.now)
        return notify_board(context, board, "the time of all players ran out")
    changes: list[Change] = []
    for seat in late:
        if board.is_over or seat.seat not in board.position.playing:
            break
        board.begin_act()
        board.forfeit(seat.seat, context.now)
        save(context.session, board, context.now)
        changes.append(build_change(board, "{who} ran out of time", actor=seat.seat))
    return notify_changes(context, board, [*changes, *follow_up(context, board)])


def _remind(context: Context, board: Board, seat: Seat) -> list[Notice]:
    """Remind the late player; a daily digest does so in its place."""
    if seat.preferences.get("digest", "no") != "no":
        return []
    return _build_reminders(context, board, seat, [seat])


def _warn(context: Context, board: Board, seat: Seat) -> list[Notice]:
    """Warn all players of the board that the late one is about to forfeit. Players with a daily
    digest are left out, but the late one only when the digest comes in time."""
    if board.position.takes_orders:
        return _build_reminders(context, board, seat, [seat])
    in_time = (seat.due or 0.0) - context.now >= DAY
    readers = {
        other.player: other
        for other in reversed(board.seats)
        if other.is_active
        and (other.preferences.get("digest", "no") == "no" or (other is seat and not in_time))
    }
    if seat.player in readers:
        readers[seat.player] = seat
    return _build_reminders(context, board, seat, [readers[player] for player in sorted(readers)])


def _build_reminders(
    context: Context, board: Board, late: Seat, readers: list[Seat]
) -> list[Notice]:
    addresses, _ = reads.find_board_addresses(context.session, board.id)
    views = BoardViews(board, BoardLog(context, board))
    calendar = board_clocks.read_calendar(context.session, late, board.moved, board.event)
    allowed = board.control.compute_turn_limit(late.spent)
    end = None
    if allowed is not None:
        end = max(clock.find_end(calendar, board.moved, allowed), late.due or 0.0)
    notices = []
    for reader in readers:
        content = Reminder(
            view=views.build(reader.seat),
            late=late.userid,
            is_late=reader.player == late.player,
            since=board_clocks.format_time(board.moved, reader.preferences),
            until=""
            if end is None
            else board_clocks.format_end(end, reader.preferences, context.now),
            others=len(board.position.playing) > 2,
        )
        notices.append(
            Notice(
                content,
                addresses=tuple(addresses.get(reader.player, ())),
                player=reader.player,
                thread=find_thread(board, reader.seat),
            )
        )
    return notices
