"""The door: SMTP and LMTP. It takes a mail for our address, has it journalled, and only then says
250. It reads no command and answers nothing but the dialogue."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

import pbm
from pbm.config import Config, Limits
from pbm.mail.arrival import Refused, is_local, is_ours, journal_row
from pbm.store.migrate import SchemaError

log = structlog.get_logger()
Journal = Callable[[dict[str, Any]], Awaitable[int]]


class Door:
    """The handler that aiosmtpd calls. `journal` stores a row and returns its number once it is
    durable."""

    def __init__(self, config: Config, journal: Journal, clock: Callable[[], float]) -> None:
        self._config = config
        self._journal = journal
        self._clock = clock

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take the server's own address and no other."""
        most = self._config.limits.recipients
        if not is_ours(self._config, address):
            _complain(server, "no such address")
            return "550 5.1.1 no such address here; games are played by " + (
                self._config.server.address
            )
        if most and len(envelope.rcpt_tos) >= most:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Journal the mail; 250 means that it is committed. It is journalled also when the client
        vanishes meanwhile, so that its second attempt is known as a copy."""
        raw = envelope.original_content or b""
        if isinstance(server, _Guarded):
            server.progress()
        try:
            row = journal_row(
                raw, via="lmtp" if isinstance(server, LMTP) else "smtp",
                envelope_from=envelope.mail_from or "", recipient=_addressed(envelope.rcpt_tos),
                now=self._clock(), peer=_host(session.peer),
            )  # fmt: skip
        except Refused as refused:
            _complain(server, "the mail cannot be read")
            return f"554 5.6.0 {refused}"
        try:
            number = await self._journal(row)
        except SchemaError:
            return "421 4.3.2 the server is being upgraded, come back later"
        except Exception:
            return "451 4.3.0 the mail could not be stored, try again later"
        return f"250 2.0.0 Ok: mail {number}"

    async def handle_exception(self, error: Exception) -> str:
        """Whatever goes wrong on our side is a 451 without a word of what it was."""
        return "451 4.3.0 something went wrong here, try again later"


def _complain(server: SMTP, why: str) -> None:
    if isinstance(server, _Guarded):
        server.complain(why)


def _host(peer: Any) -> str:
    """The client's address; an IPv4 address in its own form also on a socket of both kinds."""
    return str(peer[0]).removeprefix("::ffff:") if peer else ""


def _addressed(recipients: list[str]) -> str:
    """The recipient that counts: one with a token before the plain address."""
    return next((address for address in recipients if "+" in address), recipients[0])


class Gate:
    """Counts sessions. When it is full, the session that has brought no mail for the longest time
    makes room, so that slow clients starve nobody; `refused` counts who had to go."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.refused = 0
        self._sessions: dict[_Guarded, str] = {}

    @property
    def limits(self) -> Limits:
        """The limits as they are now."""
        return self._config.limits

    def __len__(self) -> int:
        """The sessions now."""
        return len(self._sessions)

    def enter(self, session: _Guarded, peer: str) -> bool:
        """Whether the session may begin."""
        most, each = self.limits.sessions, self.limits.sessions_per_address
        here = [other for other, where in self._sessions.items() if where == peer]
        full = (most and len(self._sessions) >= most) or (
            each and len(here) >= each and not is_local(peer)
        )
        if full:
            crowd = here if each and len(here) >= each and not is_local(peer) else self._sessions
            self.refused += 1
            idle = min(crowd, key=lambda other: other.since)
            if session.since - idle.since < _PATIENCE:
                return False
            idle.dismiss(_CROWDED, "too many sessions")
        self._sessions[session] = peer
        return True

    def close(self, line: bytes) -> None:
        """End all sessions with a last line."""
        for session in list(self._sessions):
            session.dismiss(line)

    def leave(self, session: _Guarded) -> None:
        """The session has ended."""
        self._sessions.pop(session, None)


_PATIENCE = 5.0
_CROWDED = b"421 4.7.0 too many sessions, come back later\r\n"
_PLAIN_ADDRESS = re.compile(r"<([A-Za-z0-9._+=-]{1,64}@[A-Za-z0-9.-]{1,255})>( .*)?")


class _Guarded(asyncio.StreamReaderProtocol):
    """What a session may take: bytes and seconds until its next mail is in. It ends one that takes
    more, whatever it sends, so that memory stays bounded."""

    gate: Gate
    since = 0.0
    _peer = ""
    _taken = 0
    _complained = False
    _expires: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or refuse with 421."""
        loop = asyncio.get_running_loop()
        if self.since:
            super().connection_made(transport)
            return
        self.since = loop.time()
        self._peer = _host(transport.get_extra_info("peername"))
        super().connection_made(transport)
        if not self.gate.enter(self, self._peer):
            self.dismiss(_CROWDED, "too many sessions")
        else:
            self.progress()

    def progress(self) -> None:
        """A mail is in: what the session may take begins anew."""
        self._taken = 0
        loop = asyncio.get_running_loop()
        self.since = loop.time()
        seconds = self.gate.limits.session_seconds
        if self._expires is not None:
            self._expires.cancel()
        if seconds:
            line = b"421 4.4.2 too slow, come back later\r\n"
            self._expires = loop.call_later(seconds, self.dismiss, line, "too slow")

    def data_received(self, data: bytes) -> None:
        """Count what comes in before it is kept."""
        self._taken += len(data)
        size = self.gate.limits.size
        if size and self._taken > 2 * size + 65536:
            self.dismiss(b"552 5.3.4 too much data\r\n", "too much data")
            return
        super().data_received(data)

    def complain(self, why: str) -> None:
        """Log that this client was refused something, once a session: config/fail2ban reads it."""
        if not self._complained:
            self._complained = True
            log.warning("refused", peer=self._peer, why=why)

    def dismiss(self, line: bytes, why: str = "") -> None:
        """Say a last line and close; `why` is the client's fault."""
        transport = getattr(self, "transport", None)
        if transport is not None and not transport.is_closing():
            if why:
                self.complain(why)
            transport.write(line)
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """The session has ended."""
        self.gate.leave(self)
        if self._expires is not None:
            self._expires.cancel()
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """A plain `<address>` without the parser that the strange forms need."""
        found = _PLAIN_ADDRESS.fullmatch(arg)
        if found is not None:
            return found[1], (found[2] or "").strip()
        parsed: tuple[str | None, str | None] = super()._getaddr(arg)  # type: ignore[misc]
        return parsed


class SmtpSession(_Guarded, SMTP):
    """A session of the SMTP listener."""


class LmtpSession(_Guarded, LMTP):
    """A session of the LMTP listener: after DATA one reply for each recipient (RFC 2033 4.2), or
    else the client would deliver again to those it heard nothing of."""

    _waiting = 0

    async def push(self, status: str | bytes) -> None:
        """Send a reply, as often as there are recipients when it is the one to the mail itself."""
        line = status.encode() if isinstance(status, str) else status
        if self._waiting:
            line = b"\r\n".join([line] * self._waiting)
            self._waiting = 0
        if line.startswith(b"354") and self.envelope is not None:
            self._waiting = len(self.envelope.rcpt_tos)
        await super().push(line)


def protocol(
    config: Config, door: Door, gate: Gate, *, lmtp: bool, tls: ssl.SSLContext | None = None
) -> asyncio.BaseProtocol:
    """One session of the dialogue."""
    limits = config.limits
    kind = LmtpSession if lmtp else SmtpSession
    session = kind(
        door,
        hostname=config.server.host,
        ident=f"pbm {pbm.__version__}",
        data_size_limit=limits.size or None,
        enable_SMTPUTF8=True,
        timeout=limits.session_seconds or 86400,
        tls_context=tls,
        loop=asyncio.get_running_loop(),
    )
    session.gate = gate
    return session
