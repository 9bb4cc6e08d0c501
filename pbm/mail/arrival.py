"""A mail that arrives, whichever way: whether it is for us, and its row in the journal.

It stores no mail of another address and none that costs too much; it reads no command."""

from __future__ import annotations

from typing import Any

from pbm.config import Config
from pbm.mail.letter import TooCostly, dedupe_key, refuse


class Refused(Exception):
    """The mail can never be taken; the text says why."""


def is_ours(config: Config, address: str) -> bool:
    """Whether the address is the server's, with or without a subaddress."""
    local, _, host = address.strip("<>").lower().rpartition("@")
    server = config.server
    return host == server.host.lower() and local.partition("+")[0] == server.local.lower()


def came_through_our_server(via: str, peer: str) -> bool:
    """Whether the operator's own mail server handed the mail over, so that its name in it counts:
    by LMTP, through the pipe or from the mailbox always, by SMTP from this machine only."""
    return via in ("lmtp", "pipe", "imap") or (via == "smtp" and is_local(peer))


def is_local(peer: str) -> bool:
    """Whether the client is on this machine: a relay of ours, or a socket file."""
    return peer in ("", "::1") or peer.startswith("127.")


def journal_row(
    raw: bytes, *, via: str, envelope_from: str | None, recipient: str, now: float, peer: str = ""
) -> dict[str, Any]:
    """The row of the journal for a mail with lines ended in CRLF; `envelope_from` is None when
    unknown, "" for the null sender. Refused."""
    try:
        reason = refuse(raw)
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
        "fingerprint": fingerprint.hex() if fingerprint else None,
        "state": "waiting",
    }
