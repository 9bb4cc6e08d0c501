"""Sleeping boards: challenges in mails that only From ascribes to a player.

Until the challenger has proved who they are nobody else sees the board; after a week it is gone."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, func, select, update

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.view import build_view, find_thread
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.boards import BoardAsleep, BoardDropped
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store.tables import boards, inbound, outbound, seats, watchers
from pbm.store.transaction import Session

_MOST = 5
"""The limit of sleeping boards an address, so that a forged From cannot fill the disk."""


def require_few(session: Session, players: Collection[int]) -> None:
    """Refuse another sleeping board for these players when they have too many."""
    count = (
        select(func.count(boards.c.id.distinct()))
        .join(seats, seats.c.board_id == boards.c.id)
        .where(
            boards.c.state == "sleeping",
            seats.c.player_id.in_(players),
            seats.c.accepted,
        )
    )
    if session.execute(count).scalar_one() >= _MOST:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "{most} of your challenges are waiting for you: reply to one of their mails first",
                most=_MOST,
            ),
        )


def ask_for_proof(call: Call, board: Board) -> Notice:
    """Build the mail that asks the challenger, at the address in From, for proof."""
    seat = next(seat for seat in board.seats if seat.accepted)
    view = build_view(board, seat.seat, BoardLog(call, board))
    return Notice(
        BoardAsleep(view=view, begins=seat.seat in board.position.to_move),
        addresses=(call.command.sender.address,),
        player=seat.player,
        thread=find_thread(board, seat.seat),
        is_answer=True,
    )


def is_challenger(board: Board, player: int) -> bool:
    """Whether the player is the challenger of a sleeping board, and so may know of it."""
    return any(seat.accepted and seat.player == player for seat in board.seats)


def drop(session: Session, number: int) -> None:
    """Delete a sleeping board; mails about it no longer belong to a board."""
    for mails in (inbound, outbound):
        session.execute(update(mails).where(mails.c.board_id == number).values(board_id=None))
    for forget in find_hooks("on_dropped"):
        forget(session, number)
    for rows in (watchers, seats):
        session.execute(delete(rows).where(rows.c.board_id == number))
    session.execute(delete(boards).where(boards.c.id == number))


def drop_for_challenger(call: Call, board: Board) -> list[Notice]:
    """Delete the board for its challenger, and say so."""
    drop(call.session, board.id)
    return [call.answer(BoardDropped(game=board.game.info.name, board=board.id))]
