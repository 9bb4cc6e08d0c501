"""Masks what an operator must not see: tags of reply tokens, secret links, one-time codes,
passwords in waiting mails, and what only one seat may see."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

from pbm.cli.terminal.output import clean, join_lines
from pbm.core.command import Command, NotACommand, Sender
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.mail.letter import TooCostly, read_letter

_TAG = re.compile(r"\b((?:b\d+-\d+-\d+|[cdpu]\d+)-)[a-z2-7]{16}", re.IGNORECASE)
_LINK = re.compile(r"(/(?:s/\d+-\d+|u/u\d+)-)[a-z2-7]{32}", re.IGNORECASE)
_CODE = re.compile(r"\b[a-hjkmnp-z2-9]{4}(?:-[a-hjkmnp-z2-9]{4}){2}\b")
HIDDEN = "(hidden: --reveal --reason TEXT shows it, which is recorded)"


def mask(text: str) -> str:
    """Return the text with token tags, secret links and codes masked."""
    text = _LINK.sub(r"\1****", text)
    return _CODE.sub("****-****-****", _TAG.sub(r"\1****", text))


def mask_in_sql(expression: str) -> str:
    """Return an expression of PostgreSQL that masks the text of another. It does not ask whether a
    tag or a code begins a word, for what is stored may have an escaped line break before it."""
    for pattern, flags, masked in (
        (_LINK.pattern, "gi", r"\1****"),
        (_TAG.pattern, "gi", r"\1****"),
        (_CODE.pattern, "g", "****-****-****"),
    ):
        plain = pattern.replace(r"\b", "")
        expression = f"regexp_replace({expression}, '{plain}', '{masked}', '{flags}')"
    return expression


def describe_waiting(raw: bytes) -> str:
    """Return the command in a waiting mail's subject, without anything that may be a password."""
    try:
        subject = read_letter(raw, envelope_from=None).subject
    except TooCostly as error:
        return f"(too costly: {error})"
    try:
        return summarize(read_line(subject, Sender()))
    except Refusal:
        return "(a command that cannot be parsed)"
    except NotACommand:
        return "(no command in the subject)"


def summarize(command: Command) -> str:
    """Return a command without its arguments: one may be a misplaced password."""
    words = [command.game] if command.game else []
    words.append(command.verb.name)
    words += [str(command.board)] if command.board else []
    return join_lines(" ".join([*words, "..."]))


def find_sender(raw: bytes) -> str:
    """Return the From header of a mail."""
    return _read_field(raw, "From")


def find_subject(raw: bytes) -> str:
    """Return the masked Subject of an outbound mail."""
    return mask(_read_field(raw, "Subject"))


def _read_field(raw: bytes, name: str) -> str:
    mail = message_from_bytes(raw.partition(b"\r\n\r\n")[0][:16384] + b"\r\n\r\n", policy=default)
    try:
        return join_lines(str(mail[name] or ""))
    except (ValueError, LookupError):
        return "(unreadable)"


def is_personal(raw: bytes) -> bool:
    """Whether an outbound mail holds what its reader alone may know, such as a plan."""
    return b"\r\nSensitivity: Private\r\n" in raw.partition(b"\r\n\r\n")[0]


def find_body(raw: bytes) -> str:
    """Return the masked text of an outbound mail."""
    part = message_from_bytes(raw, policy=default).get_body(("plain",))
    return mask(clean(str(part.get_content()).replace("\r\n", "\n"))) if part is not None else ""
