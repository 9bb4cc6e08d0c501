"""The connection limiter: how many sessions there may be, in all and from one address."""

from __future__ import annotations

from typing import Protocol

from pbm.config import Config, Limits
from pbm.mail.incoming.arrival import is_local

CROWDED = b"421 4.7.0 too many sessions, come back later\r\n"
"""The last line to a client for which there is no room."""
_PATIENCE = 5.0
"""Seconds without a mail after which a session may be dismissed to make room."""


class LimitedSession(Protocol):
    """A session that can be counted and dismissed. `since` is when its last mail came, or when it
    began."""

    since: float

    def dismiss(self, line: bytes, why: str = "") -> None:
        """Send a last line and close; `why` is logged as the client's fault."""


class ConnectionLimiter:
    """Limits the number of sessions. At the limit, the session that has been idle longest is
    dismissed, so that slow clients starve nobody; `refused` counts the dismissed."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.refused = 0
        self._sessions: dict[LimitedSession, str] = {}

    @property
    def limits(self) -> Limits:
        """The limits, as last reloaded."""
        return self._config.limits

    def __len__(self) -> int:
        """Return the number of sessions."""
        return len(self._sessions)

    def enter(self, session: LimitedSession, peer: str) -> bool:
        """Count a new session; False when it has to be refused."""
        most, each = self.limits.sessions, self.limits.sessions_per_address
        same = [other for other, address in self._sessions.items() if address == peer]
        full = (most and len(self._sessions) >= most) or (
            each and len(same) >= each and not is_local(peer)
        )
        if full:
            crowd = same if each and len(same) >= each and not is_local(peer) else self._sessions
            self.refused += 1
            idle = min(crowd, key=lambda other: other.since)
            if session.since - idle.since < _PATIENCE:
                return False
            idle.dismiss(CROWDED, "too many sessions")
        self._sessions[session] = peer
        return True

    def close(self, line: bytes) -> None:
        """End all sessions with a last line."""
        for session in list(self._sessions):
            session.dismiss(line)

    def leave(self, session: LimitedSession) -> None:
        """Forget a session that has ended."""
        self._sessions.pop(session, None)
