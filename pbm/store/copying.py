"""A whole database copied into another one, of either kind: every row under its number.

It reads one moment of the source and writes one transaction; it fills an empty database only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import func, insert, inspect, select, text

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import metadata
from pbm.store.transaction import Session

_ROWS = 500


class CopyError(RuntimeError):
    """The copy cannot be made; the text says why. The target is as empty as before."""


@contextmanager
def snapshot(store: Store) -> Iterator[Session]:
    """A session that sees one moment of the database throughout."""
    engine = store.engine
    if not store.is_sqlite:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with Session(engine) as session:
        if store.is_sqlite:
            session.execute(text("BEGIN"))
        yield session


def counts(session: Session) -> dict[str, int]:
    """How many rows each table has, in the order in which foreign keys allow to fill them."""
    return {
        table.name: int(session.execute(select(func.count()).select_from(table)).scalar_one())
        for table in metadata.sorted_tables
    }


def prepare(target: Store) -> None:
    """Make the tables in a database that has none. CopyError when it holds anything."""
    found = migrate.current(target)
    names = inspect(target.engine).get_table_names()
    if found is None and names:
        raise CopyError(f"it is not empty: it has a table {min(names)}")
    if found is not None:
        migrate.require(target)
        with target.reading() as session:
            filled = [name for name, count in counts(session).items() if count]
        if filled:
            raise CopyError(f"it is not empty: there are rows in {', '.join(filled)}")
    migrate.upgrade(target)


def copy(source: Session, target: Session, copied: Callable[[str, int], object]) -> None:
    """Copy all rows and where numbering goes on; `copied` hears of each batch."""
    for table in metadata.sorted_tables:
        rows = source.connection.execution_options(yield_per=_ROWS).execute(
            select(table).order_by(*table.primary_key.columns)
        )
        for batch in rows.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in batch])
            copied(table.name, len(batch))
    for table in metadata.sorted_tables:
        if "id" in table.c:
            _set_number(target, table.name, _number(source, table.name))


def _number(session: Session, name: str) -> int:
    """The highest number a table has given, also to rows that are gone; 0 for none yet."""
    if session.is_sqlite:
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int(session.execute(query, {"name": name}).scalar() or 0)
    query = text(f"SELECT last_value, is_called FROM {name}_id_seq")  # noqa: S608 (our table)
    (last, is_called) = session.tuples(query)[0]
    return int(last) if is_called else 0


def _set_number(session: Session, name: str, number: int) -> None:
    """Go on after that number: a number that was ever used is not used again."""
    if not number:
        return
    if session.is_sqlite:
        values = {"name": name, "number": number}
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :name",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)",
        ):
            session.execute(text(statement), values)
    else:
        query = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :number)")
        session.execute(query, {"name": name, "number": number})


def require_equal(source: Session, target: Session) -> dict[str, int]:
    """CopyError unless all tables have as many rows here as there, and number on alike; the
    rows."""
    here, there = counts(source), counts(target)
    for name, count in here.items():
        if there[name] != count:
            raise CopyError(f"{name} has {count} rows, the copy {there[name]}")
    for table in metadata.sorted_tables:
        if "id" in table.c and _number(source, table.name) != _number(target, table.name):
            raise CopyError(f"{table.name} would give other numbers in the copy")
    return here
