"""/health and /metrics over HTTP on loopback, for monitoring: numbers only, no mail, address or
userid."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

import pbm
from pbm.mail.incoming.smtp import ConnectionLimiter
from pbm.store import queues
from pbm.store.engine import Store
from pbm.store.tables import boards, inbound, outbound, players
from pbm.store.transaction import Session

_RECENT = 10_000
"""Mails that are counted by outcome: counting all would read the whole table."""
_STUCK = 300.0
_SECONDS = 10.0
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is counted, at one moment. `outcomes` counts the newest mails by queue and state,
    `codes` by MailOutcome, `refusals` by RefusalCode."""

    waiting: dict[str, int]
    oldest: dict[str, float]
    newest: dict[str, int]
    outcomes: dict[str, dict[str, int]]
    codes: dict[str, int]
    refusals: dict[str, int]
    running_boards: int
    active_players: int


def count_all(session: Session, now: float) -> Numbers:
    """Count what the database holds; ages are in seconds, 0 for an empty queue."""
    waiting, oldest, newest, outcomes = {}, {}, {}, {}
    for name, table in (("in", inbound), ("out", outbound)):
        count, first = queues.measure_backlog(session, table)
        waiting[name] = count
        oldest[name] = max(0.0, now - first) if first is not None else 0.0
        last = int(session.execute(select(func.max(table.c.id))).scalar() or 0)
        newest[name] = last
        query = (
            select(table.c.state, func.count())
            .where(table.c.id > last - _RECENT)
            .group_by(table.c.state)
        )
        outcomes[name] = {row[0]: int(row[1]) for row in session.tuples(query)}

    by_code = (
        select(inbound.c.code, func.count())
        .where(inbound.c.id > newest["in"] - _RECENT, inbound.c.code != "")
        .group_by(inbound.c.code)
    )
    codes = {row[0]: int(row[1]) for row in session.tuples(by_code)}
    refusals = _count_refusals(session, newest["in"])

    def count_of(table: Any, state: str) -> int:
        query = select(func.count()).select_from(table).where(table.c.state == state)
        return int(session.execute(query).scalar_one())

    return Numbers(
        waiting,
        oldest,
        newest,
        outcomes,
        codes,
        refusals,
        count_of(boards, "running"),
        count_of(players, "active"),
    )


def _count_refusals(session: Session, newest: int) -> dict[str, int]:
    """How many of the newest incoming mails were refused for each RefusalCode."""
    by_refusals = (
        select(inbound.c.refusals, func.count())
        .where(inbound.c.id > newest - _RECENT, inbound.c.refusals != "")
        .group_by(inbound.c.refusals)
    )
    counts = Counter[str]()
    for codes, count in session.tuples(by_refusals):
        counts.update(dict.fromkeys(codes.split(), int(count)))
    return dict(counts)


class Status:
    """Answers one request a connection. `is_working` says whether mails are being executed."""

    def __init__(
        self,
        store: Store,
        limiter: ConnectionLimiter,
        clock: Callable[[], float],
        is_working: Callable[[], bool],
    ) -> None:
        self._store = store
        self._limiter = limiter
        self._clock = clock
        self._is_working = is_working

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
        """The method of the request that comes in, and the answer to it."""
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
        except (DBAPIError, OSError):
            body = json.dumps({"ok": False, "why": "the database cannot be read"})
            return "503 Service Unavailable", "application/json", body.encode() + b"\n"
        return self._build_health(numbers) if path == "/health" else self._build_metrics(numbers)

    def _count(self) -> Numbers:
        with self._store.reading() as session:
            return count_all(session, self._clock())

    def _build_health(self, numbers: Numbers) -> tuple[str, str, bytes]:
        why = ""
        if not self._is_working():
            why = "no mail is being executed: the worker has ended"
        elif numbers.oldest["in"] > _STUCK:
            why = f"a mail has waited for more than {_STUCK:.0f} seconds"
        shown = {"ok": not why, "why": why, "version": pbm.__version__, **asdict(numbers)}
        code = "503 Service Unavailable" if why else "200 OK"
        return code, "application/json", json.dumps(shown).encode() + b"\n"

    def _build_metrics(self, numbers: Numbers) -> tuple[str, str, bytes]:
        try:
            from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
            from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
        except ImportError:
            return "501 Not Implemented", _TEXT, b"needs prometheus-client: install pbm[metrics]\n"
        limiter = self._limiter

        def family(
            name: str,
            text: str,
            labels: list[str],
            values: dict[tuple[str, ...], float],
            kind: type[GaugeMetricFamily | CounterMetricFamily] = GaugeMetricFamily,
        ) -> Metric:
            metric = kind(name, text, labels=labels)
            for label, value in values.items():
                metric.add_metric(list(label), value)
            return metric

        queues = ["queue"]
        families = [
            family(
                "pbm_queue_mails",
                "mails that wait",
                queues,
                {(name,): n for name, n in numbers.waiting.items()},
            ),
            family(
                "pbm_queue_oldest_seconds",
                "how long the oldest of them has waited",
                queues,
                {(name,): n for name, n in numbers.oldest.items()},
            ),
            family(
                "pbm_mails",
                "mails so far",
                queues,
                {(name,): n for name, n in numbers.newest.items()},
                CounterMetricFamily,
            ),
            family(
                "pbm_recent_mails",
                f"of the newest {_RECENT} mails, by outcome",
                ["queue", "outcome"],
                {
                    (name, state): n
                    for name, counts in numbers.outcomes.items()
                    for state, n in counts.items()
                },
            ),
            family(
                "pbm_recent_incoming_mails",
                f"of the newest {_RECENT} incoming mails, by what became of them",
                ["code"],
                {(code,): n for code, n in numbers.codes.items()},
            ),
            family(
                "pbm_recent_refusals",
                f"of the newest {_RECENT} incoming mails, those with a refusal of this code",
                ["code"],
                {(code,): n for code, n in numbers.refusals.items()},
            ),
            family("pbm_boards_running", "boards being played", [], {(): numbers.running_boards}),
            family(
                "pbm_players_active", "accounts that may play", [], {(): numbers.active_players}
            ),
            family("pbm_sessions", "SMTP and LMTP sessions now", [], {(): len(limiter)}),
            family(
                "pbm_sessions_refused",
                "sessions turned away for want of room",
                [],
                {(): limiter.refused},
                CounterMetricFamily,
            ),
            family(
                "pbm_working", "1 while mails are being executed", [], {(): int(self._is_working())}
            ),
        ]

        class Collected:
            def collect(self) -> list[Metric]:
                return families

        registry = CollectorRegistry(auto_describe=False)
        registry.register(Collected())
        return "200 OK", CONTENT_TYPE_LATEST, generate_latest(registry)
