"""Reminders, warnings and forfeits on boards that are due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update

from pbm.core import board as board_clocks
from pbm.core import clock
from pbm.core.board import Board
from pbm.core.clock import DAY
from pbm.core.context import Context, DueWork
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice, Reminder
from pbm.core.operator import OperatorAct
from pbm.core.player import (
    Player,
    delete_own,
    list_own,
    pass_on,
    pass_on_pairs,
    pick,
    read,
    rename_in,
)
from pbm.core.seat import LATE, Person, Seat
from pbm.core.storing import save
from pbm.core.turns import end_orders, follow_up
from pbm.core.updates import Change, build_change, find_mailboxes, notify_board, notify_changes
from pbm.core.view import BoardViews, find_thread
from pbm.features.parties import substitutes
from pbm.features.parties.matches import ask_for_table
from pbm.features.vacations.commands import take_automatically
from pbm.rules.phrases import Listing, phrase
from pbm.store import reads
from pbm.store.tables import boards, moves, seats, watchers
from pbm.store.transaction import Session


def check_board(work: DueWork, board: Board) -> list[Notice]:
    """Remind, warn or forfeit on a board that is due."""
    if board.state != "running":
        return []
    context, notices = work.context, list[Notice]()
    late: list[Seat] = []
    marked: list[tuple[Seat, float]] = []
    for seat in board.on_move:
        allowed = board_clocks.compute_turn_limit(board, seat)
        calendar = board_clocks.read_calendar(context.session, board, seat)
        used = clock.count_running_seconds(calendar, board.turn_began, context.now)
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
                spared = None
                if not board.position.takes_orders:  # where one holiday would hold up all others
                    spared = _spare(context, seat, (end - 1.0, announced - 1.0))
                if spared is not None:
                    notices += spared
                elif context.now >= announced + board_clocks.find_grace(board):
                    late.append(seat)
                elif not seat.is_late:
                    marked.append((seat, announced))
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
    """Return the notices of a vacation that stops the seat's clock from one of these moments on;
    None if there is none."""
    for moment in moments:
        if (notices := take_automatically(context, seat, moment)) is not None:
            return notices
    return None


def _mark_late(
    context: Context, board: Board, marked: Sequence[tuple[Seat, float]]
) -> list[Notice]:
    """Mark these seats as late, and notify everybody until when they may still move."""
    for seat, _ in marked:
        seat.remind(LATE)
    deadline = max(deadline for _, deadline in marked)
    until = board_clocks.format_time(deadline + board_clocks.find_grace(board), {})
    if not board.position.takes_orders:
        people = board.join_userids({seat.seat for seat, _ in marked})
        late = phrase("out of time, but may move until {time}: {people}", people=people, time=until)
        return notify_board(context, board, late)
    names = [board.position.seat_names[seat.seat] for seat, _ in marked]
    late = (
        phrase("{player} is late: orders are taken until {time}", player=names[0], time=until)
        if len(names) == 1
        else phrase(
            "{players} are late: orders are taken until {time}",
            players=Listing(names),
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
    changes = _stand_in(context, board, late)
    for seat in late:
        if seat.standin == context.now:
            continue
        if board.is_over or seat.seat not in board.position.playing:
            break
        board.begin_act()
        board.forfeit(seat.seat, context.now)
        save(context.session, board, context.now)
        event = phrase("{player} ran out of time", player=seat.userid)
        own = phrase("you ran out of time")
        changes.append(build_change(board, event, own=own, actor=seat.seat))
    return notify_changes(context, board, follow_up(context, board, changes))


def _stand_in(context: Context, board: Board, late: Sequence[Seat]) -> list[Change]:
    """Let the board's agreed computer player move for the seats whose time is up, where another
    person plays on; not for a seat for which it could not move in time either."""
    if not (board.standin and context.config.bots.enabled):
        return []
    people = [
        seat
        for seat in board.seats
        if seat.seat in board.position.playing and not (seat.is_bot or seat.standin or seat in late)
    ]
    changes: list[Change] = []
    for seat in late if people else ():
        if seat.standin or seat.is_bot:
            continue
        board.begin_act()
        seat.stand_in(context.now, context.now - board.turn_began)
        save(context.session, board, context.now)
        event = phrase(
            "{player} is out of time: {bot} moves for {player} until they are back",
            player=seat.userid,
            bot=board.standin,
        )
        own = phrase(
            "you are out of time: {bot} moves for you until you send any mail or move",
            bot=board.standin,
        )
        changes.append(build_change(board, event, own=own, actor=seat.seat))
    return changes


def _remind(context: Context, board: Board, seat: Seat) -> list[Notice]:
    """Remind the late player, unless a daily digest does."""
    readers = [(each, seat) for each in seat.people if each.preferences.get("digest", "no") == "no"]
    return _build_reminders(context, board, seat, readers) if readers else []


def _warn(context: Context, board: Board, seat: Seat) -> list[Notice]:
    """Warn all players of the board that the late one is about to forfeit. Players with a daily
    digest are left out, the late one only if the digest comes in time."""
    if board.position.takes_orders:
        return _build_reminders(context, board, seat, [(each, seat) for each in seat.people])
    in_time = (seat.due or 0.0) - context.now >= DAY
    readers = {
        each.player: (each, other)
        for other in (*reversed(board.seats), seat)
        for each in other.people
        if each.is_active
        and (other is seat or each.preferences.get("news") != "mine")
        and (each.preferences.get("digest", "no") == "no" or (other is seat and not in_time))
    }
    return _build_reminders(context, board, seat, [readers[player] for player in sorted(readers)])


def _build_reminders(
    context: Context, board: Board, late: Seat, readers: Sequence[tuple[Person, Seat]]
) -> list[Notice]:
    """Return the reminders to these readers, each of a seat. The giver of an exhibition gets one
    mail about all its boards."""
    giver = reads.find_giver(context.session, board.id)
    if giver is not None:
        readers = [each for each in readers if each[0].player != giver]
    if giver is not None and late.is_held_by(giver):
        ask_for_table(context.session, board.id)
    addresses, _ = find_mailboxes(context.session, board)
    views = BoardViews(board, BoardLog(context, board))
    calendar = board_clocks.read_calendar(context.session, board, late)
    end = board_clocks.find_last_moment(board, late, calendar)
    position, notices = board.position, []
    may_pass = late.due is not None and substitutes.may_pass(context.session, board, late)
    rule = substitutes.build_rule(board, late) if may_pass else ""
    if position.takes_orders:
        others = late.seat not in position.vacant
    else:
        others = position.resign(late.seat).outcome is None
    for reader, seat in readers:
        seat.read_as(reader.player)
        content = Reminder(
            view=views.build(seat.seat),
            late=late.userid,
            is_late=late.is_held_by(reader.player),
            since=board_clocks.format_time(board.turn_began, reader.preferences),
            until=""
            if end is None
            else board_clocks.format_end(end, reader.preferences, context.now),
            others=others,
            rule=rule,
        )
        notices.append(
            Notice(
                content,
                addresses=tuple(addresses.get(reader.player, ())),
                player=reader.player,
                thread=find_thread(board, seat.seat),
            )
        )
    return notices


# Seats, comments and watched boards of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the boards on which a player has a seat, and those that a player watches."""
    return {
        "boards": _list_boards(session, player),
        "watched_boards": list_own(session, player, watchers, "board_id"),
    }


def _list_boards(session: Session, player: int) -> list[dict[str, object]]:
    """Return the player's seats, each with the player's own moves, comments and plan."""
    seated = (
        select(
            boards.c.id.label("board"),
            boards.c.game,
            boards.c.state,
            boards.c.created,
            boards.c.ended,
            *pick(seats, "seat rank plan submitted spent due"),
        )
        .join(seats, seats.c.board_id == boards.c.id)
        .where(seats.c.player_id == player)
        .order_by(boards.c.id, seats.c.seat)
    )
    made = (
        select(
            moves.c.board_id,
            moves.c.seat,
            *pick(moves, "ply kind move comment at"),
        )
        .join(seats, (seats.c.board_id == moves.c.board_id) & (seats.c.seat == moves.c.seat))
        .where(seats.c.player_id == player)
        .order_by(moves.c.board_id, moves.c.number)
    )
    rows = read(session, seated)
    by_seat: dict[tuple[int, int], list[dict[str, Any]]] = {
        (row["board"], row["seat"]): row.setdefault("moves", []) for row in rows
    }
    for move in read(session, made):
        by_seat[move.pop("board_id"), move.pop("seat")].append(move)
    return rows


def rename(context: Context, player: Player, userid: str) -> None:
    """Replace the player's userid in the reasons of boards' ends."""
    seated = select(seats.c.board_id).where(seats.c.player_id == player.id)
    said = moves.c.board_id.in_(seated) & moves.c.seat.is_(None)
    for table, column, chosen in (
        (boards, boards.c.outcome, boards.c.id.in_(seated)),
        (moves, moves.c.comment, said),
    ):
        rename_in(context.session, table, column, chosen, player.userid, userid)


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the seats and the watched boards."""
    pass_on(act.session, (seats,), old, new)
    pass_on_pairs(act.session, watchers, "player_id", "board_id", old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Erase comments, plans and submitted moves, and which boards the player watches."""
    session, number = context.session, player.id
    seated = select(seats.c.board_id).where(seats.c.player_id == number)
    is_seat = (
        select(seats.c.seat)
        .where(
            seats.c.board_id == moves.c.board_id,
            seats.c.seat == moves.c.seat,
            seats.c.player_id == number,
        )
        .exists()
    )
    written = moves.c.board_id.in_(seated) & (moves.c.comment != "") & is_seat
    session.execute(update(moves).where(written).values(comment=""))
    session.execute(
        update(seats)
        .where(seats.c.player_id == number)
        .values(plan=None, submitted=None, notes=0, tried=None)
    )
    delete_own(session, (watchers,), number)
