"""Ends connections on which a request takes too long to arrive, or an answer to be read."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

PATIENCE = 30.0
"""Seconds in which a connection must have a new request: pages take far less, and connections
without a request are closed sooner."""
_LONGEST_REQUEST = 65_536
"""Bytes of a request with all that belongs to it."""


class ImpatientProtocol(HttpToolsProtocol):
    """HTTP for one visitor, who cannot hold a connection by being slow, nor fill the memory with a
    request that does not end."""

    patience = PATIENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._last: RequestResponseCycle | None = None
        self._watch = self.loop.call_later(self.patience, self._look)
        self._length = self._arrived = 0

    def on_message_begin(self) -> None:
        """A request begins, in what arrived last."""
        super().on_message_begin()
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
