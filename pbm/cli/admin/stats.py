"""Statistics and the audit log."""

from __future__ import annotations

import time
from typing import Any

import click
from sqlalchemy import Integer, cast, func, select, text

from pbm.cli.admin import inspecting
from pbm.cli.terminal.output import draw_sparkline, format_duration, print_rows
from pbm.store.analysis_tables import analyses
from pbm.store.tables import boards, inbound, moves, outbound, players
from pbm.store.transaction import Session

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

    return {
        "moves_a_day": [counted.get(each, 0) for each in range(today - days + 1, today + 1)],
        "boards_running": count(boards, boards.c.state == "running"),
        "boards_moved_in_a_week": count(boards, boards.c.moved >= now - 7 * _DAY),
        "boards_over": count(boards, boards.c.state == "over"),
        "players_active": count(players, players.c.state == "active"),
        "players_seen_in_a_week": count(players, players.c.seen >= now - 7 * _DAY),
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
