"""Reads a mail: bytes to a Letter, what a person or program wrote and who.

It does no I/O, holds no state, knows no player and no command; what costs too much is refused.
"""

import hashlib
import re
from dataclasses import dataclass

from pbm.mail.incoming.message.address import author
from pbm.mail.incoming.message.authentication import is_authentic
from pbm.mail.incoming.message.body import written
from pbm.mail.incoming.message.headers import Fields, first, split, words
from pbm.mail.incoming.message.limits import (
    MAX_FIELD,
    MAX_FIELDS,
    MAX_IDS,
    MAX_SECTION,
    MAX_WORDS,
    TooCostly,
)
from pbm.mail.incoming.message.machine import AWAY, Machine, judge
from pbm.mail.incoming.message.reply_stripper import own
from pbm.mail.incoming.message.subject import bare

__all__ = ["BRIEF", "Letter", "Machine", "TooCostly", "dedupe_key", "read", "refuse"]

BRIEF = "~"
"""How the dedupe key of a mail begins that shares it with copies of the next minutes only."""
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_MULTIPART = re.compile(rb"(?im)^content-type[ \t]*:[ \t\r\n]*multipart/")
_MOST_MULTIPARTS = 100
_LONGEST_NAME = 400


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says, without anything others wrote.

    `sender` is the address of the one From, "" when there is none, several or a doubtful one;
    `name` is the display name there.
    `subject` is as a command is typed. `in_reply_to` holds the ids of In-Reply-To and then of
    References, the last one first. `own` holds the writer's lines, cleaned but not rewritten: a
    line that is tried as a command goes through `text.plain` first; one that begins with a blank
    is a comment. `why` is the mark that made the mail a machine's, for the operator. `vouched` says
    that the operator's own mail server has authenticated `sender`.
    """

    sender: str
    subject: str
    message_id: str
    in_reply_to: tuple[str, ...]
    own: tuple[str, ...]
    machine: Machine
    why: str
    is_reply: bool
    is_forward: bool
    vouched: bool = False
    name: str = ""


def read(raw: bytes, *, envelope_from: str | None, trusts: str = "") -> Letter:
    """Reads a mail; `envelope_from` is None when unknown, "" for the null sender.

    `trusts` is the name of the mail server whose Authentication-Results are believed, "" for none.
    Raises TooCostly when it exceeds a budget; no other content makes it fail.
    """
    fields, start = split(raw)
    sender = _sender(fields)
    subject, is_reply, is_forward = bare(words(first(fields, b"subject")))
    machine, why = judge(fields, sender, envelope_from, subject)
    lines = own(written(raw, fields, start))
    if machine is Machine.NO and lines and AWAY.match(lines[0][:200]):
        machine, why = Machine.SOFT, "wording of the text"
    return Letter(
        sender=sender,
        subject=subject,
        message_id=_message_id(fields),
        in_reply_to=_answered(fields),
        own=lines,
        machine=machine,
        why=why,
        is_reply=is_reply,
        is_forward=is_forward,
        vouched=is_authentic(fields, sender, envelope_from, trusts),
        name=_name(fields),
    )


def refuse(raw: bytes, *, line: int = 0) -> str | None:
    """Returns the reason to refuse a mail in the SMTP dialogue, None to take it.

    `line` is the most octets that a line may have, 0 for any number. It costs one pass over the
    octets and the header section; the MIME tree is not parsed.
    """
    if b"\0" in raw:
        return "the message contains NUL"
    if raw.count(b"\r") != raw.count(b"\r\n"):
        return "the message contains a bare CR"
    if line and max(map(len, raw.split(b"\n"))) > line + 1:
        return f"a line is longer than {line} octets"
    try:
        fields, _ = split(raw)
        for name in (b"subject", b"from", b"content-type"):
            first(fields, name)
    except TooCostly:
        return (
            f"the header exceeds {MAX_SECTION} octets, {MAX_FIELDS} fields or {MAX_FIELD} a field"
        )
    if first(fields, b"subject").count(b"=?") > 2 * MAX_WORDS:
        return f"the subject has more than {MAX_WORDS} encoded words"
    if (
        raw.count(b"ultipart/") > _MOST_MULTIPARTS
        and len(_MULTIPART.findall(raw)) > _MOST_MULTIPARTS
    ):
        return "the message has too many parts"
    return None


def dedupe_key(raw: bytes) -> str:
    """Returns a mark that a second delivery of the same mail shares, whoever it was delivered to.

    It stands for From, Message-ID, Subject, Date and the content: not for recipients nor for what
    servers on the way wrote (Received, Return-Path, Delivered-To, DKIM, spam marks). Without
    Message-ID and Date it begins with BRIEF: a person may well send two such mails that are equal.
    """
    fields, start = split(raw)
    digest = hashlib.blake2b(digest_size=16)
    for name in (b"from", b"message-id", b"subject", b"date"):
        for value in fields.get(name, ()):
            digest.update(b"%d:%b" % (len(value), value))
        digest.update(b"\n")
    digest.update(raw[start:].replace(b"\r\n", b"\n").rstrip())
    is_dated = any(fields.get(name, [b""])[0] for name in (b"message-id", b"date"))
    return digest.hexdigest() if is_dated else BRIEF + digest.hexdigest()


def _sender(fields: Fields) -> str:
    """Returns the address of the single From; a second one, however spelt, makes it doubtful."""
    values = fields.get(b"from")
    if values is None or len(values) != 1 or b"from " in fields:
        return ""
    value = first(fields, b"from")
    try:
        return author(value.decode("utf-8"))
    except UnicodeDecodeError:
        return author(value.decode("latin-1"))


def _name(fields: Fields) -> str:
    """Returns the display name of From, for comparison with what the writer signs with."""
    shown = words(first(fields, b"from")[:_LONGEST_NAME]).partition("<")[0]
    return " ".join(shown.strip(" \t\"'").split())


def _message_id(fields: Fields) -> str:
    match = _ID.search(first(fields, b"message-id").decode("latin-1"))
    return match[0] if match else ""


def _answered(fields: Fields) -> tuple[str, ...]:
    """Returns the ids of the mails this one answers, the nearest first, each once."""
    if b"in-reply-to" not in fields and b"references" not in fields:
        return ()
    found: list[str] = []
    for name in (b"in-reply-to", b"references"):
        for value in fields.get(name, ())[:1]:
            text = value[-MAX_FIELD:].decode("latin-1")
            ids = _ID.findall(text)
            found += reversed(ids) if name == b"references" else ids
    return tuple(dict.fromkeys(found))[:MAX_IDS]
