"""Asks the database itself a question that an operator wrote, over views of our own: it gets at
nothing else, and changes nothing.

The views are temporary ones that hide the tables of their names. An SQLite file is attached, to be
read only, under a name that nobody can guess, so that no question can name its tables; each step is
authorized besides. PostgreSQL is not asked before it has said what the question names: it parses
that as a view, which is never read, and then allows no more writes."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbm.store.transaction import Session

_STEPS = 100_000
"""Steps of SQLite's machine after which it looks at the clock."""
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_OF_NO_TABLE = {"json_each", "json_tree"}
"""Functions that SQLite calls tables."""
_NO_TABLE = re.compile(r"no such table: (\S+)")
DATABASE = "__DATABASE__"
"""Stands in an expression of a view for what the database calls the place of its tables."""
_MASK = "pbm_mask"
_QUESTION = "pbm_question"
_NAMED = re.compile(r":(relid|funcid|aggfnoid|winfnoid) (\d+)")
"""Where a parsed statement of PostgreSQL has a table or a function, by its number."""
_VIEWS = "SELECT oid FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'v'"
_PARSED = "SELECT ev_action::text FROM pg_rewrite WHERE ev_class = '{name}'::regclass"
_RELATIONS = "SELECT relname FROM pg_class WHERE oid = ANY (%s)"
_FUNCTIONS = """
    SELECT proname FROM pg_proc WHERE oid = ANY (%s) AND NOT (
        pronamespace = 'pg_catalog'::regnamespace AND (provolatile = 'i'
        OR provolatile = 's' AND proname !~ '^pg_|^has_|^inet_|to_xml|setting'))"""
"""Those that may do more than compute: that run a statement, read a file, or write."""


class View(Struct, frozen=True):
    """What a question may read of a table: expressions by the name of their column, and which of
    these are texts to be masked."""

    columns: Mapping[str, str]
    masked: Collection[str]

    def select(self, mask: Callable[[str], str]) -> str:
        """Return what a statement selects, with `mask` around what is masked."""
        return ", ".join(
            f'{mask(what) if column in self.masked else what} AS "{column}"'
            for column, what in self.columns.items()
        )


class NotAnswered(Exception):
    """The database refuses the question; the text says why."""


class NoSuchView(NotAnswered):
    """The question names a table that is none of the views."""


class TooLate(NotAnswered):
    """The answer takes too long."""


def ask_sqlite(
    path: Path,
    views: Mapping[str, View],
    others: Collection[str],
    question: str,
    mask: Callable[[Any], Any],
    late: float,
) -> Iterator[tuple[str, ...] | Sequence[Any]]:
    """Yield the names of an answer's columns, then its rows; NotAnswered. `others` are the tables
    without a view, `mask` is called for each text that is masked, and `late` is the time by which
    all is to be read."""
    place, refused = f"pbm_{token_hex(16)}", list[str]()
    with closing(sqlite3.connect(":memory:", uri=True)) as connection:
        connection.execute(f"ATTACH ? AS {place}", (f"file:{quote(str(path))}?mode=ro",))
        connection.create_function(_MASK, 1, mask, deterministic=True)
        for name, view in views.items():
            columns = view.select(lambda what: f"{_MASK}({what})")
            shown = f"SELECT {columns} FROM {place}.{name}"  # noqa: S608 (our own words)
            connection.execute(f'CREATE TEMP VIEW "{name}" AS {shown.replace(DATABASE, place)}')
        for name in others:
            connection.execute(f'CREATE TEMP VIEW "{name}" AS SELECT 1 AS empty WHERE 0')

        def authorize(
            action: int, first: str | None, second: str | None, where: str | None, _: str | None
        ) -> int:
            table = (first or "").lower()
            # Of what is only counted SQLite names no column, nor always a place.
            is_ours = table in views and (where == "temp" or not second)
            if action == sqlite3.SQLITE_READ and not (
                where == place or is_ours or table in _OF_NO_TABLE
            ):
                refused.append(first or "")
                return sqlite3.SQLITE_DENY
            return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY

        connection.set_progress_handler(lambda: time.monotonic() > late, _STEPS)
        connection.set_authorizer(authorize)
        try:
            found = connection.execute(question)
            yield tuple(column[0] for column in found.description)
            yield from found
        except sqlite3.Error as error:
            if time.monotonic() > late:
                raise TooLate from None
            missing = _NO_TABLE.search(str(error))
            if refused or missing:
                raise NoSuchView(refused[0] if refused else str(missing and missing[1])) from None
            raise NotAnswered(str(error)) from None


def ask_postgresql(
    session: Session,
    views: Mapping[str, View],
    question: str,
    mask: Callable[[str], str],
    late: float,
) -> Iterator[tuple[str, ...] | Sequence[Any]]:
    """Yield the names of an answer's columns, then its rows; NotAnswered. `mask` makes of an
    expression one that masks its text."""
    from psycopg import Error
    from psycopg.errors import QueryCanceled, UndefinedTable

    connection = session.driver
    place = connection.execute("SELECT current_schema()").fetchone()[0]
    for name, view in views.items():
        shown = f'SELECT {view.select(mask)} FROM "{place}".{name}'  # noqa: S608 (our own words)
        connection.execute(
            f'CREATE TEMP VIEW "{name}" AS {shown.replace(DATABASE, chr(34) + place + chr(34))}'
        )
    known = {oid for (oid,) in connection.execute(_VIEWS).fetchall()}
    try:
        connection.execute(
            f"CREATE TEMP VIEW {_QUESTION} AS SELECT 1 AS one FROM ({question}\n) AS asked"  # noqa: S608
        )
        _require_views(connection, known)
        left = max(round(1000 * (late - time.monotonic())), 1)
        connection.execute(f"SET LOCAL statement_timeout = {left}")
        connection.execute("SET TRANSACTION READ ONLY")
        found = connection.execute(question)
        yield tuple(column.name for column in found.description)
        yield from found
    except QueryCanceled:
        raise TooLate from None
    except UndefinedTable as error:
        raise NoSuchView(str(error).partition('"')[2].partition('"')[0]) from None
    except Error as error:
        raise NotAnswered(str(error).partition("\n")[0]) from None


def _require_views(connection: Any, known: set[int]) -> None:
    """Refuse a question that names more than the views and functions that only compute."""
    ((parsed,),) = connection.execute(_PARSED.format(name=_QUESTION)).fetchall()
    ((itself,),) = connection.execute(f"SELECT '{_QUESTION}'::regclass::oid").fetchall()
    named = {(kind == "relid", int(number)) for kind, number in _NAMED.findall(parsed)}
    others = [number for is_table, number in named if is_table and number not in {*known, itself}]
    for (name,) in connection.execute(_RELATIONS, (others,)).fetchall():
        raise NoSuchView(name)
    called = [number for is_table, number in named if not is_table]
    for (name,) in connection.execute(_FUNCTIONS, (called,)).fetchall():
        raise NotAnswered(f"{name} is no function for a question")
