"""Sessions: a transaction on a connection. Its queries are compiled once and run by the driver, its
writes may be deferred and sent together. Without the first a mail takes a worker 1.23 times as much
processor time, without the second 1.21 times (docs/decisions/0016-statements-by-hand.md).

SQLAlchemy's own session maps classes; without them it would only cost time."""

from __future__ import annotations

import contextlib
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import (
    Boolean,
    Connection,
    CursorResult,
    Dialect,
    Double,
    Engine,
    Executable,
    MappingResult,
    ScalarResult,
    Table,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError

from pbm.store.prefetched import Prefetched
from pbm.store.rows import Query, R

# Queries, compiled once and run by the driver itself.

_make_type: Any = namedtuple
_Processor = Callable[[Any], Any]
_Made = dict[tuple[int, ...], "Prepared"]


class Prepared:
    """A query with lists of certain lengths for its IN clauses, ready for the driver.

    text        the SQL
    parameters  what the driver takes, for the values of the query's parameters
    """

    def __init__(self, statement: Any, dialect: Dialect, params: Mapping[str, Any]) -> None:
        compiled = statement.compile(dialect=dialect)
        state = compiled.construct_expanded_state(dict(params))
        self.text = state.statement
        self._dialect = dialect
        self._constants = {
            name: compiled.params[name]
            for bind, name in compiled.bind_names.items()
            if not bind.required
        }
        self._lists = dict(state.parameter_expansion)
        self._order = state.positiontup
        bound = {
            name: _find_bind_processor(bind.type, dialect)
            for bind, name in compiled.bind_names.items()
        }
        self._processors = {name: each for name, each in bound.items() if each is not None}
        self._columns: Any = getattr(statement, "exported_columns", ())
        self._build_row: Callable[[Iterable[Any]], Any] | None = None
        self._converted: list[tuple[int, _Processor]] = []

    def parameters(self, params: Mapping[str, Any]) -> Any:
        """Return what the driver takes: the values in order for SQLite, by name for PostgreSQL."""
        values = {**self._constants, **params}
        for name, convert in self._processors.items():
            if name in self._lists:
                values[name] = [convert(each) for each in values[name]]
            else:
                values[name] = convert(values[name])
        for name, names in self._lists.items():
            values.update(zip(names, values.pop(name), strict=True))
        return values if self._order is None else [values[name] for name in self._order]

    def rows(self, cursor: Any, fetched: Sequence[Any]) -> list[Any]:
        """Return the rows that a cursor has fetched, with the columns as attributes."""
        build = self._build_row or self._prepare_rows(cursor)
        if not self._converted:
            return [build(row) for row in fetched]
        return [build(self._convert(row)) for row in fetched]

    def _convert(self, row: Sequence[Any]) -> list[Any]:
        values = list(row)
        for at, convert in self._converted:
            values[at] = convert(values[at])
        return values

    def _prepare_rows(self, cursor: Any) -> Callable[[Iterable[Any]], Any]:
        """Return the class of the rows, and what is to be converted; the driver says which types it
        returns."""
        for at, column in enumerate(self._columns):
            kind = column.type.dialect_impl(self._dialect)
            convert = kind.result_processor(self._dialect, cursor.description[at][1])
            if convert is not None:
                self._converted.append((at, convert))
        build: Callable[[Iterable[Any]], Any] = _make_type("Row", self._columns.keys())._make
        self._build_row = build
        return build


class PreparedStatements:
    """The queries that were prepared for a kind of database, as long as their statements exist."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._made: WeakKeyDictionary[Any, _Made] = WeakKeyDictionary()

    def find(self, statement: Executable, params: Mapping[str, Any]) -> Prepared:
        """Return the query, for lists as long as those in the parameters."""
        key = _count_lists(params)
        try:
            return self._made[statement][key]
        except KeyError:
            prepared = Prepared(statement, self._dialect, params)
            self._made.setdefault(statement, {})[key] = prepared
            return prepared


_BY_DRIVER: dict[tuple[str, str], PreparedStatements] = {}


def share_statements(dialect: Dialect) -> PreparedStatements:
    """Return the prepared statements of all stores in this process that have the same driver."""
    return _BY_DRIVER.setdefault((dialect.name, dialect.driver), PreparedStatements(dialect))


def _count_lists(params: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple([len(value) for value in params.values() if isinstance(value, list | tuple)])


def _find_bind_processor(kind: Any, dialect: Dialect) -> _Processor | None:
    """Return what converts a parameter for the driver. Both drivers take floats and booleans, and a
    column of floats stores an integer as one."""
    if isinstance(kind, Double | Boolean):
        return None
    processor: _Processor | None = kind.dialect_impl(dialect).bind_processor(dialect)
    return processor


# The session, with its deferred writes.

T = TypeVar("T")
_DRAW = "SELECT nextval(%s) FROM generate_series(1, %s)"
_LAST_NUMBER = select(text("seq FROM sqlite_sequence WHERE name = :table"))

NOT_AVAILABLE = "55P03"
"""PostgreSQL's code for a lock that was waited for too long."""


def wrap_error(engine: Engine, error: Exception) -> BaseException:
    """Return SQLAlchemy's exception for an error of the driver, without the statement."""
    kind = engine.dialect.loaded_dbapi.Error
    return DBAPIError.instance(None, None, error, kind, dialect=engine.dialect)


def pad_keys(keys: Collection[T]) -> list[T]:
    """Pad the keys of an IN list to a power of two, so that prepared statements are reused."""
    padded = list(keys)
    return padded + padded[-1:] * ((1 << (len(padded) - 1).bit_length()) - len(padded))


class _WrappedErrors:
    """Raises SQLAlchemy's exceptions for those of the driver."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kind = engine.dialect.loaded_dbapi.Error

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, self._kind):
            raise wrap_error(self._engine, error) from error


class Rows(Protocol):
    """What a statement returned, without rows of attributes that nothing would check."""

    @property
    def rowcount(self) -> int:
        """The number of rows that were written."""

    def scalar(self) -> Any:
        """Return the first column of the first row; None when there is no row."""

    def scalar_one(self) -> Any:
        """Return the first column of the only row."""

    def scalars(self) -> ScalarResult[Any]:
        """Return the first column of each row."""

    def mappings(self) -> MappingResult:
        """Return the rows as mappings."""


class _Savepoint:
    """A savepoint that is set in the database once something is written after it.

    outer   the one around it, if any
    begins  how many deferred writes are older
    is_set  whether the database knows it
    """

    def __init__(self, outer: _Savepoint | None, begins: int) -> None:
        self.outer = outer
        self.begins = begins
        self.is_set = False


class Session:
    """An open transaction: the store begins and ends it.

    Writes whose result nobody needs may be deferred, so that those of several mails go to the
    database together. Any other statement flushes them first.

    is_sqlite   whether the database is a file; else it is PostgreSQL
    prefetched  rows that were read for several mails at once; None when there are none, and after
                any statement that may have changed them
    info        what else is valid until the end of the transaction
    """

    def __init__(self, engine: Engine, statements: PreparedStatements | None = None) -> None:
        self.prefetched: Prefetched | None = None
        self.info: dict[str, Any] = {}
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._engine = engine
        self._wrapped_errors = _WrappedErrors(engine)
        self._statements = statements or PreparedStatements(engine.dialect)
        # As text, PostgreSQL would write each byte of a mail as two letters.
        self._form = {} if self.is_sqlite else {"binary": True}
        self._opened: Connection | None = None
        self._deferred: list[tuple[Any, Mapping[str, Any]]] = []
        self._savepoint: _Savepoint | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def connection(self) -> Connection:
        """The connection to the database. Writes to it pass by the prefetched rows."""
        if self._opened is None:
            self._opened = self._engine.connect()
        return self._opened

    @property
    def driver(self) -> Any:
        """The driver's own connection, sqlite3's or psycopg's, which executes, commits and rolls
        back."""
        return self.connection.connection.driver_connection

    @property
    def cache(self) -> Prefetched:
        """What was prefetched, to add to it."""
        if self.prefetched is None:
            self.prefetched = Prefetched()
        return self.prefetched

    def close(self) -> None:
        """Discard what is not committed and give the connection back."""
        self._deferred.clear()
        if self._opened is not None:
            opened, self._opened = self._opened, None
            opened.close()

    def invalidate(self) -> None:
        """Drop the connection, which leads nowhere any more."""
        if self._opened is not None:
            self._opened.invalidate()
        self.close()

    def all(self, query: Query[R], params: Mapping[str, Any] | None = None) -> Sequence[R]:
        """Return the rows of a query."""
        rows: Sequence[R] = self._fetch(query.statement, params or {})
        return rows

    def first(self, query: Query[R], params: Mapping[str, Any] | None = None) -> R | None:
        """Return the first row of a query, or None."""
        row: R | None = next(iter(self._fetch(query.statement, params or {})), None)
        return row

    def one(self, query: Query[R], params: Mapping[str, Any] | None = None) -> R:
        """Return the only row of a query."""
        row: R
        (row,) = self._fetch(query.statement, params or {})
        return row

    def execute(self, statement: Any, params: Any = None) -> Rows:
        """Run a statement in this transaction, for single values or for what it writes; a `Query`
        is for rows."""
        return self._run(statement, params)

    def tuples(self, statement: Any, params: Any = None) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a statement as tuples, for a few columns."""
        return self._run(statement, params).all()

    def value(self, statement: Any, params: Mapping[str, Any] | None = None) -> Any:
        """Return the first column of the first row of a query; None when there is no row."""
        self._prepare_for(statement)
        values = params or {}
        prepared = self._statements.find(statement, values)
        with self._wrapped_errors:
            row = self.driver.execute(prepared.text, prepared.parameters(values)).fetchone()
        return None if row is None else row[0]

    def column(self, statement: Any, params: Mapping[str, Any] | None = None) -> list[Any]:
        """Return the first column of each row of a query."""
        return [row[0] for row in self._fetch(statement, params or {})]

    def take_numbers(self, table: Table, count: int) -> list[int]:
        """Reserve numbers for new rows of a table. PostgreSQL draws them from a sequence, which no
        transaction can change: what was deferred stays so."""
        if not self.is_sqlite:
            with self._wrapped_errors:
                rows = self.driver.execute(_DRAW, (f"{table.name}_id_seq", count)).fetchall()
            return [int(number) for (number,) in rows]
        next_number: dict[str, int] = self.info.setdefault("next", {})
        first = next_number.get(table.name)
        if first is None:
            first = (self.value(_LAST_NUMBER, {"table": table.name}) or 0) + 1
        next_number[table.name] = first + count
        return list(range(first, first + count))

    def stream(self, query: Query[R], params: Mapping[str, Any] | None = None) -> Iterator[R]:
        """Return the rows of a query one after another, for a table that may be large."""
        rows: Any = iter(self._run(query.statement, params))
        return rows  # type: ignore[no-any-return]

    def _run(self, statement: Any, params: Any) -> CursorResult[*tuple[Any, ...]]:
        self._prepare_for(statement)
        return self.connection.execute(statement, params)

    def _fetch(self, statement: Any, params: Mapping[str, Any]) -> list[Any]:
        """Return the rows of a query, which the driver runs."""
        self._prepare_for(statement)
        driver = self.driver
        prepared = self._statements.find(statement, params)
        with self._wrapped_errors:
            cursor = driver.execute(prepared.text, prepared.parameters(params), **self._form)
            return prepared.rows(cursor, cursor.fetchall())

    def _prepare_for(self, statement: Any) -> None:
        """Do what has to come before the statement: write what was deferred, and before a write set
        the savepoint and drop what was prefetched."""
        if self._deferred:
            self.flush()
        if getattr(statement, "is_text", False) or not getattr(statement, "is_select", False):
            if self._savepoint is not None:
                self._set_savepoint(self._savepoint)
            self._invalidate(statement)

    def _invalidate(self, statement: Any) -> None:
        """Drop the prefetched rows unless it is certain which table a statement writes to, and that
        none of these rows is from it. What raw SQL does is never certain."""
        table = statement.table if getattr(statement, "is_dml", False) else None
        if table is None or table.name in Prefetched.TABLES:
            self.prefetched = None

    def defer(self, statement: Any, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run a write for each of these rows before anything else is read or the transaction ends.

        The order among deferred statements may change, but not that of two updates of one row,
        whose new values are named `new_…`. All rows of an insert have the same columns.
        A statement with the execution option `gathers` runs once, with a list of what the rows have
        by that name. Prefetched rows stay: whoever defers a write to them keeps them valid."""
        self._deferred += [(statement, row) for row in rows]

    def discard_deferred(self) -> None:
        """Forget the deferred writes."""
        self._deferred.clear()

    def flush(self) -> None:
        """Run the deferred writes."""
        deferred, self._deferred = self._deferred, []
        savepoint = self._savepoint
        if savepoint is None or savepoint.is_set:
            self._run_all(deferred)
            return
        self._run_all(deferred[: savepoint.begins])
        if deferred[savepoint.begins :]:
            self._set_savepoint(savepoint)
            self._run_all(deferred[savepoint.begins :])
        savepoint.begins = 0

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what happens inside, and only that, when it raises; one may be inside another. It is
        set in the database once something is written inside."""
        outer = self._savepoint
        if outer is not None:
            self.flush()
        elif self.prefetched is not None:
            self.prefetched.written_boards.clear()
        savepoint = self._savepoint = _Savepoint(outer, len(self._deferred))
        try:
            yield
        except BaseException:
            if self.prefetched is not None:
                self.prefetched.undo_writes()
            del self._deferred[0 if savepoint.is_set else savepoint.begins :]
            if savepoint.is_set:
                self.driver.execute("ROLLBACK TO SAVEPOINT command")
            raise
        finally:
            if savepoint.is_set:
                self.driver.execute("RELEASE SAVEPOINT command")
            self._savepoint = outer

    def _run_all(self, deferred: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Run each statement once, for all of its rows. Run what has gathered first where a
        statement updates a row that another one updates too: a move, and the answer that a plan
        gives to it, change different columns of their board."""
        batches: dict[int, tuple[Any, list[Mapping[str, Any]]]] = {}
        updated: dict[tuple[object, ...], int] = {}
        for statement, row in deferred:
            if statement.is_update:
                which = (n for n in row.items() if not n[0].startswith("new_"))
                target = (statement.table.name, *which)
                if updated.get(target, id(statement)) != id(statement):
                    self._run_batches(batches.values())
                    batches.clear()
                    updated.clear()
                updated[target] = id(statement)
            batches.setdefault(id(statement), (statement, []))[1].append(row)
        self._run_batches(batches.values())

    def _run_batches(self, batches: Iterable[tuple[Any, list[Mapping[str, Any]]]]) -> None:
        for statement, rows in batches:
            gathered = statement.get_execution_options().get("gathers")
            if gathered:
                rows = [{**rows[-1], gathered: pad_keys([row[gathered] for row in rows])}]
            with self._wrapped_errors:
                self.connection.execute(statement, rows)

    def _set_savepoint(self, savepoint: _Savepoint) -> None:
        """Set it in the database, after those around it. They share one name, by which the database
        means the innermost."""
        if savepoint.outer is not None:
            self._set_savepoint(savepoint.outer)
        if not savepoint.is_set:
            savepoint.is_set = True
            self.driver.execute("SAVEPOINT command")


# INSERT statements that say what happens when the row exists; each dialect has its own.


def insert_into(table: Table, *, is_sqlite: bool) -> Any:
    """Return an INSERT with `on_conflict_do_nothing` and `on_conflict_do_update`. Only the dialect
    in use is imported."""
    if is_sqlite:
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
