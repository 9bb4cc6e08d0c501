"""The dates of an event, as lines and as a calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.events.record import say_name
from pbm.core.events.views import format_day
from pbm.core.kernel.calendar_file import Entry, write_calendar
from pbm.pairing.next_round import count_rounds
from pbm.pairing.record import Record
from pbm.rules.phrases import phrase


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
    """Return when an event begins, when each round ends, when it ends."""
    name = say_name(record.name, record.options.kind, record.options.game)
    dates = [EventDate(record.begins, phrase("{name} begins", name=name))]
    rounds = count_rounds(record) if state in ("running", "over") else 0
    if record.ends is not None:
        share = (record.ends - record.begins) / rounds if rounds else 0.0
        dates += [
            EventDate(
                record.begins + number * share,
                phrase("{name}: round {round} ends", name=name, round=number),
            )
            for number in range(1, rounds)
        ]
        dates.append(EventDate(record.ends, phrase("{name} ends", name=name)))
    return dates


def write_event_calendar(record: Record, dates: Sequence[EventDate], host: str, now: float) -> str:
    """Return a calendar with these dates."""
    entries = [
        Entry(f"event-{record.event}-{number}", date.at, None, date.what)
        for number, date in enumerate(dates)
    ]
    return write_calendar("events", entries, host, now)
