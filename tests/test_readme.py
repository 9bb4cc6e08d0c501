"""The README is true: its two commands are there, and its first game can be played as it stands,
and its pictures are of that game."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pbm.config import Config, Database, Players
from tests.harness.conversation import Clock
from tests.harness.servers import InProcess
from tools.readme_pictures import draw, list_commands, play

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TRIAL = "pbm@localhost"


def commands() -> list[str]:
    """The lines that are to be typed: indented by four blanks."""
    return [line.strip() for line in README.splitlines() if line.startswith("    .venv/bin/")]


def sent() -> list[tuple[str, str]]:
    """(address, subject) of each `pbm send`."""
    mails = []
    for line in commands():
        words = shlex.split(line)
        if words[:2] == [".venv/bin/pbm", "send"]:
            option, sender, subject = words[2:]
            assert option == "--from"
            mails.append((sender, subject))
    return mails


def test_the_two_commands_stand_there_as_ci_runs_them() -> None:
    first = re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)
    assert len(first) == 1
    assert first[0].endswith("&& .venv/bin/pbm serve")
    second = [line for line in commands() if line.startswith(".venv/bin/pip install ")]
    assert len(second) == 1
    assert second[0].endswith("&& .venv/bin/pytest")


def test_the_first_game_goes_as_the_readme_says(sqlite_url: str) -> None:
    """Every line is understood and done."""
    config = Config(database=Database(sqlite_url), players=Players(confirm_addresses=False))
    server = InProcess(config, Clock())
    assert len(sent()) == 5
    mails = []
    for sender, subject in sent():
        raw = f"From: {sender}\r\nTo: {TRIAL}\r\nSubject: {subject}\r\n\r\n"
        server.take(sender, TRIAL, raw.encode())
        mails = [message.decode() for _, message in server.settle()]
        assert mails, subject
        assert not any("] not done" in mail for mail in mails), mails
    server.close()
    assert any(": bob played d3,d4,e4,f4." in mail for mail in mails)


@pytest.mark.long
def test_the_pictures_are_those_of_that_game() -> None:
    """`python -m tools.readme_pictures` would write the same, of the mail after the fourth line."""
    shown = play(list_commands(README))
    assert shown.text.startswith("Your move in 21 days: ann played a2,b2,c2,c3.")
    for dark, name in ((False, "mail-light.svg"), (True, "mail-dark.svg")):
        assert f'"docs/{name}"' in README
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == draw(shown, dark=dark)


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 100
