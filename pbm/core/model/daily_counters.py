"""Daily counters: how often something was done today, and limits on that."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from pbm.store import reads
from pbm.store.tables import counters
from pbm.store.transaction import Session

DAY = 86400.0


def _counting(kind: type[sqlite.Insert] | type[postgresql.Insert]) -> Any:
    """The statement that counts: of two daemons that count the same at once both do."""
    query = kind(counters)
    more = {"count": counters.c.count + query.excluded.count}
    columns = (counters.c.name, counters.c.day)
    return query.on_conflict_do_update(index_elements=columns, set_=more).returning(
        counters.c.count
    )


_COUNT = {True: _counting(sqlite.Insert), False: _counting(postgresql.Insert)}


def day_of(now: float) -> int:
    """The number of the day, in UTC."""
    return int(now // DAY)


def count(session: Session, name: str, now: float, more: int = 1) -> int:
    """Count one more of something today, or several; today's new count."""
    row = {"name": name, "day": day_of(now), "count": more}
    return int(session.execute(_COUNT[session.is_sqlite], row).scalar_one())


def allow(session: Session, name: str, now: float, most: int) -> bool:
    """Count one more today unless `most` (0 = no limit) are reached; whether it was counted."""
    if most and reads.counted(session, name, day_of(now)) >= most:
        return False
    count(session, name, now)
    return True
