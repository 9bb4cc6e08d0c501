"""Mails of programs and people: what stands beside each of them in its index holds."""

import base64
import re
from pathlib import Path

import pytest

from pbm.mail.bounces import Failure, read_report
from pbm.mail.headers import TooCostly
from pbm.mail.letter import Letter, Machine, examine, read_letter
from tests.harness.mail import COMMAND, MOVE, in_time, rows

MAILS = rows("mails")
# A person's answer that a list's robot had passed on: nothing in it but its null sender tells.
UNMARKED = {"flufl--groupwise_03.eml"}
# Two addresses in From without a comma: not taken for anybody's.
DOUBTFUL = {"mikel--plain_emails__raw_email_multiple_from.eml"}


def arrived(row: dict[str, str]) -> bytes:
    """Gives the mail as SMTP brings it."""
    raw = Path(row["path"]).read_bytes()
    return raw.replace(b"\n", b"\r\n") if row["eol"] == "LF" else raw


def reading(raw: bytes, envelope: str) -> Letter | None:
    """Reads a mail within a second; None when it is set aside."""

    def work() -> Letter | None:
        try:
            return read_letter(raw, envelope_from=envelope)
        except TooCostly:
            return None

    letter = in_time(work)
    assert letter is None or isinstance(letter, Letter)
    return letter


def complaint(row: dict[str, str], letter: Letter | None, reports: int) -> str:
    """Says what is wrong with a reading by the row's label, "" when nothing is."""
    if letter is None:
        return "set aside" if row["expect"] == "error-reply" else ""
    local, _, domain = row["from_addr"].rpartition("@")
    match row["expect"]:
        case "never-reply":
            silent = letter.machine is not Machine.NO or reports
            return "" if silent else "not a machine's"
        case "ignore":
            silent = not letter.sender or letter.machine is not Machine.NO
            return "" if silent or row["kind"] == "spam" else f"sender {letter.sender}"
        case "no-auth":
            return letter.sender
        case _:
            if letter.machine is not Machine.NO:
                return f"a machine's: {letter.mark}"
            same = letter.sender == f"{local}@{domain.lower()}"
            return "" if same else f"sender {letter.sender!r}"


def test_labels_hold() -> None:
    wrong = []
    for row in MAILS:
        raw = arrived(row)
        reports = len(read_report(raw))
        for envelope in {row["env_from"].strip("<>"), row["from_addr"]}:
            problem = complaint(row, reading(raw, envelope), reports)
            if problem and row["strength"] == "must" and row["file"] not in UNMARKED | DOUBTFUL:
                wrong.append((row["file"], envelope, problem))
    assert wrong == []


def test_mails_of_people_are_not_refused() -> None:
    wrong = [
        (row["file"], reason)
        for row in MAILS
        if row["expect"] == "error-reply" and (reason := examine(arrived(row))[0]) is not None
    ]
    assert wrong == []


def test_hard_marks_where_a_null_sender_or_report_tells() -> None:
    """Bounces, delays and vacation notices run nothing at all when their envelope is kept."""
    wrong = []
    for row in MAILS:
        if row["expect"] == "never-reply" and row["env_from"] == "<>":
            letter = reading(arrived(row), "")
            if letter is not None and letter.machine is not Machine.HARD:
                wrong.append(row["file"])
    assert wrong == []


def test_failed_recipients_are_found() -> None:
    named = [row for row in MAILS if row["failed_rcpt"]]
    assert named
    wrong = []
    for row in named:
        wanted = {name.lower() for name in row["failed_rcpt"].split() if "@" in name}
        found = {entry.address.lower() for entry in read_report(arrived(row))}
        if not wanted <= found or len(found) > len(row["failed_rcpt"].split()):
            wrong.append(row["file"])
    assert wrong == []


def test_mails_of_people_are_no_reports() -> None:
    wrong = [
        row["file"]
        for row in MAILS
        if row["expect"] in ("error-reply", "ignore")
        and row["strength"] == "must"
        and row["kind"] != "bad-sender"
        and any(entry.failure is Failure.HARD for entry in read_report(arrived(row)))
    ]
    assert wrong == []


def filled(row: dict[str, str], text: str) -> bytes:
    """Gives a reply template with the text where the person wrote."""
    raw = Path(row["path"]).read_bytes()
    if row["token_literal"] != "base64":
        return raw.replace(b"@@COMMAND@@", text.encode())

    def encoded(match: re.Match[bytes]) -> bytes:
        content = base64.b64decode(match[0])
        return base64.encodebytes(content.replace(b"@@COMMAND@@", text.encode()))

    return re.sub(
        rb"(?:^[A-Za-z0-9+/]{30,}={0,2}\r?\n)+(?:[A-Za-z0-9+/]+={0,2}\r?\n)?",
        encoded,
        raw,
        flags=re.M,
    )


@pytest.mark.parametrize("text", [MOVE, COMMAND])
def test_templates(text: str) -> None:
    for row in rows("templates"):
        raw = filled(row, text)
        for whole in (raw, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")):
            letter = reading(whole, row["from_addr"])
            assert letter is not None
            assert letter.own_lines[0] == text, row["file"]
            assert letter.own_lines.count(text) == 1, row["file"]
            assert letter.sender.lower() == row["from_addr"].lower()
            assert letter.machine is Machine.NO
            quoted = ("Original text", "wrote", "From:", "Hi", "TEST MESSAGE", "> ")
            assert not any(line.startswith(quoted) for line in letter.own_lines), row["file"]


def test_first_lines_are_found() -> None:
    """Where two unrelated parsers agree on the first line of a person's text, it is mostly ours."""
    agreed = total = 0
    for row in MAILS:
        if row["expect"] == "error-reply" and row["first_line"] and row["kind"] == "plain":
            letter = reading(arrived(row), row["from_addr"])
            total += 1
            first = " ".join(row["first_line"].split())
            agreed += letter is not None and first in " ".join(" ".join(letter.own_lines).split())
    assert total
    assert agreed >= total * 0.9
