"""SMTP sessions over raw sockets against a whole daemon: what is accepted, what is refused, and the
replies to internal errors."""

from __future__ import annotations

import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select, text

from pbm.config import Bots, Config, Database, Limits, Players, Relay, Smtp
from pbm.mail import smtp
from pbm.store.tables import inbound
from tests.harness.conversation import Clock
from tests.harness.databases import all_rows
from tests.harness.servers import Running, Sockets

MAIL = b"From: ann@example.org\r\nSubject: help\r\nMessage-ID: <1@x>\r\n\r\n\r\n.\r\n"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Sockets]:
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        players=Players(confirm_addresses=False),
        limits=replace(Limits(), size=20_000, sessions=6),
    )
    opened = Sockets(config, Clock())
    yield opened
    opened.close()


class Dialogue:
    """A client that says lines and hears replies."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.file = self.socket.makefile("rb")

    def hears(self) -> str:
        line = self.file.readline()
        while line[3:4] == b"-":
            line = self.file.readline()
        return line.decode()

    def says(self, line: bytes) -> str:
        self.socket.sendall(line + b"\r\n")
        return self.hears()

    def begins(self, recipient: bytes = b"pbm@localhost") -> str:
        """Up to the reply to DATA."""
        self.hears()
        self.says(b"EHLO test")
        self.says(b"MAIL FROM:<ann@example.org>")
        reply = self.says(b"RCPT TO:<" + recipient + b">")
        return self.says(b"DATA") if reply.startswith("250") else reply

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def client(door: Sockets) -> Iterator[Dialogue]:
    opened = Dialogue(door.port)
    yield opened
    opened.close()


def journalled(door: Sockets) -> int:
    with door.store.reading() as session:
        return int(session.execute(select(func.count()).select_from(inbound)).scalar_one())


def test_our_address_is_taken_in_any_case_and_with_a_subaddress(client: Dialogue) -> None:
    assert client.begins(b"PBM+b1-0-1-abcdefghijklmnop@LocalHost").startswith("354")
    client.socket.sendall(MAIL)
    assert client.hears().startswith("250")


@pytest.mark.parametrize(
    "address",
    [b"ann@localhost", b"pbm@example.org", b"pbmx@localhost", b"postmaster@example.org"],
)
def test_another_address_is_refused(client: Dialogue, address: bytes) -> None:
    assert client.begins(address).startswith("550")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"Subject: help\r\n\r\na\0b", "554"),
        (b"Subject: help\rX: y\r\n\r\n", "554"),
        (b"Subject: help\r\n\r\n" + b"x" * 9000, "554"),
        (b"Subject: help\r\n\r\n" + b"line\r\n" * 4000, "552"),
    ],
    ids=["NUL", "bare CR", "a long line", "too large"],
)
def test_what_breaks_a_limit_is_refused(
    door: Sockets, client: Dialogue, content: bytes, code: str
) -> None:
    client.begins()
    client.socket.sendall(content + b"\r\n.\r\n")
    assert client.hears().startswith(code)
    assert journalled(door) == 0


def test_a_line_is_as_long_as_programs_write_it(door: Sockets, client: Dialogue) -> None:
    """8 KiB, where RFC 5321 has 998: the line is read, and the comment goes to the opponent."""
    client.begins()
    client.socket.sendall(
        b"From: ann@example.org\r\nSubject: help\r\n\r\n" + b"x" * 8000 + b"\r\n.\r\n"
    )
    assert client.hears().startswith("250")
    assert [recipient for recipient, _ in door.settle()] == ["ann@example.org"]


def test_dots_are_unstuffed_and_a_bare_lf_ends_no_mail(door: Sockets, client: Dialogue) -> None:
    """A bare LF is taken as it came; the reader takes it for the end of a line."""
    client.begins(b"postmaster@localhost")  # kept as it came, and never executed
    text = b"Subject: x\r\n\r\n..\r\n...a\r\nb.\r\n\n.\nc\n.\r\n..\r\n"
    client.socket.sendall(text + b".\r\nNOOP\r\n")
    assert client.hears().startswith("250 2.0.0 Ok: mail")
    assert client.hears().startswith("250")
    with door.store.reading() as session:
        (raw,) = session.execute(select(inbound.c.raw)).scalars()
    assert raw == b"Subject: x\r\n\r\n.\r\n..a\r\nb.\r\n\n.\nc\n.\r\n.\r\n"


@pytest.mark.parametrize("more", range(-4, 4))
def test_a_dot_alone_ends_the_mail_wherever_it_is_cut(more: int, tmp_path: Path) -> None:
    """Also across the 64 KiB that are read at once."""
    config = Config(database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"))
    raw = b"Subject: x\r\n\r\n" + b"x".ljust(62, b"y").join([b"\r\n"] * 1024)
    raw = raw[: 65536 + more - 3].rstrip(b"\r\n")
    with closing(Sockets(config, Clock())) as door, closing(Dialogue(door.port)) as client:
        client.begins(b"postmaster@localhost")  # kept as it came, and never executed
        for piece in (raw, b"\r", b"\n.", b"\r\nNOO", b"P\r\n"):
            client.socket.sendall(piece)
            time.sleep(0.01)
        assert client.hears().startswith("250 2.0.0 Ok: mail")
        assert client.hears().startswith("250")
        with door.store.reading() as session:
            assert session.execute(select(inbound.c.raw)).scalar_one() == raw + b"\r\n"


def test_an_empty_mail_ends_at_once(door: Sockets, client: Dialogue) -> None:
    client.begins()
    client.socket.sendall(b".\r\n")
    assert client.hears().startswith("250")
    assert journalled(door) == 1


def test_commands_may_come_together(door: Sockets, client: Dialogue) -> None:
    """RFC 2920: each gets its reply, in order; one that is refused does not change the others."""
    client.hears()
    assert client.says(b"EHLO test").startswith("250")
    envelope = b"MAIL FROM:<ann@example.org>\r\nRCPT TO:<%b@localhost>\r\nDATA\r\n"
    client.socket.sendall(envelope % b"pbm")
    assert [client.hears()[:3] for _ in range(3)] == ["250", "250", "354"]
    client.socket.sendall(MAIL + b"RSET\r\n" + envelope % b"nobody")
    replies = [client.hears()[:3] for _ in range(5)]
    assert replies == ["250", "250", "250", "550", "503"]
    assert client.says(b"NOOP").startswith("250")
    assert journalled(door) == 1


def test_nobody_can_log_in(certificates: Path, tmp_path: Path) -> None:
    """AUTH is not offered, before STARTTLS or after it."""
    key, certificate = str(certificates / "key.pem"), str(certificates / "cert.pem")
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        bots=Bots(enabled=False),
        smtp=Smtp("127.0.0.1:0", certificate, key),
        relay=Relay(f"maildir:{tmp_path / 'mail'}"),
    )
    with Running(config) as running, smtplib.SMTP("127.0.0.1", running.port("smtp")) as client:
        client.ehlo()
        offered = {"pipelining", "size", "8bitmime", "smtputf8", "help"}
        assert set(client.esmtp_features) == {*offered, "starttls"}
        client.starttls(context=ssl.create_default_context(cafile=certificate))
        client.ehlo()
        assert set(client.esmtp_features) == offered
        assert client.docmd("AUTH", "PLAIN AGFubgBTZXNhbWU=")[0] == 502
        assert client.docmd("AUTH", "LOGIN")[0] == 502
        assert client.docmd("NOOP")[0] == 250


def test_commands_that_come_together_are_answered_in_turn(door: Sockets, client: Dialogue) -> None:
    """RFC 2920."""
    client.hears()
    client.says(b"EHLO test")
    group = b"MAIL FROM:<ann@example.org>\r\nRCPT TO:<pbm@localhost>\r\nDATA"
    assert client.says(group).startswith("250")
    assert client.hears().startswith("250 2.1.5")
    assert client.hears().startswith("354")
    client.socket.sendall(MAIL)
    assert client.hears().startswith("250 2.0.0 Ok: mail")
    assert client.says(b"RSET\r\nNOOP\r\nQUIT").startswith("250")
    assert client.hears().startswith("250")
    assert client.hears().startswith("221")
    assert client.hears() == ""
    assert len(door.settle()) == 1


@pytest.mark.parametrize("address", [b"postmaster@localhost", b"PostMaster"])
def test_the_postmaster_is_the_operator(door: Sockets, client: Dialogue, address: bytes) -> None:
    """RFC 5321 4.5.1. It is kept to be read; nothing in it is executed, nobody is answered."""
    assert client.begins(address).startswith("354")
    client.socket.sendall(MAIL)
    assert client.hears().startswith("250")
    assert door.settle() == []
    with door.store.reading() as session:
        (row,) = all_rows(session, select(inbound))
    assert (row.state, row.raw) == ("done", MAIL[:-3])
    assert row.outcome.startswith("a mail to the postmaster")


def test_a_mail_to_us_and_the_postmaster_is_to_us(door: Sockets, client: Dialogue) -> None:
    client.hears()
    client.says(b"EHLO test")
    client.says(b"MAIL FROM:<ann@example.org>")
    client.says(b"RCPT TO:<postmaster@localhost>")
    client.says(b"RCPT TO:<pbm@localhost>")
    client.says(b"DATA")
    client.socket.sendall(MAIL)
    assert client.hears().startswith("250")
    assert [recipient for recipient, _ in door.settle()] == ["ann@example.org"]


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n"])
def test_a_smuggled_end_of_data_begins_no_second_mail(
    door: Sockets, client: Dialogue, end: bytes
) -> None:
    client.begins()
    second = b"MAIL FROM:<eve@example.org>\r\nRCPT TO:<pbm@localhost>\r\nDATA\r\n"
    client.socket.sendall(MAIL[:-5] + b"x" + end + second + b"Subject: list\r\n\r\nx\r\n.\r\n")
    client.hears()
    client.socket.sendall(b"QUIT\r\n")
    assert journalled(door) <= 1


def test_a_flood_without_a_line_end_is_cut_off(door: Sockets, client: Dialogue) -> None:
    client.begins()
    sent = 0
    try:
        while sent < 50_000_000:
            sent += client.socket.send(b"x" * 65536)
    except OSError:
        pass
    assert sent < 20_000_000
    assert journalled(door) == 0


def test_a_session_has_its_seconds_for_each_mail_whatever_it_says(tmp_path: Path) -> None:
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        players=Players(confirm_addresses=False),
        limits=replace(Limits(), session_seconds=3),
    )
    with closing(Sockets(config, Clock())) as door:
        busy, slow = Dialogue(door.port), Dialogue(door.port)
        assert busy.begins().startswith("354")
        slow.hears()
        said = ""
        for _ in range(50):
            busy.socket.sendall(MAIL)
            assert busy.hears().startswith("250")
            for line in (b"MAIL FROM:<ann@example.org>", b"RCPT TO:<pbm@localhost>", b"DATA"):
                busy.says(line)
            said = said if said.startswith("421") else slow.says(b"NOOP")
            time.sleep(0.1)
        assert said == "421 4.4.2 too slow, come back later\r\n"
        for session in (busy, slow):
            session.close()


def test_a_client_that_reads_nothing_keeps_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replies to its commands fill every buffer on the way: the last line cannot be sent."""
    monkeypatch.setattr(smtp, "_LINGER", 0.5)
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        limits=replace(Limits(), session_seconds=4),
    )
    with closing(Sockets(config, Clock())) as door, closing(socket.socket()) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", door.port))
        deaf.settimeout(1)
        ended, late = False, time.monotonic() + 20
        while not ended and time.monotonic() < late:
            try:
                deaf.sendall(b"HELP\r\n" * 1000)
            except TimeoutError:
                continue
            except OSError:
                ended = True
        assert ended


def test_idle_sessions_do_not_starve_a_normal_one(door: Sockets) -> None:
    idle = [Dialogue(door.port) for _ in range(6)]
    for session in idle:
        session.hears()
    time.sleep(5.5)
    normal = Dialogue(door.port)
    assert normal.begins().startswith("354")
    normal.socket.sendall(MAIL)
    assert normal.hears().startswith("250")
    for session in [*idle, normal]:
        session.close()


def test_a_store_that_cannot_write_is_a_temporary_error_without_details(
    door: Sockets, client: Dialogue
) -> None:
    with door.store.writing() as session:
        session.execute(text("ALTER TABLE inbound RENAME TO elsewhere"))
    client.begins()
    client.socket.sendall(MAIL)
    reply = client.hears()
    assert reply.startswith("451")
    assert not any(word in reply.lower() for word in ("insert", "sql", "inbound", "traceback"))
    with door.store.writing() as session:
        session.execute(text("ALTER TABLE elsewhere RENAME TO inbound"))
    client.says(b"RSET")
    client.says(b"MAIL FROM:<ann@example.org>")
    client.says(b"RCPT TO:<pbm@localhost>")
    assert client.says(b"DATA").startswith("354")
    client.socket.sendall(MAIL)
    assert client.hears().startswith("250")


def test_a_client_that_vanishes_after_the_dot_and_sends_again_has_one_effect(
    door: Sockets, client: Dialogue
) -> None:
    client.begins()
    client.socket.sendall(MAIL)
    client.close()
    again = Dialogue(door.port)
    again.begins()
    again.socket.sendall(MAIL)
    assert again.hears().startswith("250")
    again.close()
    mails = [recipient for recipient, _ in door.settle()]
    assert mails == ["ann@example.org"]  # one answer for both
