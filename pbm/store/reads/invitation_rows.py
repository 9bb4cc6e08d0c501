"""Reads about new players: whom the operator has invited, and who waits to be approved."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from pbm.store.tables import addresses, invitations, players
from pbm.store.transaction import Session

_INVITED = select(invitations.c.at).where(invitations.c.address == bindparam("address"))
_WAITING = (
    select(players.c.id)
    .join(addresses, addresses.c.player_id == players.c.id)
    .where(
        addresses.c.address == bindparam("address"),
        addresses.c.confirmed.is_not(None),
        players.c.state == "waiting",
    )
    .limit(1)
)


def is_invited(session: Session, address: str) -> bool:
    """Whether the operator has invited the address."""
    return session.value(_INVITED, {"address": address}) is not None


def is_waiting(session: Session, address: str) -> bool:
    """Whether it is the address of somebody whom the operator has not approved yet."""
    return session.value(_WAITING, {"address": address}) is not None
