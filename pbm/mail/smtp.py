"""SMTP and LMTP sessions: a mail for the server's address is accepted with 250 once it is in the
journal. Its commands are read elsewhere."""

from __future__ import annotations

import asyncio
import math
import re
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbm.config import Config, Limits
from pbm.logs import Outage
from pbm.mail.receive import (
    MAX_SHOWN,
    MailRefused,
    build_aside_row,
    build_journal_row,
    build_postmaster_row,
    is_local,
    is_ours,
    is_postmaster,
)
from pbm.store.migrate import SchemaError
from pbm.version import RELEASE

log = structlog.get_logger()
Journal = Callable[[dict[str, Any]], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A mail as a session received it; when it was too large, `is_cut` is set and `raw` is its
    beginning."""

    raw: bytes
    is_cut: bool
    via: str
    envelope_from: str
    recipients: list[str]
    peer: str


class SmtpHandler:
    """The handler that aiosmtpd calls. `journal` stores a row and returns its number once it is
    durable."""

    def __init__(self, config: Config, journal: Journal, clock: Callable[[], float]) -> None:
        self._config = config
        self._journal = journal
        self._clock = clock
        self._outage = Outage("mail not stored")
        self._bug = Outage("session failed")

    async def handle_MAIL(
        self,
        server: _Session,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Accept a sender who can be answered: SMTPUTF8 is offered for what else is in a mail."""
        if not address.rpartition("@")[0].isascii():
            server.complain("a sender that is not ASCII")
            return "553 5.6.7 no answer can be sent to an address with letters that are not ASCII"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Ok"

    async def handle_RCPT(
        self,
        server: _Session,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Accept the server's own address, and postmaster (RFC 5321 4.5.1)."""
        most = self._config.limits.recipients
        if not is_ours(self._config, address) and not is_postmaster(self._config, address):
            server.complain("no such address")
            return "550 5.1.1 no such address here; games are played by " + (
                self._config.server.address
            )
        if most and len(envelope.rcpt_tos) >= most:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, name: str, lines: list[str]
    ) -> list[str]:
        """Offer PIPELINING (RFC 2920), and no AUTH: nobody logs in here."""
        session.host_name = name
        first, *others = lines
        return [first, "250-PIPELINING", *(line for line in others if line[4:8] != "AUTH")]

    async def take(self, session: _Session, mail: ReceivedMail) -> str:
        """Journal the mail; 250 means that it is committed. If the client disconnects meanwhile,
        the mail is stored all the same, and a second delivery is recognized as a copy.

        A mail that cannot be read is refused over SMTP. Over LMTP it is set aside: the mail server
        in front has accepted it already and would bounce it to a sender who may be forged.
        """
        try:
            row = self._build_row(mail)
        except MailRefused as refused:
            if mail.via == "smtp":
                session.complain(str(refused))
                return f"{'552 5.3.4' if mail.is_cut else '554 5.6.0'} {refused}"
            row = build_aside_row(mail.raw, str(refused), **self._build_envelope(mail))
        try:
            number = await self._journal(row)
        except SchemaError:
            return "421 4.3.2 the server is being upgraded, come back later"
        except Exception as error:
            self._outage.report(error)
            return "451 4.3.0 the mail could not be stored, try again later"
        self._outage.end()
        return f"250 2.0.0 Ok: mail {number}"

    def _build_row(self, mail: ReceivedMail) -> dict[str, Any]:
        limits = self._config.limits
        if mail.is_cut:
            raise MailRefused(f"the mail has more than {limits.size} bytes")
        envelope = self._build_envelope(mail)
        if not is_ours(self._config, envelope["recipient"]):
            return build_postmaster_row(mail.raw, **envelope)
        return build_journal_row(mail.raw, line=limits.line, **envelope)

    def _build_envelope(self, mail: ReceivedMail) -> dict[str, Any]:
        return {
            "via": mail.via,
            "envelope_from": mail.envelope_from,
            "now": self._clock(),
            "recipient": self._choose_recipient(mail.recipients),
            "peer": mail.peer,
        }

    def _choose_recipient(self, recipients: list[str]) -> str:
        """Return the recipient that counts: an address with a token, else the plain address, else
        the postmaster."""
        if len(recipients) == 1:
            return recipients[0]
        ours = [address for address in recipients if is_ours(self._config, address)]
        return next((each for each in ours if "+" in each), (ours or recipients)[0])

    async def handle_exception(self, error: Exception) -> str:
        """Answer 451 to any error of the server, without details."""
        self._bug.report(error)
        return "451 4.3.0 something went wrong here, try again later"


def _find_host(transport: asyncio.BaseTransport) -> str:
    """Return the client's address, "" for a socket file; an IPv4 address is plain on a dual-stack
    socket too. A client that has reset its connection has none, and does not pass for a socket
    file."""
    if transport.get_extra_info("socket").family == socket.AF_UNIX:
        return ""
    peer = transport.get_extra_info("peername")
    return str(peer[0]).removeprefix("::ffff:") if peer else "unknown"


_LINGER = 10.0  # seconds that a dismissed client has to read what was sent
_NO_LIMIT = 3600.0  # seconds after which a session without a limit of time looks for one
_EOL, _END = b"\r\n", b"\r\n.\r\n"
_PLAIN_ADDRESS = re.compile(r"<([A-Za-z0-9._+=-]{1,64}@[A-Za-z0-9.-]{1,255})>( .*)?")


class _Session(SMTP):
    """A session with limits of bytes and seconds between two mails; one that exceeds them is
    dismissed, whatever it sends, so that memory stays bounded.

    aiosmtpd limits each command, not what leads to a mail, and drops a mail that is too large. So
    this class alone uses its insides; tests/mail/test_library_insides.py fails when they change."""

    via = "smtp"
    line_length_limit = 65536  # of what aiosmtpd reads at once; lines of a mail have [limits] line
    since = 0.0
    _peer = ""
    _taken = 0
    _complained = False

    def __init__(self, limiter: ConnectionLimiter, handler: SmtpHandler, **options: Any) -> None:
        self.limiter = limiter
        self.mail_handler = handler
        super().__init__(handler, data_size_limit=self._size or None, **options)

    @property
    def _size(self) -> int:
        """The largest mail in bytes, 0 for no limit: over LMTP every mail is accepted."""
        return self.limiter.limits.size if self.via == "smtp" else 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session, or refuse it with 421."""
        loop = asyncio.get_running_loop()
        if self.since:
            super().connection_made(transport)
            return
        self.since = loop.time()
        self._peer = _find_host(transport)
        super().connection_made(transport)
        if not self.limiter.enter(self, self._peer):
            self.dismiss(CROWDED, "too many sessions")
        else:
            self.progress()

    def progress(self) -> None:
        """Reset the limits: a mail is in."""
        self._taken = 0
        self.since = self.loop.time()

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Keep the limit: it is for all that leads to a mail, not for each command."""
        if self._timeout_handle is None:
            self._check_time()

    def _check_time(self) -> None:
        """Dismiss a session whose time is up, or come back when that may be."""
        seconds = self.limiter.limits.session_seconds
        left = self.since + seconds - self.loop.time() if seconds else _NO_LIMIT
        if left > 0:
            self._timeout_handle = self.loop.call_later(left, self._check_time)
        else:
            self.dismiss(b"421 4.4.2 too slow, come back later\r\n", "too slow")

    def data_received(self, data: bytes) -> None:
        """Count the bytes before they are stored."""
        self._taken += len(data)
        if self._size and self._taken > 2 * self._size + 65536:
            self.dismiss(b"552 5.3.4 too much data\r\n", "too much data")
            return
        super().data_received(data)

    async def smtp_DATA(self, arg: str | None) -> None:
        """Receive a mail and reply."""
        if await self.check_helo_needed():
            return
        if self.envelope is None or not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 RCPT comes first")
            return
        if arg:
            await self.push("501 5.5.4 DATA stands alone")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        raw, is_cut = await self._receive()
        self.progress()
        mail = ReceivedMail(
            raw, is_cut, self.via, self.envelope.mail_from or "", self.envelope.rcpt_tos, self._peer
        )
        self.envelope = self._create_envelope()
        await self.push(await self.mail_handler.take(self, mail))

    async def _receive(self) -> tuple[bytes, bool]:
        """Return the mail up to the line that is a dot alone (RFC 5321 4.1.1.4), dots unstuffed;
        and whether it was too large, of which only the beginning is kept.

        Only CRLF ends a line here. A bare LF is part of its line, so that a dot between two of them
        is text, and what follows it is never taken for a command.
        """
        most = self.limiter.limits.size or math.inf
        pieces, size, is_cut = [_EOL], 0, False  # as if a line had ended before
        end = _EOL
        while end != _END:
            try:
                piece = await self._reader.readuntil(_END[2:])
            except asyncio.LimitOverrunError as error:
                piece = await self._reader.read(error.consumed)
            end = (end + piece)[-5:]
            size += len(piece)
            if not is_cut:
                pieces.append(piece)
            if size > most + 3 and not is_cut:
                is_cut = True
                pieces = [b"".join(pieces)[: MAX_SHOWN + 2]]
        raw = b"".join(pieces).removesuffix(_END[2:])
        return raw.replace(b"\r\n.", _EOL)[2:], is_cut

    async def smtp_AUTH(self, arg: str) -> None:
        """Refuse AUTH: nobody logs in here."""
        await self.push("502 5.5.1 there is no AUTH here")

    def complain(self, why: str) -> None:
        """Log a refusal, once a session; config/fail2ban reads it."""
        if not self._complained:
            self._complained = True
            log.warning("refused", peer=self._peer, why=why)

    def dismiss(self, line: bytes, why: str = "") -> None:
        """Send a last line and close; `why` is logged as the client's fault."""
        transport = getattr(self, "transport", None)
        if transport is not None and not transport.is_closing():
            if why:
                self.complain(why)
            transport.write(line)
            transport.close()
            self.loop.call_later(_LINGER, transport.abort)  # a client may read none of this

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the session has ended."""
        self.limiter.leave(self)
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Parse a plain `<address>` in 0.4 microseconds, other forms as aiosmtpd does, in 72."""
        match = _PLAIN_ADDRESS.fullmatch(arg)
        if match is not None:
            return match[1], (match[2] or "").strip()
        parsed: tuple[str | None, str | None] = super()._getaddr(arg)
        return parsed


class LmtpSession(_Session, LMTP):
    """An LMTP session: one reply for each recipient after DATA (RFC 2033 4.2), or the client would
    deliver again to the others."""

    via = "lmtp"
    _waiting = 0

    async def push(self, status: str | bytes) -> None:
        """Send a reply, once for each recipient when it is the reply to a mail."""
        line = status.encode() if isinstance(status, str) else status
        if self._waiting:
            line = b"\r\n".join([line] * self._waiting)
            self._waiting = 0
        if line.startswith(b"354") and self.envelope is not None:
            self._waiting = len(self.envelope.rcpt_tos)
        await super().push(line)


def build_protocol(
    config: Config,
    handler: SmtpHandler,
    limiter: ConnectionLimiter,
    *,
    lmtp: bool,
    tls: ssl.SSLContext | None = None,
) -> asyncio.BaseProtocol:
    """Return a session of SMTP, or of LMTP."""
    kind = LmtpSession if lmtp else _Session
    return kind(
        limiter,
        handler,
        hostname=config.server.host,
        ident=f"pbm {RELEASE}",
        enable_SMTPUTF8=True,
        tls_context=tls,
        loop=asyncio.get_running_loop(),
    )


# The connection limiter: how many sessions there may be, in all and from one address.

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
