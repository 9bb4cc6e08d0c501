"""Bans: the addresses from which nothing is taken, and those to which nothing is sent.

A target is an address, a domain with its subdomains as `@example.org`, or the userid of a banned
account. Spellings of one mailbox, `Eve+games@` and `eve@`, are one target."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import bindparam, select

from pbm.store.rows import Query, Row
from pbm.store.tables import bans
from pbm.store.transaction import Session, pad_keys

BAN, STOP = "ban", "stop"
"""Nothing is taken from there nor sent there; nothing is sent there."""
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


def mailbox(address: str) -> str:
    """The address in lower case and without what follows a plus, which its owner chooses freely."""
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{host}"


def _targets(address: str) -> list[str]:
    """The targets that include an address: its mailbox, its domain, and those above it."""
    labels = address.lower().rpartition("@")[2].split(".")[-_MOST_LABELS:]
    domains = ["@" + ".".join(labels[at:]) for at in range(len(labels))]
    return [mailbox(address), *domains]


def find_bans(session: Session, addresses: Collection[str]) -> dict[str, str]:
    """Those of these addresses that a ban (BAN) or a stop (STOP) includes, with which; BAN where
    both do."""
    wanted = {address: _targets(address) for address in addresses if address}
    asked = sorted({target for targets in wanted.values() for target in targets})
    if not asked:
        return {}
    found = {row.target: row.kind for row in session.all(_FIND, {"targets": pad_keys(asked)})}
    kinds = {
        address: {found[target] for target in targets if target in found}
        for address, targets in wanted.items()
    }
    return {address: min(kind) for address, kind in kinds.items() if kind}


def prefetch(session: Session, senders: Collection[str]) -> None:
    """Look these addresses up by one statement, for `kind_of`; by none when the queue has noted
    that there are no bans."""
    if session.info.get("any_bans", True):
        kinds = find_bans(session, senders)
        session.cache.bans.update({address: kinds.get(address, "") for address in senders})


def kind_of(session: Session, address: str) -> str:
    """BAN, STOP or "" for an address."""
    if address not in session.cache.bans:
        prefetch(session, [address])
    return session.cache.bans.get(address, "")
