"""Rows of masters and of those whom they ask: kept, passed on and deleted."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from pbm.core.context import Context
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on
from pbm.store.master_tables import masters, replacements
from pbm.store.transaction import Session


def dismiss(session: Session, board: int) -> None:
    """Forget the master of a board that is to be deleted."""
    session.execute(delete(masters).where(masters.c.board_id == board))


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


def list_personal_data(session: Session, player: int) -> dict[str, object]:
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
