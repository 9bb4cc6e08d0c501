"""The state of the parts of a running server: whether they work, and what they have done."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Table, func, select

from pbm.core.due import measure_backup_age
from pbm.core.house_players import count_accounts
from pbm.daemon.presence import DaemonNote, list_daemons
from pbm.features.analysis.tables import analyses
from pbm.logs import describe_cause
from pbm.mail.imap import Fetcher
from pbm.mail.outbox import Outbox
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import boards, inbound, outbound
from pbm.store.transaction import Session

LITTLE_ROOM = 50 * 1024**2
"""Free bytes at the database file below which a server is unhealthy."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The state of the parts at one moment. An unconfigured part is None, and so is the relay
    before anything was sent. `troubles` describes in words what does not work."""

    working: bool
    relay_up: bool | None
    mailbox_up: bool | None
    database_writable: bool
    disk_free: int | None
    certificate_seconds: float | None
    accepted: int
    deliveries: dict[str, int]
    pictures_late: int
    troubles: list[str]


class VitalSigns:
    """Examines the parts of a server. `is_working` returns whether mails are executed,
    `count_accepted` how many have been accepted, `find_expiry` when the certificate ends,
    `count_late` the number of pictures too late for their mails."""

    def __init__(
        self,
        store: Store,
        writer: CommitThread,
        outbox: Outbox,
        fetcher: Fetcher | None,
        is_working: Callable[[], bool],
        count_accepted: Callable[[], int],
        find_expiry: Callable[[], float | None],
        count_late: Callable[[], int],
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._writer = writer
        self._outbox = outbox
        self._fetcher = fetcher
        self._is_working = is_working
        self._count_accepted = count_accepted
        self._find_expiry = find_expiry
        self._count_late = count_late
        self._clock = clock

    def look(self) -> Signs:
        """Return the state of all parts now."""
        working = self._is_working()
        mailbox = self._fetcher.trouble if self._fetcher is not None else ""
        failure, free = self._writer.failure, self._measure_room()
        counts = dict(self._outbox.counts)
        troubles = []
        if not working:
            troubles.append("no mail is being executed: the worker has ended")
        if failure is not None:
            cause = describe_cause(failure) or type(failure).__name__
            troubles.append(f"the database cannot be written: {cause}")
        if free is not None and free < LITTLE_ROOM:
            troubles.append(f"the disk of the database has {free // 1024**2} MiB left")
        if self._outbox.trouble:
            troubles.append(f"the relay cannot be reached: {self._outbox.trouble}")
        expires = self._find_expiry()
        left = None if expires is None else round(expires - self._clock())
        if left is not None and left <= 0:
            troubles.append("the certificate of [smtp] has expired")
        if mailbox:
            troubles.append(f"the mailbox cannot be read: {mailbox}")
        return Signs(
            working,
            not self._outbox.trouble if self._outbox.trouble or any(counts.values()) else None,
            None if self._fetcher is None else not mailbox,
            failure is None,
            free,
            left,
            self._count_accepted(),
            counts,
            self._count_late(),
            troubles,
        )

    def _measure_room(self) -> int | None:
        """Return the free bytes where the database file is; None for PostgreSQL, and when
        unknown."""
        if not self._store.is_sqlite:
            return None
        try:
            return shutil.disk_usage(Path(self._store.url.database or ".").absolute().parent).free
        except OSError:
            return None


# What goes wrong slowly, for the daily mail to the operator.

_DAY = 86400.0
_LITTLE_ROOM = 500 * 1024**2
_NEAR_END = 14 * _DAY
_OLD_BACKUP = 2 * _DAY


def list_troubles(
    session: Session, store: Store, certificate_ends: float | None, now: float
) -> list[str]:
    """Return a sentence for each trouble, with advice."""
    said = []
    if store.path is not None:
        free = shutil.disk_usage(store.path.absolute().parent).free
        if free < _LITTLE_ROOM:
            said.append(f"The disk of the database has {free >> 20} MiB left.")
    if certificate_ends is not None and certificate_ends - now < _NEAR_END:
        days = round((certificate_ends - now) / _DAY)
        ends = f"ends in {days} days" if certificate_ends > now else "has ended"
        said.append(f"The certificate of [smtp] {ends}: renew it.")
    age = measure_backup_age(session, now)
    if age is not None and age > _OLD_BACKUP:
        said.append(f"The newest backup is {round(age / _DAY)} days old (pbm admin backup).")
    daemons = list_daemons(session)
    said += [
        f"The daemon {each.name} was not stopped, and says nothing (pbm doctor)."
        for each in daemons
        if each.is_silent(now)
    ]
    versions = sorted({each.version for each in daemons if not each.is_silent(now)})
    if len(versions) > 1:
        said.append(f"Daemons of one database run {' and '.join(versions)}: restart the older.")
    return said


# What is counted for /health and /metrics.

RECENT = 10_000
"""Mails that are counted by outcome: counting all would read the whole table."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """All counts at one moment. `outcomes` counts the newest mails by queue and state, `codes` by
    MailOutcome, `refusals` by RefusalCode; `active_players` are people, `house_players` bots;
    `backup_seconds` is the age of the newest backup, None before the first; `daemons` are those of
    this database."""

    waiting: dict[str, int]
    oldest: dict[str, float]
    outcomes: dict[str, dict[str, int]]
    codes: dict[str, int]
    refusals: dict[str, int]
    running_boards: int
    active_players: int
    house_players: int
    waiting_analyses: int
    backup_seconds: float | None
    daemons: list[DaemonNote]


def count_all(session: Session, now: float) -> Numbers:
    """Count the content of the database; ages are in seconds, 0 for an empty queue."""
    waiting, oldest, outcomes = {}, {}, {}
    for name, since in (("in", inbound.c.received), ("out", outbound.c.created)):
        table = since.table
        count, first = reads.measure_backlog(session, since)
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

    def count_of(table: Table, state: str) -> int:
        query = select(func.count()).select_from(table).where(table.c.state == state)
        return int(session.execute(query).scalar_one())

    return Numbers(
        waiting,
        oldest,
        outcomes,
        codes,
        _count_refusals(session, newest),
        count_of(boards, "running"),
        *count_accounts(session),
        count_of(analyses, "waiting"),
        measure_backup_age(session, now),
        list_daemons(session),
    )


def _find_newest(session: Session, table: Table) -> int:
    return int(session.execute(select(func.max(table.c.id))).scalar() or 0)


def _count_refusals(session: Session, newest: int) -> dict[str, int]:
    """Return the refusals of the newest incoming mails, counted by RefusalCode."""
    by_refusals = (
        select(inbound.c.refusals, func.count())
        .where(inbound.c.id > newest - RECENT, inbound.c.refusals != "")
        .group_by(inbound.c.refusals)
    )
    counts = Counter[str]()
    for codes, count in session.tuples(by_refusals):
        counts.update(dict.fromkeys(codes.split(), int(count)))
    return dict(counts)
