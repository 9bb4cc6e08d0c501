"""A daemon as a process of its own, as mail servers see it: SMTP and LMTP in, SMTP out."""

from __future__ import annotations

import contextlib
import json
import smtplib
import socket
import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP
from sqlalchemy import func, select

from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound
from tests.harness.conversation import SERVER
from tests.harness.databases import create_database
from tests.harness.servers import Loop, ServerProcess, Sink, until

PATIENCE = 60.0
Sections = Mapping[str, Mapping[str, Any]]


class Served:
    """The daemon, and the relay behind it that takes every mail. `sections` are what the
    configuration has beside where things are; `days` by how many its clock is ahead."""

    def __init__(self, folder: Path, sections: Sections, days: float = 0.0) -> None:
        self.folder = folder
        self.config = folder / "pbm.toml"
        self._sections = sections
        self._sink = Sink()
        self._loop = Loop()
        relay = self._loop.call(self._relay())
        url = f"sqlite:///{folder / 'pbm.db'}"
        self._write(
            {
                "server": {"address": SERVER},
                "database": {"url": url},
                "smtp": {"listen": "127.0.0.1:0"},
                "lmtp": {"listen": "127.0.0.1:0"},
                "relay": {"url": f"smtp://127.0.0.1:{relay}", "sessions": 2},
                "bots": {"enabled": False},
            }
        )
        url = sections.get("database", {}).get("url", url)
        create_database(url)
        self.start(days)
        self.store = Store(url)

    async def _relay(self) -> int:
        self._server = await self._loop.loop.create_server(
            lambda: SMTP(self._sink, hostname="relay.example.net", loop=self._loop.loop),
            "127.0.0.1",
            0,
        )
        return int(self._server.sockets[0].getsockname()[1])

    def _write(self, own: Sections) -> None:
        lines = []
        for name in {**own, **self._sections}:
            lines.append(f"[{name}]")
            keys = {**own.get(name, {}), **self._sections.get(name, {})}
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        self.config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self, days: float = 0.0) -> None:
        """Start it, after `stop` as well."""
        self.days = days
        program = ["tools.faults.jumped", str(days)] if days else ["pbm"]
        self.daemon = ServerProcess(self.config, program=program)
        self.daemon.await_ready()
        self._client: smtplib.SMTP | None = None

    @property
    def ports(self) -> dict[str, int]:
        """Where it listens, by kind."""
        return {kind: self.daemon.port(kind) for kind in self.daemon.places}

    @property
    def port(self) -> int:
        """Where it takes mail by SMTP."""
        return self.daemon.port()

    def said(self) -> str:
        """Return its log."""
        return self.daemon.read_log()

    def clock(self) -> float:
        """Return its time."""
        return time.time() + self.days * 86400

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Have it take a mail by SMTP."""
        if self._client is None:
            self._client = smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            self._client.sendmail(envelope_from, [recipient], raw)
        except (smtplib.SMTPException, UnicodeError):
            self._client.rset()
            raise

    def offer(self, envelope_from: str, recipient: str, raw: bytes) -> bool:
        """Whether it takes a mail by SMTP, which it may refuse for what is in it."""
        try:
            self.take(envelope_from, recipient, raw)
        except smtplib.SMTPDataError:
            return False
        return True

    def hand_over(self, envelope_from: str, recipient: str, raw: bytes) -> str:
        """Return the reply when a mail server in front hands over a mail by LMTP."""
        with Dialogue(self.daemon.port("lmtp")) as client:
            client.says(b"LHLO mx.example")
            client.says(b"MAIL FROM:<" + envelope_from.encode() + b">")
            client.says(b"RCPT TO:<" + recipient.encode() + b">")
            client.says(b"DATA")
            return client.says(raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.")

    def rests(self) -> None:
        """Wait until it has done everything and sent all."""
        until(lambda: not self._waiting(), "the server does not come to rest", PATIENCE)

    def _waiting(self) -> int:
        with self.store.reading() as session:
            return sum(
                session.execute(
                    select(func.count()).select_from(table).where(table.c.state == "waiting")
                ).scalar_one()
                for table in (inbound, outbound)
            )

    def settle(self) -> list[tuple[str, bytes]]:
        """Return what it has sent since the last call, when it has come to rest."""
        self.rests()
        return self._sink.taken()

    def tick(self, every: float) -> None:
        """Do nothing: its clockwork ticks by itself."""

    def memory(self) -> int:
        """Return the MiB that it has in memory."""
        status = Path(f"/proc/{self.daemon.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) // 1024

    def stop(self) -> None:
        """Send SIGTERM and wait until the server has ended by itself."""
        if self._client is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                self._client.quit()
        self.daemon.end()

    def restart(self, days: float) -> None:
        """End it and start it again, that many days after now."""
        self.stop()
        self.start(days)

    def close(self) -> None:
        """End it, whatever state it is in."""
        try:
            if not self.daemon.is_closed:
                self.stop()
        finally:
            self.daemon.kill()
            self.store.close()
            self._server.close()
            self._loop.close()


class Dialogue:
    """A client that says lines, in any pieces, and hears replies."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._file = self.socket.makefile("rb")
        self.greeting = self.hears()

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self.socket.close()

    def hears(self) -> str:
        """Return the last line of a reply; "" when the connection is closed."""
        try:
            line = self._file.readline()
            while line[3:4] == b"-":
                line = self._file.readline()
        except OSError:
            return ""
        return line.decode("latin-1")

    def sends(self, data: bytes) -> None:
        """Send octets; the other side may have closed."""
        with contextlib.suppress(OSError):
            self.socket.sendall(data)

    def says(self, line: bytes) -> str:
        """Send a line; its reply."""
        self.sends(line + b"\r\n")
        return self.hears()

    def encrypts(self) -> None:
        """Use TLS from now on, whoever it is."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._file.close()
        self.socket = context.wrap_socket(self.socket)
        self._file = self.socket.makefile("rb")

    def ends(self) -> list[str]:
        """Return the replies until the other side closes."""
        found = []
        while line := self.hears():
            found.append(line)
        return found
