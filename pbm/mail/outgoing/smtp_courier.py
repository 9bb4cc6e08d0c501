"""The courier that delivers to a relay by SMTP."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import aiosmtplib

from pbm.logs import describe_cause
from pbm.mail.outgoing.delivery import Deferred, Delivered, Envelope, Failed, Result
from pbm.mail.outgoing.relay import RelaySession, Reply

_LONGEST = 300
"""Letters that are kept of what a relay says."""


class SmtpCourier:
    """Delivers to a relay over one kept SMTP session; reconnects at once when that was closed."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        implicit = parts.scheme == "smtps"
        self._host = parts.hostname or "localhost"
        self._port = parts.port or (465 if implicit else 25)
        self._place = f"{self._host}:{self._port}"
        self._implicit, self._starttls = implicit, parts.scheme == "smtp+starttls"
        self._relay: RelaySession | None = None

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Send the mail over the kept session, or over a new one when that is lost."""
        for fresh in (False, True):
            try:
                relay = self._relay
                if relay is None or fresh or not relay.is_ready_for(envelope):
                    relay = await self._open_session()
                answer = await relay.send(envelope, message, following)
            except Reply as reply:
                if reply.code == 421 and not fresh:
                    continue
                return _classify_refusal(reply.code, reply.text)
            except aiosmtplib.SMTPResponseException as error:
                return _classify_refusal(error.code, error.message, opening=True)
            except (aiosmtplib.SMTPException, OSError, EOFError) as error:
                await self.close()
                if fresh:
                    return Deferred(f"{self._place}: {_describe(error)}", relay_down=True)
            else:
                return Delivered(" ".join(answer.split())[:_LONGEST])
        return Deferred(f"{self._place}: closed", relay_down=True)

    async def _open_session(self) -> RelaySession:
        """Return a new session, in place of the kept one."""
        await self.close()
        client = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            use_tls=self._implicit,
            start_tls=self._starttls,
            username=self._user,
            password=self._password,
            timeout=60,
        )
        await client.connect()
        if client.last_ehlo_response is None:
            await client.ehlo()
        self._relay = RelaySession(client)
        return self._relay

    async def close(self) -> None:
        """Close the session."""
        relay, self._relay = self._relay, None
        if relay is not None:
            relay.close()


def _describe(error: Exception) -> str:
    """Return why the session failed. The library wraps what the system or TLS has said."""
    if isinstance(error, aiosmtplib.SMTPServerDisconnected | EOFError):
        return "it closed the session"
    return describe_cause(error.__cause__ or error) or type(error).__name__


def _classify_refusal(code: int, message: str, *, opening: bool = False) -> Result:
    """Return what the relay's refusal means; while a session is `opening` the mail is not at
    fault."""
    why = f"{code} {' '.join(message.split())}"[:_LONGEST]
    if code == 421 or opening:
        return Deferred(why, relay_down=True)
    return Failed(why) if 500 <= code < 600 else Deferred(why)
