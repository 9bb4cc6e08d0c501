"""`pbm admin sql`: one SELECT over views without secrets.

The rows of the views are copied into a database of their own, and the query runs there: it can name
nothing else, whatever it says."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import textwrap
import time
from collections.abc import Collection, Sequence
from typing import Any

import click
from sqlalchemy.dialects import sqlite

from pbm.cli import USAGE, Failed, get_config
from pbm.cli.admin.questions import QUESTIONS
from pbm.cli.open_database import open_database
from pbm.cli.terminal.masking import mask
from pbm.cli.terminal.output import clean, print_json, print_rows
from pbm.core.fsck import say_plainly
from pbm.rules.phrases import unpack
from pbm.store.copying import open_snapshot
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
    "masters": ("who runs a board without playing on it", "board_id, player_id"),
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
    "receipts": (
        "what the next mail server said when it took a mail; its log has the number in it",
        "outbound_id, at, answer",
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
    "invitations": ("whom the operator has invited", "address, actor, at"),
    "friend_invitations": (
        "whom players have invited",
        "id, player_id, address, game, options, server, moves_first, userid, uses, created, "
        "expires",
    ),
    "replacements": ("whom masters have asked to take a seat over", "board_id, seat, player_id"),
    "waiting_guests": ("by which invitation who waits has come", "player_id, invitation"),
    "invited_addresses": ("addresses that get no other invitation", "declined, at"),
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
_NO_VIEW = re.compile("no such table")
_SECONDS = 60.0
"""How long a query may take."""
_MOST_PAGES = 1 << 20
"""Pages of 4 KiB that the copied rows may fill. SQLite keeps them in a temporary file of its own as
soon as they are many."""
_STEPS = 100_000
"""Steps of SQLite's machine after which it looks at the clock."""
_ROWS = 500
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}


def _describe_views() -> str:
    """Return the views with their columns and the comments of those."""
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
    """Return the names of the questions, and what each asks."""
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
    with open_database(get_config(ctx)) as store, contextlib.closing(sqlite3.connect("")) as copy:
        named = {name for name in VIEWS if re.search(rf"\b{name}\b", query, re.IGNORECASE)}
        _copy_views(store, copy, named)
        names, rows = _run_query(copy, query)
    cells = [dict(zip(names, map(_mask_value, row), strict=False)) for row in rows]
    print_rows(cells, as_json=as_json)


def build_datasette_file() -> dict[str, Any]:
    """Return a metadata file with which Datasette answers the questions and shows the views of a
    SQLite database named pbm, and nothing else: each is a query, all tables are forbidden, and so
    are queries of visitors."""
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


def _copy_views(store: Store, copy: sqlite3.Connection, named: Collection[str]) -> None:
    """Make a table of each view, with the rows of those that are named: of others a query cannot
    speak. Texts are masked before they are copied, since a query may take them to pieces. Failed if
    there are too many rows."""
    copy.execute(f"PRAGMA max_page_count = {_MOST_PAGES}")
    with open_snapshot(store) as session:
        for name, (_, columns) in VIEWS.items():
            try:
                _copy_view(session, copy, name, columns, has_rows=name in named)
            except sqlite3.OperationalError as error:
                raise Failed(f"{name} cannot be copied: {error}", USAGE) from None
    copy.commit()


def _copy_view(
    session: Session, copy: sqlite3.Connection, name: str, columns: str, *, has_rows: bool
) -> None:
    open_boards = f"SELECT id FROM boards WHERE game IN ({_open_games()})"  # noqa: S608 (our own words)
    what = columns.replace(_OPEN_BOARDS, open_boards)
    where = "" if has_rows else " WHERE 1 = 0"
    connection = session.connection.execution_options(yield_per=_ROWS)
    asked = f"SELECT {what} FROM {name}{where}"  # noqa: S608 (our own words)
    with contextlib.closing(connection.exec_driver_sql(asked)) as found:
        keys, known, dialect = list(found.keys()), metadata.tables[name].c, sqlite.dialect()
        made = ", ".join(f'"{key}" {known[key].type.compile(dialect)}' for key in keys)
        copy.execute(f'CREATE TABLE "{name}" ({made})')
        marks = ", ".join("?" * len(keys))
        for rows in found.partitions():
            masked = [tuple(map(_mask_value, row)) for row in rows]
            copy.executemany(f'INSERT INTO "{name}" VALUES ({marks})', masked)  # noqa: S608 (likewise)


def _run_query(copy: sqlite3.Connection, query: str) -> tuple[list[str], Sequence[Any]]:
    """Return column names and rows; Failed if the query cannot be run, or takes too long."""
    late = time.monotonic() + _SECONDS
    copy.set_progress_handler(lambda: time.monotonic() > late, _STEPS)
    copy.set_authorizer(_authorize)
    try:
        found = copy.execute(query)
        return [column[0] for column in found.description], found.fetchall()
    except sqlite3.Error as error:
        problem = f"query failed: {clean(str(error))}"
        if time.monotonic() > late:
            problem = f"the query takes more than {_SECONDS:.0f} seconds"
        elif _NO_VIEW.search(str(error)):
            problem += f"; the views are {', '.join(VIEWS)}: pbm admin sql --help"
        raise Failed(problem, USAGE) from None


def _authorize(action: int, *_: str | None) -> int:
    """Allow only reading: no other file may be attached, and no setting changed."""
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _open_games() -> str:
    """Return the games without hidden information, as an SQL list."""
    from pbm.games import hides, list_game_names

    return ", ".join(f"'{name}'" for name in list_game_names() if not hides(name)) or "''"


def _mask_value(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        return f"({len(value)} bytes)"
    if not isinstance(value, str):
        return value
    if value.startswith("[["):  # ranks, and why the board ended
        value = json.dumps(say_plainly(value), ensure_ascii=False)
    return mask(clean("\n".join(str(unpack(line)) for line in value.split("\n"))))
