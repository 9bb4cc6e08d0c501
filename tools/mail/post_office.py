"""A post office on loopback for mail programs: Postfix, Dovecot, and a server that plays by them.

Everybody has an address at example.test and the same password for the mailbox. The player of each
program meets Kim at a board of chess of their own."""

from __future__ import annotations

import imaplib
import re
import shutil
import smtplib
import tempfile
import time
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import func, select

from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.e2e.players import mailbox, text
from tests.harness.databases import create_database, free_port
from tests.harness.mail_programs import PASSWORD, Dovecot, Postfix
from tests.harness.servers import ServerProcess

SERVER = "pbm@games.test"
_COPIES = "copies@example.test"
"""Gets a copy of every mail as it came to Postfix."""
_PATIENCE = 60.0
_CONFIG = """
[server]
address = "{server}"
[database]
url = "{url}"
[smtp]
listen = ""
[lmtp]
listen = "127.0.0.1:{lmtp}"
[relay]
url = "smtp://127.0.0.1:{smtp}"
[players]
confirm_addresses = false
[bots]
enabled = false
"""


class PostOffice:
    """`smtp` and `imap` are the ports that mail programs need."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pbm-post-"))
        self.folder.chmod(0o755)
        dovecot = Dovecot(self.folder)
        lmtp, config = free_port(), self.folder / "pbm.toml"
        ports = {"example.test": dovecot.lmtp}
        more = f"always_bcc = {_COPIES}\n"
        postfix = Postfix(self.folder, ports, lmtp, Path("/bin/false"), more)
        self._services = (postfix, dovecot)
        self.imap, self.smtp = dovecot.imap, postfix.smtp
        url = f"sqlite:///{self.folder}/pbm.db"
        config.write_text(_CONFIG.format(server=SERVER, url=url, lmtp=lmtp, smtp=self.smtp))
        create_database(url)
        self._store = Store(url)
        self._server = ServerProcess(config).await_ready()
        self.send("kim", f"signup kim {_invent('kim')}")

    def __enter__(self) -> PostOffice:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.end()
        self._store.close()
        for service in self._services:
            service.stop()
        shutil.rmtree(self.folder)

    def send(self, name: str, subject: str) -> None:
        """Mail a command, and wait until it is executed."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"{name}@example.test", SERVER, subject
        count = self.count_executed()
        with smtplib.SMTP("127.0.0.1", self.smtp) as client:
            client.send_message(message)
        self.await_mails(count + 1)

    def begin(self, name: str) -> int:
        """Sign somebody up, and begin a board with Kim. Return its number."""
        self.send(name, f"signup {name} {_invent(name)}")
        self.send(name, f"chess challenge {name} kim")
        return self.await_board(name, 0)

    def answer(self, board: int, move: str) -> None:
        """Let Kim move."""
        self.send("kim", f"chess move {board} kim {_invent('kim')} {move}")

    def count_executed(self) -> int:
        """Return how many mails the server has received and executed."""
        done = select(func.count()).where(inbound.c.state == "done")
        with self._store.reading() as session:
            return int(session.execute(done).scalar_one())

    def await_mails(self, count: int) -> None:
        """Wait until the server has executed so many mails."""
        deadline = time.monotonic() + _PATIENCE
        while (found := self.count_executed()) < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{found} mails of {count} have come")
            time.sleep(0.2)

    def await_board(self, name: str, ply: int) -> int:
        """Return the number of somebody's board, once its mail of that ply has come."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            for each in mailbox(self.imap, f"{name}@example.test"):
                begun = re.match(r"\[chess (\d+)\]", str(each["Subject"]))
                if begun and f'[Ply "{ply}"]' in text(each):
                    return int(begun[1])
            time.sleep(0.2)
        raise TimeoutError(f"no board of ply {ply} has come")

    def find_sent(self, name: str) -> bytes:
        """Return the last mail to the server that came from somebody."""
        with imaplib.IMAP4("127.0.0.1", self.imap, timeout=_PATIENCE) as client:
            client.login(_COPIES, PASSWORD)
            client.select(readonly=True)
            found = client.search(None, "FROM", f"{name}@example.test")[1][0].split()
            part = client.fetch(found[-1].decode(), "(BODY.PEEK[])")[1][0]
        assert isinstance(part, tuple)
        return bytes(part[1])


def _invent(name: str) -> str:
    """Return the password of somebody."""
    return f"Sesame-{name}"
