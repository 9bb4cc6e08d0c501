"""Copying a whole database into an empty one, SQLite or PostgreSQL, every row under its number.

The source is read as one snapshot, the target written in one transaction. PostgreSQL takes rows by
COPY, and makes indexes and references once all rows are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest

from sqlalchemy import String, Table, delete, func, insert, select, text

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.migrate import INSTALLATION
from pbm.store.tables import metadata, settings
from pbm.store.transaction import Session

_ROWS = 1000
_REFERENCES = text(
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE contype = 'f' AND conparentid = 0 AND conrelid = to_regclass(:name)"
)
_INDEXES = text(
    "SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i "
    "JOIN pg_class c ON c.oid = i.indexrelid "
    "WHERE i.indrelid = to_regclass(:name) "
    "AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = c.oid)"
)
"""Those that keep no constraint."""


class CopyError(RuntimeError):
    """The copy failed; the text says why. The target is as empty as before."""


@contextmanager
def open_snapshot(store: Store) -> Iterator[Session]:
    """Open a session that sees one snapshot of the database."""
    engine = store.engine
    if not store.is_sqlite:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with Session(engine) as session:
        if store.is_sqlite:
            session.execute(text("BEGIN"))
        yield session


def count_rows(session: Session) -> dict[str, int]:
    """Return the number of rows of each table, in an order that respects foreign keys."""
    return {
        table.name: int(session.execute(select(func.count()).select_from(table)).scalar_one())
        for table in metadata.sorted_tables
    }


def prepare(target: Store) -> None:
    """Create the tables in an empty database. CopyError when it holds anything."""
    try:
        migrate.create(target)
        return
    except migrate.NotEmpty as error:
        if not migrate.exists(target):
            raise CopyError(str(error)) from None
    migrate.require(target)
    with target.writing() as session:
        session.execute(delete(settings).where(settings.c.name == INSTALLATION))
        filled = [name for name, count in count_rows(session).items() if count]
        if filled:
            raise CopyError(f"it is not empty: there are rows in {', '.join(filled)}")


def copy(source: Session, target: Session, copied: Callable[[str, int], object]) -> None:
    """Copy all rows and the last number of each table. `copied` is called after each batch with the
    table and the number of rows."""
    with _leave_until_later(target):
        for table in metadata.sorted_tables:
            with _open_table(target, table) as write:
                for batch in _read(source, table):
                    write(batch)
                    copied(table.name, len(batch))
    for table in metadata.sorted_tables:
        if "id" in table.c:
            _set_last_number(target, table.name, _find_last_number(source, table.name))


def _read(session: Session, table: Table) -> Iterator[Sequence[Sequence[object]]]:
    """Yield batches of the table's rows, in the same order on both databases."""
    key = (
        column.collate("C") if isinstance(column.type, String) and not session.is_sqlite else column
        for column in table.primary_key.columns
    )
    reading = session.connection.execution_options(yield_per=_ROWS)
    yield from reading.execute(select(table).order_by(*key)).partitions()


@contextmanager
def _open_table(
    session: Session, table: Table
) -> Iterator[Callable[[Sequence[Sequence[object]]], None]]:
    """Open a table for rows with all of its columns, in their order."""
    names = [column.name for column in table.columns]
    if session.is_sqlite:

        def insert_rows(rows: Sequence[Sequence[object]]) -> None:
            session.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])

        yield insert_rows
        return
    listed = ", ".join(f'"{name}"' for name in names)
    statement = f"COPY {table.name} ({listed}) FROM STDIN"
    with session.driver.cursor() as cursor, cursor.copy(statement) as stream:

        def copy_rows(rows: Sequence[Sequence[object]]) -> None:
            for row in rows:
                stream.write_row(row)

        yield copy_rows


@contextmanager
def _leave_until_later(session: Session) -> Iterator[None]:
    """On PostgreSQL, do without indexes and references meanwhile, and gather statistics for the
    planner at the end."""
    if session.is_sqlite:
        yield
        return
    again = []
    for table in (each.name for each in metadata.sorted_tables):
        for name, reference in session.tuples(_REFERENCES.bindparams(name=table)):
            session.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
            again.append(f"ALTER TABLE {table} ADD CONSTRAINT {name} {reference}")
    for table in (each.name for each in metadata.sorted_tables):
        for name, index in session.tuples(_INDEXES.bindparams(name=table)):
            session.execute(text(f"DROP INDEX {name}"))
            again.insert(0, index.replace(" ON ONLY ", " ON "))  # of a table with partitions
        again.append(f"ANALYZE {table}")
    yield
    for statement in again:
        session.driver.execute(statement)


def _find_last_number(session: Session, name: str) -> int:
    """Return the highest number a table has ever used, deleted rows included; 0 for none."""
    if session.is_sqlite:
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int(session.execute(query, {"name": name}).scalar() or 0)
    query = text(f"SELECT last_value, is_called FROM {name}_id_seq")  # noqa: S608 (our table)
    (last, is_called) = session.tuples(query)[0]
    return int(last) if is_called else 0


def _set_last_number(session: Session, name: str, number: int) -> None:
    """Continue after that number, so that no number is ever reused."""
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


def require_equal(source: Session, target: Session, compared: Callable[[str, int], object]) -> None:
    """Compare all rows, and the tables' last numbers. CopyError when they differ. `compared` is
    called as in `copy`."""
    for table in metadata.sorted_tables:
        both = zip_longest(_read(source, table), _read(target, table), fillvalue=())
        for rows, copied in both:
            if rows != copied:
                raise CopyError(f"{table.name} has other rows in the copy")
            compared(table.name, len(rows))
        if "id" in table.c and _find_last_number(source, table.name) != _find_last_number(
            target, table.name
        ):
            raise CopyError(f"{table.name} would continue with other numbers in the copy")
