"""Events and entries of a player: listed, passed on and deleted."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select, update

from pbm.core.events.record import build_record
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own, pass_on, rename_in
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.lots import draw_all_lots
from pbm.store.event_tables import EventRow, entrants, events, pairings
from pbm.store.rows import Query
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the events that a player has entered or made."""
    return {
        "events_entered": list_own(
            session, player, entrants, "event_id number rating division entered left why"
        ),
        "events_made": list_own(session, player, events, "id kind game name about created"),
    }


def rename(call: Call, player: Player, userid: str) -> None:
    """Keep the player's lots, which are drawn from the userid, and replace it in what events say of
    pairings and entries."""
    _keep_lots(call, player)
    entered = select(entrants.c.event_id).where(entrants.c.player_id == player.id)
    for table, column in (
        (pairings, pairings.c.reason),
        (pairings, pairings.c.note),
        (entrants, entrants.c.why),
    ):
        chosen = table.c.event_id.in_(entered)
        rename_in(call.session, table, column, chosen, player.userid, userid)


def _keep_lots(context: Context, player: Player) -> None:
    """Keep the lots of the player's events: they are drawn from the userid."""
    entered = (
        select(events)
        .join(entrants, entrants.c.event_id == events.c.id)
        .where(entrants.c.player_id == player.id)
    )
    for row in context.session.all(Query(EventRow, entered)):
        record = build_record(context.session, row)
        number = next(each.number for each in record.entrants if each.name == player.userid)
        own = (entrants.c.event_id == row.id) & (entrants.c.player_id == player.id)
        lots = json.dumps(draw_all_lots(record, number))
        context.session.execute(update(entrants).where(own).values(lots=lots))


def require_apart(act: OperatorAct, old: Player, new: Player) -> None:
    """Refuse to make two players one who have both entered an event."""
    entered = select(entrants.c.event_id).where(entrants.c.player_id == old.id)
    both = select(entrants.c.event_id).where(
        entrants.c.player_id == new.id, entrants.c.event_id.in_(entered)
    )
    if shared := sorted(act.session.execute(both).scalars()):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"both have entered event {', '.join(map(str, shared))}, and have a place each there",
        )


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on events and entries."""
    pass_on(act.session, (events, entrants), old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Erase what the player has written about own events."""
    call.session.execute(update(events).where(events.c.player_id == player.id).values(about=""))
