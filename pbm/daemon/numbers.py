"""What is counted for /health and /metrics."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from pbm.core.due import measure_backup_age
from pbm.daemon.presence import DaemonNote, list_daemons
from pbm.store import backlog
from pbm.store.analysis_tables import analyses
from pbm.store.tables import boards, inbound, outbound, players
from pbm.store.transaction import Session

RECENT = 10_000
"""Mails that are counted by outcome: counting all would read the whole table."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is counted, at one moment. `outcomes` counts the newest mails by queue and state,
    `codes` by MailOutcome, `refusals` by RefusalCode; `backup_seconds` is the age of the newest
    backup, None before the first; `daemons` are those of this database."""

    waiting: dict[str, int]
    oldest: dict[str, float]
    outcomes: dict[str, dict[str, int]]
    codes: dict[str, int]
    refusals: dict[str, int]
    running_boards: int
    active_players: int
    waiting_analyses: int
    backup_seconds: float | None
    daemons: list[DaemonNote]


def count_all(session: Session, now: float) -> Numbers:
    """Count what the database holds; ages are in seconds, 0 for an empty queue."""
    waiting, oldest, outcomes = {}, {}, {}
    for name, table in (("in", inbound), ("out", outbound)):
        count, first = backlog.measure_backlog(session, table)
        waiting[name] = count
        oldest[name] = max(0.0, now - first) if first is not None else 0.0
        query = (
            select(table.c.state, func.count())
            .where(table.c.id > _find_newest(session, table) - RECENT)
            .group_by(table.c.state)
        )
        outcomes[name] = {row[0]: int(row[1]) for row in session.tuples(query)}

    newest = _find_newest(session, inbound)
    by_code = (
        select(inbound.c.code, func.count())
        .where(inbound.c.id > newest - RECENT, inbound.c.code != "")
        .group_by(inbound.c.code)
    )
    codes = {row[0]: int(row[1]) for row in session.tuples(by_code)}

    def count_of(table: Any, state: str) -> int:
        query = select(func.count()).select_from(table).where(table.c.state == state)
        return int(session.execute(query).scalar_one())

    return Numbers(
        waiting,
        oldest,
        outcomes,
        codes,
        _count_refusals(session, newest),
        count_of(boards, "running"),
        count_of(players, "active"),
        count_of(analyses, "waiting"),
        measure_backup_age(session, now),
        list_daemons(session),
    )


def _find_newest(session: Session, table: Any) -> int:
    return int(session.execute(select(func.max(table.c.id))).scalar() or 0)


def _count_refusals(session: Session, newest: int) -> dict[str, int]:
    """Return how many of the newest incoming mails were refused for each RefusalCode."""
    by_refusals = (
        select(inbound.c.refusals, func.count())
        .where(inbound.c.id > newest - RECENT, inbound.c.refusals != "")
        .group_by(inbound.c.refusals)
    )
    counts = Counter[str]()
    for codes, count in session.tuples(by_refusals):
        counts.update(dict.fromkeys(codes.split(), int(count)))
    return dict(counts)
