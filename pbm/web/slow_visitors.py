"""Ends connections on which a request takes too long to arrive, or an answer to be read; where
there are too many, those that wait for their visitor make room."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from pbm.core.password_checks import find_network

PATIENCE = 30.0
"""Seconds in which a connection must have a new request: pages take far less, and connections
without a request are closed sooner."""
_LONGEST_REQUEST = 65_536
"""Bytes of a request with all that belongs to it."""
PROXIES = ("127.0.0.1", "::1")
"""Where a reverse proxy is believed to be, which names the visitors."""
_CROWDED = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Retry-After: 10\r\nConnection: close\r\n\r\nToo many connections: wait a little.\n"
)


class ImpatientProtocol(HttpToolsProtocol):
    """HTTP for one visitor, who cannot hold a connection by being slow, nor fill the memory with a
    request that does not end, nor keep others out by many connections.

    per_address  how many connections one visitor may have at once; 0 = no limit. A reverse proxy on
                 this machine, or at a socket file, is none
    """

    patience = PATIENCE
    per_address = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        address = self.client[0] if self.client else ""
        self._visitor = "" if address in PROXIES else find_network(address)
        self._last: RequestResponseCycle | None = None
        self._watch = self.loop.call_later(self.patience, self._look)
        self._length = self._arrived = 0
        self._make_room()

    def _make_room(self) -> None:
        """End, where there are too many connections, the one that has kept us waiting longest: of
        this visitor, else of all. Whoever is being answered on all of them gets no further one."""
        others = [
            each
            for each in self.connections
            if isinstance(each, ImpatientProtocol)
            and each is not self
            and not each.transport.is_closing()
        ]
        same = [each for each in others if each._visitor and each._visitor == self._visitor]
        if self.per_address and len(same) >= self.per_address:
            if not _dismiss_slowest(same):
                self.transport.write(_CROWDED)
                self.transport.close()
        elif self.limit_concurrency and len(others) + 1 >= self.limit_concurrency:
            _dismiss_slowest(others)

    @property
    def waits_for_visitor(self) -> bool:
        """Whether a request has yet to arrive, or what was answered to be read."""
        cycle = self.cycle
        is_asking = cycle is None or cycle.response_complete or cycle.more_body
        return is_asking or self.flow.write_paused

    def on_message_begin(self) -> None:
        """Note that a request begins, in what arrived last."""
        super().on_message_begin()
        self._since = self.loop.time()
        self._length = self._arrived

    def data_received(self, data: bytes) -> None:
        """Read what has arrived of a request."""
        self._arrived = len(data)
        self._length += self._arrived
        super().data_received(data)
        if self._length > _LONGEST_REQUEST and not self.transport.is_closing():
            self.send_400_response("The request is too long.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is self._last:
            self.transport.abort()
        else:
            self._last = self.cycle
            self._watch = self.loop.call_later(self.patience, self._look)


def _dismiss_slowest(crowd: Iterable[ImpatientProtocol]) -> bool:
    """End the connection that has waited longest for its visitor; False when none waits."""
    waiting = [each for each in crowd if each.waits_for_visitor]
    if not waiting:
        return False
    slowest = min(waiting, key=lambda each: each._since)
    slowest.connections.discard(slowest)  # it counts no longer, although its end comes later
    slowest.transport.abort()
    return True
