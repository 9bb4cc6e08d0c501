"""A daemon as a process, and a client that notes what the daemon accepted."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import select

from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound
from tests.harness.databases import all_rows, create_database
from tests.harness.servers import ServerProcess, until

_CONFIG = """
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "maildir:{folder}/mail"
[bots]
enabled = false
[players]
confirm_addresses = false
[limits]
unproved_a_day = 0
strangers_an_hour = 0
"""
_TOO_MUCH = re.compile(r"/|\.db|sql|trace|error|errno|disk|insert|lock|readonly", re.IGNORECASE)
PATIENCE = 60.0


class Served:
    """A daemon on a database, and a client that notes what was accepted."""

    def __init__(self, folder: Path, url: str, prefix: Sequence[str] = ()) -> None:
        self.url = url
        self.folder = folder
        self.accepted: list[str] = []
        self.configure(folder, url)
        create_database(url)
        self._server = ServerProcess(folder / "pbm.toml", prefix=prefix)
        self.process = self._server.process
        self._sent = 0

    @staticmethod
    def configure(folder: Path, url: str) -> None:
        """Write the configuration."""
        (folder / "pbm.toml").write_text(_CONFIG.format(url=url, folder=folder))

    def waits(self) -> None:
        """Wait until it is ready."""
        self.port = self._server.await_ready().port()

    def mail(self) -> bool:
        """Send a mail. Return whether it was accepted. A refusal must be temporary and reveal
        nothing."""
        self._sent += 1
        key = f"<{self._sent}@mta.example>"
        mail = f"From: ann@example.org\r\nSubject: games\r\nMessage-ID: {key}\r\n\r\n"
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt("pbm@localhost")
            code, reply = client.data(mail + 7 * (700 * "x" + "\r\n"))  # few words: it is answered
        said = reply.decode()
        if code == 250:
            self.accepted.append(key)
            return True
        assert 400 <= code < 500, said
        assert not _TOO_MUCH.search(said), said
        return False

    def mails_until(self, wanted: bool) -> None:
        """Send mails until one is accepted, or refused."""
        until(lambda: self.mail() is wanted, f"no mail was {'accepted' if wanted else 'refused'}")

    def sends(self) -> None:
        """Wait until everything is answered, however long the daemon rests after a failure."""

        def is_sent() -> bool:
            with store.reading() as session:
                states = select(outbound.c.state).distinct()
                return session.execute(states).scalars().all() == ["sent"]

        until(lambda: "waiting" not in self.states().values(), "mails wait")
        store = Store(self.url)
        until(is_sent, "mails are not sent")
        store.close()

    def end(self) -> str:
        """Check that every accepted mail has one outcome and one answer, and that SIGTERM ends the
        daemon. Return its log."""
        until(lambda: "waiting" not in self.states().values(), "mails wait")
        self._server.end()
        states = self.states()
        assert {key: states.get(key) for key in self.accepted} == dict.fromkeys(
            self.accepted, "done"
        )
        answers = (self.folder / "mail" / "ann@example.org" / "new").glob("*")
        texts = [path.read_text() for path in answers]
        for key in self.accepted:
            replies = [text for text in texts if f"In-Reply-To: {key}" in text]
            assert len(replies) == 1, (key, len(replies))
        return self._server.read_log()

    def states(self) -> dict[str, str]:
        """Return the states of the mails by Message-ID."""
        store = Store(self.url)
        with store.reading() as session:
            rows = all_rows(session, select(inbound.c.raw, inbound.c.state))
        store.close()
        found = {}
        for raw, state in rows:
            match = re.search(rb"Message-ID: (\S+)", bytes(raw))
            key = match[1].decode() if match else ""
            assert key not in found
            found[key] = state
        return found

    def close(self) -> None:
        """End the daemon if it still runs."""
        self._server.kill()


Serve = Callable[..., Served]
