"""`pbm admin top`: the present state of the server, on one screen that updates itself."""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from typing import Any

import click
from sqlalchemy import Integer, Table, cast, func, select, text

from pbm.cli import get_config
from pbm.cli.admin import inspecting
from pbm.cli.open_database import open_database
from pbm.cli.terminal.output import (
    clean,
    draw_sparkline,
    format_duration,
    format_table,
    format_time,
    print_json,
    print_rows,
)
from pbm.core.due import HEARTBEAT
from pbm.core.house_players import BOTS, count_accounts
from pbm.daemon.presence import list_daemons
from pbm.features.analysis.tables import analyses
from pbm.store import reads
from pbm.store.mail_outcome import MailOutcome
from pbm.store.tables import (
    ASIDE,
    DONE,
    FAILED,
    SENT,
    WAITING,
    boards,
    inbound,
    moves,
    outbound,
    players,
)
from pbm.store.transaction import Session

_RECENT = 5000
"""The newest mails examined: counting all would read whole tables."""
_MOST_LINES = 8
_FAULTS = (
    MailOutcome.FAULT,
    MailOutcome.TIMED_OUT,
    MailOutcome.OUT_OF_MEMORY,
    MailOutcome.CRASHED,
    MailOutcome.UNREADABLE,
)
_QUEUES = {
    inbound: ("in", inbound.c.received),
    outbound: ("out", outbound.c.created),
    analyses: ("analyses", analyses.c.asked),
}
"""The name of each queue, and the column with the time of arrival."""
_HOME = "\x1b[H\x1b[J"


@click.command("top")
@click.option("--once", is_flag=True, help="print one screen and end; without a terminal too")
@click.option(
    "--every",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.5, 3600),
    metavar="SECONDS",
    help="renew the screen so often",
)
@inspecting.as_json
@click.pass_context
def top(ctx: click.Context, once: bool, every: float, as_json: bool) -> None:
    """Queues and how long they wait, rates, the slowest games and the last errors.

    Control-C ends it. It only reads; rates and errors are those of the newest 5000 mails.
    """
    with open_database(get_config(ctx)) as store:
        while True:
            with store.reading() as session:
                seen = measure_activity(session, time.time())
            if as_json:
                print_json(seen)
                return
            screen = format_screen(seen)
            if once or not sys.stdout.isatty():
                click.echo(screen)
                return
            click.echo(_HOME + screen, nl=False)
            try:
                time.sleep(every)
            except KeyboardInterrupt:
                return


def measure_activity(session: Session, now: float) -> dict[str, Any]:
    """Return the content of the screen: `daemons`, `queues`, `slow_games` and `errors` as lists of
    rows."""
    beat = float(reads.read_setting(session, HEARTBEAT) or 0)
    return {
        "at": format_time(now),
        "scheduler_seconds": round(now - beat, 1) if beat else None,
        "daemons": [
            {
                "daemon": each.name,
                "process": each.pid,
                "version": each.version,
                "since": format_time(each.since),
                "seen_seconds": round(max(0.0, now - each.seen), 1),
            }
            for each in list_daemons(session)
        ],
        "queues": [
            _measure_queue(session, inbound, now, DONE, ASIDE),
            _measure_queue(session, outbound, now, SENT, FAILED),
            _measure_queue(session, analyses, now, DONE, FAILED),
        ],
        "slow_games": _list_slow_games(session),
        "errors": _list_errors(session),
    }


def _measure_queue(
    session: Session, table: Table, now: float, done: str, bad: str
) -> dict[str, Any]:
    """Return one queue: the mails waiting, arrived and finished lately, set aside or given up."""
    name, came = _QUEUES[table]
    waiting, oldest = reads.measure_backlog(session, came)

    def count(*conditions: Any) -> int:
        query = select(func.count()).select_from(table)
        if table is not analyses:
            query = query.where(_is_recent(session, table))
        return int(session.execute(query.where(*conditions)).scalar_one())

    finished = table.c.state == done
    return {
        "queue": name,
        "waiting": waiting,
        "oldest_seconds": round(max(0.0, now - oldest), 1) if oldest is not None else 0.0,
        "came_in_a_minute": count(came > now - 60),
        "done_in_a_minute": count(finished, table.c.finished > now - 60),
        "came_in_an_hour": count(came > now - 3600),
        "done_in_an_hour": count(finished, table.c.finished > now - 3600),
        "bad": count(table.c.state == bad),
    }


def _is_recent(session: Session, table: Table) -> Any:
    newest = session.execute(select(func.max(table.c.id))).scalar() or 0
    return table.c.id > newest - _RECENT


def _list_slow_games(session: Session) -> list[dict[str, Any]]:
    """Return for each game the seconds from the arrival of a mail to its execution, slowest
    first."""
    query = (
        select(boards.c.game, inbound.c.finished - inbound.c.received)
        .join(boards, boards.c.id == inbound.c.board_id)
        .where(_is_recent(session, inbound), inbound.c.state == DONE)
    )
    seconds: dict[str, list[float]] = defaultdict(list)
    for game, each in session.tuples(query):
        seconds[game].append(float(each))
    rows = [
        {
            "game": game,
            "mails": len(each),
            "median_seconds": round(statistics.median(each), 3),
            "slowest_seconds": round(max(each), 3),
        }
        for game, each in seconds.items()
    ]
    rows.sort(key=lambda row: (-float(str(row["median_seconds"])), str(row["game"])))
    return rows[:_MOST_LINES]


def _list_errors(session: Session) -> list[dict[str, Any]]:
    """Return the latest mails that could not be executed, and those that could not be delivered."""
    is_fault = inbound.c.code.in_([code.value for code in _FAULTS])
    came = (
        select(inbound.c.id, inbound.c.received, inbound.c.code, inbound.c.outcome)
        .where(_is_recent(session, inbound), is_fault)
        .order_by(inbound.c.id.desc())
        .limit(_MOST_LINES)
    )
    is_refused = (outbound.c.state == FAILED) | (outbound.c.state == WAITING)
    went = (
        select(outbound.c.id, outbound.c.created, outbound.c.state, outbound.c.why)
        .where(_is_recent(session, outbound), is_refused, outbound.c.why != "")
        .order_by(outbound.c.id.desc())
        .limit(_MOST_LINES)
    )
    rows = [
        {"when": at, "mail": f"{way}:{number}", "what": what, "why": clean(why)}
        for way, query in (("in", came), ("out", went))
        for number, at, what, why in session.tuples(query)
    ]
    rows.sort(key=lambda row: -row["when"])
    return [{**row, "when": format_time(row["when"])} for row in rows[:_MOST_LINES]]


def format_screen(seen: dict[str, Any]) -> str:
    """Return the screen as text, at most 78 columns wide."""
    beat = seen["scheduler_seconds"]
    alive = "has never run" if beat is None else f"ran {format_duration(beat)} ago"
    lines = [f"pbm at {seen['at']}; its scheduler {alive}", ""]
    if seen["daemons"]:
        cells = [[str(value) for value in row.values()] for row in seen["daemons"]]
        names = ("daemon", "process", "version", "since", "seen (seconds ago)")
        lines += [*format_table(names, cells), ""]
    titles = ("queue", "waits", "oldest", "in/min", "done/min", "in/hour", "done/hour", "bad")
    rows = [
        [
            row["queue"],
            str(row["waiting"]),
            format_duration(row["oldest_seconds"]) if row["waiting"] else "-",
            *(str(row[name]) for name in list(row)[3:]),
        ]
        for row in seen["queues"]
    ]
    lines += [*format_table(titles, rows), ""]
    if seen["slow_games"]:
        columns = ("game", "mails", "median", "slowest (seconds to the answer)")
        cells = [[str(value) for value in row.values()] for row in seen["slow_games"]]
        lines += [*format_table(columns, cells), ""]
    if seen["errors"]:
        cells = [[str(value)[:40] for value in row.values()] for row in seen["errors"]]
        lines += [*format_table(("when", "mail", "what", "why"), cells), ""]
    else:
        lines += ["No errors among the newest mails."]
    return "\n".join(line[:78].rstrip() for line in lines).rstrip() + "\n"


# Statistics and the audit log.

_DAY = 86400


@click.command("stats")
@click.option(
    "--days", default=14, show_default=True, type=click.IntRange(1, 366), help="how many days"
)
@inspecting.as_json
@click.pass_context
def stats(ctx: click.Context, days: int, as_json: bool) -> None:
    """Moves per day, active players and boards, queue ages and storage."""
    now = time.time()
    with inspecting.open_session(ctx) as session:
        numbers = _count(session, now, days)
    if not as_json:
        a_day = numbers["moves_a_day"]
        numbers["moves_a_day"] = f"{draw_sparkline(a_day)}  {' '.join(map(str, a_day))}"
    rows = [{"what": what, "value": value} for what, value in numbers.items()]
    print_rows(rows, as_json=as_json)


def _count(session: Session, now: float, days: int) -> dict[str, Any]:
    today = int(now // _DAY)
    since = (today - days + 1) * _DAY
    day = cast(func.floor(moves.c.at / _DAY), Integer)
    counted = {
        int(row[0]): row[1]
        for row in session.tuples(
            select(day, func.count())
            .where(moves.c.at >= since, moves.c.kind == "move")
            .group_by(day)
        )
    }

    def count(table: Any, *conditions: Any) -> int:
        query = select(func.count()).select_from(table).where(*conditions)
        return int(session.execute(query).scalar_one())

    def oldest(table: Any, column: Any) -> str | None:
        first = session.execute(select(func.min(column)).where(table.c.state == "waiting")).scalar()
        return None if first is None else format_duration(now - first)

    people, bots = count_accounts(session)
    return {
        "moves_a_day": [counted.get(each, 0) for each in range(today - days + 1, today + 1)],
        "boards_running": count(boards, boards.c.state == "running"),
        "boards_moved_in_a_week": count(boards, boards.c.moved >= now - 7 * _DAY),
        "boards_over": count(boards, boards.c.state == "over"),
        "players_active": people,
        "players_seen_in_a_week": count(
            players, players.c.seen >= now - 7 * _DAY, players.c.id.not_in(BOTS)
        ),
        "house_players": bots,
        "mails_in_today": count(inbound, inbound.c.received >= today * _DAY),
        "mails_in_waiting": count(inbound, inbound.c.state == "waiting"),
        "mails_in_waiting_since": oldest(inbound, inbound.c.received),
        "mails_in_aside": count(inbound, inbound.c.state == "aside"),
        "mails_out_today": count(outbound, outbound.c.created >= today * _DAY),
        "mails_out_waiting": count(outbound, outbound.c.state == "waiting"),
        "mails_out_waiting_since": oldest(outbound, outbound.c.created),
        "mails_out_failed": count(outbound, outbound.c.state == "failed"),
        "analyses_waiting": count(analyses, analyses.c.state == "waiting"),
        "analyses_waiting_since": oldest(analyses, analyses.c.asked),
        **_measure_storage(session),
    }


def _measure_storage(session: Session) -> dict[str, int]:
    """Return the bytes of the database, of its free pages, and of the texts of mails."""

    def number(query: Any) -> int:
        return int(session.execute(query).scalar() or 0)

    if session.is_sqlite:
        size = text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        free = text(
            "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"
        )
        room = {"storage_free_bytes": number(free)}
    else:
        size, room = text("SELECT pg_database_size(current_database())"), {}
    length = func.length if session.is_sqlite else func.octet_length
    return {
        "storage_bytes": number(size),
        **room,
        "storage_mails_in_bytes": number(select(func.sum(length(inbound.c.raw)))),
        "storage_mails_out_bytes": number(select(func.sum(length(outbound.c.message)))),
    }
