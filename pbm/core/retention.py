"""Retention: old mails lose their text, and later their row, some at a time.

Each queue is walked in the order of its numbers, which is that of time; the table of settings holds
how far. Rows of a queue that is divided go with their partition, once all of it is old. What waits
stays as it is, and what was set aside for some days: then it is done, and its text, which may hold
a password, is gone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Column, Table, delete, func, insert, select, tuple_, update

from pbm.config import Retention
from pbm.core.feature import OldRows, list_hooks
from pbm.store import inbound_queue, partitions, reads
from pbm.store.backlog import DONE, DROPPED, EMPTY_INBOUND, EMPTY_OUTBOUND, FAILED, SENT
from pbm.store.daily_counters import DAY, count_days
from pbm.store.tables import (
    audit,
    counters,
    held_words,
    inbound,
    outbound,
    receipts,
    settings,
)
from pbm.store.transaction import Session

_SETTING = "retention"
_AT_ONCE = 1000
_SWEEP_EVERY = 3600.0
_COUNTERS_DAYS = 14
HELD_WORDS_DAYS = 7
"""The days for which words wait for a moderator."""
UNDO_DAYS = 30
"""How long what was done to players and boards can be undone."""

Positions = dict[str, float]
"""The last mail of each walk, by its name, and when the last sweep was."""


class _Queue(NamedTuple):
    """A queue: the time column of its mails, their final states, and what an emptied mail holds."""

    table: Table
    since: Column[float]
    ended: tuple[str, ...]
    empty: Mapping[str, object]

    @property
    def texts(self) -> str:
        """The name of the walk that empties mails."""
        return f"{self.table.name} texts"

    @property
    def rows(self) -> str:
        """The name of the walk that deletes mails."""
        return f"{self.table.name} rows"


_IN = _Queue(inbound, inbound.c.received, (DONE,), EMPTY_INBOUND)
_OUT = _Queue(outbound, outbound.c.created, (SENT, FAILED, DROPPED), EMPTY_OUTBOUND)


def clean_up(session: Session, now: float, retention: Retention) -> None:
    """Empty and delete some of what is older than the configuration allows. Never commits."""
    before = _load_positions(session)
    positions = dict(before)
    for queue in (_IN, _OUT):
        if retention.mails_days:
            _empty(session, queue, now - retention.mails_days * DAY, positions)
        if retention.rows_days and not partitions.find_partitions(session, queue.table):
            _delete(session, queue, now - retention.rows_days * DAY, positions)
    partitions.prepare_next(session)
    if abs(now - positions.get("swept", 0.0)) >= _SWEEP_EVERY:
        done = _sweep(session, now, retention)
        if retention.rows_days:
            done &= _drop_partitions(session, now - retention.rows_days * DAY, positions)
        if done:
            positions["swept"] = now
    if positions != before:
        _store_positions(session, positions)


def has_more(session: Session, now: float, retention: Retention) -> bool:
    """Whether `clean_up` has left mails that are to be emptied or deleted now."""
    positions = _load_positions(session)
    walks = [(queue, queue.texts, retention.mails_days) for queue in (_IN, _OUT)]
    if retention.rows_days and not partitions.find_partitions(session, inbound):
        walks += [(queue, queue.rows, retention.rows_days) for queue in (_IN, _OUT)]
    return any(
        _find_next(session, queue, now - days * DAY, int(positions.get(name, 0))) is not None
        for queue, name, days in walks
        if days
    )


def visit_again(session: Session, way: str, number: int) -> None:
    """Visit a mail once more, as an operator has changed what became of it."""
    queue = _IN if way == "in" else _OUT
    positions = _load_positions(session)
    earlier = {
        name: min(positions[name], number - 1)
        for name in (queue.texts, queue.rows)
        if name in positions
    }
    if earlier:
        _store_positions(session, positions | earlier)


def find_last_deleted(session: Session) -> int:
    """Return the number up to which incoming mails are deleted; mails that they caused may still
    name them."""
    return int(_load_positions(session).get(_IN.rows, 0))


def _load_positions(session: Session) -> Positions:
    positions: Positions = json.loads(reads.read_setting(session, _SETTING) or "{}")
    return positions


def _store_positions(session: Session, positions: Positions) -> None:
    stored = update(settings).where(settings.c.name == _SETTING)
    if not session.execute(stored.values(value=json.dumps(positions))).rowcount:
        row = {"name": _SETTING, "value": json.dumps(positions)}
        session.execute(insert(settings).values(row))


def _empty(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Remove text and addresses of the next mails that came before that time. The rows are inserted
    anew: SQLite reuses the pages of deleted rows, but not those of rows that became shorter."""
    table = queue.table
    numbers = _find_next(session, queue, before, int(positions.get(queue.texts, 0)))
    if numbers is not None:
        chosen = table.c.id.between(*numbers) & table.c.state.in_(queue.ended)
        left = [column for column in table.c if column.name not in queue.empty]
        rows = session.execute(select(*left).where(chosen)).mappings().all()
        if rows:
            _delete_receipts(session, queue, numbers)
            session.execute(delete(table).where(chosen))
            session.execute(insert(table), [{**row, **queue.empty} for row in rows])
        positions[queue.texts] = numbers[1]


def _delete(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Delete the next mails that came before that time."""
    table = queue.table
    numbers = _find_next(session, queue, before, int(positions.get(queue.rows, 0)))
    if numbers is not None:
        chosen = table.c.id.between(*numbers) & table.c.state.in_(queue.ended)
        _delete_receipts(session, queue, numbers)
        session.execute(delete(table).where(chosen))
        positions[queue.rows] = numbers[1]


def _drop_partitions(session: Session, before: float, positions: Positions) -> bool:
    """Drop the oldest partition of each queue that is divided, where all of it is old; whether none
    was left. What was said of mails goes first, for it may be older than they are."""
    answers = partitions.find_old(session, receipts, receipts.c.at, before)
    if answers is not None:
        partitions.drop(session, answers)
    is_done = answers is None
    for queue in (_IN, _OUT):
        ended = queue.table.c.state.in_(queue.ended)
        old = partitions.find_old(session, queue.table, queue.since, before, ended)
        if old is not None:
            is_done = False
            if partitions.drop(session, old):
                positions[queue.rows] = max(positions.get(queue.rows, 0), old.end - 1)
    return is_done


def _delete_receipts(session: Session, queue: _Queue, numbers: tuple[int, int]) -> None:
    """Delete what was said of mails, which may name their recipients."""
    if queue is _OUT:
        session.execute(delete(receipts).where(receipts.c.outbound_id.between(*numbers)))


def _find_next(
    session: Session, queue: _Queue, before: float, after: int
) -> tuple[int, int] | None:
    """Return first and last number of the next mails, after a number, that came before a time."""
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


def _sweep(session: Session, now: float, retention: Retention) -> bool:
    """Delete old counters, words that were held and what features no longer need; whether that was
    all of them."""
    old = [
        OldRows((held_words.c.id,), held_words.c.at < now - HELD_WORDS_DAYS * DAY),
        OldRows(
            (counters.c.name, counters.c.day), counters.c.day < count_days(now) - _COUNTERS_DAYS
        ),
    ]
    for list_old in list_hooks(lambda each: each.old_rows):
        old += list_old(now, retention)
    done = [_close_set_aside(session, now, retention)]
    done += [_delete_some(session, each) for each in old]
    over = audit.c.undo.is_not(None) & (audit.c.at < now - UNDO_DAYS * DAY)
    session.execute(update(audit).where(over).values(undo=None))
    return all(done)


def _close_set_aside(session: Session, now: float, retention: Retention) -> bool:
    """Close what was set aside for too long; whether that was all of it."""
    if not retention.aside_days:
        return True
    before = now - retention.aside_days * DAY
    numbers = inbound_queue.close_set_aside(session, before, _AT_ONCE)
    if numbers:
        visit_again(session, "in", min(numbers))
    return len(numbers) < _AT_ONCE


def _delete_some(session: Session, rows: OldRows) -> bool:
    """Delete some of these rows; whether that was all of them."""
    some = select(*rows.key).where(rows.are_old).limit(_AT_ONCE)
    deleted = session.execute(delete(rows.key[0].table).where(tuple_(*rows.key).in_(some)))
    return deleted.rowcount < _AT_ONCE
