"""The dates of an event, as lines and as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbm.core.views.event_view import format_day
from pbm.pairing.next_round import count_rounds
from pbm.pairing.record import Record

_LONGEST_LINE = 70


@dataclass(frozen=True, slots=True)
class EventDate:
    """Something that happens to an event at a time."""

    at: float
    what: str

    @property
    def words(self) -> str:
        """The time in words."""
        return format_day(self.at)


def list_dates(record: Record, state: str) -> list[EventDate]:
    """When an event begins, when each round ends, when it ends."""
    dates = [EventDate(record.begins, f"{record.name} begins")]
    rounds = count_rounds(record) if state in ("running", "over") else 0
    if record.ends is not None:
        share = (record.ends - record.begins) / rounds if rounds else 0.0
        dates += [
            EventDate(record.begins + number * share, f"{record.name}: round {number} ends")
            for number in range(1, rounds)
        ]
        dates.append(EventDate(record.ends, f"{record.name} ends"))
    return dates


def write_event_calendar(record: Record, dates: Sequence[EventDate], host: str, now: float) -> str:
    """A calendar with these dates."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//pbm//events//EN"]
    for number, date in enumerate(dates):
        lines += [
            "BEGIN:VEVENT",
            f"UID:event-{record.event}-{number}@{host}",
            f"DTSTAMP:{_stamp(now)}",
            f"DTSTART:{_stamp(date.at)}",
            f"SUMMARY:{_escape(date.what)}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _stamp(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for letter in "\\;,":
        text = text.replace(letter, f"\\{letter}")
    return text


def _fold(line: str) -> str:
    """A line of at most 75 octets, continued as the format says."""
    pieces, piece = [], ""
    for letter in line:
        if len((piece + letter).encode()) > _LONGEST_LINE:
            pieces.append(piece)
            piece = ""
        piece += letter
    return "\r\n ".join([*pieces, piece])
