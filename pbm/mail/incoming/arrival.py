"""A mail that arrives, whichever way: whether it is for us, and its row in the journal.

It stores no mail of another address and none that costs too much; it reads no command."""

from __future__ import annotations

import re
from typing import Any

from pbm.config import Config
from pbm.mail.incoming.message.letter import TooCostly, dedupe_key, refuse
from pbm.store.mail_outcome import MailOutcome

SHOWN = 65536
"""Octets that are read of a mail that is too large, and kept of one to the postmaster."""
_KEPT = re.compile(rb"(?im)^(from|to|date|message-id|in-reply-to)[ \t]*:[^\r\n]{0,300}")


class Refused(Exception):
    """The mail can never be taken; the text says why."""


def is_ours(config: Config, address: str) -> bool:
    """Whether the address is the server's, with or without a subaddress."""
    local, _, host = address.strip("<>").lower().rpartition("@")
    server = config.server
    return host == server.host.lower() and local.partition("+")[0] == server.local.lower()


def is_postmaster(config: Config, address: str) -> bool:
    """Whether the address is the postmaster's, with our domain or without any (RFC 5321 4.5.1)."""
    local, _, host = address.strip("<>").lower().partition("@")
    return local == "postmaster" and host in ("", config.server.host.lower())


def came_through_our_server(via: str, peer: str) -> bool:
    """Whether the operator's own mail server handed the mail over, so that its name in it counts:
    by LMTP, through the pipe or from the mailbox always, by SMTP from this machine only."""
    return via in ("lmtp", "pipe", "imap") or (via == "smtp" and is_local(peer))


def is_local(peer: str) -> bool:
    """Whether the client is on this machine: a relay of ours, or a socket file."""
    return peer in ("", "::1") or peer.startswith("127.")


def journal_row(
    raw: bytes,
    *,
    via: str,
    envelope_from: str | None,
    recipient: str,
    now: float,
    peer: str = "",
    line: int = 0,
) -> dict[str, Any]:
    """The row of the journal for a mail with lines ended in CRLF, of `line` octets at most (0: of
    any length); `envelope_from` is None when unknown, "" for the null sender. Refused."""
    try:
        reason = refuse(raw, line=line)
        fingerprint = None if reason else dedupe_key(raw)
    except TooCostly as error:
        raise Refused(str(error)) from None
    if reason:
        raise Refused(reason)
    return {
        "received": now,
        "via": via,
        "peer": peer,
        "envelope_from": envelope_from,
        "recipient": recipient,
        "raw": raw,
        "fingerprint": fingerprint,
        "state": "waiting",
    }


def aside_row(
    raw: bytes,
    why: str,
    *,
    via: str,
    envelope_from: str | None,
    recipient: str,
    now: float,
    peer: str = "",
) -> dict[str, Any]:
    """The row for a mail that is set aside unread: refusing it would have the mail server in front
    of us bounce it to whomever its From names. Its text, which may hold a password, is not kept."""
    return {
        "received": now,
        "via": via,
        "peer": peer,
        "envelope_from": envelope_from,
        "recipient": recipient,
        "raw": without_text(raw),
        "fingerprint": None,
        "state": "aside",
        "code": MailOutcome.UNREADABLE.value,
        "outcome": why,
        "finished": now,
    }


def postmaster_row(raw: bytes, **envelope: Any) -> dict[str, Any]:
    """The row for a mail to the postmaster: the operator may read it, nobody executes it."""
    said = "a mail to the postmaster: it is for the operator, not executed and not answered"
    return {
        **aside_row(raw, said, **envelope),
        "state": "done",
        "code": MailOutcome.POSTMASTER.value,
        "raw": raw[:SHOWN],
    }


def without_text(raw: bytes) -> bytes:
    """What stays of a mail: who, when and which, nothing that may be a password."""
    end = raw.find(b"\r\n\r\n")
    head = raw[: min(end if end >= 0 else len(raw), 16384)]
    return b"\r\n".join(found[0] for found in _KEPT.finditer(head)) + b"\r\n\r\n(text removed)\r\n"
