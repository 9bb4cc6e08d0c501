"""Clocks: arithmetic of times over zones, changes of the clocks and the ends of years."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.core import clock
from pbm.core.clock import (
    DAY,
    HOUR,
    Calendar,
    TimeControl,
    align,
    format_deadline_hour,
    read_deadline,
)

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Pacific/Apia",
    "Africa/Cairo",
)
_times = st.floats(1.29e9, 1.95e9)
_zones = st.sampled_from(ZONES)
_offs = st.frozensets(st.integers(0, 6), max_size=clock.MOST_OFF)
_lengths = st.floats(0, 60 * DAY)
_small = settings(max_examples=60, deadline=None)


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    """Days off anywhere, and stops that may overlap."""
    begins = draw(st.lists(_times, max_size=3))
    stops = tuple((begin, begin + draw(_lengths)) for begin in begins)
    return Calendar(draw(_zones), draw(_offs), stops)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Calendar, float]:
    """A calendar and a time near one of its stops."""
    calendar = draw(calendars())
    near = [begin for begin, _ in calendar.stops] or [draw(_times)]
    return calendar, draw(st.sampled_from(near)) + draw(st.floats(-40 * DAY, 40 * DAY))


def at(text: str, zone: str = "UTC") -> float:
    """2026-03-29 02:30 in a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@_small
@given(cases(), st.floats(0.001, 100 * DAY))
def test_a_clock_runs_out_when_so_much_was_counted(
    case: tuple[Calendar, float], seconds: float
) -> None:
    calendar, begin = case
    end = clock.find_end(calendar, begin, seconds)
    assert end >= begin + seconds - 0.001
    assert clock.count_running_seconds(calendar, begin, end) == pytest.approx(seconds, abs=0.01)


@_small
@given(cases(), _lengths, _lengths)
def test_time_counts_once_and_never_backwards(
    case: tuple[Calendar, float], first: float, second: float
) -> None:
    calendar, begin = case
    middle, end = begin + first, begin + first + second
    parts = clock.count_running_seconds(calendar, begin, middle) + clock.count_running_seconds(
        calendar, middle, end
    )
    assert clock.count_running_seconds(calendar, begin, end) == pytest.approx(parts, abs=0.01)
    assert -0.001 <= parts <= end - begin + 0.001
    assert clock.count_running_seconds(calendar, end, begin - 1) == 0


@_small
@given(cases(), _lengths, _lengths)
def test_a_pause_gives_nothing_away(
    case: tuple[Calendar, float], wait: float, length: float
) -> None:
    """Another pause makes a clock run out later, by no more than days off and pauses explain."""
    calendar, begin = case
    paused = Calendar(
        calendar.zone, calendar.off, (*calendar.stops, (begin + wait, begin + wait + length))
    )
    before = clock.find_end(calendar, begin, 21 * DAY)
    after = clock.find_end(paused, begin, 21 * DAY)
    assert after >= before
    inside = clock.count_running_seconds(calendar, begin + wait, begin + wait + length)
    assert clock.count_running_seconds(calendar, begin, after) <= 21 * DAY + inside + 0.01


@_small
@given(_times, _zones, _offs)
def test_days_off_do_not_count_at_any_hour(begin: float, zone: str, off: frozenset[int]) -> None:
    calendar = Calendar(zone, off)
    for hour in range(0, 24 * 9, 5):
        now = begin + hour * HOUR
        runs = clock.count_running_seconds(calendar, now, now + 1) > 0.5
        is_off = clock.to_local(now, zone).weekday() in off
        same_day = clock.to_local(now + 1, zone).weekday() == clock.to_local(now, zone).weekday()
        if same_day:
            assert runs is not is_off, (now, zone)


@pytest.mark.parametrize(
    ("day", "hours"),
    [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-07", 24)],
)
def test_a_sunday_off_is_as_long_as_the_day(day: str, hours: int) -> None:
    """Europe/Berlin changes its clocks on Sundays."""
    calendar = Calendar("Europe/Berlin", frozenset({6}))
    begin = at(f"{day} 00:00", "Europe/Berlin") - 12 * HOUR
    assert clock.find_end(calendar, begin, DAY) == begin + DAY + hours * HOUR


def test_a_day_that_a_zone_left_out() -> None:
    """Samoa had no 30 December 2011, a Friday: having it off stops nothing."""
    calendar = Calendar("Pacific/Apia", frozenset({4}))
    begin = at("2011-12-29 12:00", "Pacific/Apia")
    assert clock.find_end(calendar, begin, DAY) == begin + DAY


@pytest.mark.parametrize("year", [2024, 2026, 2027])
def test_a_clock_runs_over_the_end_of_a_year(year: int) -> None:
    begin = at(f"{year}-12-25 06:00")
    end = datetime.fromtimestamp(clock.find_end(clock.ALWAYS, begin, 21 * DAY), UTC)
    assert end == datetime(year, 12, 25, 6, tzinfo=UTC) + timedelta(days=21)


def test_a_turn_ends_by_the_first_of_its_limits() -> None:
    assert TimeControl().compute_turn_limit(0.0) == 21 * DAY
    assert TimeControl(total=30.0).compute_turn_limit(20 * DAY) == 10 * DAY
    assert TimeControl(total=30.0).compute_turn_limit(31 * DAY) == 0.0
    assert TimeControl(forfeit=None).compute_turn_limit(1e9) is None
    assert TimeControl(forfeit=5.0, bank=10.0, increment=1.0).compute_turn_limit(2 * DAY) == 5 * DAY


@_small
@given(st.lists(_lengths, max_size=30), st.floats(0.1, 100), st.floats(0, 100))
def test_a_bank_is_never_more_than_full(used: list[float], bank: float, increment: float) -> None:
    control = TimeControl(forfeit=None, bank=bank, increment=increment)
    spent = 0.0
    for seconds in used:
        before = spent
        spent = control.add_turn(spent, seconds)
        assert 0 <= spent <= before + seconds
        allowed = control.compute_turn_limit(spent)
        assert allowed is not None
        assert 0 <= allowed <= bank * DAY


@pytest.mark.parametrize(
    ("text", "days"),
    [("10d+1d", (10, 1)), ("5d", (5, 0)), ("36h+12h", (1.5, 0.5)), ("1.5D+0D", (1.5, 0))],
)
def test_a_time_is_read(text: str, days: tuple[float, float]) -> None:
    assert clock.read_time(text) == days


@pytest.mark.parametrize("text", ["", "10", "d", "0d", "10d+", "10d-1d", "9999d+1d", "1d+1d+1d"])
def test_no_time_is_guessed(text: str) -> None:
    assert clock.read_time(text) is None


def test_days_off_are_read() -> None:
    assert clock.read_off("Sat,Sunday") == frozenset({5, 6})
    assert clock.read_off("no") == frozenset()
    assert clock.read_off("mon,tue,wed,thu") is None
    assert clock.read_off("someday") is None


@_small
@given(
    st.floats(0.1, 400) | st.none(),
    st.floats(0.1, 400) | st.none(),
)
def test_reminders_are_few_and_come_before_the_end(nag: float | None, days: float | None) -> None:
    control = TimeControl(nag=nag, forfeit=days)
    times = clock.compute_reminder_times(control, control.compute_turn_limit(0.0))
    assert len(times) <= 3
    assert list(times) == sorted(times)
    if days is not None:
        assert all(time < days * DAY - clock.compute_warning_lead(days * DAY) for time in times)
        assert (
            clock.compute_least_warning(days * DAY)
            <= clock.compute_warning_lead(days * DAY)
            <= days * DAY / 4
        )


@_small
@given(_times, _zones, st.integers(0, 23), st.integers(0, 59))
def test_the_next_time_of_day(now: float, zone: str, hour: int, minute: int) -> None:
    found = clock.find_next_time_of_day(zone, f"{hour:02}:{minute:02}", now)
    assert now < found <= now + 49 * HOUR
    shown = clock.to_local(found, zone)
    wanted = shown.replace(hour=hour, minute=minute)
    gap = shown.utcoffset() != (shown - timedelta(hours=3)).astimezone(ZoneInfo(zone)).utcoffset()
    assert (shown.hour, shown.minute) == (hour, minute) or gap or wanted.fold


@_small
@given(_times, _zones, st.floats(0, 60), st.lists(st.tuples(_times, st.floats(0, 30)), max_size=4))
def test_a_vacation_by_itself_never_exceeds_a_year(
    begin: float, zone: str, days: float, others: list[tuple[float, float]]
) -> None:
    allowance = days * DAY
    taken: list[tuple[float, float]] = []
    for start, length in sorted(others):
        span = (start, start + min(length, days) * DAY)
        if not clock.measure_overlap(taken, *span) and not clock.measure_overlap(
            [span], begin, begin + 1
        ):
            taken.append(span)
    end = clock.find_latest_vacation_end(taken, allowance, begin, zone)
    assert begin <= end <= begin + allowance
    assert clock.measure_overlap(taken, begin, end) == 0
    assert not clock.exceeds_allowance(taken, allowance, (begin, end), zone)


def test_a_vacation_over_new_year_takes_from_both_years() -> None:
    zone = "Europe/Berlin"
    begin = at("2026-12-22 00:00", zone)
    taken = [(at("2026-05-01 00:00", zone), at("2026-05-31 00:00", zone))]
    assert clock.find_latest_vacation_end(taken, 30 * DAY, begin, zone) == begin
    assert clock.find_latest_vacation_end([], 30 * DAY, begin, zone) == begin + 30 * DAY
    half = [(at("2026-05-01 00:00", zone), at("2026-05-21 00:00", zone))]
    assert clock.find_latest_vacation_end(half, 30 * DAY, begin, zone) == begin + 30 * DAY
    assert clock.find_latest_vacation_end(half, 30 * DAY, begin - 5 * DAY, zone) == begin + 5 * DAY
    assert clock.exceeds_allowance(half, 30 * DAY, (begin - 5 * DAY, begin + 6 * DAY), zone)
    assert not clock.exceeds_allowance(half, 30 * DAY, (begin, begin + 30 * DAY), zone)


@pytest.mark.parametrize(
    ("text", "days", "at"),
    [
        ("3d@20:00", 3.0, "@20:00/Europe/Berlin"),
        ("2@8:05/utc", 2.0, "@08:05/UTC"),
        ("Fri-Mon@20:00", 1.0, "mon,fri,sat,sun@20:00/Europe/Berlin"),
        ("monday,wed@20:00/asia/tokyo", 1.0, "mon,wed@20:00/Asia/Tokyo"),
    ],
)
def test_a_deadline_at_an_hour_is_read(text: str, days: float, at: str) -> None:
    assert read_deadline(text, "Europe/Berlin") == (days, at)
    assert read_deadline(format_deadline_hour(days, at), "UTC") == (days, at)


def test_weekdays_in_a_row_are_written_by_the_first_and_the_last() -> None:
    for days, written in (
        ("mon,tue,wed,thu,fri", "mon-fri"),
        ("mon,tue", "mon,tue"),
        ("mon,fri,sat,sun", "mon,fri,sat,sun"),
    ):
        assert format_deadline_hour(1.0, f"{days}@20:00/UTC") == f"{written}@20:00/UTC"


@pytest.mark.parametrize(
    "text",
    ["3d@25:00", "3d@20", "@20:00", "mo@20:00", "3d@20:00/Atlantis", "12h@20:00", "3d+1d@1:00"],
)
def test_what_is_no_hour_is_none(text: str) -> None:
    assert read_deadline(text, "UTC") is None


@pytest.mark.parametrize(
    ("at", "end", "aligned"),
    [
        ("@20:00/UTC", "2026-03-04T08:30", "2026-03-04T20:00"),
        ("@20:00/UTC", "2026-03-04T07:30", "2026-03-03T20:00"),
        ("@20:00/Europe/Berlin", "2026-03-28T19:00", "2026-03-28T19:00"),
        ("@20:00/Europe/Berlin", "2026-03-29T19:00", "2026-03-29T18:00"),  # summer time
        ("mon,thu@20:00/UTC", "2026-03-06T20:00", "2026-03-09T20:00"),
        ("thu@02:30/Asia/Tokyo", "2026-03-04T12:00", "2026-03-04T17:30"),
    ],
)
def test_a_turn_ends_at_its_hour(at: str, end: str, aligned: str) -> None:
    times = [datetime.fromisoformat(f"{each}+00:00").timestamp() for each in (end, aligned)]
    assert align(at, times[0]) == times[1]
