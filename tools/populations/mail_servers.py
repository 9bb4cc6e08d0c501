"""The mail servers of the players, as one relay: they put off what they do not know (greylisting),
are busy, slow or gone, drop connections, refuse dead mailboxes at once or bounce later, and answer
for people who are away."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable

_ID = re.compile(rb"^Message-ID: (\S+)", re.M)
_REPLY_TO = re.compile(rb"^Reply-To: .*?<?([^<>\s]+@[^<>\s]+?)>?\r?$", re.M)
_GREY = 300.0
"""Seconds of the fast clock for which a mail of an unknown pair is put off."""
_BOUNCE = """\
From: Mail Delivery System <MAILER-DAEMON@example.org>
To: {sender}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Message-ID: <bounce.{number}@example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your mail to {recipient} could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {recipient}
Action: failed
Status: {status}
--b
Content-Type: text/rfc822-headers

Message-ID: {key}
--b--
"""
_AWAY = """\
From: {recipient}
To: {reply_to}
Subject: Out of office
Auto-Submitted: auto-replied
In-Reply-To: {key}
Message-ID: <away.{number}@example.org>

I am away until Monday.
"""


class MailServers:
    """`taken` has what was accepted since it was last looked at, by recipient; `letters` what they
    have to say to the server, as envelope, recipient and text; `did` counts."""

    def __init__(self, clock: Callable[[], float], seed: int) -> None:
        self._clock = clock
        self._dice = random.Random(seed)
        self._known: dict[str, float] = {}
        self._ids: set[bytes] = set()
        self.refusing: set[str] = set()
        self.bouncing: set[str] = set()
        self.taken: list[tuple[str, bytes]] = []
        self.letters: list[tuple[str, str, bytes]] = []
        self.did: Counter[str] = Counter()
        self.is_fair = False

    async def start(self) -> int:
        """Listen. Return the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Stop listening."""
        self._server.close()

    def _fails(self, what: str, share: float) -> bool:
        if self.is_fair or self._dice.random() >= share:
            return False
        self.did[what] += 1
        return True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._fails("busy", 0.05):
                writer.write(b"421 4.3.2 too many connections\r\n")
            elif not self._fails("dropped", 0.02):
                writer.write(b"220 mx.example.org\r\n")
                await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sender = recipient = ""
        while line := await reader.readline():
            command, _, rest = line.decode().partition(":")
            address = rest.strip().strip("<>")
            match command[:4].upper():
                case "QUIT":
                    return
                case "EHLO":
                    writer.write(b"250-mx.example.org\r\n250 PIPELINING\r\n")
                case "MAIL":
                    sender = address
                    writer.write(b"250 2.1.0 ok\r\n")
                case "RCPT":
                    refusal = self._refuse(address)
                    recipient = "" if refusal else address
                    writer.write(refusal or b"250 2.1.5 ok\r\n")
                case "DATA" if not recipient:
                    writer.write(b"554 5.5.1 no valid recipients\r\n")
                case "DATA":
                    writer.write(b"354 go on\r\n")
                    if not await self._read_text(reader, writer, sender, recipient):
                        return
                case _:
                    writer.write(b"250 2.0.0 ok\r\n")

    def _refuse(self, recipient: str) -> bytes:
        """Return why no mail for this recipient is taken now; nothing when it is."""
        if recipient in self.refusing:
            self.did["no such user"] += 1
            return b"550 5.1.1 no such user\r\n"
        if self.is_fair:
            return b""
        if self._clock() - self._known.setdefault(recipient, self._clock()) < _GREY:
            self.did["greylisted"] += 1
            return b"450 4.7.1 greylisted, come back later\r\n"
        if self._fails("mailbox busy", 0.01):
            return b"450 4.2.1 mailbox busy\r\n"
        return b""

    async def _read_text(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        sender: str,
        recipient: str,
    ) -> bool:
        """Take or refuse a text; False when the connection is dropped."""
        lines = []
        while (line := await reader.readline()) != b".\r\n":
            if not line:
                return False
            lines.append(line[1:] if line.startswith(b"..") else line)
        if self._fails("dropped", 0.003):
            return False
        if self._fails("slow", 0.001):
            await asyncio.sleep(self._dice.uniform(0.5, 2.0))
        if self._fails("later", 0.01):
            writer.write(b"451 4.3.0 try again later\r\n")
            return True
        self._keep(sender, recipient, b"".join(lines))
        if self._fails("dropped", 0.002):
            return False
        writer.write(b"250 2.0.0 queued\r\n")
        await writer.drain()
        return True

    def _keep(self, sender: str, recipient: str, text: bytes) -> None:
        """Deliver a text once, bounce it, or answer it for somebody who is away."""
        found = _ID.search(text)
        assert found is not None, text[:500]
        if found[1] in self._ids:
            self.did["came again"] += 1
            return
        self._ids.add(found[1])
        words = {
            "sender": sender,
            "recipient": recipient,
            "key": found[1].decode(),
            "number": len(self._ids),
        }
        if recipient in self.bouncing or self._fails("mailbox full", 0.002):
            status = "5.1.1" if recipient in self.bouncing else "4.2.2"
            self.did["bounced"] += 1
            self._say("", sender, _BOUNCE.format(**words, status=status))
            return
        self.did["delivered"] += 1
        self.taken.append((recipient, text))
        reply_to = _REPLY_TO.search(text)
        if reply_to is not None and self._fails("away", 0.003):
            self._say(
                recipient,
                reply_to[1].decode(),
                _AWAY.format(**words, reply_to=reply_to[1].decode()),
            )

    def _say(self, sender: str, recipient: str, text: str) -> None:
        self.letters.append((sender, recipient, text.replace("\n", "\r\n").encode()))
