"""An operator finds why a mail got no answer: each reason in words, with what to do."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from pbm.config import Config, Server, Trust
from pbm.core import retention
from pbm.daemon.keys import load_secrets
from pbm.mail.execute import execute_mail
from pbm.mail.services import open_services
from pbm.store import inbound_queue
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound
from tests.harness.databases import all_rows
from tests.harness.mail_room import prepare
from tests.harness.shell import MOVES, PASSWORDS, SERVER, Shell

_MOVE = f"cradle move 1 ann {PASSWORDS['ann']} {MOVES[0]}"


def _mail(shell: Shell, subject: str, sender: str = "ann@example.org", more: str = "") -> None:
    shell.ok(
        "receive",
        "--to",
        SERVER,
        stdin=(
            f"From: {sender}\nSubject: {subject}\nMessage-ID: <{subject.split()[0]}@x.example>\n"
            f"{more}\nhello\n"
        ),
    )


def _execute(shell: Shell) -> None:
    """What waits, as the worker does it."""
    store = Store(shell.url)
    services = open_services(
        Config(server=Server(SERVER), trust=Trust(newcomer=0)), load_secrets(store)
    )
    with store.writing() as session:
        for row in [
            *inbound_queue.claim_first(session, 99),
            *inbound_queue.claim_last(session, 99),
        ]:
            execute_mail(services, session, prepare(services, session, row), row.received)
    store.close()


def _incoming(shell: Shell, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = shell.json("admin", "mails", "--in", *options)
    return rows


def _change(shell: Shell, statement: object) -> None:
    store = Store(shell.url)
    with store.writing() as session:
        session.execute(statement)
    store.close()


def _said(shell: Shell, name: str) -> str:
    """Why and what to do, as `admin mail` prints it."""
    lines = shell.ok("admin", "mail", name).splitlines()
    said = dict(line.partition(" ")[::2] for line in lines if line[:4] in ("why ", "do  "))
    return " -> ".join(value.strip() for value in said.values())


@pytest.mark.parametrize(
    ("subject", "sender", "more", "said"),
    [
        (
            "list",
            "ann@example.org",
            "Auto-Submitted: auto-replied\n",
            "a program wrote it (Auto-Submitted): such mail is never answered",
        ),
        (
            "cradle show 99",
            "ann@example.org",
            "List-Id: <x.example>\n",
            "a machine is not told of errors: List-Id",
        ),
        ("list", "pbm@games.example", "", "it says that it comes from this server itself"),
        ("list", "ann@example.org, bob@example.org", "", "its From names nobody, several people"),
    ],
)
def test_mail_of_programs_and_of_nobody(
    board: Shell, subject: str, sender: str, more: str, said: str
) -> None:
    _mail(board, subject, sender, more)
    _execute(board)
    assert said in _said(board, "in:1")
    (listed,) = board.json("admin", "mails", "--unanswered")
    assert said in listed["why"]


def test_copies_strangers_limits_and_wishes(board: Shell) -> None:
    board.ok("set", "ann", "own=no", who="ann")
    for _ in range(2):
        _mail(board, _MOVE)
    for at in range(2):
        _mail(board, f"list {at}", "nobody@elsewhere.example")
    _mail(board, "Regards from Ulm")
    _execute(board)
    assert _said(board, "in:1") == "the player wants no copy of own moves: own=no -> -"
    assert _said(board, "in:2") == (
        "the same mail came before, as in:1, and is executed and answered once"
        " -> pbm admin mail in:1"
    )
    assert "a stranger, or an address that is not confirmed" in _said(board, "in:4")
    unanswered = {mail["mail"] for mail in board.json("admin", "mails", "--unanswered")}
    assert unanswered == {"in:2", "in:4"}  # the first has told bob
    rows = {mail["mail"]: mail for mail in _incoming(board)}
    codes = {name: (mail["code"], mail["no_answer"]) for name, mail in rows.items()}
    assert [codes[f"in:{number}"] for number in range(1, 6)] == [
        ("executed", "own_move"),
        ("duplicate", None),
        ("refused", None),
        ("refused", "stranger"),
        ("no_command", None),
    ]
    assert rows["in:4"]["refusals"] == rows["in:3"]["refusals"] == ["not_confirmed"]
    assert [mail["mail"] for mail in _incoming(board, "--why", "duplicate")] == ["in:2"]
    assert [mail["mail"] for mail in _incoming(board, "--why", "stranger")] == ["in:4"]
    assert board.json("admin", "mails", "--why", "banned") == []


def test_a_refused_mail_shows_its_codes_answered_or_not(board: Shell) -> None:
    _mail(board, "cradle show 99")
    _mail(board, "cradle show 98", more="List-Id: <x.example>\n")
    _mail(board, f"cradle move 1 bob {PASSWORDS['bob']} {MOVES[0]}", "bob@example.org")
    _execute(board)
    rows = {mail["mail"]: mail for mail in _incoming(board)}
    assert [rows[f"in:{number}"]["refusals"] for number in (1, 2, 3)] == [
        ["no_such_board"],
        ["no_such_board"],
        ["wrong_turn"],
    ]
    assert rows["in:2"]["why"] == "a machine is not told of errors: List-Id"
    by_code = {
        code: [mail["mail"] for mail in _incoming(board, "--why", code)]
        for code in ("no_such_board", "wrong_turn", "stale")
    }
    assert by_code == {"no_such_board": ["in:2", "in:1"], "wrong_turn": ["in:3"], "stale": []}
    assert "wrong_turn" in board.ok("admin", "mails", "--why", "wrong_turn")
    assert "no_such_board" in board.ok("admin", "mail", "in:2")


def test_what_waits_failed_or_was_set_aside(board: Shell) -> None:
    _mail(board, "list")
    assert _said(board, "in:1") == "not executed yet -> is the server running? pbm doctor"
    _execute(board)
    sent_by = outbound.c.inbound_id == 1
    assert "is not sent yet" in _said(board, "in:1")
    _change(
        board,
        update(outbound)
        .where(sent_by)
        .values(state="failed", finished=1.0, why="550 no such user"),
    )
    said = _said(board, "in:1")
    assert "to ann@example.org failed: 550 no such user -> pbm admin retry out:" in said
    _change(board, update(outbound).where(sent_by).values(state="sent"))
    assert _said(board, "in:1") == "- -> -"
    _mail(board, "games")
    _change(
        board,
        update(inbound)
        .where(inbound.c.id == 2)
        .values(state="aside", code="fault", attempts=3, finished=1.0, outcome="failed: KeyError"),
    )
    said = _said(board, "in:2")
    assert said.startswith("set aside, not executed: failed: KeyError")
    assert "pbm admin release in:2" in said


def test_pages_of_mails_and_what_never_came(board: Shell) -> None:
    row = {
        "via": "smtp",
        "recipient": SERVER,
        "raw": b"From: a@b.example\r\n\r\n",
        "state": "waiting",
    }
    for day in (1, 2, 3):
        _change(board, insert(inbound).values(row | {"received": 86400.0 * day}))
    first = board.json("admin", "mails", "--in", "--limit", "2")
    assert [mail["mail"] for mail in first] == ["in:3", "in:2"]
    rest = board.json("admin", "mails", "--in", "--before", first[-1]["when"])
    assert [mail["mail"] for mail in rest] == ["in:1"]
    assert board.run("admin", "mails", "--before", "soon").exit_code == 2
    assert "refused by SMTP" in board.ok("admin", "mails", "--address", "x@y.example")
    store = Store(board.url)
    with store.reading() as session:
        assert len(all_rows(session, select(inbound))) == 3
    store.close()


def test_of_an_old_mail_only_the_rest_is_shown(board: Shell) -> None:
    """Its text and addresses are gone, which is said; it can be neither released nor sent."""
    _mail(board, _MOVE)
    _execute(board)
    _change(board, update(outbound).values(state="sent"))
    store = Store(board.url)
    with store.writing() as session:
        retention.clean_up(session, time.time() + 31 * 86400, Config().retention)
    store.close()
    assert "removed: [retention] mails_days" in _said(board, "in:1")
    assert {row["who"] for row in board.json("admin", "mails")} == {""}
    assert "ann@example.org" not in board.ok("admin", "mail", "out:1")
    assert board.run("admin", "retry", "out:1", "--yes", "--reason", "again").exit_code == 1


def test_what_cannot_be_read_can_only_be_dropped(board: Shell) -> None:
    _mail(board, "set")
    _change(
        board,
        update(inbound).values(state="aside", code="unreadable", outcome="too costly: its header"),
    )
    assert "drop in:1" in _said(board, "in:1")
    for act in ("release", "retry"):
        refused = board.run("admin", act, "in:1", "--yes", "--reason", "again")
        assert "and still has its text" in refused.stderr
    board.ok("admin", "drop", "in:1", "--yes", "--reason", "seen")


def test_stats_say_how_much_room_the_mails_take(board: Shell) -> None:
    stats = {row["what"]: row["value"] for row in board.json("admin", "stats")}
    assert 500 < stats["storage_mails_out_bytes"] < stats["storage_bytes"]
    assert stats["storage_mails_in_bytes"] == 0
