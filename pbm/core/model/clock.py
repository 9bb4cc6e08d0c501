"""Clocks: what a board allows its players, what stops a player's clock, and when it runs out.

Pure functions of times (seconds since 1970, UTC); nothing here reads a clock or a database."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

DAY = 86400.0
HOUR = 3600.0
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_OFF = 3
"""Days off in a week: with more of them a clock would hardly run."""
WARNED = 2 * DAY
"""How long before its end a long turn is warned of."""
_LEAST_WARNING = DAY
_TIME = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)([dh])(?:\+(\d{1,4}(?:\.\d{1,3})?)([dh]))?")

Span = tuple[float, float]
"""From one time up to another, which does not belong to it."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What a board allows, in days; None = no such limit.

    nag        a turn without a move, until the first reminder
    forfeit    a turn without a move, until the seat has lost
    total      all turns of a seat together
    bank       what a seat has at first; a turn uses it up
    increment  what each turn gives back; never more than the bank
    """

    nag: float | None = 7.0
    forfeit: float | None = 21.0
    total: float | None = None
    bank: float | None = None
    increment: float | None = None

    @property
    def counts(self) -> bool:
        """Whether the time a seat has used in earlier turns matters."""
        return self.total is not None or self.bank is not None

    @property
    def is_fast(self) -> bool:
        """Whether a first turn is lost sooner than by the usual clocks."""
        allowed, usual = self.allowed(0), TimeControl().allowed(0)
        return allowed is not None and (usual is None or allowed < usual)

    def allowed(self, spent: float) -> float | None:
        """Seconds that a turn may take when `spent` were used before; None = without end."""
        limits = [] if self.forfeit is None else [self.forfeit * DAY]
        limits += [most * DAY - spent for most in (self.total, self.bank) if most is not None]
        return max(min(limits), 0.0) if limits else None

    def settled(self, spent: float, used: float) -> float:
        """The seconds that count as spent after a turn of `used` seconds."""
        if self.bank is None:
            return spent + used
        return max(spent + used - (self.increment or 0.0) * DAY, 0.0)


def read_time(text: str) -> tuple[float, float] | None:
    """Bank and increment in days from `10d+1d`, `5d` or `36h+12h`; None when it is neither."""
    found = _TIME.fullmatch(text.strip().lower())
    if found is None:
        return None
    bank = float(found[1]) / (1 if found[2] == "d" else 24)
    increment = float(found[3] or 0) / (24 if found[4] == "h" else 1)
    return (bank, increment) if 0 < bank <= 3660 and increment <= 3660 else None


def duration(days: float) -> str:
    """A number of days as one types it: 10d, 12h, 1.5d."""
    hours = days * 24
    if days != int(days) and hours == int(hours) and hours < 48:
        return f"{int(hours)}h"
    return f"{days:g}d"


@dataclass(frozen=True, slots=True)
class Calendar:
    """What stops a player's clock: days off in the week, by the player's own zone, and spans
    (vacations, and times when the server was down), in any order."""

    zone: str = "UTC"
    off: frozenset[int] = frozenset()
    stops: tuple[Span, ...] = ()


ALWAYS = Calendar()


@lru_cache(maxsize=1024)
def zone(name: str) -> ZoneInfo:
    """The zone of that name."""
    return ZoneInfo(name)


def local(now: float, name: str) -> datetime:
    """The time as a clock on the wall of that zone shows it."""
    return datetime.fromtimestamp(now, zone(name))


def midnight(day: date, name: str) -> float:
    """When a day begins in a zone; where the clock jumps over midnight, at the jump."""
    return datetime(day.year, day.month, day.day, tzinfo=zone(name)).timestamp()


def read_off(text: str) -> frozenset[int] | None:
    """Weekdays from `sat,sun` (0 = Monday), none from `no`; None when it is neither or too many."""
    if text.lower() in ("no", "none", ""):
        return frozenset()
    words = [word.strip()[:3] for word in text.lower().split(",")]
    if not all(word in WEEKDAYS for word in words) or len(set(words)) > MOST_OFF:
        return None
    return frozenset(map(WEEKDAYS.index, words))


def running(calendar: Calendar, begin: float) -> Iterator[Span]:
    """The spans from `begin` on in which the clock runs, in order, without end."""
    stops = sorted(calendar.stops)
    for start, end in _weekdays(calendar, begin):
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


def _weekdays(calendar: Calendar, begin: float) -> Iterator[Span]:
    if not calendar.off:
        yield begin, float("inf")
        return
    day = local(begin, calendar.zone).date()
    start = begin
    while True:
        after = day + timedelta(days=1)
        end = midnight(after, calendar.zone)
        if day.weekday() not in calendar.off and start < end:
            yield start, end
        day, start = after, max(end, begin)


def running_seconds(calendar: Calendar, begin: float, end: float) -> float:
    """Seconds between two times in which the clock ran; 0 when the second is not the later."""
    total = 0.0
    for start, stop in running(calendar, begin):
        if start >= end:
            break
        total += min(stop, end) - start
    return total


def end_of(calendar: Calendar, begin: float, seconds: float) -> float:
    """When a clock that begins then has run for so many seconds."""
    left = seconds
    for start, stop in running(calendar, begin):
        if stop - start >= left:
            return start + left
        left -= stop - start
    raise AssertionError("a clock runs without end")  # pragma: no cover


def warning_before(allowed: float) -> float:
    """Seconds before the end at which everybody is told: two days, of short turns a quarter."""
    return min(WARNED, allowed / 4)


def least_warning(allowed: float) -> float:
    """Seconds that a warned seat has at least: a day, of short turns a quarter."""
    return min(_LEAST_WARNING, allowed / 4)


def reminder_times(control: TimeControl, allowed: float | None) -> tuple[float, ...]:
    """Seconds of a turn after which its seat alone is reminded: after `nag` days, and half-way from
    there to the end. Where a turn has no end, three times, each twice as late."""
    if control.nag is None:
        return ()
    first = control.nag * DAY
    if allowed is None:
        return first, 2 * first, 4 * first
    latest = allowed - warning_before(allowed)
    return tuple(at for at in (first, (first + allowed) / 2) if at < latest)


def next_time_of_day(name: str, at: str, now: float) -> float:
    """The next time after `now` at which a clock in that zone shows HH:MM."""
    hour, _, minute = at.partition(":")
    day = local(now, name).date()
    while True:
        found = datetime(
            day.year, day.month, day.day, int(hour), int(minute), tzinfo=zone(name)
        ).timestamp()
        if found > now:
            return found
        day += timedelta(days=1)


def year_of(now: float, name: str) -> Span:
    """The year of a time in a zone, from its first midnight to the next one's."""
    year = local(now, name).year
    return midnight(date(year, 1, 1), name), midnight(date(year + 1, 1, 1), name)


def overlap(spans: Sequence[Span], begin: float, end: float) -> float:
    """Seconds of some spans, which do not overlap each other, that lie between two times."""
    return sum(max(min(stop, end) - max(start, begin), 0.0) for start, stop in spans)


def allowance_left(taken: Sequence[Span], allowance: float, now: float, name: str) -> float:
    """Seconds of vacation that are left in the year of that time."""
    begin, end = year_of(now, name)
    return max(allowance - overlap(taken, begin, end), 0.0)


def exceeds_allowance(taken: Sequence[Span], allowance: float, wanted: Span, name: str) -> bool:
    """Whether a vacation asks for more than a year of it has left. A change of the clocks within it
    may cost an hour."""
    at = wanted[0]
    while at < wanted[1]:
        begin, end = year_of(at, name)
        if overlap([wanted], begin, end) > allowance_left(taken, allowance, at, name) + HOUR:
            return True
        at = end
    return False


def latest_vacation_end(taken: Sequence[Span], allowance: float, begin: float, name: str) -> float:
    """When a vacation that begins then ends at the latest: at the end of what its year, and where
    it lasts so long the next one, has left, or where another one begins; `begin` when nothing is
    left."""
    end = begin + allowance
    at = begin
    while at < end:
        _, turn = year_of(at, name)
        end = min(end, max(at + allowance_left(taken, allowance, at, name), at))
        if end < turn:
            break
        end, at = begin + allowance, turn
    later = [start for start, stop in taken if stop > begin]
    return max(min([end, *later]), begin)
