"""The pages for what operators do once a year are true: commands exist, and do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from pbm.config import Config, Database, Players, Server
from pbm.daemon.keys import rotate
from pbm.mail.receive import is_ours
from tests.docs.markdown import ROOT, read_page, typed_lines
from tests.harness.conversation import Clock
from tests.harness.mail_programs import program, require
from tests.harness.servers import InProcess

PAGES = ROOT / "docs" / "operators"
OLD, NEW = "pbm@games.example.org", "pbm@play.example.net"
_SYSTEM = {
    "chmod",
    "chown",
    "export",
    "grep",
    "install",
    "openssl",
    "postconf",
    "postfix",
    "rm",
    "systemctl",
    "userdel",
}


def lines(name: str) -> list[str]:
    return typed_lines(read_page(PAGES / name))


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_a_line_is_a_command_of_ours_or_of_the_system(page: Path) -> None:
    """tests/docs/test_pages parses ours; a pattern for Postfix begins with a slash."""
    for line in lines(page.name):
        first = shlex.split(line)[0] if not line.startswith("/^") else ""
        assert not first or first in _SYSTEM or first.rpartition("/")[2] == "pbm", line


class Club:
    """A server with a board of ann and bob, at which ann is to move."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._clock = Clock()
        self._sent = 0
        self.start(OLD)
        for name in ("ann", "bob"):
            self.mails(name, f"signup {name} Sesame-{name}")
        mails = self.mails("ann", "tictactoe challenge ann bob")
        self.reply_to = next(
            mail["Reply-To"] for mail in mails if "ann@" in mail["To"] and "+b" in mail["Reply-To"]
        )

    def start(self, address: str, aliases: tuple[str, ...] = ()) -> Config:
        config = Config(
            server=Server(address=address, aliases=aliases),
            database=Database(self._url),
            players=Players(confirm_addresses=False),
        )
        self.server = InProcess(config, self._clock)
        self.address = address
        return config

    def mails(self, who: str, subject: str, to: str = "", body: str = "") -> list[Any]:
        """What the server sends when somebody mails it."""
        sender, to = f"{who}@people.example", to or self.address
        self._sent += 1
        head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{self._sent}@people.example>\r\n"
        self.server.take(sender, to, f"{head}Subject: {subject}\r\n\r\n{body}\r\n".encode())
        return [message_from_bytes(raw, policy=policy.default) for _, raw in self.server.settle()]

    def plays(self, to: str) -> list[Any]:
        """Ann replies with a move to an address."""
        return self.mails("ann", "Re: [tictactoe 1] ann - bob", to, "b2")


@pytest.fixture
def club(sqlite_url: str) -> Any:
    club = Club(sqlite_url)
    yield club
    club.server.close()


def read_moved() -> str:
    """The line of the file that sends mail for the old domain on."""
    (line,) = [line for line in lines("moving.md") if line.startswith("/^")]
    return line


def test_a_reply_to_the_old_domain_is_played_at_the_new_one(club: Club) -> None:
    pattern, target = re.fullmatch(r"/(.*)/ (\S+)", read_moved()).groups()  # type: ignore[union-attr]
    club.server.close()
    club.start(NEW)
    old = re.search(r"[\w.+-]+@[\w.]+", club.reply_to)
    assert old is not None
    assert old[0].endswith("@games.example.org")
    found = re.fullmatch(pattern.strip("^$"), old[0])
    assert found is not None
    moved = target.replace("$1", found[1])
    assert moved.endswith("@play.example.net")
    answers = club.plays(moved)
    assert any("ann played b2" in str(mail) for mail in answers)
    assert all("@play.example.net" in mail["Reply-To"] for mail in answers)


def test_postfix_reads_that_line_as_we_do(tmp_path: Path) -> None:
    require("postfix")
    (tmp_path / "main.cf").write_text("compatibility_level = 3.6\n")
    path = tmp_path / "moved"
    path.write_text(f"{read_moved()}\n")
    for asked, answer in (
        ("pbm@games.example.org", "pbm@play.example.net"),
        ("pbm+b1-0-1-abc@games.example.org", "pbm+b1-0-1-abc@play.example.net"),
        ("root@games.example.org", ""),
    ):
        command = [program("postmap") or "", "-c", str(tmp_path), "-q", asked, f"regexp:{path}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stdout.strip() == answer, done.stderr


def test_mail_that_still_comes_to_the_old_address_is_taken_as_well(club: Club) -> None:
    """Where no mail server rewrites it, and for the threads of mails from before."""
    (aliases,) = re.findall(r"(?m)^aliases = (\[.+\])$", read_page(PAGES / "moving.md"))
    club.server.close()
    config = club.start(NEW, tuple(json.loads(aliases)))
    old = re.search(r"[\w.+-]+@[\w.]+", club.reply_to)
    assert old is not None
    assert is_ours(config, old[0])
    answers = club.plays(old[0])
    assert any("ann played b2" in str(mail) for mail in answers)
    assert all("@play.example.net" in mail["Reply-To"] for mail in answers)


def test_without_the_keys_no_address_of_before_proves_anything(club: Club) -> None:
    (line,) = [line for line in lines("leaks.md") if line.startswith("pbm admin keys rotate --l")]
    assert "rotate --leaked" in line
    with club.server.store.writing() as session:
        rotate(session, 0.0, os.urandom, leaked=True)
    club.server.close()
    club.start(OLD)
    answers = club.plays(club.reply_to)
    assert answers
    assert not any("ann played b2" in str(mail) for mail in answers)
    (board,) = [mail for mail in answers if "+b" in str(mail["Reply-To"])]
    later = club.plays(board["Reply-To"])
    assert any("ann played b2" in str(mail) for mail in later)
