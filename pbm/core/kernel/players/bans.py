"""Bans: addresses that no mail is accepted from, and addresses that no mail is sent to.

A target is an address, a domain with its subdomains (`@example.org`), or the userid of a banned
account. `Eve+games@` and `eve@` are the same mailbox, and one target."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import bindparam, select

from pbm.store.rows import Query, Row
from pbm.store.tables import bans
from pbm.store.transaction import Session, pad_keys

BAN, STOP = "ban", "stop"
"""A ban stops mail both ways, a stop only what the server sends."""
_MOST_LABELS = 8


class TargetRow(Row):
    """A banned target."""

    target: str
    kind: str


_FIND = Query(
    TargetRow,
    select(bans.c.target, bans.c.kind).where(
        bans.c.target.in_(bindparam("targets", expanding=True))
    ),
)


def normalize_mailbox(address: str) -> str:
    """Return the address in lower case, without the +tag that its owner chooses freely."""
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{host}"


def _list_targets(address: str) -> list[str]:
    """Return the targets that cover an address: its mailbox, its domain and the domains above."""
    labels = address.lower().rpartition("@")[2].split(".")[-_MOST_LABELS:]
    domains = ["@" + ".".join(labels[at:]) for at in range(len(labels))]
    return [normalize_mailbox(address), *domains]


def find_bans(session: Session, addresses: Collection[str]) -> dict[str, str]:
    """Return those of these addresses that are banned (BAN) or stopped (STOP); BAN where both
    apply."""
    wanted = {address: _list_targets(address) for address in addresses if address}
    targets = sorted({target for each in wanted.values() for target in each})
    if not targets:
        return {}
    banned = {row.target: row.kind for row in session.all(_FIND, {"targets": pad_keys(targets)})}
    kinds = {
        address: {banned[target] for target in each if target in banned}
        for address, each in wanted.items()
    }
    return {address: min(kind) for address, kind in kinds.items() if kind}


def find_ban_kind(session: Session, address: str) -> str:
    """Return BAN, STOP or "" for an address."""
    return find_bans(session, [address]).get(address, "")
