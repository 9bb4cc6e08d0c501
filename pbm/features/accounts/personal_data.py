"""Everything that the database holds about one player, as an object for JSON.

Left out are the server's own secrets (hashes, keys, tokens) and what others wrote. Times are in
UTC."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from pbm.core.call import Call
from pbm.core.feature import list_hooks
from pbm.core.limits import Limit, spend
from pbm.core.notices import Notice
from pbm.core.player import list_own, pick, read
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.accounts.notices import PersonalData
from pbm.features.accounts.tables import former_userids, signups
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads import REPORT
from pbm.store.tables import DONE, addresses, audit, bans, codes, inbound, outbound, players
from pbm.store.transaction import Session

_VERSION = 1


def build_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return everything stored about a player, by subject."""
    account = select(
        *pick(players, "userid state preferences created seen away digest_at writes_to silenced")
    ).where(players.c.id == player)
    data = {
        "format": _VERSION,
        "account": read(session, account)[0],
        "former_userids": list_own(session, player, former_userids, "name at"),
        "addresses": list_own(
            session, player, addresses, "address confirmed bounce_score bounced stopped"
        ),
        "codes": list_own(session, player, codes, "purpose address created expires used terms"),
        "signups": _list_signups(session, player),
    }
    for list_more in list_hooks(lambda each: each.personal_data):
        data |= list_more(session, player)
    return data | {
        "bans": list_own(session, player, bans, "target kind reason at"),
        "acts": _list_acts(session, player, by_player=False),
        "reports_made": _list_acts(session, player, by_player=True),
        "mails_received": _list_received(session, player),
        "mails_sent_to_you": list_own(
            session, player, outbound, "id recipient content state created finished"
        ),
    }


def format_personal_data(data: Mapping[str, Any]) -> str:
    """Return the object as JSON, indented for human readers."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _list_signups(session: Session, player: int) -> list[dict[str, Any]]:
    """Return the pending signups whose code went to an address of the player."""
    own = [row.address for row in reads.find_confirmed_addresses(session, player)]
    query = select(*pick(signups, "userid address others terms language created expires"))
    return read(session, query.where(signups.c.address.in_(own)).order_by(signups.c.id))


def _list_acts(session: Session, player: int, *, by_player: bool) -> list[dict[str, Any]]:
    """Return the audit's entries on the account or, if `by_player`, the reports that the player
    made. Reports on this player are for the operator only."""
    query = select(audit.c.at, audit.c.action, audit.c.board_id, audit.c.reason)
    is_own = (audit.c.player_id == player) & (audit.c.action != REPORT)
    if by_player:
        userid = select(players.c.userid).where(players.c.id == player).scalar_subquery()
        is_own = (audit.c.actor == userid) & (audit.c.action == REPORT)
    return read(session, query.where(is_own).order_by(audit.c.id))


def _list_received(session: Session, player: int) -> list[dict[str, Any]]:
    """Return the mails that were taken for the player's. Of mails already done the text is what
    remains without passwords; others come without text."""
    query = (
        select(*pick(inbound, "id received via envelope_from state outcome raw"))
        .where(inbound.c.player_id == player)
        .order_by(inbound.c.id)
    )
    rows = read(session, query)
    for row in rows:
        raw = row.pop("raw")
        row["text"] = bytes(raw).decode("utf-8", "replace") if row["state"] == DONE else None
    return rows


# `mydata`: everything that is kept about the player who asks.


def send_own_data(call: Call) -> list[Notice]:
    """Mail the player, at the confirmed addresses only, everything stored about them."""
    player = call.me
    if not spend(call.session, Limit.EXPORTS, player.id, call.now, call.config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("your data have been sent to you today: ask again tomorrow"),
        )
    data = build_personal_data(call.session, player.id)
    content = PersonalData(userid=player.userid, data=format_personal_data(data))
    confirmed = reads.find_addresses(call.session, player.id)
    return [Notice(content, addresses=confirmed, player=player.id, is_answer=True)]
