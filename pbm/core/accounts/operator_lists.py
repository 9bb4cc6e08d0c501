"""Accounts and bans, for the operator; never a password, hashed or not."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from pbm.core.kernel.operator_lists import narrow
from pbm.core.kernel.operator_rows import Asked
from pbm.store import reads
from pbm.store.rows import Query
from pbm.store.tables import BanRow, PlayerRow, addresses, bans, players
from pbm.store.transaction import Session


class NamedBanRow(BanRow):
    """A ban, and whose account it is of."""

    userid: str | None


def list_players(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return accounts, newest first."""
    table = players
    query = narrow(select(table).order_by(table.c.id.desc()), asked, table.c.created, table.c.id)
    query = query.where(table.c.state == asked["state"]) if asked["state"] else query
    if asked["search"]:
        wanted = asked["search"].lower()
        by_address = select(addresses.c.player_id).where(
            addresses.c.address.contains(wanted, autoescape=True)
        )
        by_name = table.c.name.contains(wanted, autoescape=True)
        query = query.where(by_name | table.c.id.in_(by_address))
    return [summarize_player(session, row) for row in session.all(Query(PlayerRow, query))]


def summarize_player(session: Session, row: PlayerRow) -> dict[str, Any]:
    """Return an account in the columns of the list."""
    return {
        "number": row.id,
        "userid": row.userid,
        "state": row.state,
        "addresses": [each.address for each in reads.find_all_addresses(session, row.id)],
        "open_boards": reads.count_open_boards(session, row.id),
        "created": row.created,
        "seen": row.seen,
    }


def list_bans(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return bans of addresses, domains and accounts, and addresses that get no mail, newest
    first."""
    query = (
        select(bans, players.c.userid)
        .outerjoin(players, players.c.id == bans.c.player_id)
        .order_by(bans.c.id.desc())
    )
    query = narrow(query, asked, bans.c.at, bans.c.id)
    return [
        {
            "number": row.id,
            "target": row.target,
            "kind": row.kind,
            "userid": row.userid,
            "reason": row.reason,
            "actor": row.actor,
            "when": row.at,
        }
        for row in session.all(Query(NamedBanRow, query))
    ]
