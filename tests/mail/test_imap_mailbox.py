"""Which mails of a mailbox are ours, and how a mailbox is named (tests/e2e fetches real ones)."""

from __future__ import annotations

import re
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import ClassVar

import pytest
from msgspec.structs import replace

from pbm.config import Config, ConfigError, Imap, Server
from pbm.mail.imap import Account, Fetcher, find_recipient, parse_account
from tests.harness.mail_programs import until

CONFIG = Config(server=Server("Games.Pbm@host.example"))
TOKEN = "games.pbm+b17-0-5-abcdefghijklmnop@host.example"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("To: games.pbm@host.example", "games.pbm@host.example"),
        (f'To: "pbm, the server" <{TOKEN}>, bob@x.example', TOKEN),
        (f"To: bob@x.example\r\nCc: a@b.example,\r\n <{TOKEN}>", TOKEN),
        (f"To: games.pbm@host.example\r\nCc: {TOKEN}", TOKEN),
        (f"Delivered-To: GAMES.PBM@host.example\r\nTo: {TOKEN}", "GAMES.PBM@host.example"),
        (f"X-Original-To: {TOKEN}\r\nDelivered-To: games.pbm@host.example", TOKEN),
        (f"Delivered-To: box7@host.example\r\nTo: {TOKEN}", TOKEN),
        ("To: games@host.example", ""),
        ("To: games.pbm@host.example.net", ""),
        ("To: xgames.pbm@host.example", ""),
        ("To: list@x.example\r\nSubject: games.pbm@host.example", ""),
        ("", ""),
    ],
)
def test_the_recipient_of_a_mail_without_an_envelope(head: str, wanted: str) -> None:
    raw = f"From: ann@example.org\r\n{head}\r\n\r\nTo: {TOKEN}\r\n".encode()
    assert find_recipient(CONFIG, raw) == wanted


def test_a_header_that_costs_too_much_names_nobody() -> None:
    assert find_recipient(CONFIG, b"X: y\r\n" * 20000 + f"To: {TOKEN}\r\n\r\n".encode()) == ""


def test_the_url_of_a_mailbox() -> None:
    assert parse_account("imaps://ann%40x.example:p%3A%2F@imap.x.example/Games/In") == Account(
        "imaps", "imap.x.example", 993, "ann@x.example", "p:/", "Games/In"
    )
    assert parse_account("imap+starttls://ann:pw@[::1]:1143").folder == "INBOX"
    assert parse_account("imap+starttls://ann:pw@[::1]:1143").port == 1143


@pytest.mark.parametrize("url", ["imaps://host/INBOX", "pop3://a:b@host", "a@b", "imaps://a:b@"])
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(ConfigError, match="imaps://USER:PASSWORD@HOST/INBOX") as error:
        Fetcher(Config(imap=Imap(url=url)), lambda _row: 0, lambda: 0.0)
    assert url not in str(error.value)


RAW = f"From: ann@example.org\r\nTo: {TOKEN}\r\n\r\nd4\r\n".encode()
NEWS = b"* 1 EXISTS\r\n"


class Mailbox(StreamRequestHandler):
    """A mailbox with a mail, and a second that comes at `comes`: while the first is moved, or as
    the permission to wait is sent, in one packet with it. It tells that once, as IMAP does."""

    comes = ""
    mails: ClassVar[list[str]] = []

    def handle(self) -> None:
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1 IDLE MOVE] here\r\n")
        for line in self.rfile:
            tag, command = line.decode().rstrip().split(" ", 1)
            self.wfile.write(self.answers(tag, command))

    def answers(self, tag: str, command: str) -> bytes:
        """What the mailbox says to a command."""
        done = f"{tag} OK done\r\n".encode()
        match re.sub(r"^UID (\w+) .*", r"\1", command).split():
            case ["CAPABILITY"]:
                return b"* CAPABILITY IMAP4rev1 IDLE MOVE\r\n" + done
            case ["LIST", *_]:
                return b'* LIST () "/" pbm\r\n' + done
            case ["STATUS", *_]:
                return (
                    b"* STATUS INBOX (MESSAGES 0 RECENT 0 UIDNEXT 9 UIDVALIDITY 1 UNSEEN 0)\r\n"
                    + done
                )
            case ["SEARCH"]:
                return f"* SEARCH {' '.join(self.mails)}\r\n".encode() + done
            case ["FETCH"]:
                head = f"* 1 FETCH (RFC822.SIZE {len(RAW)} BODY[] {{{len(RAW)}}}\r\n".encode()
                return head + RAW + b")\r\n" + done
            case ["MOVE"]:
                self.mails.pop()
                if self.comes == "between other answers":
                    return b"* 1 EXPUNGE\r\n" + self.next_mail() + done
                return b"* 1 EXPUNGE\r\n" + done
            case ["LOGOUT"]:
                return b"* BYE\r\n" + done
            case ["IDLE"]:
                self.wfile.write(b"+ waiting\r\n" + self.next_mail())
                assert self.rfile.readline() == b"DONE\r\n"
                return done
        return done

    def next_mail(self) -> bytes:
        """Let the second mail come, the first time."""
        comes, type(self).comes = self.comes, ""
        if comes:
            self.mails.append("2")
        return NEWS if comes else b""


@pytest.mark.parametrize("comes", ["between other answers", "with the permission to wait"])
def test_a_mail_that_comes_while_another_is_fetched_is_not_left_waiting(comes: str) -> None:
    Mailbox.comes, Mailbox.mails = comes, ["1"]
    taken: list[object] = []
    with ThreadingTCPServer(("127.0.0.1", 0), Mailbox) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"imap://ann:pw@127.0.0.1:{server.server_address[1]}/INBOX"
        fetcher = Fetcher(replace(CONFIG, imap=Imap(url, 600)), taken.append, lambda: 0.0)
        fetcher.start()
        try:
            until(lambda: len(taken) == 2, lambda: f"{fetcher.trouble}, {len(taken)} fetched")
        finally:
            fetcher.stop()
            server.shutdown()
