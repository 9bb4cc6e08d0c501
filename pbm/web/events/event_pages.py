"""The pages of events: the list, one event with its tables, and what can be downloaded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbm.features.events.notices import EventFile, EventLine, EventList, EventPage, EventShown
from pbm.features.events.record import build_record
from pbm.features.events.views import format_points, list_parts
from pbm.pairing.crosstable import crosstable
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Record
from pbm.rules.phrases import phrase
from pbm.store.reads.event_rows import find_event
from pbm.store.transaction import Session
from pbm.web.site import Site

_MOST = 20
_KINDS = {"ics": "calendar", "json": "record", "trf": "record"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a crosstable: its text where it is about no game, and otherwise what it says of
    each, with the board if there is one."""

    text: str
    games: Sequence[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a crosstable."""

    place: str
    name: str
    cells: Sequence[Cell]
    points: str


@dataclass(frozen=True, slots=True)
class Table:
    """A crosstable: its title, "" for none, and the titles of its columns."""

    title: str
    columns: Sequence[str]
    lines: Sequence[Line]


def build_events(site: Site, session: Session) -> Mapping[str, Any]:
    """Return all events, for their page and the front page."""
    content = site.read(session, "events")
    parts: list[tuple[str, Sequence[Any]]] = []
    if isinstance(content, EventList):
        parts = [
            (phrase("Open to enter"), content.open),
            (phrase("Running"), content.running),
            (phrase("Ended"), content.ended),
        ]
    return {
        "parts": [part for part in parts if part[1]],
        "address": site.config.server.address,
    }


def list_current_events(site: Site, session: Session) -> Sequence[EventLine]:
    """Return the events that are open or running, for the front page."""
    content = site.read(session, "events")
    return [*content.open, *content.running][:_MOST] if isinstance(content, EventList) else []


def build_event(site: Site, session: Session, number: int) -> Mapping[str, Any] | None:
    """Return the page of an event: what it is, its crosstables with links to the boards, standings
    and pairings; None when there is no such event."""
    content = site.read(session, "event show", words=(str(number),))
    row = find_event(session, number)
    if row is None or not isinstance(content, EventShown):
        return None
    record = build_record(session, row)
    has_begun = row.state in ("running", "over")
    return {
        "card": content.card,
        "entered": () if has_begun else content.parts,
        "tables": _build_tables(record) if has_begun else (),
        "standings": _read_page(site, session, "event standings", number) if has_begun else (),
        "pairings": _read_page(site, session, "event pairings", number) if has_begun else (),
        "has_report": _has_report(record),
        "address": site.config.server.address,
    }


def _has_report(record: Record) -> bool:
    """Whether FIDE's report can hold the event."""
    return get_kind(record.options.kind).has_reports and record.options.seats == 2


def _read_page(site: Site, session: Session, verb: str, number: int) -> Sequence[Any]:
    content = site.read(session, verb, words=(str(number),))
    return content.parts if isinstance(content, EventPage) else ()


def _build_tables(record: Record) -> list[Table]:
    boards = {game.id: game.board for game in record.games}
    tables = []
    for title, group, stage in list_parts(record):
        table = crosstable(record, group, stage)
        lines = [
            Line(
                str(row.place),
                row.name,
                [
                    Cell(
                        cell.text,
                        [
                            (mark, boards.get(game))
                            for mark, game in zip(cell.marks, cell.games, strict=True)
                        ],
                    )
                    for cell in row.cells
                ],
                format_points(row.points),
            )
            for row in table.rows
        ]
        tables.append(Table(title, table.columns, lines))
    return tables


def build_event_file(
    site: Site, session: Session, number: int, kind: str
) -> tuple[str, str] | None:
    """Return the calendar or the record of an event as a file, and its media type; None when there
    is none of that kind."""
    verb = _KINDS.get(kind)
    if verb is None:
        return None
    words = (kind, str(number)) if kind == "trf" else (str(number),)
    content = site.read(session, f"event {verb}", words=words)
    return (content.text, content.kind) if isinstance(content, EventFile) else None
