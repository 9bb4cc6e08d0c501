"""Requests for analyses of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import delete_own, list_own, pass_on_pairs
from pbm.store.analysis_tables import analysis_requests
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the analyses for which a player waits."""
    return {"analyses_awaited": list_own(session, player, analysis_requests, "board_id at")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the requests."""
    pass_on_pairs(act.session, analysis_requests, "player_id", "board_id", old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Delete the requests."""
    delete_own(call.session, (analysis_requests,), player.id)
