"""/health and /metrics over HTTP on loopback, for monitoring: numbers only, no mail, address or
userid."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy.exc import DBAPIError

from pbm.daemon.vital_signs import Numbers, VitalSigns, count_all
from pbm.mail.smtp import ConnectionLimiter
from pbm.store.engine import DatabaseReplaced, Store
from pbm.version import find_version

_STUCK = 300.0
_SECONDS = 10.0
_TEXT = "text/plain; charset=utf-8"
_PROMETHEUS = "text/plain; version=1.0.0; charset=utf-8"


class Status:
    """Answers one request on each connection."""

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
            from pbm.daemon.metrics import build_metrics  # its library is an extra
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
