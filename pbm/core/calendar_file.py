"""Calendars (RFC 5545) of what happens when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from icalendar import Calendar, Event


class CalendarEvent(NamedTuple):
    """An event of a calendar: a name that stays the same, its times, what happens."""

    uid: str
    begins: float
    ends: float | None
    summary: str


def write_calendar(name: str, entries: Iterable[CalendarEvent], host: str, now: float) -> str:
    """Return a calendar with these entries, made by the part of the server with that name."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//pbm//{name}//EN")
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.uid}@{host}")
        event.add("dtstamp", _to_time(now))
        event.add("dtstart", _to_time(entry.begins))
        if entry.ends is not None:
            event.add("dtend", _to_time(entry.ends))
        event.add("summary", entry.summary)
        calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text.decode()


def _to_time(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), UTC)
