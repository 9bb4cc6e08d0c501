"""Puzzles of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import delete_own, list_own, pass_on
from pbm.store.puzzle_tables import puzzles
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the puzzles that were sent to a player."""
    names = "id game strength moves sent state answered"
    return {"puzzles": list_own(session, player, puzzles, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the puzzles."""
    pass_on(act.session, (puzzles,), old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Delete the puzzles."""
    delete_own(call.session, (puzzles,), player.id)
