"""Invitations of a player: listed, passed on and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import delete, or_, select

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import delete_own, list_own, pass_on
from pbm.store.rows import Query
from pbm.store.tables import (
    FriendInvitationRow,
    addresses,
    friend_invitations,
    waiting_guests,
)
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the invitations and links that a player has made; not who has answered."""
    names = "address game options server created expires"
    return {"invitations": list_own(session, player, friend_invitations, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the invitations. By which one the old account came does not matter any more."""
    delete_own(act.session, (waiting_guests,), old.id)
    pass_on(act.session, (friend_invitations,), old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Withdraw the player's invitations, and delete those to the player's addresses. That an
    address wants no other one is kept as a keyed hash."""
    delete_own(call.session, (friend_invitations, waiting_guests), player.id)
    own = select(addresses.c.address).where(addresses.c.player_id == player.id)
    call.session.execute(delete(friend_invitations).where(friend_invitations.c.address.in_(own)))


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each invitation that contradicts itself."""
    odd = or_(
        friend_invitations.c.uses < 0,
        friend_invitations.c.expires <= friend_invitations.c.created,
        (friend_invitations.c.address != "") & (friend_invitations.c.uses > 1),
        (friend_invitations.c.game == "") != (friend_invitations.c.server == ""),
    )
    for row in session.stream(Query(FriendInvitationRow, select(friend_invitations).where(odd))):
        yield f"invitation {row.id} can be used {row.uses} times, until {row.expires}"
