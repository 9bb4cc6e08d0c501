"""Reads of settings and counters: single values by name."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from pbm.store.tables import counters, settings
from pbm.store.transaction import Session

_COUNT = select(counters.c.count).where(
    counters.c.name == bindparam("name"), counters.c.day == bindparam("day")
)
_COUNT_SINCE = select(func.sum(counters.c.count)).where(
    counters.c.name == bindparam("name"), counters.c.day >= bindparam("day")
)
_SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))


def counted(session: Session, name: str, day: int) -> int:
    """The count of a counter on a day."""
    return session.execute(_COUNT, {"name": name, "day": day}).scalar() or 0


def counted_since(session: Session, name: str, day: int) -> int:
    """The count of a counter on a day and since."""
    return session.execute(_COUNT_SINCE, {"name": name, "day": day}).scalar() or 0


def setting(session: Session, name: str) -> str | None:
    """A value that all daemons of this database share."""
    value: str | None = session.execute(_SETTING, {"name": name}).scalar()
    return value
