"""Rows of signups, codes and invitations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import bindparam, case, func, literal_column, select

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.core.secrets import Secrets
from pbm.features.accounts.tables import (
    SignupRow,
    friend_invitations,
    invitations,
    invited_addresses,
    signups,
)
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query, Row
from pbm.store.tables import addresses, codes, outbound, players
from pbm.store.transaction import Session

_CODES_DAYS = 30


def list_old_rows(now: float, _retention: Retention) -> Iterator[OldRows]:
    """Yield expired codes, signups and invitations. Codes stay some days longer, so that whoever
    sends one again reads that it was used or has expired."""
    yield OldRows((codes.c.id,), codes.c.expires < now - _CODES_DAYS * DAY)
    yield OldRows((signups.c.id,), signups.c.expires < now)
    yield OldRows((friend_invitations.c.id,), friend_invitations.c.expires < now)


class OpenCodeRow(Row):
    """An unused code: its account, what it confirms (`signup`, `join`, which is a signup without
    password, `confirm` or `change`), where it went, and when."""

    purpose: str
    userid: str
    address: str
    created: float


_BY_DIGEST = Query(
    SignupRow,
    select(signups).where(
        signups.c.digest.in_(bindparam("digests", expanding=True)),
        signups.c.expires > bindparam("now"),
    ),
)
_BY_ADDRESS = Query(
    SignupRow,
    select(signups)
    .where(signups.c.address == bindparam("address"), signups.c.expires > bindparam("now"))
    .order_by(signups.c.id),
)
_OPEN_SIGNUPS = select(
    case((signups.c.sealed == "", "join"), else_="signup").label("purpose"),
    signups.c.userid,
    signups.c.address,
    signups.c.created,
).where(signups.c.expires > bindparam("now"))
_OPEN_CODES = (
    select(codes.c.purpose, players.c.userid, codes.c.address, codes.c.created)
    .join(players, codes.c.player_id == players.c.id)
    .where(
        codes.c.purpose.in_(("confirm", "change")),
        codes.c.used.is_(None),
        codes.c.expires > bindparam("now"),
        players.c.state == "active",
    )
)
_AT_START = func.substr(codes.c.address, 1, bindparam("size")) == bindparam("start")
_OPEN_AT = Query(
    OpenCodeRow,
    _OPEN_SIGNUPS.where(signups.c.address == bindparam("address"))
    .union_all(_OPEN_CODES.where((codes.c.address == bindparam("address")) | _AT_START))
    .order_by(literal_column("created").desc())
    .limit(1),
)
_OPEN_WITH = Query(
    OpenCodeRow,
    _OPEN_SIGNUPS.where(signups.c.digest == bindparam("digest")).union_all(
        _OPEN_CODES.where(codes.c.digest == bindparam("digest"))
    ),
)


def find_signup(session: Session, digests: Collection[str], now: float) -> SignupRow | None:
    """Return the signup whose code has one of these digests; None when it was used, replaced or has
    expired."""
    return session.first(_BY_DIGEST, {"digests": list(digests), "now": now}) if digests else None


def find_signups_of_address(session: Session, address: str, now: float) -> Sequence[SignupRow]:
    """Return the pending signups whose code went to that address."""
    return session.all(_BY_ADDRESS, {"address": address, "now": now})


def find_code_at(session: Session, address: str, now: float) -> OpenCodeRow | None:
    """Return the latest open code that went to that address for that purpose."""
    start = f"{address} "
    values = {"address": address, "start": start, "size": len(start), "now": now}
    return session.first(_OPEN_AT, values)


def find_code_by_digest(session: Session, digest: str, now: float) -> OpenCodeRow | None:
    """Return the open code with that digest, if it confirms an address."""
    return session.first(_OPEN_WITH, {"digest": digest, "now": now})


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
    """Whether the address belongs to an account that the operator has not approved yet."""
    return session.value(_WAITING, {"address": address}) is not None


class SentMailRow(Row):
    """The kind of an outgoing mail, and when it was made."""

    content: str
    created: float


_SENT = Query(
    SentMailRow,
    select(outbound.c.content, outbound.c.created).where(
        outbound.c.id == bindparam("number"), outbound.c.player_id == bindparam("player")
    ),
)


def find_sent_mail(session: Session, number: int, player: int) -> SentMailRow | None:
    """Return the mail with that number if it was sent to that player."""
    return session.first(_SENT, {"number": number, "player": player}) if number else None


def has_declined(session: Session, secrets: Secrets, address: str) -> bool:
    """Whether the owner of the address has declined unrequested mail."""
    own = invited_addresses.c.digest.in_(secrets.list_address_digests(address))
    declined = select(invited_addresses.c.digest).where(own, invited_addresses.c.declined)
    return session.execute(declined).scalar() is not None
