"""The digest: a daily mail, at a time the player chose, with all boards waiting for them.

The most urgent board comes first; when no board waits there is no mail."""

from __future__ import annotations

import math

from msgspec.structs import replace
from sqlalchemy import select, update

from pbm.core.finding.list_notices import Digest, WaitingBoard
from pbm.core.kernel.boards import clock
from pbm.core.kernel.boards import clocks as board_clocks
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import build_board
from pbm.core.kernel.boards.unplayable import Unplayable
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players import vacations
from pbm.core.kernel.players.digest_time import find_next_digest
from pbm.core.kernel.players.player import Player, get_player, save_player
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.tables import players
from pbm.store.transaction import Session

_MOST_PLAYERS = 20
_MOST_BOARDS = 100
_SOON = 3 * clock.DAY
"""In a vacation only what is lost so soon is worth a mail."""


def build_digests(context: Context) -> list[Notice]:
    """Build the digests that are due, a bounded number of them."""
    query = (
        select(players.c.id)
        .where(players.c.digest_at <= context.now)
        .order_by(players.c.digest_at, players.c.id)
        .limit(_MOST_PLAYERS)
        .with_for_update(skip_locked=True)
    )
    notices = []
    for number in context.session.execute(query).scalars().all():
        player = get_player(context.session, number)
        if player is None:
            continue
        then = None
        if player.is_active:
            then = find_next_digest(player.preferences, context.now)
            waiting = find_waiting_boards(context, player) if then is not None else []
            if waiting and vacations.is_on(context.session, player.id, context.now):
                waiting = [row for row in waiting if row.end <= context.now + _SOON]
            if waiting:
                notices.append(
                    context.build_notice(player, Digest(userid=player.userid, rows=waiting))
                )
        save_player(context.session, replace(player, digest_at=then))
    return notices


def find_waiting_boards(context: Context, player: Player) -> list[WaitingBoard]:
    """Return the boards on which a player is to move or to answer, most urgent first."""
    waiting: list[WaitingBoard] = []
    for row in reads.find_open_boards(context.session, player.id, _MOST_BOARDS):
        try:
            board = build_board(context.session, row, reads.find_seats(context.session, row.id))
        except Unplayable:
            continue
        seat = _find_waiting_seat(board, player)
        if seat is None:
            continue
        waiting.append(_describe_board(board, player, _find_end(context, board, seat), context.now))
    return sorted(waiting, key=lambda row: (row.end, row.board))


def _find_waiting_seat(board: Board, player: Player) -> Seat | None:
    """Return the seat of the player that is to move or to answer."""
    if board.state == "invited":
        return next((s for s in board.seats if s.player == player.id and not s.accepted), None)
    return next((seat for seat in board.on_move if seat.player == player.id), None)


def _find_end(context: Context, board: Board, seat: Seat) -> float:
    allowed = board.control.compute_turn_limit(seat.spent)
    if board.state == "invited" or allowed is None:
        return math.inf
    calendar = board_clocks.read_calendar(context.session, seat, board.moved, board.event)
    return max(board_clocks.find_turn_end(board, calendar, allowed), seat.due or 0.0)


def _describe_board(board: Board, player: Player, end: float, now: float) -> WaitingBoard:
    others = dict.fromkeys(seat.userid for seat in board.seats if seat.player != player.id)
    return WaitingBoard(
        game=board.game.info.name,
        board=board.id,
        ply=board.next_ply,
        invited=board.state == "invited",
        asked=phrase("orders")
        if board.position.takes_orders
        else phrase("move {number}", number=board.next_ply),
        takes_orders=board.position.takes_orders,
        others=", ".join(others) or player.userid,
        until="" if end == math.inf else board_clocks.format_end(end, player.preferences, now),
        end=end,
    )


def do_due(work: DueWork) -> list[Notice]:
    """Build the digests that are due."""
    return build_digests(work.context)


def is_due(session: Session, now: float) -> bool:
    """Whether a digest is due."""
    digest = select(players.c.id).where(players.c.digest_at <= now).limit(1)
    return session.execute(digest).scalar() is not None


def repair_times(session: Session, _last: float, now: float) -> None:
    """Have digests looked at now that wait for a time in the future."""
    session.execute(update(players).where(players.c.digest_at > now).values(digest_at=now))
