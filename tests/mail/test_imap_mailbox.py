"""Which mails of a mailbox are ours, and how a mailbox is named (tests/e2e fetches real ones)."""

from __future__ import annotations

import pytest

from pbm.config import Config, ConfigError, Imap, Server
from pbm.mail.imap import Account, Fetcher, find_recipient, parse_account

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
