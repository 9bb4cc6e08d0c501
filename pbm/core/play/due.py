"""What is due on a board that is played: reminders, warnings and forfeits."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.kernel.boards import clock
from pbm.core.kernel.boards import clocks as board_clocks
from pbm.core.kernel.boards.board import Board, join_names
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.turns import end_orders, follow_up
from pbm.core.kernel.boards.updates import Change, build_change, notify_board, notify_changes
from pbm.core.kernel.boards.view import BoardViews, find_thread
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.notices.boards import Reminder
from pbm.core.kernel.notices.notice import Notice
from pbm.rules.phrases import phrase
from pbm.store import reads

_MARKED_LATE = 1000
"""Stands for the reminders of a seat that was told to everybody to be late."""


def check_board(work: DueWork, board: Board) -> list[Notice]:
    """Remind, warn or forfeit on a board that is due."""
    if board.state != "running":
        return []
    context, notices = work.context, list[Notice]()
    late: list[Seat] = []
    marked: list[tuple[Seat, float]] = []
    for seat in board.on_move:
        allowed = board.control.compute_turn_limit(seat.spent)
        calendar = board_clocks.read_calendar(context.session, seat, board.moved, board.event)
        used = clock.count_running_seconds(calendar, board.moved, context.now)
        passed = sum(at <= used for at in clock.compute_reminder_times(board.control, allowed))
        if allowed is not None:
            end = board_clocks.find_turn_end(board, calendar, allowed)
            announced = max(end, seat.due or 0.0)
            if not board_clocks.is_warned(seat, end, calendar):
                if context.now >= end - clock.compute_warning_lead(allowed):
                    least = clock.compute_least_warning(allowed)
                    seat.warn(max(end, context.now + least), passed)
                    if not board_clocks.is_warned(seat, end, calendar):
                        seat.warn(clock.find_end(calendar, context.now, least), passed)
                    notices += _warn(context, board, seat)
                    continue
            elif context.now >= announced + board_clocks.GRACE and work.oldest > announced:
                if board.position.takes_orders:  # no one player's holiday holds up all others
                    if context.now >= announced + board.position.grace * clock.HOUR:
                        late.append(seat)
                    elif seat.reminded < _MARKED_LATE:
                        marked.append((seat, announced))
                    continue
                spared = _spare(context, seat, (end - 1.0, announced - 1.0))
                if spared is None:
                    late.append(seat)
                else:
                    notices += spared
                continue
        if passed > seat.reminded:
            seat.remind(passed)
            notices += _remind(context, board, seat)
    if marked:
        notices += _mark_late(context, board, marked)
    if late:
        return notices + _forfeit(context, board, late)
    if any(seat.has_changed for seat in board.seats):
        save(context.session, board, context.now)
    return notices


def _spare(context: Context, seat: Seat, moments: Sequence[float]) -> list[Notice] | None:
    """Return the notices of the first feature that stops the seat's clock from one of these moments
    on; None when none does."""
    for moment in moments:
        for spare in find_hooks("on_time_out"):
            notices: list[Notice] | None = spare(context, seat, moment)
            if notices is not None:
                return notices
    return None


def _mark_late(
    context: Context, board: Board, marked: Sequence[tuple[Seat, float]]
) -> list[Notice]:
    """Tell everybody which seats are late, and until when their orders are taken all the same."""
    for seat, _ in marked:
        seat.remind(_MARKED_LATE)
    deadline = max(deadline for _, deadline in marked)
    until = board_clocks.format_time(deadline + board.position.grace * clock.HOUR, {})
    names = [board.position.seat_names[seat.seat] for seat, _ in marked]
    late = (
        phrase("{player} is late: orders are taken until {time}", player=names[0], time=until)
        if len(names) == 1
        else phrase(
            "{players} are late: orders are taken until {time}",
            players=join_names(names),
            time=until,
        )
    )
    return notify_board(context, board, late)


def _forfeit(context: Context, board: Board, late: list[Seat]) -> list[Notice]:
    """Forfeit the seats that ran out of time; cancel the board when all seats did."""
    if board.position.takes_orders:
        return end_orders(context, board, late)
    if board.position.playing <= {seat.seat for seat in late}:
        board.cancel(None, "", context.now)
        save(context.session, board, context.now)
        return notify_board(context, board, phrase("the time of all players ran out"))
    changes: list[Change] = []
    for seat in late:
        if board.is_over or seat.seat not in board.position.playing:
            break
        board.begin_act()
        board.forfeit(seat.seat, context.now)
        save(context.session, board, context.now)
        event = phrase("{player} ran out of time", player=seat.userid)
        own = phrase("you ran out of time")
        changes.append(build_change(board, event, own=own, actor=seat.seat))
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
        end = max(board_clocks.find_turn_end(board, calendar, allowed), late.due or 0.0)
    position, notices = board.position, []
    others = not position.takes_orders and position.resign(late.seat).outcome is None
    for reader in readers:
        content = Reminder(
            view=views.build(reader.seat),
            late=late.userid,
            is_late=reader.player == late.player,
            since=board_clocks.format_time(board.moved, reader.preferences),
            until=""
            if end is None
            else board_clocks.format_end(end, reader.preferences, context.now),
            others=others,
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
