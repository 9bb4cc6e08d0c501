"""Daily counters: how often something was done on a day."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, select

from pbm.store.tables import counters
from pbm.store.transaction import Session, insert_into

DAY = 86400.0

_COUNT_ON = select(counters.c.count).where(
    counters.c.name == bindparam("name"), counters.c.day == bindparam("day")
)
_COUNT_SINCE = select(func.sum(counters.c.count)).where(
    counters.c.name == bindparam("name"), counters.c.day >= bindparam("day")
)


@cache
def _build_increment(*, is_sqlite: bool) -> Any:
    """Return the statement that adds to a counter and returns it. When two daemons add to the same
    one at once, both are counted."""
    query = insert_into(counters, is_sqlite=is_sqlite)
    return query.on_conflict_do_update(
        index_elements=(counters.c.name, counters.c.day),
        set_={"count": counters.c.count + query.excluded.count},
    ).returning(counters.c.count)


def count_days(now: float) -> int:
    """Return the number of the day since 1970, in UTC."""
    return int(now // DAY)


def count_on(session: Session, name: str, day: int) -> int:
    """Return the count of a day."""
    return session.value(_COUNT_ON, {"name": name, "day": day}) or 0


def count_since(session: Session, name: str, day: int) -> int:
    """Return the count of a day and all days since."""
    return session.value(_COUNT_SINCE, {"name": name, "day": day}) or 0


def increment(session: Session, name: str, now: float, more: int = 1) -> int:
    """Add to today's count; return today's new count."""
    row = {"name": name, "day": count_days(now), "count": more}
    return int(session.execute(_build_increment(is_sqlite=session.is_sqlite), row).scalar_one())
