"""Reads of signups that wait for their codes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import bindparam, func, literal_column, or_, select

from pbm.store.rows import Query, Row
from pbm.store.tables import SignupRow, codes, players, signups
from pbm.store.transaction import Session


class WaitingCodeRow(Row):
    """A code that has yet to come back: of which account, and when it was sent."""

    userid: str
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

_WAITING = Query(
    WaitingCodeRow,
    select(signups.c.userid, signups.c.created)
    .where(signups.c.address == bindparam("address"), signups.c.expires > bindparam("now"))
    .union_all(
        select(players.c.userid, codes.c.created)
        .join(codes, codes.c.player_id == players.c.id)
        .where(
            or_(
                codes.c.address == bindparam("address"),
                func.substr(codes.c.address, 1, bindparam("size")) == bindparam("start"),
            ),
            codes.c.purpose.in_(("confirm", "change")),
            codes.c.used.is_(None),
            codes.c.expires > bindparam("now"),
        )
    )
    .order_by(literal_column("created").desc())
    .limit(1),
)


def find_signup(session: Session, digests: Collection[str], now: float) -> SignupRow | None:
    """The signup whose code has one of these digests; None when it was used, replaced or has
    expired."""
    return session.first(_BY_DIGEST, {"digests": list(digests), "now": now}) if digests else None


def find_signups_of_address(session: Session, address: str, now: float) -> Sequence[SignupRow]:
    """The signups that wait for a code which went to that address."""
    return session.all(_BY_ADDRESS, {"address": address, "now": now})


def find_waiting_code(session: Session, address: str, now: float) -> WaitingCodeRow | None:
    """The latest open code that went to that address and confirms it."""
    start = f"{address} "
    values = {"address": address, "start": start, "size": len(start), "now": now}
    return session.first(_WAITING, values)
