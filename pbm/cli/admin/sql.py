"""`pbm admin sql`: one SELECT over views without secrets."""

from __future__ import annotations

import json
import re
import sqlite3
import textwrap
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote

import click
from msgspec import Struct
from sqlalchemy import LargeBinary, String

from pbm.cli import USAGE, CommandFailed, get_config
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import clean, format_time, mask, mask_in_sql, print_json, print_rows
from pbm.core.fsck import say_plainly
from pbm.core.player import TIMES
from pbm.core.storing import PLAIN_COLUMNS
from pbm.games import hides, list_game_names
from pbm.rules.phrases import unpack
from pbm.store.copying import open_snapshot
from pbm.store.engine import Store
from pbm.store.tables import metadata
from pbm.store.transaction import Session

# The questions that operators ask most, as queries over the views of `pbm admin sql`, by name.
#
# SQLite and PostgreSQL both read them. `{month}` is the time 30 days ago.

QUESTIONS: dict[str, tuple[str, str]] = {
    "busiest_players": (
        "who made most moves in the last 30 days",
        "SELECT players.userid, counted.moves, counted.boards FROM ("
        "SELECT seats.player_id, count(*) AS moves, count(DISTINCT moves.board_id) AS boards "
        "FROM moves JOIN seats ON seats.board_id = moves.board_id AND seats.seat = moves.seat "
        "WHERE moves.kind = 'move' AND moves.at > {month} GROUP BY seats.player_id"
        ") AS counted JOIN players ON players.id = counted.player_id "
        "ORDER BY counted.moves DESC, players.userid LIMIT 100",
    ),
    "top_senders": (
        "who sent most mails in the last 30 days; of_nobody: those of no known player",
        "SELECT inbound.envelope_from AS sender, players.userid, count(*) AS mails, "
        "sum(CASE WHEN inbound.player_id IS NULL THEN 1 ELSE 0 END) AS of_nobody, "
        "max(inbound.received) AS last FROM inbound "
        "LEFT JOIN players ON players.id = inbound.player_id WHERE inbound.received > {month} "
        "GROUP BY inbound.envelope_from, players.userid ORDER BY mails DESC, sender LIMIT 100",
    ),
    "top_games": (
        "the games that were begun most often in the last 30 days",
        "SELECT game, count(*) AS boards, sum(CASE WHEN state = 'over' THEN 1 ELSE 0 END) AS ended "
        "FROM boards WHERE created > {month} AND state NOT IN ('invited', 'cancelled') "
        "GROUP BY game ORDER BY boards DESC, game",
    ),
    "bounced_addresses": (
        "addresses from which mail came back, and those to which none is sent any more",
        "SELECT players.userid, addresses.address, addresses.bounce_score, addresses.bounced, "
        "addresses.stopped FROM addresses JOIN players ON players.id = addresses.player_id "
        "WHERE addresses.bounce_score > 0 OR addresses.stopped IS NOT NULL "
        "ORDER BY addresses.bounce_score DESC, addresses.address",
    ),
    "shared_addresses": (
        "addresses that several accounts have",
        "SELECT addresses.address, players.userid, players.state FROM addresses "
        "JOIN players ON players.id = addresses.player_id WHERE addresses.address IN "
        "(SELECT address FROM addresses GROUP BY address HAVING count(DISTINCT player_id) > 1) "
        "ORDER BY addresses.address, players.userid",
    ),
    "watchers_ever": (
        "who was mailed about a board without playing at it, and from when to when",
        "SELECT outbound.board_id, players.userid, min(outbound.created) AS first, "
        "max(outbound.created) AS last, count(*) AS mails "
        "FROM outbound JOIN players ON players.id = outbound.player_id "
        "LEFT JOIN seats ON seats.board_id = outbound.board_id "
        "AND seats.player_id = outbound.player_id "
        "WHERE outbound.board_id IS NOT NULL AND seats.board_id IS NULL "
        "GROUP BY outbound.board_id, players.userid ORDER BY outbound.board_id DESC, first",
    ),
}
"""The questions: what each asks, and its query."""
TIMES_OF_QUESTIONS = frozenset(("first", "last"))
"""Columns of the questions that are times, besides those of the tables."""


# Asks the database itself a question that an operator wrote, over views of our own: it gets at
# nothing else, and changes nothing.
#
# The views are temporary ones that hide the tables of their names. An SQLite file is attached, to
# be read only, under a name that nobody can guess, so that no question can name its tables; each
# step is authorized besides. PostgreSQL is not asked before it has said what the question names: it
# parses that as a view, which is never read, and then allows no more writes.

_STEPS = 100_000
"""Steps of SQLite's virtual machine between two looks at the clock."""
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_OF_NO_TABLE = {"json_each", "json_tree"}
"""Functions that SQLite reports as tables."""
_NO_TABLE = re.compile(r"no such table: (\S+)")
DATABASE = "__DATABASE__"
"""Placeholder in a view's expression for the name of the attached database."""
_MASK = "pbm_mask"
_QUESTION = "pbm_question"
_NAMED = re.compile(r":(relid|funcid|aggfnoid|winfnoid) (\d+)")
"""Tables and functions, by number, in a parsed statement of PostgreSQL."""
_VIEWS = "SELECT oid FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'v'"
_PARSED = "SELECT ev_action::text FROM pg_rewrite WHERE ev_class = '{name}'::regclass"
_RELATIONS = "SELECT relname FROM pg_class WHERE oid = ANY (%s)"
_FUNCTIONS = """
    SELECT proname FROM pg_proc WHERE oid = ANY (%s) AND NOT (
        pronamespace = 'pg_catalog'::regnamespace AND (provolatile = 'i'
        OR provolatile = 's' AND proname !~ '^pg_|^has_|^inet_|to_xml|setting'))"""
"""Finds functions that may do more than compute: run a statement, read a file, or write."""


class View(Struct, frozen=True):
    """The readable part of a table: expressions by column name, and which of these are masked."""

    columns: Mapping[str, str]
    masked: Collection[str]

    def select(self, mask: Callable[[str], str]) -> str:
        """Return the SELECT of the view, with `mask` around masked expressions."""
        return ", ".join(
            f'{mask(what) if column in self.masked else what} AS "{column}"'
            for column, what in self.columns.items()
        )


class NotAnswered(Exception):
    """The database refuses the question; the text says why."""


class NoSuchView(NotAnswered):
    """The question names a table that is no view."""


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
    """Yield the names of an answer's columns, then its rows. Raise NotAnswered. `others` are the
    tables without a view, `mask` is called for each masked text, and `late` is the time limit for
    reading all rows."""
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
    """Yield the names of an answer's columns, then its rows. Raise NotAnswered. `mask` returns, for
    an expression, one that masks its text."""
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
    """Refuse a question that names anything but the views and functions that only compute."""
    ((parsed,),) = connection.execute(_PARSED.format(name=_QUESTION)).fetchall()
    ((itself,),) = connection.execute(f"SELECT '{_QUESTION}'::regclass::oid").fetchall()
    named = {(kind == "relid", int(number)) for kind, number in _NAMED.findall(parsed)}
    others = [number for is_table, number in named if is_table and number not in {*known, itself}]
    for (name,) in connection.execute(_RELATIONS, (others,)).fetchall():
        raise NoSuchView(name)
    called = [number for is_table, number in named if not is_table]
    for (name,) in connection.execute(_FUNCTIONS, (called,)).fetchall():
        raise NotAnswered(f"{name} is no function for a question")


_OPEN_BOARDS = "__OPEN_BOARDS__"
VIEWS: dict[str, tuple[str, str]] = {
    "players": (
        "accounts",
        "id, userid, name, state, preferences, created, seen, away, digest_at, roles",
    ),
    "addresses": (
        "where mail to players goes",
        "id, player_id, address, mailbox, confirmed, bounce_score, bounced, stopped",
    ),
    "boards": (
        "plays of a game; the position of each is what admin board shows",
        f"{', '.join(PLAIN_COLUMNS)}, game, version, options, players, to_move, proposals, "
        "outcome, nag_days, forfeit_days, total_days, bank_days, increment_days, moved, look",
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
    "seat_members": (
        "who holds a seat together with others, by place: the captain has the lowest",
        "board_id, seat, player_id, place",
    ),
    "team_members": (
        "who is in a team, which is an account whose userid begins with @",
        "team_id, player_id, role, since",
    ),
    "matches": (
        "boards that are one contest; away_id is NULL for a simul",
        "id, game, home_id, away_id, begun, told, ended",
    ),
    "match_boards": ("the boards of each match", "match_id, board_id, number, home_seat"),
    "clubs": (
        "clubs of players; to which page their news are posted is not shown",
        "id, name, about, created, letter, colour, hook_form, hook_news, hook_since",
    ),
    "club_members": (
        "who is in a club, was invited or asks to be let in",
        "club_id, player_id, role, since",
    ),
    "club_matches": (
        "matches of clubs against guests; match_id is that of the boards, once they have begun",
        "id, club_id, player_id, home_id, away_id, game, options, server, created, match_id",
    ),
    "club_guests": (
        "who was invited to such a match; player_id is NULL until they have come",
        "invitation_id, club_match_id, player_id, is_captain",
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
    "mail_ends": (
        "hashes of how the last mails of each player began and ended",
        "id, player_id, beginning, endings",
    ),
    "waiting_guests": ("by which invitation who waits has come", "player_id, invitation"),
    "invited_addresses": ("addresses that get no other invitation", "declined, at"),
    "bans": (
        "where nothing is taken from or sent to",
        "id, target, kind, player_id, reason, actor, at",
    ),
    "blocks": ("of whom players want to hear no more", "player_id, blocked_id, at"),
    "former_mailboxes": ("mailboxes that accounts have left", "player_id"),
    "held_notices": (
        "notices beyond the limit, which wait for a summary",
        "player_id, cause_id, board_id, kind, count, since",
    ),
    "held_words": (
        "words that wait for a moderator's yes",
        "id, player_id, kind, about, at",
    ),
    "audit": (
        "what operators did and why",
        "id, at, actor, action, player_id, board_id, reason, closed",
    ),
    "cases": ("what moderators were shown to be decided", "id, player_id, kind, about"),
}
"""The views, by name."""
_MONTH = 30 * 86400
_EXAMPLE = 'pbm admin sql "SELECT game, count(*) AS n FROM boards GROUP BY game"'
_STATEMENT = re.compile(r"\s*(select|with|values)\b", re.IGNORECASE)
_SECONDS = 60.0
"""The most seconds for an answer, from the first step to the last row."""
_CLOCKED = 500
"""Rows between two looks at the clock."""
_PLAIN = {"game", "kind", "state", "via"}
"""Columns whose words are the server's own, so that they need no mask."""


def _describe_views() -> str:
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
    return "\n\n".join(
        f"\b\n  {name}\n{_fold('    ' + about)}" for name, (about, _) in QUESTIONS.items()
    )


def _fold(text: str) -> str:
    return textwrap.fill(text, 78, subsequent_indent="    ", break_on_hyphens=False)


@click.command(
    "sql",
    help="Run one read-only SELECT over views without secrets. Times are seconds since "
    "1970 in UTC; columns of theirs are shown as times, with --json as numbers. What seats "
    "alone may see stands as spectators read it. The query is in "
    "the SQL of the database, SQLite or PostgreSQL.\n\n\b\n"
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
        raise CommandFailed(problem, USAGE)
    with open_database(get_config(ctx)) as store:
        cells = _answer(store, query)
    if not as_json:
        cells = [{name: _show_time(name, value) for name, value in row.items()} for row in cells]
    print_rows(cells, as_json=as_json)


def build_datasette_file() -> dict[str, object]:
    """Return a metadata file for Datasette, which answers the questions and shows the views of an
    SQLite database named pbm, and nothing else: each is a query, and all tables and visitors'
    queries are forbidden."""
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


def _answer(store: Store, query: str) -> list[dict[str, object]]:
    """Return the rows of an answer. Fails if there is none, or it takes too long."""
    late = time.monotonic() + _SECONDS
    rows: list[dict[str, object]] = []
    try:
        with open_snapshot(store) as session:
            found = _ask(store, session, query, late)
            names = next(found)
            for row in found:
                rows.append(dict(zip(names, map(_mask_value, row), strict=False)))
                if len(rows) % _CLOCKED == 0 and time.monotonic() > late:
                    raise TooLate
    except TooLate:
        raise CommandFailed(f"the query takes more than {_SECONDS:.0f} seconds", USAGE) from None
    except NoSuchView as error:
        views = f"the views are {', '.join(VIEWS)}: pbm admin sql --help"
        raise CommandFailed(
            f"query failed: no such table: {clean(str(error))}; {views}", USAGE
        ) from None
    except NotAnswered as error:
        raise CommandFailed(f"query failed: {clean(str(error))}", USAGE) from None
    return rows


def _ask(store: Store, session: Session, query: str, late: float) -> Iterator[Sequence[Any]]:
    views = _build_views()
    if store.path is None:
        return ask_postgresql(session, views, query, mask_in_sql, late)
    others = metadata.tables.keys() - views.keys()
    return ask_sqlite(store.path, views, others, query, _mask_value, late)


def _build_views() -> dict[str, View]:
    """Return the statements that create the views in a database."""
    open_boards = f"SELECT id FROM {DATABASE}.boards WHERE game IN ({_open_games()})"  # noqa: S608 (our own words)
    views = {}
    for name, (_, selected) in VIEWS.items():
        columns, types = dict[str, str](), metadata.tables[name].c
        for each in selected.split(", "):
            what, _, column = each.rpartition(" AS ")
            columns[column.strip('"')] = (what or column).replace(_OPEN_BOARDS, open_boards)
        masked = [
            column
            for column in columns
            if column not in _PLAIN and isinstance(types[column].type, String | LargeBinary)
        ]
        views[name] = View(columns, frozenset(masked))
    return views


def _open_games() -> str:
    """Return the games without hidden information, as an SQL list."""
    return ", ".join(f"'{name}'" for name in list_game_names() if not hides(name)) or "''"


def _show_time(column: str, value: object) -> object:
    """Return the value in readable form: as a time, if its column's name is that of one."""
    if column in TIMES or column in TIMES_OF_QUESTIONS:
        return format_time(float(value)) if isinstance(value, int | float) else value
    return value


def _mask_value(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        return f"({len(value)} bytes)"
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    if "-" not in text and text.isprintable() and not text.startswith("[["):
        return text  # as nearly all are: neither packed nor with what is masked
    if text.startswith("[["):  # ranks, and why the board ended
        text = json.dumps(say_plainly(text), ensure_ascii=False)
    return mask(clean("\n".join(str(unpack(line)) for line in text.split("\n"))))
