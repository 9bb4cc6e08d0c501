"""A kept SMTP session with the relay. aiosmtplib opens it (connection, TLS, login); mails then go
out with pipelined commands (RFC 2920), which aiosmtplib lacks: the text of a mail and the commands
of the next one travel together, so that a mail takes one round trip instead of four."""

from __future__ import annotations

import asyncio
import math
from typing import cast

import aiosmtplib

from pbm.mail.outgoing.delivery import Envelope

_SECONDS = 60.0
_MOST_READ = 65536


class Reply(Exception):
    """The relay's reply to a command that it refused."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code} {text}")
        self.code = code
        self.text = text


class RelaySession:
    """An open SMTP session. OSError, TimeoutError and EOFError mean that the connection is lost."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        if client.transport is None:
            raise ConnectionError("not connected")
        transport = cast(asyncio.Transport, client.transport)  # uvloop's only looks like one
        loop = asyncio.get_running_loop()
        self._pipelining = client.supports_extension("pipelining")
        self._client = client
        self._reader = asyncio.StreamReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(self._reader, loop=loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        self._transport = transport
        self._dirty = False
        self._announced: Envelope | None = None
        self._received = b""
        self._loop = loop
        self._until = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        return not self._transport.is_closing() and not self._reader.at_eof()

    def is_ready_for(self, envelope: Envelope) -> bool:
        """Whether the connection is open and no other mail was announced, which the relay waits
        for."""
        return self.is_open and self._announced in (None, envelope)

    async def send(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> None:
        """Send one mail; raises Reply when the relay refuses it. The one that is `following` is
        announced where the relay can take that."""
        commands = _build_commands(envelope)
        if self._dirty:
            commands.insert(0, b"RSET")
        is_announced, self._announced = self._announced is not None, None
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
                    await self._expect(3 if command == b"DATA" else 2)
            body = message.replace(b"\r\n.", b"\r\n..")
            end = b".\r\n" if body.endswith(b"\r\n") else b"\r\n.\r\n"
            self._transport.write(body + end + self._announce(following))
            self._dirty = False  # whatever the reply is (RFC 5321 4.1.1.4)
            await self._expect(2)
        finally:
            self._until = math.inf

    def _announce(self, following: Envelope | None) -> bytes:
        """The commands that announce the next mail; none when they have to wait for a reply."""
        if following is None or not self._pipelining:
            return b""
        try:
            commands = _build_commands(following)
        except Reply:
            return b""
        self._announced = following
        return _join(commands)

    async def _read_pipelined(self, commands: list[bytes]) -> None:
        """Read the replies to commands that were sent together."""
        refusal: Reply | None = None
        for command in commands:
            is_data = command == b"DATA"
            try:
                await self._expect(3 if is_data else 2)
            except Reply as reply:
                refusal = refusal or reply
            else:
                if is_data and refusal is not None:
                    # RFC 2920 3.1: DATA was accepted without a recipient; an empty text ends it.
                    self._transport.write(b".\r\n")
                    await self._read_reply()
        if refusal is not None:
            raise refusal

    async def _expect(self, kind: int) -> None:
        code, text = await self._read_reply()
        if code // 100 != kind:
            raise Reply(code, text)

    async def _read_reply(self) -> tuple[int, str]:
        lines = []
        while True:
            line = await self._read_line()
            if not line[:3].isdigit():
                raise EOFError("the relay closed the session")
            lines.append(line[4:].strip().decode("utf-8", "replace"))
            if line[3:4] != b"-":
                return int(line[:3]), " ".join(lines)

    async def _read_line(self) -> bytes:
        """The next line. Replies to pipelined commands arrive together and are read at once."""
        while b"\n" not in self._received:
            more = await self._reader.read(_MOST_READ)
            if self._is_late:
                raise TimeoutError
            if not more or len(self._received) > _MOST_READ:
                raise EOFError("the relay closed the session")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line

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
    """The commands that come before a mail's text; raises Reply for an address that is none."""
    return [
        f"MAIL FROM:<{_check_address(envelope.sender)}>".encode(),
        f"RCPT TO:<{_check_address(envelope.recipient)}>".encode(),
        b"DATA",
    ]


def _join(commands: list[bytes]) -> bytes:
    return b"\r\n".join([*commands, b""])


def _check_address(address: str) -> str:
    """The address for a command; raises Reply when it could end the command."""
    if any(letter in address for letter in "\r\n<>\0") or not address.isprintable():
        raise Reply(553, "not an address")
    return address
