"""Deadlines at an hour of the day: how they are written, and when a turn ends by one.

`3d@20:00/Europe/Berlin` ends a turn at that hour nearest to three days after it began, and
`mon,wed,fri@20:00/UTC` at the first such hour on one of these days that is half a day away."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import available_timezones

from pbm.core.kernel.boards.clock import DAY, WEEKDAYS, load_zone, read_time, to_local

_HOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?:/(.+))?")
_RANGE = re.compile(r"([a-z]+)-([a-z]+)")


def read_deadline(text: str, zone: str) -> tuple[float, str] | None:
    """Return the days of a turn and its hour, as `TimeControl.at` has it, from a deadline such as
    `3d@20:00` or `mon-fri@20:00/Europe/Berlin`; without a zone it is in the one given. None for
    anything else."""
    span, _, hour = text.strip().partition("@")
    found = _HOUR.fullmatch(hour.strip())
    if found is None:
        return None
    named = _find_zones().get((found[3] or zone).lower())
    if named is None:
        return None
    at = f"@{int(found[1]):02}:{found[2]}/{named}"
    days = _read_weekdays(span.strip().lower())
    if days:
        return 1.0, f"{','.join(WEEKDAYS[day] for day in days)}{at}"
    length = read_time(span if span[-1:].lower() in ("d", "h") else f"{span}d")
    return None if length is None or length[1] or length[0] < 1 else (length[0], at)


def format_deadline_hour(days: float, at: str) -> str:
    """Return the deadline as `read_deadline` reads it, with days in a row as mon-fri."""
    if at.startswith("@"):
        return f"{days:g}d{at}"
    named, _, hour = at.partition("@")
    numbers = [WEEKDAYS.index(day) for day in named.split(",")]
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        named = f"{WEEKDAYS[numbers[0]]}-{WEEKDAYS[numbers[-1]]}"
    return f"{named}@{hour}"


def align(at: str, end: float) -> float:
    """Return the hour nearest to a time, or the first one after that on a day that counts."""
    days, _, hour = at.partition("@")
    time, _, zone = hour.partition("/")
    hours, _, minutes = time.partition(":")
    counted = {WEEKDAYS.index(day) for day in days.split(",")} if days else {*range(7)}
    day = to_local(end - DAY / 2, zone).date()
    while True:
        candidate = datetime(
            day.year, day.month, day.day, int(hours), int(minutes), tzinfo=load_zone(zone)
        ).timestamp()
        if candidate >= end - DAY / 2 and day.weekday() in counted:
            return candidate
        day += timedelta(days=1)


@lru_cache(maxsize=1)
def _find_zones() -> dict[str, str]:
    return {zone.lower(): zone for zone in available_timezones()}


def _read_weekdays(text: str) -> list[int]:
    """Return the weekdays of `mon,wed` or `mon-fri`, 0 for Monday; none for anything else."""
    found = set[int]()
    for word in text.split(","):
        ends = _RANGE.fullmatch(word.strip())
        names = [ends[1], ends[2]] if ends else [word.strip()] * 2
        if not all(len(name) > 2 and name[:3] in WEEKDAYS for name in names):
            return []
        first, last = (WEEKDAYS.index(name[:3]) for name in names)
        found |= {day % 7 for day in range(first, (last if last >= first else last + 7) + 1)}
    return sorted(found)
