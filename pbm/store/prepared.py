"""Statements compiled once and run by the driver itself. When SQLAlchemy runs the reads, with its
compiled cache, a mail takes a worker 22 % more processor time
(docs/decisions/0016-statements-by-hand.md)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import BindParameter, Boolean, Dialect, Double, Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.visitors import replacement_traverse

_make_type: Any = namedtuple
_Processor = Callable[[Any], Any]
_Made = dict[tuple[Any, ...], "Prepared"]


class Prepared:
    """A statement with lists of certain lengths for its IN clauses, ready for the driver.

    text        the SQL
    parameters  what the driver takes, for the values of the statement's parameters
    """

    def __init__(
        self, statement: Executable, dialect: Dialect, params: Mapping[str, Any], **options: Any
    ) -> None:
        written: Any = _write_out_constants(statement)
        compiled: SQLCompiler = written.compile(dialect=dialect, **options)
        state = compiled.construct_expanded_state(dict(params))
        self.text = state.statement
        self._dialect = dialect
        self._constants = {
            name: compiled.params[name]
            for bind, name in compiled.bind_names.items()
            if not bind.required and not bind.literal_execute
        }
        self._lists = dict(state.parameter_expansion)
        self._order = state.positiontup
        bound = {
            name: _find_bind_processor(bind.type, dialect)
            for bind, name in compiled.bind_names.items()
        }
        self._processors = {name: each for name, each in bound.items() if each is not None}
        is_plain = not (self._lists or self._processors)
        self._pick = _build_picker(self._order) if is_plain and self._order else None
        self._columns: Any = getattr(statement, "exported_columns", ())
        self._build_row: Callable[[Iterable[Any]], Any] | None = None
        self._converted: list[tuple[int, _Processor]] = []

    def parameters(self, params: Mapping[str, Any]) -> Any:
        """What the driver takes: the values in order for SQLite, by name for PostgreSQL."""
        values = {**self._constants, **params} if self._constants else params
        if self._pick is not None:
            return self._pick(values)
        if self._lists or self._processors:
            values = dict(values)
            for name, convert in self._processors.items():
                if name in self._lists:
                    values[name] = [convert(each) for each in values[name]]
                else:
                    values[name] = convert(values[name])
            for name, names in self._lists.items():
                values.update(zip(names, values.pop(name), strict=True))
        if self._order is None:
            return values
        return [values[name] for name in self._order]

    def rows(self, cursor: Any, fetched: Sequence[Any]) -> list[Any]:
        """The rows that a cursor has fetched, with the columns as attributes."""
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
        """The class of the rows, and what is to be converted; the driver says which types it
        returns."""
        for at, column in enumerate(self._columns):
            kind = column.type.dialect_impl(self._dialect)
            convert = kind.result_processor(self._dialect, cursor.description[at][1])
            if convert is not None:
                self._converted.append((at, convert))
        build: Callable[[Iterable[Any]], Any] = _make_type("Row", self._columns.keys())._make
        self._build_row = build
        return build


def _write_out_constants(statement: Any) -> Any:
    """The statement with its own texts in the SQL instead of as parameters. Where a parameter
    decides whether an index of some rows can be used (state = 'waiting'), SQLite plans the
    statement anew each time, at several times the cost of running it."""

    def write_out(element: Any, **_: Any) -> Any:
        if isinstance(element, BindParameter) and isinstance(element.value, str):
            return element.render_literal_execute()
        return None

    return replacement_traverse(statement, {}, write_out)


class PreparedStatements:
    """The statements that were prepared for a kind of database, as long as they exist."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._made: WeakKeyDictionary[Any, _Made] = WeakKeyDictionary()

    def find_query(self, statement: Executable, params: Mapping[str, Any]) -> Prepared:
        """The query, for lists as long as those in the parameters."""
        return self._find(statement, _count_lists(params), params)

    def find_write(self, statement: Executable, row: Mapping[str, Any]) -> Prepared:
        """The write, for rows with these columns and lists as long as theirs."""
        columns = tuple(row)
        key = columns + _count_lists(row)
        return self._find(statement, key, row, column_keys=list(columns), for_executemany=True)

    def _find(
        self, statement: Any, key: tuple[Any, ...], params: Mapping[str, Any], **options: Any
    ) -> Prepared:
        try:
            return self._made[statement][key]
        except KeyError:
            made = self._made.setdefault(statement, {})
            prepared = made[key] = Prepared(statement, self._dialect, params, **options)
            return prepared


_BY_DRIVER: dict[tuple[str, str], PreparedStatements] = {}


def share_statements(dialect: Dialect) -> PreparedStatements:
    """The prepared statements of all stores in this process that have the same driver."""
    return _BY_DRIVER.setdefault((dialect.name, dialect.driver), PreparedStatements(dialect))


def _count_lists(params: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple([len(value) for value in params.values() if isinstance(value, list | tuple)])


def _build_picker(names: Sequence[str]) -> Callable[[Mapping[str, Any]], Sequence[Any]]:
    """What picks the values of these names, in order."""
    return itemgetter(*names) if len(names) > 1 else lambda values: [values[names[0]]]


def _find_bind_processor(kind: Any, dialect: Dialect) -> _Processor | None:
    """What converts a parameter for the driver. Both drivers take floats and booleans, and a column
    of floats stores an integer as one."""
    if isinstance(kind, Double | Boolean):
        return None
    processor: _Processor | None = kind.dialect_impl(dialect).bind_processor(dialect)
    return processor
