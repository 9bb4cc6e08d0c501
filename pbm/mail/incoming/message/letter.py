"""Reads the bytes of a mail into a Letter: who wrote it, and what.

It does no I/O and knows neither players nor commands. Mail that costs too much to read is refused.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from pbm.mail.incoming.message.address import lacks_ascii_author, parse_author
from pbm.mail.incoming.message.authentication import has_results, is_authentic
from pbm.mail.incoming.message.body import extract_text
from pbm.mail.incoming.message.headers import Fields, decode_words, get_first, split_header
from pbm.mail.incoming.message.limits import (
    MAX_FIELD,
    MAX_FIELDS,
    MAX_IDS,
    MAX_SECTION,
    MAX_WORDS,
    TooCostly,
)
from pbm.mail.incoming.message.machine import Machine, judge, judge_text
from pbm.mail.incoming.message.reply_stripper import extract_own_lines
from pbm.mail.incoming.message.subject import strip_marks

__all__ = [
    "BRIEF",
    "Letter",
    "Machine",
    "TooCostly",
    "examine",
    "read_letter",
]

BRIEF = "~"
"""Prefix of a fingerprint that identifies its mail for some minutes only."""
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_MULTIPART = re.compile(rb"(?im)^content-type[ \t]*:[ \t\r\n]*multipart/")
_MAX_MULTIPARTS = 100
_MAX_NAME = 400


class Letter(Struct, frozen=True):
    """What the writer of a mail said, without anything that others wrote.

    sender       the address of the one From; "" if there is none, several or a doubtful one
    subject      normalized like a command, without reply marks and tags
    in_reply_to  the ids of In-Reply-To, then those of References, the nearest first
    above        for each of own_lines the marked quote directly above it, "" for none
    unquoted     so many of own_lines stand above every marked quote
    own_lines    the writer's lines, cleaned but not normalized; one that begins with a blank is
                 a comment, others go through `text.normalize` before they are read as commands
    mark         the header or phrase that shows that a program wrote it, for the operator
    vouched      the operator's own mail server authenticated `sender`
    failed       that server looked at `sender` and could not authenticate it
    name         the display name in From
    """

    sender: str
    subject: str
    message_id: str
    in_reply_to: tuple[str, ...]
    own_lines: tuple[str, ...]
    machine: Machine
    mark: str
    is_reply: bool
    is_forward: bool
    vouched: bool = False
    failed: bool = False
    name: str = ""
    above: tuple[str, ...] = ()
    unquoted: int = 0


def read_letter(
    raw: bytes, *, envelope_from: str | None, trusts: str = "", servers: Sequence[str] = ()
) -> Letter:
    """Read a mail; `envelope_from` is None if unknown, "" for the null sender.

    `trusts` names the mail server whose Authentication-Results are trusted, "" for none. `servers`
    are the addresses of ours, in lower case, by which a quote of our mails is recognized. Raise
    TooCostly if the mail exceeds a limit, and nothing else, whatever the mail contains.
    """
    fields, start = split_header(raw)
    sender = _read_sender(fields)
    subject, is_reply, is_forward = strip_marks(decode_words(get_first(fields, b"subject")))
    machine, mark = judge(fields, sender, envelope_from, subject)
    is_ours = partial(_is_ours, servers, subject)
    name = _read_name(fields)
    own = extract_own_lines(extract_text(raw, fields, start), is_ours)
    if machine is Machine.NO:
        machine, mark = judge_text(own, subject, name)
    vouched = is_authentic(fields, sender, envelope_from, trusts)
    return Letter(
        sender=sender,
        subject=subject,
        message_id=_read_message_id(fields),
        in_reply_to=_list_answered(fields),
        own_lines=own.lines,
        above=own.above,
        unquoted=own.unquoted,
        machine=machine,
        mark=mark,
        is_reply=is_reply,
        is_forward=is_forward,
        vouched=vouched,
        failed=not vouched and has_results(fields, trusts),
        name=name,
    )


def _is_ours(servers: Sequence[str], subject: str, value: str) -> bool:
    """Whether the value of a field is that of a mail of ours: one of our addresses, or the subject
    that the reply has too."""
    lowered = value.lower()
    for server in servers:
        local, _, host = server.partition("@")
        if host and (server in lowered or (f"{local}+" in lowered and f"@{host}" in lowered)):
            return True
    return bool(subject) and strip_marks(value)[0] == subject


def examine(raw: bytes, *, line: int = 0) -> tuple[str | None, str]:
    """Return the reason to refuse a mail in the SMTP dialogue, or None and its fingerprint.

    `line` is the maximum octets of a line, 0 for no limit. One pass over the octets and the header
    section; the MIME tree is not parsed.
    """
    if b"\0" in raw:
        return "the message contains NUL", ""
    if raw.count(b"\r") != raw.count(b"\r\n"):
        return "the message contains a bare CR", ""
    if 0 < line < len(raw) and max(map(len, raw.split(b"\n"))) > line + 1:
        return f"a line is longer than {line} octets", ""
    try:
        fields, start = split_header(raw)
        for name in (b"subject", b"from", b"content-type"):
            get_first(fields, name)
    except TooCostly:
        most = f"{MAX_SECTION} octets, {MAX_FIELDS} fields or {MAX_FIELD} a field"
        return f"the header exceeds {most}", ""
    if lacks_ascii_author(_decode_field(get_first(fields, b"from"))):
        return "the address in From has letters that are not ASCII: write from another", ""
    if get_first(fields, b"subject").count(b"=?") > 2 * MAX_WORDS:
        return f"the subject has more than {MAX_WORDS} encoded words", ""
    if raw.count(b"ultipart/") > _MAX_MULTIPARTS and len(_MULTIPART.findall(raw)) > _MAX_MULTIPARTS:
        return "the message has too many parts", ""
    return None, _compute_fingerprint(fields, raw[start:])


def read_author(raw: bytes) -> str:
    """Return the address of a mail's only From, as `read_letter` finds it; "" when there is
    none."""
    try:
        return _read_sender(split_header(raw)[0])
    except TooCostly:
        return ""


def _compute_fingerprint(fields: Fields, content: bytes) -> str:
    """Return a hash that is equal for all deliveries of a mail, to whichever recipient.

    It covers From, Message-ID, Subject, Date and the content, but neither the recipients nor what
    servers on the way add (Received, Return-Path, Delivered-To, DKIM, spam marks). Without
    Message-ID and Date it begins with BRIEF, because a person may well send two equal mails.
    """
    covered = []
    for name in (b"from", b"message-id", b"subject", b"date"):
        covered += [b"%d:%b" % (len(value), value) for value in fields.get(name, ())]
        covered.append(b"\n")
    covered.append(content.replace(b"\r\n", b"\n").rstrip())
    digest = hashlib.blake2b(b"".join(covered), digest_size=16).hexdigest()
    is_dated = any(fields.get(name, [b""])[0] for name in (b"message-id", b"date"))
    return digest if is_dated else BRIEF + digest


def _read_sender(fields: Fields) -> str:
    """Return the address of the only From; "" if there is a second one, however it is spelled."""
    values = fields.get(b"from")
    if values is None or len(values) != 1 or b"from " in fields:
        return ""
    return parse_author(_decode_field(get_first(fields, b"from")))


def _decode_field(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _read_name(fields: Fields) -> str:
    """Return the display name of From, by which the writer's signature is recognized."""
    shown = decode_words(get_first(fields, b"from")[:_MAX_NAME]).partition("<")[0]
    return " ".join(shown.strip(" \t\"'").split())


def _read_message_id(fields: Fields) -> str:
    match = _ID.search(get_first(fields, b"message-id").decode("latin-1"))
    return match[0] if match else ""


def _list_answered(fields: Fields) -> tuple[str, ...]:
    """Return the ids of the mails that this one answers, the nearest first, each once."""
    if b"in-reply-to" not in fields and b"references" not in fields:
        return ()
    answered: list[str] = []
    for name in (b"in-reply-to", b"references"):
        for value in fields.get(name, ())[:1]:
            ids = _ID.findall(value[-MAX_FIELD:].decode("latin-1"))
            answered += reversed(ids) if name == b"references" else ids
    return tuple(dict.fromkeys(answered))[:MAX_IDS]
