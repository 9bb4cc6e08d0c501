"""Sleeping boards: challenges whose challenger only the From header names.

Until the challenger has proved their identity, nobody else sees the board; after a week it is
deleted."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from sqlalchemy import delete, func, or_, select, update

from pbm.core import board as board_clocks
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context, DueWork
from pbm.core.log_view import BoardLog
from pbm.core.notices import BoardAsleep, BoardDropped, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, list_own, pass_on
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import save
from pbm.core.updates import notify_board
from pbm.core.view import build_view, find_thread
from pbm.features.lobby.tables import OfferRow, offers
from pbm.features.masters.rows import dismiss
from pbm.rules.phrases import phrase
from pbm.store.rows import Query
from pbm.store.tables import boards, inbound, outbound, seat_members, seats, watchers
from pbm.store.transaction import Session

_MOST = 5
"""The most sleeping boards of an address, so that forged From headers cannot fill the disk."""


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
        player=seat.people[0].player,
        thread=find_thread(board, seat.seat),
        is_answer=True,
    )


def is_challenger(board: Board, player: int) -> bool:
    """Whether the player is the challenger of a sleeping board, the only one who may see it."""
    return any(seat.accepted and seat.is_held_by(player) for seat in board.seats)


def drop(session: Session, number: int) -> None:
    """Delete a sleeping board. Mails about it then belong to no board."""
    for mails in (inbound, outbound):
        session.execute(update(mails).where(mails.c.board_id == number).values(board_id=None))
    dismiss(session, number)
    for rows in (watchers, seat_members, seats):
        session.execute(delete(rows).where(rows.c.board_id == number))
    session.execute(delete(boards).where(boards.c.id == number))


def drop_for_challenger(call: Call, board: Board) -> list[Notice]:
    """Delete the board at its challenger's request, and answer so."""
    drop(call.session, board.id)
    return [call.answer(BoardDropped(game=board.game.info.name, board=board.id))]


# Offers of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the offers of a player."""
    names = "game options server state created expires comment"
    return {"offers": list_own(session, player, offers, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the offers, and the places in offers that the player has joined."""
    pass_on(act.session, (offers,), old, new)
    query = select(offers.c.id, offers.c.joined).where(offers.c.state == "open")
    for number, text in act.session.tuples(query):
        joined = json.loads(text)
        if old.id in joined:
            moved = list(dict.fromkeys(new.id if each == old.id else each for each in joined))
            row = update(offers).where(offers.c.id == number)
            act.session.execute(row.values(joined=json.dumps(moved)))


def erase_rows(context: Context, player: Player) -> None:
    """Withdraw the player's offers, and erase their comments."""
    own = offers.c.player_id == player.id
    context.session.execute(update(offers).where(own).values(comment=""))
    is_open = own & (offers.c.state == "open")
    context.session.execute(update(offers).where(is_open).values(state="withdrawn"))


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each offer that contradicts itself."""
    odd = or_(
        offers.c.state.not_in(("open", "taken", "withdrawn", "expired")),
        (offers.c.state == "taken") != offers.c.board_id.is_not(None),
    )
    for offer in session.stream(Query(OfferRow, select(offers).where(odd))):
        yield f"offer {offer.id} is {offer.state}, for board {offer.board_id}"


# What is due on a board that nobody plays yet: it sleeps, or is an invitation.


def check_board(work: DueWork, board: Board) -> list[Notice]:
    """Delete a board that has slept too long, or cancel an invitation that nobody answered."""
    context = work.context
    if board.state == "sleeping" and context.now >= board.created + board_clocks.SLEEP_LIMIT:
        drop(context.session, board.id)
    if board.state == "invited":
        return _expire_invitation(context, board)
    return []


def _expire_invitation(context: Context, board: Board) -> list[Notice]:
    """Cancel an invitation that nobody answered within the time for a move."""
    end = board_clocks.find_invitation_end(board, context.session)
    if end is None or context.now < end + board_clocks.GRACE:
        return []
    board.cancel(None, "", context.now)
    save(context.session, board, context.now)
    event = phrase("the invitation was not answered in time")
    if board.event is not None:
        event = phrase(
            "the challenge was not answered in time, and so lost in event {event}",
            event=board.event,
        )
    return notify_board(context, board, event)
