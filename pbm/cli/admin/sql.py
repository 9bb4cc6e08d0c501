"""`pbm admin sql`: one SELECT over views that hold nothing secret.

The views take the place of the tables of the same names, and nothing can be written. SQLite lets
nothing else be read; on PostgreSQL other schemas are refused by name."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Any

import click
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbm.cli import USAGE, Failed, config_of
from pbm.cli.database import opened
from pbm.cli.mask import masked
from pbm.cli.shown import clean, print_rows
from pbm.store.engine import Store
from pbm.store.tables import metadata

_OPEN_BOARDS = "__OPEN_BOARDS__"
VIEWS: dict[str, tuple[str, str]] = {
    "players": ("players", "id, userid, name, state, preferences, created, seen"),
    "addresses": ("addresses", "id, player_id, address, confirmed, bounces, bounced, stopped"),
    "boards": (
        "boards",
        "id, game, version, options, players, state, to_move, number, ply, turn_ply, undos, rated, "
        "proposals, outcome, commitment, nag_days, forfeit_days, total_days, bank_days, "
        "increment_days, created, moved, ended",
    ),
    "seats": ("seats", "board_id, seat, player_id, accepted, moved, spent, due, reminded, rank"),
    "moves": (
        "moves",
        "board_id, number, ply, kind, seat, CASE WHEN words = '' THEN move ELSE words END AS move, "
        "news, comment, at",
    ),
    "watchers": ("watchers", "board_id, player_id"),
    "inbound": (
        "inbound",
        "id, received, via, peer, envelope_from, recipient, state, attempts, player_id, board_id, "
        f"CASE WHEN board_id NOT IN ({_OPEN_BOARDS}) "
        "THEN '(hidden)' ELSE outcome END AS outcome, finished",
    ),
    "outbound": (
        "outbound",
        "id, inbound_id, board_id, player_id, recipient, state, attempts, created, next_attempt, "
        "finished, why",
    ),
    "ratings": ("ratings", "player_id, game, mu, sigma, boards, updated"),
    "counters": ("counters", "name, day, count"),
    "audit": ("audit", "id, at, actor, action, player_id, board_id, reason"),
}
_STATEMENT = re.compile(r"\s*(select|with|values)\b", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(public|main|pg_\w+|information_schema|sqlite_\w+)\b", re.IGNORECASE)
_READING = {
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
}  # fmt: skip


def _help() -> str:
    plain = {name: re.sub(r"CASE.*?END AS ", "", what) for name, (_, what) in VIEWS.items()}
    lines = [f"  {name}: {what}" for name, what in plain.items()]
    return "\n\n".join(f"\b\n{_folded(line)}" for line in lines)


def _folded(line: str) -> str:
    words, rows = line.split(" "), [""]
    for word in words:
        if len(rows[-1]) + len(word) > 74:
            rows.append("     ")
        rows[-1] += f" {word}" if rows[-1].strip() else f"  {word}" if word else ""
    return "\n".join(rows)


@click.command(
    "sql",
    help="One SELECT, read-only, over views that hold nothing secret. Times are seconds since "
    "1970 in UTC. What seats alone may see stands as spectators read it.\n\n" + _help(),
)
@click.argument("query")
@click.option("--json", "as_json", is_flag=True, help="as JSON")
@click.pass_context
def sql(ctx: click.Context, query: str, as_json: bool) -> None:
    """Run the query and print its rows."""
    query = query.strip().rstrip(";")
    if not _STATEMENT.match(query) or ";" in query:
        raise Failed("one SELECT, without a semicolon inside", USAGE)
    if _FORBIDDEN.search(query):
        raise Failed("only the views are there: pbm admin sql --help lists them", USAGE)
    with opened(config_of(ctx)) as store, store.reading() as session:
        try:
            names, rows = _asked(store, session, query)
        except DBAPIError as error:
            said = str(error.orig).splitlines()[0]
            raise Failed(f"the query cannot be run: {clean(said)}", USAGE) from None
    cells = [dict(zip(names, map(_plain, row), strict=False)) for row in rows]
    print_rows(cells, as_json=as_json)


def _asked(store: Store, session: Session, query: str) -> tuple[list[str], Sequence[Any]]:
    """Make the views in this session alone, forbid everything else, and ask."""
    connection = session.connection()
    schema = "main"
    if not store.is_sqlite:
        schema = session.execute(text("SELECT current_schema()")).scalar_one()
    open_boards = f"SELECT id FROM {schema}.boards WHERE game IN ({_open_games()})"  # noqa: S608 (our own words)
    for name, (table, columns) in VIEWS.items():
        what = columns.replace(_OPEN_BOARDS, open_boards)
        connection.exec_driver_sql(
            f"CREATE TEMP VIEW {name} AS SELECT {what} FROM {schema}.{table}"  # noqa: S608 (our own words)
        )
    for name in set(metadata.tables) - set(VIEWS):
        connection.exec_driver_sql(f"CREATE TEMP VIEW {name} AS SELECT 0 AS hidden WHERE 1 = 0")
    if store.is_sqlite:
        raw = connection.connection.driver_connection
        if not isinstance(raw, sqlite3.Connection):
            raise Failed("this database cannot be guarded", USAGE)
        raw.set_authorizer(_authorize)
        try:
            result = connection.exec_driver_sql(query)
            return list(result.keys()), result.fetchall()
        finally:
            raw.set_authorizer(None)
            session.rollback()
    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    connection.exec_driver_sql("SET LOCAL statement_timeout = '60s'")
    streamed = connection.execution_options(stream_results=True).exec_driver_sql(
        query.replace("%", "%%")
    )
    return list(streamed.keys()), streamed.fetchall()


def _authorize(
    action: int, first: str | None, second: str | None, schema: str | None, source: str | None
) -> int:
    """Reading only, and tables only from inside a view of ours."""
    if action not in _READING:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and schema == "main" and source not in VIEWS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _open_games() -> str:
    """The games that hide nothing, as a list in SQL."""
    from pbm.cli.post import hides
    from pbm.games import game_names

    return ", ".join(f"'{name}'" for name in game_names() if not hides(name)) or "''"


def _plain(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        return f"({len(value)} bytes)"
    return masked(clean(value)) if isinstance(value, str) else value
