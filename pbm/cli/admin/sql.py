"""`pbm admin sql`: one SELECT over views without secrets.

The views replace the tables of the same names, and nothing can be written. An authorizer
has SQLite read nothing else; PostgreSQL runs the query as a role that has no other rights."""

from __future__ import annotations

import re
import sqlite3
import textwrap
import time
from collections.abc import Sequence
from typing import Any

import click
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pbm.cli import REFUSED, USAGE, Failed, get_config
from pbm.cli.admin.questions import QUESTIONS
from pbm.cli.open_database import open_database
from pbm.cli.terminal.masking import mask
from pbm.cli.terminal.output import clean, print_json, print_rows
from pbm.store.engine import Store
from pbm.store.tables import metadata
from pbm.store.transaction import Session

_OPEN_BOARDS = "__OPEN_BOARDS__"
VIEWS: dict[str, tuple[str, str]] = {
    "players": ("accounts", "id, userid, name, state, preferences, created, seen, away, digest_at"),
    "addresses": (
        "where mail to players goes",
        "id, player_id, address, confirmed, bounce_score, bounced, stopped",
    ),
    "boards": (
        "plays of a game; the position of each is what admin board shows",
        "id, game, version, options, players, state, to_move, number, ply, turn_ply, undos, rated, "
        "proposals, outcome, commitment, nag_days, forfeit_days, total_days, bank_days, "
        "increment_days, created, moved, ended, look, rematch, pool",
    ),
    "seats": (
        "who plays at which board",
        "board_id, seat, player_id, accepted, moved, spent, due, reminded, rank",
    ),
    "moves": (
        "the log of each board, as spectators read it",
        "board_id, number, ply, kind, seat, CASE WHEN words = '' THEN move ELSE words END AS move, "
        "news, comment, at",
    ),
    "watchers": ("who gets the mails of a board without playing", "board_id, player_id"),
    "analyses": (
        "boards that are to be analysed, or were",
        "board_id, number, state, asked, claimed, finished, result",
    ),
    "analysis_requests": ("who waits for an analysis", "board_id, player_id, at"),
    "inbound": (
        "mails that came in; outcome is hidden where it may hold a secret move",
        "id, received, via, peer, envelope_from, recipient, state, attempts, player_id, board_id, "
        f"CASE WHEN board_id NOT IN ({_OPEN_BOARDS}) "
        "THEN '(hidden)' ELSE outcome END AS outcome, finished",
    ),
    "outbound": (
        "mails of the server's; inbound_id is the mail that caused it",
        "id, inbound_id, board_id, player_id, recipient, state, attempts, created, next_attempt, "
        "finished, why",
    ),
    "ratings": ("as they are now", "player_id, game, mu, sigma, boards, won, lost, updated"),
    "rating_changes": (
        "what each rated board did to them",
        "id, board_id, seat, player_id, game, chance, mu_before, sigma_before, mu, sigma, at",
    ),
    "pauses": (
        "what no clock counts: vacations, and with player_id NULL the server's downtimes",
        "id, player_id, begins, ends, kind, created",
    ),
    "offers": (
        "what players seek",
        "id, player_id, game, options, server, players, joined, lowest, highest, comment, state, "
        "created, expires, board_id",
    ),
    "events": (
        "tournaments, leagues, ladders and tours",
        "id, kind, game, name, player_id, state, options, server, rules, most, lowest, highest, "
        "vacation, silent, season, series, tour, commitment, created, begins, ends, ended, warned, "
        "look",
    ),
    "entrants": (
        "who has entered an event",
        'event_id, player_id, number, rating, division, joins, entered, "left", why, byes',
    ),
    "pairings": (
        "the games of each event",
        "event_id, number, stage, division, round, place, leg, entrants, reason, board_id, points, "
        "how, note, late, begun, due, ended",
    ),
    "counters": ("what the limits count", "name, day, count"),
    "bans": (
        "where nothing is taken from or sent to",
        "id, target, kind, player_id, reason, actor, at",
    ),
    "blocks": ("of whom players want to hear no more", "player_id, blocked_id, at"),
    "held_notices": (
        "notices beyond the limit, which wait for a summary",
        "player_id, cause_id, board_id, kind, count, since",
    ),
    "audit": ("what operators did and why", "id, at, actor, action, player_id, board_id, reason"),
}
"""What each view selects, by its name."""
_MONTH = 30 * 86400
_EXAMPLE = 'pbm admin sql "SELECT game, count(*) AS n FROM boards GROUP BY game"'
_STATEMENT = re.compile(r"\s*(select|with|values)\b", re.IGNORECASE)
_NO_VIEW = re.compile(r"no such table|relation .* does not exist")
READER = "pbm_reader"
"""The PostgreSQL role that queries run as; it can read the views and nothing else."""
_MAY = text(
    "SELECT (SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = :reader) AS is_member,"
    " rolsuper OR rolcreaterole AS may_create, rolname FROM pg_roles WHERE rolname = current_user"
)
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}


def _describe_views() -> str:
    """The views with their columns and the comments of those."""
    parts = []
    for name, (about, what) in VIEWS.items():
        table = metadata.tables[name]
        columns = re.sub(r"CASE.*? AS ", "", what).split(", ")
        explained = [
            f"{each} ({text})" if (text := table.c[each.strip('"')].comment) else each
            for each in columns
        ]
        parts.append(f"\b\n  {name}: {about}\n{_fold('    ' + ', '.join(explained))}")
    return "\n\n".join(parts)


def _describe_questions() -> str:
    """The names of the questions, and what each asks."""
    return "\n\n".join(
        f"\b\n  {name}\n{_fold('    ' + about)}" for name, (about, _) in QUESTIONS.items()
    )


def _fold(text: str) -> str:
    return textwrap.fill(text, 78, subsequent_indent="    ", break_on_hyphens=False)


@click.command(
    "sql",
    help="Run one read-only SELECT over views without secrets. Times are seconds since "
    "1970 in UTC. What seats alone may see stands as spectators read it.\n\n\b\n"
    f"  {_EXAMPLE}\n\n"
    "QUERY may also be the name of one that is here already:\n\n"
    + _describe_questions()
    + "\n\nThe views, with what their columns mean:\n\n"
    + _describe_views(),
)
@click.argument("query", default="")
@click.option("--json", "as_json", is_flag=True, help="as JSON")
@click.option(
    "--datasette", is_flag=True, help="print the views as a metadata file for Datasette instead"
)
@click.pass_context
def sql(ctx: click.Context, query: str, as_json: bool, datasette: bool) -> None:
    """Run the query and print its rows."""
    if datasette:
        print_json(build_datasette_file())
        return
    query = query.strip().rstrip(";")
    if query in QUESTIONS:
        query = QUESTIONS[query][1].format(month=time.time() - _MONTH)
    if not _STATEMENT.match(query) or ";" in query:
        problem = f"one SELECT, without a semicolon inside, or one of {', '.join(QUESTIONS)}"
        raise Failed(problem, USAGE)
    with open_database(get_config(ctx)) as store:
        if not store.is_sqlite:
            _ensure_reader(store)
        names, rows = _run_query(store, query)
    cells = [dict(zip(names, map(_mask_value, row), strict=False)) for row in rows]
    print_rows(cells, as_json=as_json)


def build_datasette_file() -> dict[str, Any]:
    """A metadata file with which Datasette answers the questions and shows the views of a SQLite
    database named pbm, and nothing else: each is a query, all tables are forbidden, and so are
    queries of visitors."""
    tables = {name: {"hidden": True, "allow": False} for name in sorted(metadata.tables)}
    open_boards = f"SELECT id FROM boards WHERE game IN ({_open_games()})"  # noqa: S608 (our own words)
    views = {
        name: {
            "title": about,
            "sql": f"SELECT {columns.replace(_OPEN_BOARDS, open_boards)} "  # noqa: S608 (likewise)
            f"FROM {name} ORDER BY 1 DESC LIMIT 1000",
        }
        for name, (about, columns) in VIEWS.items()
    }
    ago = f"(strftime('%s', 'now') - {_MONTH})"
    questions = {
        name: {"title": about, "sql": query.format(month=ago)}
        for name, (about, query) in QUESTIONS.items()
    }
    hidden = {"alembic_version": {"hidden": True, "allow": False}}
    return {
        "title": "pbm: board games by mail",
        "allow_sql": False,
        "databases": {
            "pbm": {
                "allow_sql": False,
                "tables": tables | hidden,
                "queries": questions | views,
            }
        },
    }


def _run_query(store: Store, query: str) -> tuple[list[str], Sequence[Any]]:
    """Column names and rows; Failed if the query cannot be run."""
    with store.reading() as session:
        try:
            return _run_restricted(store, session, query)
        except DBAPIError as error:
            reason = str(error.orig).splitlines()[0]
            problem = f"query failed: {clean(reason)}"
            if _NO_VIEW.search(reason):
                problem += f"; the views are {', '.join(VIEWS)}: pbm admin sql --help"
            raise Failed(problem, USAGE) from None


def _run_restricted(store: Store, session: Session, query: str) -> tuple[list[str], Sequence[Any]]:
    """Create the views for this session, forbid everything else, and run the query."""
    connection = session.connection
    schema = "main"
    if not store.is_sqlite:
        schema = session.execute(text("SELECT current_schema()")).scalar_one()
    open_boards = f"SELECT id FROM {schema}.boards WHERE game IN ({_open_games()})"  # noqa: S608 (our own words)
    for name, (_, columns) in VIEWS.items():
        what = columns.replace(_OPEN_BOARDS, open_boards)
        connection.exec_driver_sql(
            f"CREATE TEMP VIEW {name} AS SELECT {what} FROM {schema}.{name}"  # noqa: S608 (our own words)
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
            session.connection.rollback()
    return _run_as_reader(connection, query)


def _run_as_reader(connection: Connection, query: str) -> tuple[list[str], Sequence[Any]]:
    """Ask as a role that may read the views alone. The query is the body of a function of that
    role's: in there PostgreSQL lets nobody take another role, as set_config() else would."""
    from psycopg.sql import Literal

    connection.exec_driver_sql(f"GRANT SELECT ON {', '.join(metadata.tables)} TO {READER}")
    connection.exec_driver_sql(f"SET LOCAL ROLE {READER}")
    body = Literal(f"SELECT to_json(q) FROM ({query}\n) AS q").as_string()  # noqa: S608 (the role's)
    _execute_literally(
        connection,
        f"CREATE FUNCTION pg_temp.asked() RETURNS SETOF json STABLE SECURITY DEFINER "
        f"SET search_path = pg_temp, pg_catalog LANGUAGE sql AS {body}",
    )
    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    connection.exec_driver_sql("SET LOCAL statement_timeout = '60s'")
    rows = connection.exec_driver_sql("SELECT pg_temp.asked()").scalars().all()
    names = list(rows[0]) if rows else []
    return names, [tuple(row.values()) for row in rows]


def _execute_literally(connection: Connection, statement: str) -> None:
    """Run a statement in which % has no meaning."""
    connection.exec_driver_sql(statement.replace("%", "%%"))


def _ensure_reader(store: Store) -> None:
    """Create the role if it is missing; Failed says how if we may not."""
    with store.engine.begin() as connection:
        rows = connection.execute(_MAY, {"reader": READER}).one()
        if rows.is_member:
            return
        making = [f"CREATE ROLE {READER} NOLOGIN"] if rows.is_member is None else []
        making.append(f'GRANT {READER} TO "{rows.rolname}"')
        if not rows.may_create:
            raise Failed(
                f"queries run as the role {READER}, which has no rights of its own and is missing; "
                f"as a superuser of PostgreSQL run once: {'; '.join(making)}",
                REFUSED,
            )
        for statement in making:
            connection.exec_driver_sql(statement)


def _authorize(
    action: int, first: str | None, second: str | None, schema: str | None, source: str | None
) -> int:
    """Reading only, and columns of tables only from inside a view of ours; "" stands for none of
    them, as in count(*)."""
    if action not in _READING:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and schema == "main" and second and source not in VIEWS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _open_games() -> str:
    """The games without hidden information, as an SQL list."""
    from pbm.games import hides, list_game_names

    return ", ".join(f"'{name}'" for name in list_game_names() if not hides(name)) or "''"


def _mask_value(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        return f"({len(value)} bytes)"
    return mask(clean(value)) if isinstance(value, str) else value
