"""Sessions: a transaction on a connection, for statements on tables, which is all there is here.

SQLAlchemy's own session is for mapped classes; without them it would only cost time."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Table

from pbm.store.prefetch import Prefetched

T = TypeVar("T")
_MANY = 4
"""Rows from which on an insert is a COPY on PostgreSQL."""


def padded(keys: Collection[T]) -> list[T]:
    """These keys for an IN, the last of them repeated until there are 1, 2, 4, 8, ...: statements
    of a few lengths are prepared once, those of every length would be planned each time."""
    found = list(keys)
    return found + found[-1:] * ((1 << (len(found) - 1).bit_length()) - len(found))


class Session:
    """A transaction that is open: the store begins and ends it.

    Writes whose result nobody asks for may be put off: those of several mails then go to the
    database together. Whatever else is executed finds them done.

    known  what was read for several mails at once; a write to a table it is about that is not put
           off ends its validity
    info   what else holds until the end of the transaction
    """

    def __init__(self, engine: Engine) -> None:
        self.prefetched: Prefetched | None = None
        self.info: dict[str, Any] = {}
        self._engine = engine
        self._opened: Connection | None = None
        self._later: list[tuple[Any, Mapping[str, Any]]] = []
        self._scope: int | None = None
        self._has_savepoint = False

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file; else it is PostgreSQL."""
        return self._engine.dialect.name == "sqlite"

    @property
    def connection(self) -> Connection:
        """The connection to the database."""
        if self._opened is None:
            self._opened = self._engine.connect()
        return self._opened

    @property
    def driver(self) -> Any:
        """The driver's own connection, sqlite3's or psycopg's: both execute, commit and roll
        back."""
        return self.connection.connection.driver_connection

    def close(self) -> None:
        """Leave undone what is not committed, and give the connection back."""
        self._later.clear()
        if self._opened is not None:
            opened, self._opened = self._opened, None
            opened.close()

    def execute(self, statement: Any, params: Any = None) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement in this transaction."""
        if self._later:
            self.catch_up()
        if not getattr(statement, "is_select", False):
            if self._scope is not None:
                self._set_savepoint()
            if getattr(statement, "is_dml", False) and statement.table.name in Prefetched.TABLES:
                self.prefetched = None
        return self.connection.execute(statement, params)

    def put_off(self, statement: Any, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run it for each of these rows before anything else is read or the transaction ends, not
        necessarily in this order among other statements. All rows of an insert have the same
        columns. One with the execution option `gathers` runs once, with a list of what the rows
        have by that name."""
        self._later += [(statement, row) for row in rows]

    def drop(self) -> None:
        """Leave undone what was put off."""
        self._later.clear()

    def catch_up(self) -> None:
        """Do now what was put off."""
        waiting, self._later = self._later, []
        if self._scope is None or self._has_savepoint:
            self._run_all(waiting)
            return
        self._run_all(waiting[: self._scope])
        if waiting[self._scope :]:
            self._set_savepoint()
            self._run_all(waiting[self._scope :])
        self._scope = 0

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens inside is undone when it raises, and only that. The database hears of it
        when something is written inside."""
        self._scope = len(self._later)
        try:
            yield
        except BaseException:
            del self._later[0 if self._has_savepoint else self._scope :]
            if self._has_savepoint:
                self.driver.execute("ROLLBACK TO SAVEPOINT command")
            raise
        finally:
            if self._has_savepoint:
                self.driver.execute("RELEASE SAVEPOINT command")
            self._scope, self._has_savepoint = None, False

    def _run_all(self, waiting: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Each statement once, for all of its rows."""
        together: dict[int, tuple[Any, list[Mapping[str, Any]]]] = {}
        for statement, row in waiting:
            together.setdefault(id(statement), (statement, []))[1].append(row)
        for statement, rows in together.values():
            gathered = statement.get_execution_options().get("gathers")
            if gathered:
                row = {**rows[-1], gathered: padded([row[gathered] for row in rows])}
                self.connection.execute(statement, row)
            elif len(rows) >= _MANY and statement.is_insert and not self.is_sqlite:
                self._copy(statement.table, rows)
            else:
                self.connection.execute(statement, rows if len(rows) > 1 else rows[0])

    def _copy(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows by COPY, for a fifth of what a statement for each of them costs."""
        quote = self._engine.dialect.identifier_preparer.quote
        names = list(rows[0])
        into = f"{quote(table.name)} ({', '.join(map(quote, names))})"
        cursor = self.driver.cursor()
        with cursor, cursor.copy(f"COPY {into} FROM STDIN") as copy:
            for row in rows:
                copy.write_row([row[name] for name in names])

    def _set_savepoint(self) -> None:
        if not self._has_savepoint:
            self._has_savepoint = True
            self.driver.execute("SAVEPOINT command")
