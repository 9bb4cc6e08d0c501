"""Retention: mails are emptied and later deleted when they are old, a few at a time.

Each queue is walked in the order of its numbers, which is that of time; how far, is noted in the
settings. What waits or was set aside stays as it is."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Column, Table, delete, func, insert, select, tuple_, update

from pbm.config import Retention
from pbm.store import reads
from pbm.store.daily_counters import DAY, day_of
from pbm.store.queues import DONE, DROPPED, FAILED, SENT
from pbm.store.tables import codes, counters, inbound, offers, outbound, settings
from pbm.store.transaction import Session

_SETTING = "retention"
_AT_ONCE = 1000
_SWEEP_EVERY = 3600.0
_CODES_DAYS = 30
_COUNTERS_DAYS = 14

Positions = dict[str, float]
"""The last mail that was looked at, by queue and what was done to it, and when the last sweep
was."""


class _Queue(NamedTuple):
    """One of the queues: when its mails came, their last states, and what an empty one is."""

    table: Table
    since: Column[float]
    ended: tuple[str, ...]
    empty: dict[str, Any]

    @property
    def texts(self) -> str:
        """The name of the walk that empties mails."""
        return f"{self.table.name} texts"

    @property
    def rows(self) -> str:
        """The name of the walk that deletes mails."""
        return f"{self.table.name} rows"


_IN = _Queue(
    inbound,
    inbound.c.received,
    (DONE,),
    {
        "raw": b"",
        "envelope_from": None,
        "recipient": "",
        "peer": "",
        "outcome": "removed",
        "about": "",
    },
)
_OUT = _Queue(
    outbound,
    outbound.c.created,
    (SENT, FAILED, DROPPED),
    {"message": b"", "envelope_from": "", "recipient": "", "why": ""},
)


def tidy(session: Session, now: float, kept: Retention) -> None:
    """Empty and delete some of what is older than `kept` says. Never commits."""
    before = _positions(session)
    positions = dict(before)
    for queue in (_IN, _OUT):
        if kept.mails_days:
            _empty(session, queue, now - kept.mails_days * DAY, positions)
        if kept.rows_days:
            _delete(session, queue, now - kept.rows_days * DAY, positions)
    if abs(now - positions.get("swept", 0.0)) >= _SWEEP_EVERY and _sweep(session, now, kept):
        positions["swept"] = now
    if positions != before:
        _note(session, positions)


def look_again(session: Session, way: str, number: int) -> None:
    """Have a mail, in or out, looked at once more that an operator has given another end."""
    queue = _IN if way == "in" else _OUT
    positions = _positions(session)
    earlier = {
        name: min(positions[name], number - 1)
        for name in (queue.texts, queue.rows)
        if name in positions
    }
    if earlier:
        _note(session, positions | earlier)


def deleted(session: Session) -> int:
    """The number up to which mails that came in and ended are deleted; what they caused may still
    name them."""
    return int(_positions(session).get(_IN.rows, 0))


def _positions(session: Session) -> Positions:
    found: Positions = json.loads(reads.setting(session, _SETTING) or "{}")
    return found


def _note(session: Session, positions: Positions) -> None:
    noted = update(settings).where(settings.c.name == _SETTING)
    if not session.execute(noted.values(value=json.dumps(positions))).rowcount:
        row = {"name": _SETTING, "value": json.dumps(positions)}
        session.execute(insert(settings).values(row))


def _empty(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Take text and addresses from the next mails that came before that time. They are stored anew:
    SQLite gives pages back for rows that are deleted, but not for rows that become shorter."""
    table = queue.table
    found = _next(session, queue, before, int(positions.get(queue.texts, 0)))
    if found is not None:
        chosen = table.c.id.between(*found) & table.c.state.in_(queue.ended)
        left = [column for column in table.c if column.name not in queue.empty]
        rows = session.execute(select(*left).where(chosen)).mappings().all()
        if rows:
            session.execute(delete(table).where(chosen))
            session.execute(insert(table), [{**row, **queue.empty} for row in rows])
        positions[queue.texts] = found[1]


def _delete(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Delete the next mails that came before that time."""
    table = queue.table
    found = _next(session, queue, before, int(positions.get(queue.rows, 0)))
    if found is not None:
        chosen = table.c.id.between(*found) & table.c.state.in_(queue.ended)
        session.execute(delete(table).where(chosen))
        positions[queue.rows] = found[1]


def _next(session: Session, queue: _Queue, before: float, after: int) -> tuple[int, int] | None:
    """The first and the last number of the next mails after a number that came before a time."""
    number = queue.table.c.id
    query = select(number, queue.since).where(number > after).order_by(number).limit(1)
    row = next(iter(session.tuples(query)), None)
    if row is None or row[1] >= before:
        return None
    first = int(row[0])
    near = number.between(first, first + _AT_ONCE - 1)
    young = session.execute(select(func.min(number)).where(near, queue.since >= before)).scalar()
    if young is not None:
        near = number.between(first, young - 1)
    return first, int(session.execute(select(func.max(number)).where(near)).scalar_one())


def _sweep(session: Session, now: float, kept: Retention) -> bool:
    """Delete counters of past days, codes that nobody can use and offers that ended; whether that
    was all."""
    done = [
        _delete_some(session, codes, (codes.c.id,), codes.c.expires < now - _CODES_DAYS * DAY),
        _delete_some(
            session,
            counters,
            (counters.c.name, counters.c.day),
            counters.c.day < day_of(now) - _COUNTERS_DAYS,
        ),
    ]
    if kept.rows_days:
        ended = (offers.c.state != "open") & (offers.c.expires < now - kept.rows_days * DAY)
        done.append(_delete_some(session, offers, (offers.c.id,), ended))
    return all(done)


def _delete_some(session: Session, table: Table, key: tuple[Any, ...], old: Any) -> bool:
    """Delete some of these rows; whether it was all."""
    some = select(*key).where(old).limit(_AT_ONCE)
    return session.execute(delete(table).where(tuple_(*key).in_(some))).rowcount < _AT_ONCE
