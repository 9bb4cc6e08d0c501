"""What all queues have in common."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Column, Table, func, select, text

from pbm.store.transaction import Session

WAITING, DONE, ASIDE = "waiting", "done", "aside"
SENT, FAILED, DROPPED = "sent", "failed", "dropped"
_LAST_NUMBER = select(text("seq FROM sqlite_sequence WHERE name = :table"))

EMPTY_INBOUND: Mapping[str, object] = {
    "raw": b"",
    "envelope_from": None,
    "recipient": "",
    "peer": "",
    "outcome": "removed",
    "about": "",
}
"""The columns of a mail of which nothing is kept but that it came or went."""

EMPTY_OUTBOUND: Mapping[str, object] = {
    "message": b"",
    "envelope_from": "",
    "recipient": "",
    "why": "",
    "told": None,
    "offer": None,
}
"""The columns of a mail of which nothing is kept but that it came or went."""


def measure_backlog(session: Session, since: Column[float]) -> tuple[int, float | None]:
    """Return how many wait in the queue with that column, and the least of its values: since when
    the oldest does."""
    query = select(func.count(), func.min(since)).where(since.table.c.state == WAITING)
    count, oldest = session.tuples(query)[0]
    return int(count), oldest


def take_numbers(session: Session, table: Table, count: int) -> list[int]:
    """Reserve numbers for new rows of a table."""
    if not session.is_sqlite:
        return session.draw_numbers(f"{table.name}_id_seq", count)
    next_number = session.info.setdefault("next", {})
    first = next_number.get(table.name)
    if first is None:
        first = (session.value(_LAST_NUMBER, {"table": table.name}) or 0) + 1
    next_number[table.name] = first + count
    return list(range(first, first + count))
