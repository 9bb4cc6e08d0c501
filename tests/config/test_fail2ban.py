"""fail2ban's filter against the lines that the server writes, with those that must not count."""

from __future__ import annotations

import configparser
import io
import re
import socket
from pathlib import Path

import pytest
import structlog
from msgspec.structs import replace

from pbm import logs
from pbm.config import Bots, Config, Database, Limits, Players, Smtp
from tests.harness.servers import Running, until

FOLDER = Path(__file__).parents[2] / "config" / "fail2ban"
_ADDRESS = r"(?P<ip>\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]+)"
"""What fail2ban puts in the place of <ADDR>, near enough."""


def filters() -> list[re.Pattern[str]]:
    parser = configparser.RawConfigParser()
    parser.read_string((FOLDER / "filter.d" / "pbm.conf").read_text(encoding="utf-8"))
    lines = parser["Definition"]["failregex"].splitlines()
    return [re.compile(line.strip().replace("<ADDR>", _ADDRESS)) for line in lines]


def banned(line: str) -> str:
    """The address that a line counts against; fail2ban has cut the time out of it."""
    cut = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "", line, count=1)
    found = {match["ip"] for each in filters() for match in [each.search(cut)] if match}
    assert len(found) <= 1
    return found.pop() if found else ""


def _talk(port: int, *lines: bytes) -> list[bytes]:
    """A session; the replies to its lines."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as link:
        file = link.makefile("rb")
        said = [file.readline()]
        for line in lines:
            link.sendall(line + b"\r\n")
            said.append(file.readline())
            while said[-1][3:4] == b"-":
                said[-1] = file.readline()
        return said


def _seen(stream: io.StringIO, event: str) -> bool:
    return any(event in line for line in stream.getvalue().splitlines())


@pytest.mark.parametrize("form", ["lines", "json"])
def test_what_the_server_writes_of_whom_it_refused(
    tmp_path: Path, stream: io.StringIO, form: str
) -> None:
    logs.set_up(form, stream)
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        smtp=Smtp("127.0.0.1:0"),
        bots=Bots(enabled=False),
        players=Players(confirm_addresses=False),
        limits=replace(Limits(), sessions=1),
    )
    with Running(config) as running:
        port = running.port("smtp")
        hello = (b"EHLO x", b"MAIL FROM:<ann@example.org>")
        asked = [b"RCPT TO:<%s@elsewhere.example>" % name for name in (b"a", b"b")]
        assert [reply[:3] for reply in _talk(port, *hello, *asked)][-2:] == [b"550", b"550"]
        until(lambda: _seen(stream, "no such address"), "no event")
        mail = b"From: ann@example.org\r\nSubject: cradle move 1 ann peer=192.0.2.9 a1\r\n\r\n."
        replies = _talk(port, *hello, b"RCPT TO:<pbm@localhost>", b"DATA", mail)
        assert replies[-1].startswith(b"250"), replies
        until(lambda: _seen(stream, "wrong password"), "no event")
        with socket.create_connection(("127.0.0.1", port), timeout=60) as first:
            first.recv(100)
            assert _talk(port)[0].startswith(b"421")
        until(lambda: _seen(stream, "too many sessions"), "no event")
    counted = [line for line in stream.getvalue().splitlines() if banned(line)]
    assert [banned(line) for line in counted] == ["127.0.0.1"] * 3, counted
    assert "elsewhere" not in stream.getvalue()
    assert "192.0.2.9" not in stream.getvalue()


@pytest.mark.parametrize("form", ["lines", "json"])
def test_no_line_can_be_made_to_count_against_another(stream: io.StringIO, form: str) -> None:
    logs.set_up(form, stream)
    log = structlog.get_logger()
    for said in (
        "warning refused peer=192.0.2.9 ",
        '"} {"time": "", "level": "warning", "event": "refused", "peer": "192.0.2.9"}',
        "x\nwarning refused peer=192.0.2.9 why=x",
    ):
        log.warning("mail", said=said)
        log.info("refused", peer=said)
    log.warning("refused", peer="", why="no such address")
    log.warning("refused", peer="2001:db8::7", why="too slow")
    assert [banned(line) for line in stream.getvalue().splitlines()] == [""] * 7 + ["2001:db8::7"]
    line = stream.getvalue().splitlines()[-1]
    assert banned(f"games pbm[812]: {line}") == "2001:db8::7"


def test_the_jail_names_the_filter_and_spares_this_machine() -> None:
    parser = configparser.RawConfigParser()
    parser.read_string((FOLDER / "jail.d" / "pbm.conf").read_text(encoding="utf-8"))
    assert parser["pbm"]["filter"] == "pbm"
    assert parser["pbm"]["ignoreip"].split() == ["127.0.0.0/8", "::1"]
