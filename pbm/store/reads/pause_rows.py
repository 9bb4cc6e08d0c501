"""Reads of pauses: vacations of players and downtimes of the server."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, or_, select

from pbm.store.rows import Query
from pbm.store.tables import PauseRow, pauses
from pbm.store.transaction import Session

VACATIONS = ("vacation", "automatic")
_VACATIONS = Query(
    PauseRow,
    select(pauses)
    .where(pauses.c.player_id == bindparam("player"), pauses.c.kind.in_(VACATIONS))
    .order_by(pauses.c.begins),
)
_PAUSES = Query(
    PauseRow,
    select(pauses).where(
        or_(pauses.c.player_id == bindparam("player"), pauses.c.player_id.is_(None)),
        pauses.c.ends > bindparam("since"),
    ),
)


def find_vacations(session: Session, player: int) -> Sequence[PauseRow]:
    """Return all vacations of a player, past and planned, in order."""
    return session.all(_VACATIONS, {"player": player})


def find_pauses(session: Session, player: int, since: float) -> Sequence[PauseRow]:
    """Return the vacations of a player and the downtimes of the server that end after a time."""
    return session.all(_PAUSES, {"player": player, "since": since})


def find_downtimes(session: Session, since: float) -> Sequence[PauseRow]:
    """Return the times that end later in which the server was down."""
    return session.all(_PAUSES, {"player": 0, "since": since})
