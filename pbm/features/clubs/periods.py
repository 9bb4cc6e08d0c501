"""The months and years that the letters of a club are about, in UTC."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import NamedTuple


class Period(NamedTuple):
    """A month or a year: its name (2026-03 or 2026), beginning and end."""

    name: str
    begins: float
    ends: float
    is_year: bool = False


ALWAYS = Period("", 0.0, math.inf)


def find_next_month(now: float) -> float:
    """Return when the next month begins."""
    day = datetime.fromtimestamp(now, UTC)
    return _begin(day.year + day.month // 12, day.month % 12 + 1)


def list_periods(now: float) -> list[Period]:
    """Return the month that has ended last, and in January also the year."""
    day = datetime.fromtimestamp(now, UTC)
    ends, last = _begin(day.year, day.month), 12 if day.month == 1 else day.month - 1
    year = day.year - (day.month == 1)
    month = Period(f"{year}-{last:02}", _begin(year, last), ends)
    if day.month != 1:
        return [month]
    return [month, Period(str(year), _begin(year, 1), ends, is_year=True)]


def _begin(year: int, month: int) -> float:
    return datetime(year, month, 1, tzinfo=UTC).timestamp()
