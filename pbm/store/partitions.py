"""Partitions of the queues, on PostgreSQL and for those who ask for them: each holds a range of
numbers, and the oldest is dropped whole. Deleting its rows one by one leaves room that has to be
found again.

The numbers are those of the mails, which grow with time. So a number alone remains the key, and
whoever knows it visits one partition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Column, Table, column, func, select, text
from sqlalchemy import table as table_called
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, SetTableComment
from sqlalchemy.sql import ColumnElement

from pbm.store.rows import ID
from pbm.store.tables import inbound, outbound, receipts
from pbm.store.transaction import NOT_AVAILABLE, Session

QUEUES = (inbound, outbound, receipts)
_AHEAD = 2
"""The number of partitions that are ready for what comes."""
_MOST_WAITED = 300
"""Milliseconds for which whoever uses a queue is awaited."""
_LISTED = text(
    "SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i "
    "JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(:name)"
)
_BOUNDS = re.compile(r"FROM \('?(MINVALUE|[0-9]+)'?\) TO \('?([0-9]+)'?\)")


class Partition(NamedTuple):
    """A partition: its name, its first number and the one behind its last."""

    name: str
    first: int
    end: int


def find_partitions(session: Session, table: Table) -> Sequence[Partition]:
    """Return the partitions of a queue, the oldest first; none where it is in one piece."""
    if session.is_sqlite:
        return ()
    found = []
    for name, bounds in session.tuples(_LISTED.bindparams(name=table.name)):
        match = _BOUNDS.search(bounds)
        if match is not None:
            first = 0 if match[1] == "MINVALUE" else int(match[1])
            found.append(Partition(name, first, int(match[2])))
    return sorted(found, key=lambda each: each.end)


def divide(session: Session, size: int) -> bool:
    """Divide the queues into partitions of that many numbers. What is there becomes the first.
    Return False where they are divided already."""
    if find_partitions(session, inbound):
        return False
    for table in QUEUES:
        _divide(session, table, size)
    prepare_next(session)
    return True


def _divide(session: Session, table: Table, size: int) -> None:
    """Divide a queue. Names of indexes stay with the whole, so that migrations find them."""
    name, first = table.name, f"{table.name}_0"
    _run(session, f"ALTER TABLE {name} RENAME TO {first}")
    for index in (f"pk_{name}", *(str(each.name) for each in table.indexes)):
        _run(session, f"ALTER INDEX {index} RENAME TO {index}_0")
    _run(
        session,
        f"CREATE TABLE {name} (LIKE {first} INCLUDING DEFAULTS INCLUDING COMMENTS) "
        "PARTITION BY RANGE (id)",
    )
    if table.comment:  # which LIKE leaves out
        session.execute(SetTableComment(table))
    _run(session, f"ALTER TABLE {name} ADD CONSTRAINT pk_{name} PRIMARY KEY (id)")
    for each in sorted(table.indexes, key=lambda each: str(each.name)):
        session.execute(CreateIndex(each))
    _run(session, f"ALTER SEQUENCE {name}_id_seq OWNED BY {name}.id")
    highest = select(func.max(column("id", ID))).select_from(table_called(first))
    last = int(session.execute(highest).scalar() or 0)
    end = (last // size + 1) * size
    _run(
        session,
        f"ALTER TABLE {name} ATTACH PARTITION {first} FOR VALUES FROM (MINVALUE) TO ({end})",
    )
    _add(session, table, end, size)


def _add(session: Session, table: Table, first: int, size: int) -> None:
    """Add an empty partition. To be attached, it need not keep anybody from the queue."""
    name, whole = f"{table.name}_{first}", table.name
    _run(session, f"CREATE TABLE {name} (LIKE {whole} INCLUDING DEFAULTS INCLUDING INDEXES)")
    bounds = f"FROM ({first}) TO ({first + size})"
    _run(session, f"ALTER TABLE {whole} ATTACH PARTITION {name} FOR VALUES {bounds}")


def prepare_next(session: Session) -> None:
    """Add partitions behind the last, so that some are always empty."""
    for table in QUEUES:
        parts = find_partitions(session, table)
        if not parts:
            continue
        last = session.execute(select(func.max(table.c.id))).scalar() or 0
        size, end = parts[-1].end - parts[-1].first, parts[-1].end
        while end - last <= _AHEAD * size:
            _add(session, table, end, size)
            end += size


def find_old(
    session: Session,
    table: Table,
    since: Column[float],
    before: float,
    is_done: ColumnElement[bool] | None = None,
) -> Partition | None:
    """Return the oldest partition, when it is full, all of it came before that time and `is_done`
    holds for each row."""
    parts = find_partitions(session, table)
    if len(parts) <= _AHEAD:
        return None
    own = table.c.id < parts[0].end
    came = session.execute(select(since).where(own).order_by(table.c.id.desc()).limit(1)).scalar()
    later = session.execute(select(table.c.id).where(~own).limit(1)).scalar()
    if later is None or (came is not None and came >= before):
        return None
    left = None
    if is_done is not None:
        left = session.execute(select(table.c.id).where(own, ~is_done).limit(1)).scalar()
    return parts[0] if left is None else None


def drop(session: Session, partition: Partition) -> bool:
    """Drop a partition, unless somebody uses the queue: nobody is kept waiting for long."""
    try:
        with session.savepoint():
            _run(session, f"SET LOCAL lock_timeout = {_MOST_WAITED}")
            _run(session, f"DROP TABLE {partition.name}")
            _run(session, "SET LOCAL lock_timeout = 0")
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") != NOT_AVAILABLE:
            raise
        return False
    return True


def _run(session: Session, statement: str) -> None:
    session.execute(text(statement))
