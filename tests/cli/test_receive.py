"""The pipe of a mail server: stored before exit 0, and exit codes that it understands."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.config import Config, Server
from pbm.daemon.keys import load_secrets
from pbm.mail.execute import execute_mail
from pbm.mail.services import open_services
from pbm.store.engine import Store
from pbm.store.rows import Query
from pbm.store.tables import InboundRow, inbound
from tests.harness.mail_room import prepare
from tests.harness.shell import SERVER, Shell

_MAIL = (
    "From: ann@example.org\nTo: pbm@games.example\nSubject: list\n"
    "Message-ID: <1@example.org>\nDate: Mon, 2 Mar 2026 12:00:00 +0000\n\nhello\n"
)


def test_a_mail_is_in_the_journal(shell: Shell) -> None:
    shell.ok("receive", "--from", "ann@example.org", "--to", SERVER, stdin=_MAIL)
    shell.ok(
        "receive",
        "--to",
        "pbm+b1-0-5-aaaaaaaaaaaaaaaa@GAMES.example",
        stdin="From x\n" + _MAIL.replace("\n", "\r\n"),
    )
    second, first = shell.json("admin", "mails", "--in")
    assert (first["state"], first["who"], first["what"]) == (
        "waiting",
        "ann@example.org",
        "list ...",
    )
    assert second["mail"] == "in:2"
    assert shell.json("admin", "mail", "in:2")[0]["recipient"].startswith("pbm+b1-0-5-****@")


@pytest.mark.parametrize(
    ("sender", "stored", "outcome"),
    [
        ((), None, "done: list"),
        (("--from", ""), "", "a machine: null envelope sender"),
        (("--from", "<>"), "", "a machine: null envelope sender"),
        (("--from", "<ann@example.org>"), "ann@example.org", "done: list"),
    ],
)
def test_an_unknown_envelope_sender_is_not_the_null_sender(
    board: Shell, sender: tuple[str, ...], stored: str | None, outcome: str
) -> None:
    board.ok("receive", *sender, "--to", SERVER, stdin=_MAIL)
    store = Store(board.url)
    with store.writing() as session:
        (row,) = session.all(Query(InboundRow, select(inbound)))
        assert row.envelope_from == stored
        services = open_services(Config(server=Server(SERVER)), load_secrets(store))
        answers = execute_mail(services, session, prepare(services, session, row), row.received)
    store.close()
    (mail,) = board.json("admin", "mails", "--in")
    assert mail["what"] == outcome
    assert [answer["recipient"] for answer in answers] == ["ann@example.org"] * ("done" in outcome)


@pytest.mark.parametrize("address", ["x@games.example", "pbm@elsewhere.example", "pbm", ""])
def test_an_address_that_is_not_ours_is_67(shell: Shell, address: str) -> None:
    assert shell.run("receive", "--to", address, stdin=_MAIL).exit_code == 67
    assert shell.json("admin", "mails") == []


@pytest.mark.parametrize(
    ("more", "why"),
    [("\0", "the message contains NUL"), ("x\n" * 200000, "the mail has more than 262144 bytes")],
)
def test_what_cannot_be_read_is_set_aside(shell: Shell, more: str, why: str) -> None:
    """Any other exit code would have the mail server bounce it to whom it names as sender."""
    shell.ok("receive", "--from", "ann@example.org", "--to", SERVER, stdin=_MAIL + more)
    (mail,) = shell.json("admin", "mails", "--in")
    assert mail["state"] == "aside"
    assert why in shell.ok("admin", "mail", "in:1")


def test_our_own_failures_are_75(shell: Shell) -> None:
    shell.write("postgresql://127.0.0.1:1/x", "")
    assert shell.run("receive", "--to", SERVER, stdin=_MAIL).exit_code == 75
    shell.config.write_text("nonsense", encoding="utf-8")
    assert shell.run("receive", "--to", SERVER, stdin=_MAIL).exit_code == 75
