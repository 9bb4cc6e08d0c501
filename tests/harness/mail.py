"""A received mail, and what must hold for every mail that leaves the server."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property

COLUMNS = 78
_ONCE = ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version")
_AT_MOST_ONCE = ("Reply-To", "In-Reply-To", "References", "List-Id", "Content-Type")
_ENCODINGS = ("7bit", "quoted-printable")


@dataclass(frozen=True)
class Mail:
    """A mail received at an address."""

    address: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed mail."""
        parsed = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @cached_property
    def headers(self) -> Mapping[str, Sequence[str]]:
        """The decoded headers, each on one line, by lower-case name. Only those with encoded words
        are parsed, which takes longer than all else that is done with a mail."""
        found: dict[str, list[str]] = {}
        for name, raw in self.message.raw_items():
            value = self.message.policy.header_fetch_parse(name, raw) if "=?" in raw else raw
            found.setdefault(name.lower(), []).append(" ".join(str(value).split()))
        return found

    def header(self, name: str) -> str:
        """A header on one line; "" if there is none."""
        return self.headers.get(name.lower(), [""])[0]

    @property
    def subject(self) -> str:
        """The decoded Subject."""
        return self.header("Subject")

    @property
    def message_id(self) -> str:
        """The Message-ID."""
        return self.header("Message-ID")

    @property
    def reply_to(self) -> str:
        """The address a reply goes to."""
        return self.header("Reply-To") or self.header("From")

    @property
    def in_reply_to(self) -> str:
        """The Message-ID of the mail it answers."""
        return self.header("In-Reply-To")

    @property
    def references(self) -> list[str]:
        """The Message-IDs of its thread, oldest first."""
        return self.header("References").split()

    @property
    def number(self) -> int:
        """The number of the outbound mail, which is part of its Message-ID."""
        found = re.fullmatch(r"<(?:.+)-([0-9]+)@[^@]+>", self.message_id)
        assert found is not None, self.message_id
        return int(found[1])

    @cached_property
    def text(self) -> str:
        """The plain text."""
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    def line(self, beginning: str) -> str:
        """The rest of the first line with that beginning, stripped."""
        for line in self.lines:
            if line.strip().startswith(beginning):
                return line.strip()[len(beginning) :].strip()
        raise AssertionError(f"no line begins with {beginning!r}:\n{self.text}")

    def fact(self, name: str) -> str:
        """A value of the machine-readable block at the end."""
        return self.line(f'[{name} "').rstrip('"]')

    def __str__(self) -> str:
        return f"to {self.address}: {self.subject}\n{self.text}"


def check_outgoing(mail: Mail, servers: Collection[str], passwords: Iterable[str]) -> None:
    """AssertionError unless the mail meets every rule for outgoing mail and comes from one of these
    addresses."""
    head, _, body = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    for name in _ONCE:
        assert len(mail.headers.get(name.lower(), ())) == 1, f"{name}: {mail}"
    for name in _AT_MOST_ONCE:
        assert len(mail.headers.get(name.lower(), ())) <= 1, f"{name}: {mail}"
    assert mail.raw.isascii(), mail
    assert all(len(line) <= 998 for line in mail.raw.splitlines()), mail
    assert not mail.message.defects, f"{mail.message.defects}: {mail}"
    sender = mail.header("From").removeprefix("pbm <").removesuffix(">")
    assert sender in servers, mail
    local, _, host = sender.partition("@")
    replies_to = mail.header("Reply-To")
    assert not replies_to or re.fullmatch(rf"{local}\+[^@]+@{host}", replies_to), mail
    assert mail.message_id.endswith(f"@{host}>"), mail
    assert mail.header("To") == mail.address
    assert mail.subject.startswith("["), mail
    assert mail.header("Auto-Submitted") in ("auto-replied", "auto-generated")
    for part in mail.message.walk():
        if part.get_content_maintype() == "text":
            assert part["Content-Transfer-Encoding"] in _ENCODINGS, mail
    for line in mail.lines:
        assert len(line) <= COLUMNS, f"{len(line)} columns: {line!r} in {mail}"
        assert line.isprintable(), f"{line!r} in {mail}"
    shown = (*(value for values in mail.headers.values() for value in values), mail.text)
    for password in passwords:
        assert password.encode() not in head + body, f"a password in {mail}"
        assert all(password not in text for text in shown), f"a password in {mail}"


def draw_nothing(board: str, most: int) -> None:
    """Draw no picture, as a server without pictures does."""
