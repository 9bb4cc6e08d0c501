"""The README is true: its two commands are there, and its first game can be played as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from pbm.config import Config, Database, Players
from tests.conversations.conversation import Clock
from tests.conversations.servers import InProcess

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


def test_the_first_game_ends_as_the_readme_says(sqlite_url: str) -> None:
    """Every line is understood and done, and Bob's mail looks as shown."""
    config = Config(database=Database(sqlite_url), players=Players(confirm_addresses=False))
    server = InProcess(config, Clock())
    mails = []
    for sender, subject in sent():
        raw = f"From: {sender}\r\nTo: {TRIAL}\r\nSubject: {subject}\r\n\r\n"
        server.take(sender, TRIAL, raw.encode())
        mails.append([message.decode() for _, message in server.settle()])
        assert mails[-1], subject
        assert not any("] not done" in mail for mail in mails[-1]), mails[-1]
    server.close()
    (shown,) = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    moved = next(n for n, (_, subject) in enumerate(sent()) if " move " in subject)
    bobs = next(mail for mail in mails[moved] if "To: bob@" in mail).replace("\r\n", "\n")
    heading, _, body = shown.partition("\n\n")
    assert heading in bobs.splitlines()
    assert body in bobs
    won = [
        texts
        for texts in mails
        if any("\nYou won (7): no cradle fits." in mail.replace("\r\n", "\n") for mail in texts)
    ]
    assert len(won) == 1
    assert sum("won (7): no cradle fits." in mail.replace("\r\n", "\n") for mail in won[0]) == 2


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 120
