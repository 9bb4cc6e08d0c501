"""Rows of masters: passed on and deleted."""

from __future__ import annotations

from sqlalchemy import delete

from pbm.core.context import Context
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on
from pbm.store.tables import masters
from pbm.store.transaction import Session


def dismiss(session: Session, board: int) -> None:
    """Forget the master of a board that is to be deleted."""
    session.execute(delete(masters).where(masters.c.board_id == board))


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the boards that a player runs."""
    return {
        "master_of": list_own(session, player, masters, "board_id"),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the boards that a player runs."""
    pass_on(act.session, (masters,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Remove the player as master of any board."""
    delete_own(context.session, (masters,), player.id)
