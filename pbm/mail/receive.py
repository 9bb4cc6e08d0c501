"""Takes in a mail that arrives, whichever way: whether it is for us, and its row in the journal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pbm.config import Config, Server
from pbm.core.authenticate import find_senders
from pbm.core.command import Command, Sender
from pbm.core.limits import Limit, Tally
from pbm.core.secrets import Secrets, read_token
from pbm.core.words import get_verb
from pbm.features.accounts.codes import find_open_code
from pbm.mail.letter import examine, read_author
from pbm.store import reads
from pbm.store.mail_outcome import MailOutcome
from pbm.store.transaction import Session

MAX_SHOWN = 65536
"""Octets that are kept of a mail that is too large, or is to the postmaster."""
_KEPT_FIELDS = re.compile(rb"(?im)^(from|to|date|message-id|in-reply-to)[ \t]*:[^\r\n]{0,300}")


class MailRefused(Exception):
    """The mail can never be accepted; the text says why."""


def is_ours(config: Config, address: str) -> bool:
    """Whether the address is the server's, with or without a subaddress."""
    return address == config.server.address or config.server.is_at(address.strip("<>"))


def is_postmaster(config: Config, address: str) -> bool:
    """Whether the address is the postmaster's, with our domain or without any (RFC 5321 4.5.1)."""
    local, _, host = address.strip("<>").lower().partition("@")
    return local == "postmaster" and host in {"", *config.server.hosts}


def is_from_own_mail_server(server: Server, via: str, peer: str) -> bool:
    """Whether the operator's own mail server handed the mail over, so that its verdict on the
    sender counts: always by LMTP, pipe and mailbox, by SMTP only through a socket file (its clients
    have no address) or from a peer that the configuration names."""
    if via in ("lmtp", "pipe", "imap"):
        return True
    return via == "smtp" and (not peer or server.is_trusted_peer(peer))


def is_local(peer: str) -> bool:
    """Whether the client is on this machine: the operator's relay, or a socket file."""
    return peer in ("", "::1") or peer.startswith("127.")


def build_journal_row(
    raw: bytes,
    *,
    via: str,
    envelope_from: str | None,
    recipient: str,
    now: float,
    peer: str = "",
    line: int = 0,
) -> dict[str, object]:
    """Return the journal's row for a mail with CRLF line endings. `line` is the longest line in
    octets (0: any length); `envelope_from` is None when unknown, "" for the null sender. Raise
    Refused."""
    reason, fingerprint = examine(raw, line=line)
    if reason:
        raise MailRefused(reason)
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


def build_aside_row(
    raw: bytes,
    reason: str,
    *,
    via: str,
    envelope_from: str | None,
    recipient: str,
    now: float,
    peer: str = "",
) -> dict[str, object]:
    """Return the journal's row for a mail that is set aside unread: if it were refused, the mail
    server in front of us would bounce it to whomever its From names. Its text may hold a password
    and is not kept."""
    return {
        "received": now,
        "via": via,
        "peer": peer,
        "envelope_from": envelope_from,
        "recipient": recipient,
        "raw": mask_text(raw),
        "fingerprint": None,
        "state": "aside",
        "code": MailOutcome.UNREADABLE.value,
        "outcome": reason,
        "finished": now,
    }


def build_postmaster_row(raw: bytes, **envelope: Any) -> dict[str, Any]:
    """Return the journal's row for a mail to the postmaster, which only the operator reads."""
    note = "a mail to the postmaster: it is for the operator, not executed and not answered"
    return {
        **build_aside_row(raw, note, **envelope),
        "state": "done",
        "code": MailOutcome.POSTMASTER.value,
        "raw": raw[:MAX_SHOWN],
    }


def mask_text(raw: bytes) -> bytes:
    """Return what is kept of a mail: its sender, its date and its ids, nothing that may be a
    password."""
    end = raw.find(b"\r\n\r\n")
    head = raw[: min(end if end >= 0 else len(raw), 16384)]
    return (
        b"\r\n".join(match[0] for match in _KEPT_FIELDS.finditer(head))
        + b"\r\n\r\n(text removed)\r\n"
    )


# Tells mails of known senders from those of strangers, which are executed after all others.


class Precedence:
    """Marks arriving mails, in the transaction that journals them. It counts mails from each known
    address, as far as this process has received them, since anybody can name one. Beyond the limit
    a mail also needs a genuine reply address."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets
        self._named = Tally(Limit.PROMPT_MAILS)

    def mark(self, session: Session, rows: Sequence[dict[str, Any]]) -> None:
        """Set `stranger` in each of these rows of the journal."""
        senders = [(row["envelope_from"] or "").lower() for row in rows]
        known = reads.find_known_addresses(session, set(senders) - {""})
        authors = [
            "" if sender in known else read_author(row["raw"]).lower()
            for sender, row in zip(senders, rows, strict=True)
        ]
        others = set(authors) - {""}
        if others:
            known |= reads.find_known_addresses(session, others)
        for row, sender, author in zip(rows, senders, authors, strict=True):
            address = sender if sender in known else author
            if address not in known:
                row["stranger"] = not self._brings_code(session, row)
                continue
            is_prompt = self._named.has_room(address, row["received"], self._config)
            self._named.add(address, row["received"])
            row["stranger"] = not is_prompt and not self._is_reply(session, row, address)

    def _brings_code(self, session: Session, row: dict[str, Any]) -> bool:
        """Whether the mail went to the genuine reply address of one that brought a code, and so
        proves an address."""
        token = read_token(row["recipient"].rpartition("@")[0].partition("+")[2])
        if token is None or token.kind != "c":
            return False
        return find_open_code(session, self._secrets, token.tag, row["received"]) is not None

    def _is_reply(self, session: Session, row: dict[str, Any], address: str) -> bool:
        """Whether the mail went to a genuine reply address of that address's player."""
        token = read_token(row["recipient"].rpartition("@")[0].partition("+")[2])
        if token is None or token.kind in "cd":
            return False
        command = Command(get_verb("help"), Sender(address, token))
        now = row["received"]
        return bool(find_senders(session, command, now, self._secrets, self._config))


# Mail on standard input, which a mail server pipes to `pbm receive`.


class NotOurs(Exception):
    """The recipient is not the server's address (EX_NOUSER)."""


def build_piped_row(
    config: Config, raw: bytes, envelope_from: str | None, recipient: str, now: float
) -> dict[str, object]:
    """Return the row of the journal for a mail with lines ended in LF or CRLF; `envelope_from` is
    None when it is unknown, "" or "<>" for the null sender. A mail that cannot be taken is set
    aside. NotOurs."""
    if not is_ours(config, recipient):
        raise NotOurs(f"no such address here; games are played by {config.server.address}")
    sender = envelope_from.strip("<> ") if envelope_from is not None else None
    recipient = recipient.strip("<>")
    try:
        return _build_piped(config, raw, sender, recipient, now)
    except MailRefused as refused:
        return build_aside_row(
            raw, str(refused), via="pipe", envelope_from=sender, recipient=recipient, now=now
        )


def _build_piped(
    config: Config, raw: bytes, envelope_from: str | None, recipient: str, now: float
) -> dict[str, object]:
    most = config.limits.size
    if most and len(raw) > most:
        raise MailRefused(f"the mail has more than {most} bytes")
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return build_journal_row(
        raw,
        via="pipe",
        envelope_from=envelope_from,
        recipient=recipient,
        now=now,
        line=config.limits.line,
    )
