"""Clocks: time controls, calendars with days off and pauses, and when a clock runs out.

Pure functions of times (seconds since 1970, UTC); nothing here reads the time or a database."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from pbm.rules.phrases import phrase, phrase_number

DAY = 86400.0
HOUR = 3600.0
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_OFF = 3
"""Days off allowed in a week."""
WARNED = 2 * DAY
"""How long before the end of a long turn all players are warned."""
_LEAST_WARNING = DAY
_TIME = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)([dh])(?:\+(\d{1,4}(?:\.\d{1,3})?)([dh]))?")

Span = tuple[float, float]
"""A half-open span of time: begin, end."""


class TimeControl(Struct, frozen=True):
    """The limits of a board, in days; None = no such limit.

    nag        for a turn, until the first reminder
    forfeit    for a turn, until the seat loses
    total      for all turns of a seat together
    bank       a seat's time at the start, which its turns use up
    increment  added after each turn, up to the bank
    at         the hour of the day at which a turn ends, as `deadlines` has it; "" for any
    grace      the hours after its deadline in which a seat may still move
    """

    nag: float | None = 7.0
    forfeit: float | None = 21.0
    total: float | None = None
    bank: float | None = None
    increment: float | None = None
    at: str = ""
    grace: float = 0.0

    @property
    def is_cumulative(self) -> bool:
        """Whether the time used in earlier turns counts."""
        return self.total is not None or self.bank is not None

    @property
    def is_fast(self) -> bool:
        """Whether the first turn has a shorter limit than by default."""
        allowed, usual = self.compute_turn_limit(0), TimeControl().compute_turn_limit(0)
        return allowed is not None and (usual is None or allowed < usual)

    def compute_turn_limit(self, spent: float) -> float | None:
        """Return the seconds a turn may take after `spent` seconds in earlier turns; None = no
        limit."""
        if self.total is None and self.bank is None:
            return None if self.forfeit is None else max(self.forfeit * DAY, 0.0)
        limits = [] if self.forfeit is None else [self.forfeit * DAY]
        limits += [most * DAY - spent for most in (self.total, self.bank) if most is not None]
        return max(min(limits), 0.0)

    def add_turn(self, spent: float, used: float) -> float:
        """Return the seconds spent after another turn of `used` seconds."""
        if self.bank is None:
            return spent + used
        return max(spent + used - (self.increment or 0.0) * DAY, 0.0)


def read_time(text: str) -> tuple[float, float] | None:
    """Bank and increment in days from `10d+1d`, `5d` or `36h+12h`; None for anything else."""
    match = _TIME.fullmatch(text.strip().lower())
    if match is None:
        return None
    bank = float(match[1]) / (1 if match[2] == "d" else 24)
    increment = float(match[3] or 0) / (24 if match[4] == "h" else 1)
    return (bank, increment) if 0 < bank <= 3660 and increment <= 3660 else None


def format_duration(days: float) -> str:
    """Return a number of days as the time options have it: 10d, 12h, 1.5d."""
    hours = days * 24
    if days != int(days) and hours == int(hours) and hours < 48:
        return f"{int(hours)}h"
    return f"{days:g}d"


def format_span(seconds: float) -> str:
    """Return a distance in time in words: in 21 days, in 5 hours, in 40 minutes, "now"."""
    days, hours, minutes = (round(seconds / size) for size in (DAY, HOUR, 60.0))
    if days > 1 or seconds >= DAY:
        return phrase_number("in {count} day", "in {count} days", days)
    if hours > 1 or seconds >= HOUR:
        return phrase_number("in {count} hour", "in {count} hours", hours)
    if minutes > 1 or seconds >= 60:
        return phrase_number("in {count} minute", "in {count} minutes", minutes)
    return phrase("now")


class Calendar(Struct, frozen=True):
    """When a player's clock stands still: on days off in the player's own zone, and during pauses
    (vacations, downtimes of the server), in any order."""

    zone: str = "UTC"
    off: frozenset[int] = frozenset()
    stops: tuple[Span, ...] = ()


ALWAYS = Calendar()


@lru_cache(maxsize=1024)
def load_zone(name: str) -> ZoneInfo:
    """Return the time zone of that name."""
    return ZoneInfo(name)


def to_local(now: float, name: str) -> datetime:
    """Return the local time in that zone."""
    return datetime.fromtimestamp(now, load_zone(name))


def find_start_of_day(day: date, name: str) -> float:
    """Return the start of a day in a zone; where daylight saving skips midnight, the time of the
    skip."""
    return datetime(day.year, day.month, day.day, tzinfo=load_zone(name)).timestamp()


def read_off(text: str) -> frozenset[int] | None:
    """Read weekdays from `sat,sun` (0 = Monday), an empty set from `no`; None for anything else, or
    too many."""
    if text.lower() in ("no", "none", ""):
        return frozenset()
    words = [word.strip()[:3] for word in text.lower().split(",")]
    if not all(word in WEEKDAYS for word in words) or len(set(words)) > MOST_OFF:
        return None
    return frozenset(map(WEEKDAYS.index, words))


def find_running_spans(calendar: Calendar, begin: float) -> Iterator[Span]:
    """Yield the spans from `begin` on in which the clock runs; endless."""
    stops = sorted(calendar.stops)
    for start, end in _find_working_spans(calendar, begin):
        for stop, again in stops:
            if again <= start:
                continue
            if stop >= end:
                break
            if stop > start:
                yield start, stop
            start = max(start, again)
            if start >= end:
                break
        if start < end:
            yield start, end


def _find_working_spans(calendar: Calendar, begin: float) -> Iterator[Span]:
    if not calendar.off:
        yield begin, float("inf")
        return
    day = to_local(begin, calendar.zone).date()
    start = begin
    while True:
        after = day + timedelta(days=1)
        end = find_start_of_day(after, calendar.zone)
        if day.weekday() not in calendar.off and start < end:
            yield start, end
        day, start = after, max(end, begin)


def count_running_seconds(calendar: Calendar, begin: float, end: float) -> float:
    """Return the seconds for which the clock ran between two times; 0 when they are out of
    order."""
    total = 0.0
    for start, stop in find_running_spans(calendar, begin):
        if start >= end:
            break
        total += min(stop, end) - start
    return total


def find_end(calendar: Calendar, begin: float, seconds: float) -> float:
    """Return when a clock that starts at `begin` will have run for that many seconds."""
    if not calendar.off and not calendar.stops:
        return begin + seconds
    left = seconds
    for start, stop in find_running_spans(calendar, begin):
        if stop - start >= left:
            return start + left
        left -= stop - start
    raise AssertionError("find_running_spans is endless")  # pragma: no cover


def compute_warning_lead(allowed: float) -> float:
    """Return the seconds before the end at which all players are warned: two days, or a quarter of
    a short turn."""
    return min(WARNED, allowed / 4)


def compute_least_warning(allowed: float) -> float:
    """Return the seconds that a seat has left at least after a warning: a day, or a quarter of a
    short turn."""
    return min(_LEAST_WARNING, allowed / 4)


def compute_reminder_times(control: TimeControl, allowed: float | None) -> tuple[float, ...]:
    """Return the seconds of a turn after which the seat is reminded: after `nag` days, and half-way
    from there to the end. A turn without a limit has three reminders, each twice as late."""
    if control.nag is None:
        return ()
    first = control.nag * DAY
    if allowed is None:
        return first, 2 * first, 4 * first
    latest = allowed - compute_warning_lead(allowed)
    half_way = (first + allowed) / 2
    if half_way < latest:
        return first, half_way
    return (first,) if first < latest else ()


def find_next_time_of_day(name: str, at: str, now: float) -> float:
    """Return the next time after `now` at which it is HH:MM in that zone."""
    hour, _, minute = at.partition(":")
    day = to_local(now, name).date()
    while True:
        candidate = datetime(
            day.year, day.month, day.day, int(hour), int(minute), tzinfo=load_zone(name)
        ).timestamp()
        if candidate > now:
            return candidate
        day += timedelta(days=1)


def find_year(now: float, name: str) -> Span:
    """Return the calendar year that a time lies in, in a zone."""
    year = to_local(now, name).year
    return find_start_of_day(date(year, 1, 1), name), find_start_of_day(date(year + 1, 1, 1), name)


def measure_overlap(spans: Sequence[Span], begin: float, end: float) -> float:
    """Return the seconds of disjoint spans that lie between two times."""
    return sum(max(min(stop, end) - max(start, begin), 0.0) for start, stop in spans)


def take_first(spans: Sequence[Span], begin: float, seconds: float) -> list[Span]:
    """Return the parts of disjoint spans that lie in the first `seconds` of them after a time."""
    taken = []
    for start, stop in sorted(spans):
        start = max(start, begin)
        stop = min(stop, start + seconds)
        if start < stop:
            taken.append((start, stop))
            seconds -= stop - start
    return taken


def compute_allowance_left(taken: Sequence[Span], allowance: float, now: float, name: str) -> float:
    """Return the seconds of vacation left in the year of that time."""
    begin, end = find_year(now, name)
    return max(allowance - measure_overlap(taken, begin, end), 0.0)


def exceeds_allowance(taken: Sequence[Span], allowance: float, wanted: Span, name: str) -> bool:
    """Whether a vacation exceeds what is left of the allowance in any year. An hour of tolerance
    makes up for daylight saving."""
    at = wanted[0]
    while at < wanted[1]:
        begin, end = find_year(at, name)
        if (
            measure_overlap([wanted], begin, end)
            > compute_allowance_left(taken, allowance, at, name) + HOUR
        ):
            return True
        at = end
    return False


def find_latest_vacation_end(
    taken: Sequence[Span], allowance: float, begin: float, name: str
) -> float:
    """Return the latest end of a vacation that begins then: when the allowance of its year (and of
    the next, if it lasts that long) is used up, or another vacation begins; `begin` when none is
    left."""
    end = begin + allowance
    at = begin
    while at < end:
        _, turn = find_year(at, name)
        end = min(end, max(at + compute_allowance_left(taken, allowance, at, name), at))
        if end < turn:
            break
        end, at = begin + allowance, turn
    later = [start for start, stop in taken if stop > begin]
    return max(min([end, *later]), begin)


# Deadlines at an hour of the day: how they are written, and when a turn ends by one.
#
# `3d@20:00/Europe/Berlin` ends a turn at that hour nearest to three days after it began, and
# `mon,wed,fri@20:00/UTC` at the first such hour on one of these days that is half a day away.

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
