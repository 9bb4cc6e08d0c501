"""Posts of clubs to pages elsewhere: one request of HTTP each, to where an officer of the club and
the operator both allow it.

No redirection is followed, and nothing goes to an address of a private network unless the operator
has written that very address. Queues and retries are the outbox's."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from pbm.config import Config
from pbm.core.clubs import find_club
from pbm.features.clubs.hooks import is_allowed
from pbm.mail.outbox import Deferred, Delivered, Envelope, Failed, Result
from pbm.store.engine import Store
from pbm.store.tables import WEBHOOK

_SECONDS = 5.0
_REST = 60.0
"""Seconds for which a page is left alone that did not answer."""
_LONGEST_HEAD = 4096
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)(?: |\r)")
_TOO_MANY = 429


class _Page(NamedTuple):
    """Where a post goes."""

    host: str
    port: int
    path: str
    is_tls: bool


class WebhookCourier:
    """Delivers posts of clubs. The URL is read from the club when it is sent: what its officers or
    the operator have ended is not posted any more."""

    def __init__(
        self, config: Config, store: Store, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._config = config
        self._store = store
        self._monotonic = monotonic
        self._resting: dict[str, float] = {}

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Post the message, whose head says of what type its body is."""
        url = await asyncio.to_thread(self._find_url, envelope.recipient)
        if not url or not is_allowed(self._config, url):
            return Failed("nothing is posted there any more")
        page = _read_url(url)
        if self._resting.get(page.host, 0.0) > self._monotonic():
            return Deferred("the page did not answer")
        head, _, body = message.partition(b"\r\n\r\n")
        try:
            async with asyncio.timeout(_SECONDS):
                address = await self._find_address(page.host)
                if not address:
                    return Failed("the page is within a private network")
                return await _post(page, address, head, body)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            self._resting[page.host] = self._monotonic() + _REST
            return Deferred(f"the page did not answer: {type(error).__name__}")

    async def close(self) -> None:
        """Do nothing: nothing is kept open."""

    def _find_url(self, recipient: str) -> str:
        with self._store.reading() as session:
            club = find_club(session, recipient.removeprefix(WEBHOOK))
        return club.hook if club is not None else ""

    async def _find_address(self, host: str) -> str:
        """Return the address of a host to connect to; "" where one is private that the operator
        has not written as it is. It is looked up once: what it means later does not matter."""
        with contextlib.suppress(ValueError):
            ip_address(host)
            return host
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        addresses = [str(row[4][0]) for row in found]
        is_public = all(ip_address(each.partition("%")[0]).is_global for each in addresses)
        return addresses[0] if addresses and is_public else ""


def _read_url(url: str) -> _Page:
    parts = urlsplit(url)
    is_tls = parts.scheme == "https"
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return _Page(parts.hostname or "", parts.port or (443 if is_tls else 80), path, is_tls)


async def _post(page: _Page, address: str, head: bytes, body: bytes) -> Result:
    """Send a request and read how it is answered, up to the first line."""
    host = f"[{page.host}]" if ":" in page.host else page.host
    request = (
        f"POST {page.path} HTTP/1.1\r\nHost: {host}:{page.port}\r\nUser-Agent: pbm\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n"
    ).encode("ascii")
    context = ssl.create_default_context() if page.is_tls else None
    reader, writer = await asyncio.open_connection(
        address,
        page.port,
        limit=_LONGEST_HEAD,
        ssl=context,
        server_hostname=page.host if page.is_tls else None,
    )
    try:
        writer.write(request + head + b"\r\n\r\n" + body)
        await writer.drain()
        line = await reader.readuntil(b"\n")
    finally:
        writer.transport.abort()
    status = _STATUS.match(line)
    code = int(status[1]) if status is not None else 0
    if 200 <= code < 300:
        return Delivered(str(code))
    if not code or code >= 500 or code == _TOO_MANY:
        return Deferred(f"the page answered {code or 'nothing that is HTTP'}")
    return Failed(f"the page answered {code}")
