"""Couriers deliver one mail to a Maildir, a relay or a program, and report what came of it.

Queues and retries are the outbox's."""

from __future__ import annotations

import asyncio
import math
import os
import socket
import time
from itertools import count
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

import aiosmtplib

from pbm.logs import describe_cause
from pbm.mail.outbox import Courier, Deferred, Delivered, Envelope, Failed, Result


class MaildirCourier:
    """Delivers to a Maildir for each recipient, FOLDER/ADDRESS/new. Files appear atomically."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._host = socket.gethostname().replace("/", "_").replace(":", "_")
        self._numbers = count()

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Write the file under tmp, flush it to disk and rename it into new."""
        try:
            await asyncio.to_thread(self._write, envelope.recipient, message)
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
        """Do nothing: nothing is kept open."""


def _build_file_name(recipient: str) -> str:
    """Return the address as the name of a folder."""
    plain = recipient.replace("/", "_").replace("\0", "_")
    return plain if plain not in (".", "..") else "_"


class SendmailCourier:
    """Delivers through a local program that reads a mail on standard input, as sendmail does."""

    def __init__(self, program: str) -> None:
        self._program = program

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Run the program. Exit codes 65, 67 and 68 fail the mail; others but 0 defer it."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                "-i",
                "-f",
                envelope.sender,
                "--",
                envelope.recipient,
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
        """Do nothing: nothing is kept open."""


def build_courier(url: str) -> Courier:
    """Return the courier for a relay URL; raise a ValueError that names the valid forms."""
    scheme, _, rest = url.partition(":")
    if scheme == "maildir":
        return MaildirCourier(rest)
    if scheme == "sendmail":
        return SendmailCourier(rest)
    if scheme in ("smtp", "smtps", "smtp+starttls"):
        pass  # imports a library of its own

        return SmtpCourier(url)
    raise ValueError(
        "[relay] url is maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM"
    )


# The courier that delivers to a relay by SMTP.

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
            except RelayReply as reply:
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
    """Return why the session failed. The library wraps errors of the system and of TLS."""
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


# A kept SMTP session with the relay. aiosmtplib opens it (connection, TLS, login); mails then go
# out with pipelined commands (RFC 2920), which aiosmtplib lacks: the text of a mail and the
# commands of the next one travel together, so that a mail takes one round trip instead of four.

_SECONDS = 60.0
_MOST_KEPT = 65536
_DATA = b"DATA"


class RelayReply(Exception):
    """The relay's reply to a command that it refused."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code} {text}")
        self.code = code
        self.text = text


class RelaySession(asyncio.Protocol):
    """An open SMTP session. OSError, TimeoutError and EOFError mean that the connection is lost."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        if client.transport is None:
            raise ConnectionError("not connected")
        self._pipelining = client.supports_extension("pipelining")
        self._client = client
        self._transport = cast(asyncio.Transport, client.transport)  # uvloop's only looks like one
        self._transport.set_protocol(self)
        self._dirty = False
        self._announced: Envelope | None = None
        self._announcement: list[bytes] = []
        self._received = b""
        self._lost: Exception | None = None
        self._reading: asyncio.Future[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._until = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        return self._lost is None and not self._transport.is_closing()

    def is_ready_for(self, envelope: Envelope) -> bool:
        """Whether the connection is open and no other mail was announced, which the relay waits
        for."""
        return self.is_open and self._announced in (None, envelope)

    async def send(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> str:
        """Send one mail and return what the relay answers; raise Reply when it refuses it. The one
        that is `following` is announced where the relay can take that."""
        is_announced, self._announced = self._announced is not None, None
        commands = self._announcement if is_announced else _build_commands(envelope)
        if self._dirty:
            commands.insert(0, b"RSET")
        self._dirty = True
        self._until = self._loop.time() + _SECONDS
        if self._timer is None:
            self._check_time()
        try:
            if self._pipelining:
                if not is_announced:
                    self._transport.write(_join(commands))
                await self._read_pipelined(commands)
            else:
                for command in commands:
                    self._transport.write(_join([command]))
                    _expect(await self._read_reply(), b"3" if command == _DATA else b"2")
            body = message.replace(b"\r\n.", b"\r\n..")
            end = b".\r\n" if body.endswith(b"\r\n") else b"\r\n.\r\n"
            self._transport.write(body + end + self._announce(following))
            self._dirty = False  # whatever the reply is (RFC 5321 4.1.1.4)
            reply = await self._read_reply()
            _expect(reply, b"2")
            return f"{reply[:3].decode()} {_join_words(reply)}"
        finally:
            self._until = math.inf

    def _announce(self, following: Envelope | None) -> bytes:
        """Return the commands that announce the next mail; none when they have to wait for a
        reply."""
        if following is None or not self._pipelining:
            return b""
        try:
            self._announcement = _build_commands(following)
        except RelayReply:
            return b""
        self._announced = following
        return _join(self._announcement)

    async def _read_pipelined(self, commands: list[bytes]) -> None:
        """Read the replies to commands that were sent together."""
        refusal: RelayReply | None = None
        for command in commands:
            reply = self._take_reply() or await self._read_reply()
            try:
                _expect(reply, b"3" if command == _DATA else b"2")
            except RelayReply as error:
                refusal = refusal or error
            else:
                if command == _DATA and refusal is not None:
                    # RFC 2920 3.1: DATA was accepted without a recipient; an empty text ends it.
                    self._transport.write(b".\r\n")
                    await self._read_reply()
        if refusal is not None:
            raise refusal

    async def _read_reply(self) -> bytes:
        """Return the next reply, as soon as all of it is here."""
        while True:
            reply = self._take_reply()
            if reply:
                return reply
            if self._is_late:
                raise TimeoutError
            if self._lost is not None:
                raise self._lost
            self._reading = self._loop.create_future()
            await self._reading

    def _take_reply(self) -> bytes:
        """Return the next reply of what was received, its lines as they came; b"" when it is not
        whole."""
        start = 0
        while end := self._received.find(b"\n", start) + 1:
            if not self._received[start : start + 3].isdigit():
                raise EOFError("the relay sent no reply")
            if self._received[start + 3 : start + 4] != b"-":
                reply, self._received = self._received[:end], self._received[end:]
                return reply
            start = end
        return b""

    def data_received(self, data: bytes) -> None:
        """Keep what the relay says until it is read; one that says too much is not heard out."""
        self._received += data
        if len(self._received) > _MOST_KEPT:
            self._transport.abort()
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection is lost, or was closed."""
        self._lost = error or EOFError("the relay closed the session")
        self._wake()

    def _wake(self) -> None:
        """Let the waiting code continue with what came, or did not."""
        if self._reading is not None and not self._reading.done():
            self._reading.set_result(None)

    def _check_time(self) -> None:
        """Break the connection when the time for a mail is up, else come back when it may be: one
        timer for many mails."""
        if self._until == math.inf:
            self._timer = None
        elif self._until > self._loop.time():
            self._timer = self._loop.call_at(self._until, self._check_time)
        else:
            self._is_late = True
            self._transport.abort()

    def close(self) -> None:
        """Send QUIT and close the connection."""
        if self._timer is not None:
            self._timer.cancel()
        if self.is_open:
            self._transport.write(b"QUIT\r\n")
        self._transport.close()


def _build_commands(envelope: Envelope) -> list[bytes]:
    """Return the commands that come before a mail's text; raise Reply for an address that is
    none."""
    return [
        f"MAIL FROM:<{_check_address(envelope.sender)}>".encode(),
        f"RCPT TO:<{_check_address(envelope.recipient)}>".encode(),
        _DATA,
    ]


def _join(commands: list[bytes]) -> bytes:
    return b"\r\n".join([*commands, b""])


def _check_address(address: str) -> str:
    """Return the address for a command; raise Reply when it could end the command."""
    if "<" in address or ">" in address or not address.isprintable():
        raise RelayReply(553, "not an address")
    return address


def _expect(reply: bytes, kind: bytes) -> None:
    """Raise a reply that does not begin with that digit."""
    if not reply.startswith(kind):
        raise RelayReply(int(reply[:3]), _join_words(reply))


def _join_words(reply: bytes) -> str:
    """Return the words of a reply, without its code."""
    words = [line[4:].strip().decode("utf-8", "replace") for line in reply.splitlines()]
    return " ".join(words)
