"""A mail that was sent can be followed into the log of the next mail server, and lists be narrowed
to a time."""

from __future__ import annotations

import json
import re
import signal
import time
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.harness.databases import free_port
from tests.harness.shell import MOVES, Shell

_ANSWER = "250 2.0.0 Ok: queued as 4F1E2C0D3B"


class _Relay:
    """A relay that keeps nothing and says under which number it has a mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return _ANSWER


@pytest.fixture
def relayed(shell: Shell) -> Any:
    """A shell whose mails go to that relay, by a server that logs each."""
    at = free_port()
    controller = Controller(_Relay(), hostname="127.0.0.1", port=at)
    controller.start()
    text = shell.config.read_text(encoding="utf-8")
    head, _, tail = text.partition("[relay]\nurl = ")
    text = f'{head}[relay]\nurl = "smtp://127.0.0.1:{at}"\n{tail.partition(chr(10))[2]}'
    text += '[log]\nformat = "json"\nmails = true\n'
    shell.config.write_text(text, encoding="utf-8")
    server = shell.start("serve")
    try:
        yield shell, server
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)
        controller.stop()


def test_a_mail_is_followed_to_the_number_of_the_next_server(relayed: Any) -> None:
    shell, server = relayed
    assert server.stdout.readline().startswith("ready smtp")
    shell.signup("ann")
    events: list[dict[str, Any]] = []
    while not events or events[-1]["event"] != "mail out":
        events.append(json.loads(server.stderr.readline()))
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=60)
    said = events[-1]
    assert (said["result"], said["answer"]) == ("delivered", _ANSWER)
    assert re.search(r"-[0-9]{12}@games\.example>$", said["message_id"])
    (mail,) = shell.json("admin", "mail", "out:1")
    assert (mail["answer"], mail["message_id"]) == (_ANSWER, said["message_id"])
    assert shell.json("admin", "mail", said["message_id"]) == [mail]
    assert _ANSWER in shell.ok("admin", "sql", "SELECT answer FROM receipts")
    shell.ok("admin", "resend", "out:1", "--yes", "--reason", "lost")
    assert shell.ok("admin", "check") == "no difference\n"


def test_lists_are_narrowed_to_a_time_and_a_seat_says_when_it_forfeits(board: Shell) -> None:
    board.ok("move", "cradle", "1", "ann", MOVES[0], who="ann")
    for name in ("boards", "players", "moves", "audit", "bans", "ratings", "mails"):
        rows = board.json("admin", name, "--since", "2h")
        assert rows == board.json("admin", name)
        assert board.json("admin", name, "--before", "1d") == []
        assert board.json("admin", name, "--since", "2999-01-01") == []
    assert [row["userid"] for row in board.json("admin", "players", "--before", "2")] == ["ann"]
    assert board.run("admin", "moves", "--since", "soon").exit_code == 2
    ann, bob = board.json("admin", "board", "1")["seats"]
    assert ann["due"] is None
    assert bob["due"] > time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    board.ok("admin", "sql", "top_senders")
