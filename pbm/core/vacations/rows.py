"""Vacations of a player: listed, passed on and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import select

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import delete_own, list_own, pass_on
from pbm.store.rows import Query
from pbm.store.tables import PauseRow, pauses
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the vacations of a player."""
    return {"vacations": list_own(session, player, pauses, "begins ends kind created")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the vacations."""
    pass_on(act.session, (pauses,), old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Delete the vacations."""
    delete_own(call.session, (pauses,), player.id)


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each vacation or pause that ends before it begins."""
    wrong = Query(PauseRow, select(pauses).where(pauses.c.ends < pauses.c.begins))
    for pause in session.stream(wrong):
        yield f"pause {pause.id} ends before it begins"
