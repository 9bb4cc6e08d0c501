"""Queries compiled once and run by the driver itself.

When SQLAlchemy runs them, with its compiled cache, a mail takes a worker 1.23 times as much
processor time (docs/decisions/0016-statements-by-hand.md)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Boolean, Dialect, Double, Executable

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
