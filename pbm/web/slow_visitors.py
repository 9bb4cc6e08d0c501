"""Ends connections on which a request takes too long to arrive, or an answer to be read."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

PATIENCE = 30.0
"""Seconds in which a connection must have a new request: pages take far less, and connections
without a request are closed sooner."""


class ImpatientProtocol(H11Protocol):
    """HTTP for one visitor, who cannot hold a connection by being slow."""

    patience = PATIENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._last: RequestResponseCycle | None = None
        self._watch = self.loop.call_later(self.patience, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is self._last:
            self.transport.abort()
        else:
            self._last = self.cycle
            self._watch = self.loop.call_later(self.patience, self._look)
