"""/health and /metrics over HTTP on loopback, for monitoring: numbers only, no mail, address or
userid."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from pbm.core.due import measure_backup_age
from pbm.daemon.presence import DaemonNote, list_daemons
from pbm.daemon.vital_signs import Signs, VitalSigns
from pbm.mail.smtp import ConnectionLimiter
from pbm.store import backlog
from pbm.store.analysis_tables import analyses
from pbm.store.engine import DatabaseReplaced, Store
from pbm.store.tables import boards, inbound, outbound, players
from pbm.store.transaction import Session
from pbm.version import find_version

_STUCK = 300.0
_SECONDS = 10.0
_TEXT = "text/plain; charset=utf-8"
_PROMETHEUS = "text/plain; version=1.0.0; charset=utf-8"


class Status:
    """Answers one request a connection."""

    def __init__(
        self,
        store: Store,
        limiter: ConnectionLimiter,
        clock: Callable[[], float],
        signs: VitalSigns,
    ) -> None:
        self._store = store
        self._limiter = limiter
        self._clock = clock
        self._signs = signs

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read a request, answer, close."""
        with contextlib.suppress(TimeoutError, OSError, ValueError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_SECONDS):
                method, (code, kind, body) = await self._respond(reader)
                writer.write(
                    f"HTTP/1.1 {code}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                    "Connection: close\r\n\r\n".encode()
                    + (b"" if method == "HEAD" else body)
                )
                await writer.drain()
        writer.close()

    async def _respond(self, reader: asyncio.StreamReader) -> tuple[str, tuple[str, str, bytes]]:
        """Return the method of the request that comes in, and the answer to it."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return "", ("431 Request Header Fields Too Large", _TEXT, b"the request is too long\n")
        method, path, *_ = [*head.split(b"\r\n", 1)[0].decode("latin-1").split(), "", ""]
        return method, await self._build_page(method, path.partition("?")[0])

    async def _build_page(self, method: str, path: str) -> tuple[str, str, bytes]:
        if method not in ("GET", "HEAD"):
            return "405 Method Not Allowed", _TEXT, b"only GET and HEAD\n"
        if path not in ("/health", "/metrics"):
            return "404 Not Found", _TEXT, b"there are /health and /metrics\n"
        try:
            numbers = await asyncio.to_thread(self._count)
        except DatabaseReplaced as error:
            return _build_unhealthy(f"the database was replaced: {error.what}")
        except (DBAPIError, OSError):
            return _build_unhealthy("the database cannot be read")
        return self._build_health(numbers) if path == "/health" else self._build_metrics(numbers)

    def _count(self) -> Numbers:
        with self._store.reading() as session:
            return count_all(session, self._clock())

    def _build_health(self, numbers: Numbers) -> tuple[str, str, bytes]:
        signs = self._signs.look()
        troubles = signs.troubles
        if numbers.oldest["in"] > _STUCK:
            troubles.append(f"a mail has waited for more than {_STUCK:.0f} seconds")
        shown = {
            "ok": not troubles,
            "why": "; ".join(troubles),
            "version": find_version(),
            **asdict(signs),
            **asdict(numbers),
        }
        code = "503 Service Unavailable" if troubles else "200 OK"
        return code, "application/json", json.dumps(shown).encode() + b"\n"

    def _build_metrics(self, numbers: Numbers) -> tuple[str, str, bytes]:
        try:
            pass
        except ImportError:
            return (
                "501 Not Implemented",
                _TEXT,
                b"needs prometheus-client: install pbm-server[metrics]\n",
            )
        limiter = self._limiter
        body = build_metrics(numbers, self._signs.look(), len(limiter), limiter.refused)
        return "200 OK", _PROMETHEUS, body


def _build_unhealthy(why: str) -> tuple[str, str, bytes]:
    shown = {"ok": False, "why": why, "version": find_version()}
    body = json.dumps(shown).encode() + b"\n"
    return "503 Service Unavailable", "application/json", body


# The metrics, for Prometheus.


def build_metrics(numbers: Numbers, signs: Signs, sessions: int, sessions_refused: int) -> bytes:
    """Return the text that Prometheus reads."""
    queues = ["queue"]
    families = [
        InfoMetricFamily("pbm_build", "the version that runs", {"version": find_version()}),
        _build_family("pbm_queue_mails", "mails that wait", queues, _label(numbers.waiting)),
        _build_family(
            "pbm_queue_oldest_seconds",
            "how long the oldest of them has waited",
            queues,
            _label(numbers.oldest),
        ),
        _build_family(
            "pbm_mails",
            "mails accepted (in) and delivered (out) since this server started",
            queues,
            {("in",): signs.accepted, ("out",): signs.deliveries["delivered"]},
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_deliveries",
            "attempts to deliver since this server started, by result",
            ["result"],
            _label(signs.deliveries),
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_pictures_late",
            "pictures that came too late for their mails since this server started",
            [],
            {(): signs.pictures_late},
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_recent_mails",
            f"of the newest {RECENT} mails, by outcome",
            ["queue", "outcome"],
            {
                (name, state): n
                for name, counts in numbers.outcomes.items()
                for state, n in counts.items()
            },
        ),
        _build_family(
            "pbm_recent_incoming_mails",
            f"of the newest {RECENT} incoming mails, by what became of them",
            ["code"],
            _label(numbers.codes),
        ),
        _build_family(
            "pbm_recent_refusals",
            f"of the newest {RECENT} incoming mails, those with a refusal of this code",
            ["code"],
            _label(numbers.refusals),
        ),
        _build_gauge("pbm_boards_running", "boards being played", numbers.running_boards),
        _build_gauge("pbm_players_active", "accounts that may play", numbers.active_players),
        _build_gauge(
            "pbm_analyses_waiting", "boards that wait to be analysed", numbers.waiting_analyses
        ),
        _build_family(
            "pbm_daemon_seen_seconds",
            "when each daemon of this database last noted that it is there, as Unix time",
            ["daemon", "version"],
            {(each.name, each.version): each.seen for each in numbers.daemons},
        ),
        _build_gauge("pbm_sessions", "SMTP and LMTP sessions now", sessions),
        _build_family(
            "pbm_sessions_refused",
            "sessions turned away for want of room",
            [],
            {(): sessions_refused},
            CounterMetricFamily,
        ),
        _build_gauge("pbm_working", "1 while mails are being executed", signs.working),
        _build_gauge(
            "pbm_database_writable", "0 while nothing can be written", signs.database_writable
        ),
    ]
    if signs.relay_up is not None:
        text = "0 while the relay is out of reach"
        families.append(_build_gauge("pbm_relay_up", text, signs.relay_up))
    if signs.mailbox_up is not None:
        text = "0 while the mailbox is out of reach"
        families.append(_build_gauge("pbm_mailbox_up", text, signs.mailbox_up))
    if signs.certificate_seconds is not None:
        text = "until the certificate of [smtp] ends; below 0 once it has"
        seconds = signs.certificate_seconds
        families.append(_build_gauge("pbm_certificate_expires_seconds", text, seconds))
    if numbers.backup_seconds is not None:
        text = "since pbm admin backup made one"
        families.append(_build_gauge("pbm_backup_age_seconds", text, numbers.backup_seconds))
    if signs.disk_free is not None:
        text = "room on the disk of the database file"
        families.append(_build_gauge("pbm_disk_free_bytes", text, signs.disk_free))

    class Collected:
        def collect(self) -> list[Metric]:
            return families

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collected())
    return generate_latest(registry)


def _label(values: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    return {(name,): value for name, value in values.items()}


def _build_gauge(name: str, text: str, value: float) -> Metric:
    return _build_family(name, text, [], {(): float(value)})


def _build_family(
    name: str,
    text: str,
    labels: list[str],
    values: Mapping[tuple[str, ...], float],
    kind: type[GaugeMetricFamily | CounterMetricFamily] = GaugeMetricFamily,
) -> Metric:
    metric = kind(name, text, labels=labels)
    for label, value in values.items():
        metric.add_metric(list(label), value)
    return metric


# What is counted for /health and /metrics.

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
