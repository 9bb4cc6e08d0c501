"""Rows of masters: appointed, found, passed on and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import delete, insert, select

from pbm.core.board import Board
from pbm.core.context import Context
from pbm.core.operator import OperatorAct
from pbm.core.options import Terms
from pbm.core.player import Player, delete_own, find_player, list_own, pass_on
from pbm.core.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store.master_tables import masters, replacements
from pbm.store.reads.player_rows import find_blockers
from pbm.store.tables import players
from pbm.store.transaction import Session


def appoint(context: Context, board: Board, terms: Terms) -> None:
    """Note the master that the terms name. Refuse one who plays on the board, is no player, or
    blocks whoever names them."""
    if not terms.master:
        return
    player = find_player(context.session, terms.master)
    sender = context.player
    is_blocked = (
        player is not None
        and sender is not None
        and player.id in find_blockers(context.session, sender.id)
    )
    if player is None or not player.is_active or player.is_bot or is_blocked:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("--master names somebody who cannot run a board: give the userid of a player"),
        )
    if any(seat.player == player.id for seat in board.seats):
        raise Refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("a master does not play: --master names somebody who has no seat on the board"),
        )
    values = {"board_id": board.id, "player_id": player.id}
    context.session.execute(insert(masters).values(values))


def dismiss(session: Session, board: int) -> None:
    """Forget the master of a board that is to be deleted."""
    session.execute(delete(masters).where(masters.c.board_id == board))


def find_master(session: Session, board: int) -> int:
    """Return the player who runs a board; 0 for nobody."""
    query = select(masters.c.player_id).where(masters.c.board_id == board)
    return int(session.execute(query).scalar() or 0)


def ask_replacement(session: Session, board: int, seat: int, player: int) -> None:
    """Note whom the master asks to take a seat over, in place of anybody asked before."""
    forget_replacement(session, board, seat)
    session.execute(insert(replacements).values(board_id=board, seat=seat, player_id=player))


def forget_replacement(session: Session, board: int, seat: int) -> None:
    """Forget who was asked to take a seat over."""
    of_seat = replacements.c.board_id == board, replacements.c.seat == seat
    session.execute(delete(replacements).where(*of_seat))


def find_offered_seats(session: Session, board: int, player: int) -> set[int]:
    """Return the seats of a board that a player was asked to take over."""
    query = select(replacements.c.seat).where(
        replacements.c.board_id == board, replacements.c.player_id == player
    )
    return {int(seat) for seat in session.execute(query).scalars()}


def name_officials(session: Session, board: Board) -> Iterator[tuple[str, str]]:
    """Yield the master of a board."""
    query = select(players.c.userid).join(masters).where(masters.c.board_id == board.id)
    if userid := session.execute(query).scalar():
        yield str(userid), phrase("master")


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the boards that a player runs."""
    return {
        "master_of": list_own(session, player, masters, "board_id"),
        "asked_to_play": list_own(session, player, replacements, "board_id seat"),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the boards that a player runs."""
    pass_on(act.session, (masters, replacements), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Have nobody run the boards of the player."""
    delete_own(context.session, (masters, replacements), player.id)
