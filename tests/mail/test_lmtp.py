"""LMTP as a mail server speaks it: one reply for each recipient, and the mail executes once."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.config import Bots, Config, Database, Limits, Lmtp, Players, Relay, Server, Smtp
from tests.harness.mail import mail
from tests.harness.servers import Running

SERVER = "pbm@games.example"


@pytest.fixture
def running(sqlite_url: str, tmp_path: Path) -> Iterator[Running]:
    config = Config(
        server=Server(SERVER),
        database=Database(sqlite_url),
        smtp=Smtp(listen=""),
        lmtp=Lmtp(listen="127.0.0.1:0"),
        relay=Relay(url=f"maildir:{tmp_path / 'mail'}"),
        players=Players(confirm_addresses=False),
        bots=Bots(enabled=False),
        limits=Limits(size=20000),
    )
    with Running(config) as running:
        yield running


class Dialogue:
    """A client that says lines and reads replies."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._file = self._socket.makefile("rwb")
        assert self.reply().startswith("220")

    def lines(self) -> list[str]:
        """The lines of one reply."""
        found = [self._file.readline().decode().rstrip("\r\n")]
        while found[-1][3:4] == "-":
            found.append(self._file.readline().decode().rstrip("\r\n"))
        return found

    def reply(self) -> str:
        """The last line of one reply."""
        return self.lines()[-1]

    def sends(self, line: str) -> None:
        self._file.write(line.encode() + b"\r\n")
        self._file.flush()

    def says(self, line: str) -> str:
        self.sends(line)
        return self.reply()

    def hands_over(self, raw: bytes, *recipients: str) -> list[str]:
        """The replies after DATA: as many as there are until the one to NOOP."""
        assert self.says("MAIL FROM:<ann@example.org>").startswith("250")
        for recipient in recipients:
            self.says(f"RCPT TO:<{recipient}>")
        assert self.says("DATA").startswith("354")
        self._file.write(raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.\r\nNOOP\r\n")
        self._file.flush()
        found: list[str] = []
        while True:
            line = self.reply()
            if line.startswith("250") and "mail" not in line:
                return found
            found.append(line)

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@pytest.fixture
def client(running: Running) -> Iterator[Dialogue]:
    dialogue = Dialogue(running.port("lmtp"))
    assert dialogue.says("LHLO mx.example").startswith("250")
    yield dialogue
    dialogue.close()


def test_the_greeting_is_lhlo(running: Running) -> None:
    dialogue = Dialogue(running.port("lmtp"))
    assert dialogue.says("EHLO mx.example").startswith("500")
    assert dialogue.says("LHLO mx.example").startswith("250")
    dialogue.close()


def test_two_recipients_two_replies_one_execution(running: Running, client: Dialogue) -> None:
    raw = mail("", sender="ann@example.org", subject="signup ann secret-1")
    replies = client.hands_over(raw, "pbm+list@games.example", SERVER)
    assert [reply[:9] for reply in replies] == ["250 2.0.0", "250 2.0.0"]
    again = client.hands_over(raw, SERVER)
    assert [reply[:9] for reply in again] == ["250 2.0.0"]
    outcomes = [row.outcome for row in running.mails()]
    assert outcomes[0].startswith("done: signup ann")
    assert outcomes[1:] == ["a copy of mail 1"]
    assert [row.recipient for row in running.sent()] == ["ann@example.org"]


def test_a_refused_recipient_has_no_reply_after_the_mail(
    running: Running, client: Dialogue
) -> None:
    raw = mail("", sender="ann@example.org", subject="help")
    replies = client.hands_over(raw, "eve@games.example", SERVER, "pbm@elsewhere.example")
    assert [reply[:3] for reply in replies] == ["250"]
    assert len(running.mails()) == 1


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (mail("x" * 9000, subject="help"), "a line is longer than 8192 octets"),
        (mail("x" * 70_000, subject="help"), "the mail has more than 20000 bytes"),
        (mail(*["x" * 70] * 400, subject="help"), "the mail has more than 20000 bytes"),
        (mail("a\0b", subject="help"), "the message contains NUL"),
        (mail("a\rb", subject="help"), "the message contains a bare CR"),
        (mail("a", subject="\r\n ".join(["=?utf-8?q?a?="] * 400)), "the subject has more than"),
        (mail("a", subject="x" * 9000), "a line is longer than"),
        (mail("a", headers=("X: y",) * 1100), "the header exceeds"),
        (
            mail("a", headers=("Content-Type: multipart/mixed; boundary=a",) * 110),
            "the message has",
        ),
    ],
)
def test_what_cannot_be_read_is_set_aside_and_never_bounced(
    running: Running, client: Dialogue, raw: bytes, why: str
) -> None:
    """The mail server in front has said 250 already: a 5xx would have it mail a bounce to whomever
    the mail names as its sender."""
    replies = client.hands_over(raw, SERVER, "pbm+x@games.example", "pbm+y@games.example")
    assert [reply[:9] for reply in replies] == ["250 2.0.0"] * 3
    (row,) = running.mails()
    assert (row.state, row.via, row.peer) == ("aside", "lmtp", "127.0.0.1")
    assert row.outcome.startswith(why)
    assert b"From: Ann" in row.raw
    assert row.raw.endswith(b"\r\n(text removed)\r\n")
    assert not any(part in row.raw for part in (b"Subject", b"help", b"xxx"))
    assert running.sent() == []
    assert client.hands_over(mail("", subject="help"), SERVER, "pbm+x@games.example") != []
    assert len(running.mails()) == 2


def test_no_limit_of_size_is_announced(running: Running) -> None:
    """A mail server that is told one bounces what exceeds it without asking."""
    dialogue = Dialogue(running.port("lmtp"))
    dialogue.sends("LHLO mx.example")
    assert "SIZE" not in " ".join(dialogue.lines())
    assert dialogue.says("MAIL FROM:<a@b.example> SIZE=100000000").startswith("250")
    dialogue.close()


def test_a_socket_file(sqlite_url: str, tmp_path: Path) -> None:
    where = tmp_path / "lmtp.sock"
    config = Config(
        server=Server(SERVER),
        database=Database(sqlite_url),
        smtp=Smtp(listen=""),
        lmtp=Lmtp(listen=f"unix:{where}"),
        relay=Relay(url=f"maildir:{tmp_path / 'mail'}"),
        bots=Bots(enabled=False),
    )
    with Running(config) as running:
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(where))
        with client, client.makefile("rwb") as file:
            assert file.readline().startswith(b"220")
            for line in (b"LHLO x", b"MAIL FROM:<>", b"RCPT TO:<pbm@games.example>"):
                file.write(line + b"\r\n")
                file.flush()
                reply = file.readline()
                while reply[3:4] == b"-":
                    reply = file.readline()
                assert reply.startswith(b"250"), reply
        assert running.mails() == []
