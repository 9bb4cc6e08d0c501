"""Offers of a player: listed, passed on and deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import or_, select, update

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own, pass_on
from pbm.store.rows import Query
from pbm.store.tables import OfferRow, offers
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the offers of a player."""
    names = "game options server state created expires comment"
    return {"offers": list_own(session, player, offers, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the offers, and the place among those who have joined open ones."""
    pass_on(act.session, (offers,), old, new)
    query = select(offers.c.id, offers.c.joined).where(offers.c.state == "open")
    for number, text in act.session.tuples(query):
        joined = json.loads(text)
        if old.id in joined:
            moved = list(dict.fromkeys(new.id if each == old.id else each for each in joined))
            row = update(offers).where(offers.c.id == number)
            act.session.execute(row.values(joined=json.dumps(moved)))


def erase_rows(call: Call, player: Player) -> None:
    """Withdraw the player's offers, and erase what they say."""
    own = offers.c.player_id == player.id
    call.session.execute(update(offers).where(own).values(comment=""))
    is_open = own & (offers.c.state == "open")
    call.session.execute(update(offers).where(is_open).values(state="withdrawn"))


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each offer that contradicts itself."""
    odd = or_(
        offers.c.state.not_in(("open", "taken", "withdrawn", "expired")),
        (offers.c.state == "taken") != offers.c.board_id.is_not(None),
    )
    for offer in session.stream(Query(OfferRow, select(offers).where(odd))):
        yield f"offer {offer.id} is {offer.state}, for board {offer.board_id}"
