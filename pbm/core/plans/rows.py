"""Notes of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own, pass_on
from pbm.store.tables import notes
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the notes of a player."""
    return {"notes": list_own(session, player, notes, "board_id ply at text")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the notes."""
    pass_on(act.session, (notes,), old, new)
