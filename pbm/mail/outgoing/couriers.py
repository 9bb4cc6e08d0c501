"""Couriers deliver one mail to a Maildir, a relay or a program, and report what came of it.

Queues and retries are the outbox's."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib

from pbm.mail.outgoing.relay import RelaySession, Reply


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next hop has accepted the mail."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Try again later. `relay_down`: neither the mail nor its recipient is the reason."""

    why: str
    relay_down: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The next hop has refused the mail for good."""

    why: str


Result = Delivered | Deferred | Failed


class Courier(Protocol):
    """What delivers a mail; a seam that tests may fake."""

    async def deliver(self, envelope_from: str, recipient: str, message: bytes) -> Result:
        """Deliver one mail."""

    async def close(self) -> None:
        """Close connections."""


class MaildirCourier:
    """Delivers to a Maildir for each recipient, FOLDER/ADDRESS/new. Files appear atomically."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._host = socket.gethostname().replace("/", "_").replace(":", "_")
        self._numbers = count()

    async def deliver(self, envelope_from: str, recipient: str, message: bytes) -> Result:
        """Write the file under tmp, flush it to disk and rename it into new."""
        try:
            await asyncio.to_thread(self._write, recipient, message)
        except OSError as error:
            return Deferred(f"maildir: {error.strerror}", relay_down=True)
        return Delivered()

    def _write(self, recipient: str, message: bytes) -> None:
        box = self._folder / _build_file_name(recipient)
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, exist_ok=True)
        name = f"{time.time():.6f}.P{os.getpid()}Q{next(self._numbers)}.{self._host}"
        with open(box / "tmp" / name, "wb") as file:
            file.write(message.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        os.rename(box / "tmp" / name, box / "new" / name)

    async def close(self) -> None:
        """Nothing is kept open."""


def _build_file_name(recipient: str) -> str:
    """The address as the name of a folder."""
    plain = recipient.replace("/", "_").replace("\0", "_")
    return plain if plain not in (".", "..") else "_"


class SmtpCourier:
    """Delivers to a relay over one kept SMTP session; reconnects at once when that was closed."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        implicit = parts.scheme == "smtps"
        self._host = parts.hostname or "localhost"
        self._port = parts.port or (465 if implicit else 25)
        self._implicit, self._starttls = implicit, parts.scheme == "smtp+starttls"
        self._relay: RelaySession | None = None

    async def deliver(self, envelope_from: str, recipient: str, message: bytes) -> Result:
        """Send the mail over the kept session, or over a new one when that is lost."""
        for fresh in (False, True):
            try:
                relay = await self._open_session(fresh=fresh)
                await relay.send(envelope_from, recipient, message)
            except Reply as reply:
                if reply.code == 421 and not fresh:
                    continue
                return _classify_refusal(reply.code, reply.text)
            except aiosmtplib.SMTPResponseException as error:
                return _classify_refusal(error.code, error.message, opening=True)
            except (aiosmtplib.SMTPException, OSError, EOFError) as error:
                await self.close()
                if fresh:
                    return Deferred(f"{self._host}: {type(error).__name__}", relay_down=True)
            else:
                return Delivered()
        return Deferred(f"{self._host}: closed", relay_down=True)

    async def _open_session(self, *, fresh: bool) -> RelaySession:
        if self._relay is not None and self._relay.is_open and not fresh:
            return self._relay
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


def _classify_refusal(code: int, message: str, *, opening: bool = False) -> Result:
    """What the relay's refusal means; while a session is `opening` the mail is not at fault."""
    why = f"{code} {' '.join(message.split())}"[:300]
    if code == 421 or opening:
        return Deferred(why, relay_down=True)
    return Failed(why) if 500 <= code < 600 else Deferred(why)


class SendmailCourier:
    """Delivers through a local program that reads a mail on standard input, as sendmail does."""

    def __init__(self, program: str) -> None:
        self._program = program

    async def deliver(self, envelope_from: str, recipient: str, message: bytes) -> Result:
        """Run the program. Exit codes 65, 67 and 68 fail the mail; others but 0 defer it."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                "-i",
                "-f",
                envelope_from,
                "--",
                recipient,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await process.communicate(message.replace(b"\r\n", b"\n"))
        except OSError as error:
            return Deferred(f"{self._program}: {error.strerror}", relay_down=True)
        if process.returncode == 0:
            return Delivered()
        why = f"{self._program} ended with {process.returncode}"
        return Failed(why) if process.returncode in (65, 67, 68) else Deferred(why)

    async def close(self) -> None:
        """Nothing is kept open."""


def build_courier(url: str) -> Courier:
    """The courier for a relay URL; raises a ValueError that names the valid forms."""
    scheme, _, rest = url.partition(":")
    if scheme == "maildir":
        return MaildirCourier(rest)
    if scheme == "sendmail":
        return SendmailCourier(rest)
    if scheme in ("smtp", "smtps", "smtp+starttls"):
        return SmtpCourier(url)
    raise ValueError(
        "[relay] url is maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM"
    )
