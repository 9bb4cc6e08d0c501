"""Mail on standard input: a mail server pipes one mail to `pbm receive`, and the exit code says
what became of it."""

from __future__ import annotations

from pbm.config import Config
from pbm.mail import receive
from pbm.mail.receive import MailRefused


class NotOurs(Exception):
    """The recipient is not the server's address (EX_NOUSER)."""


def build_journal_row(
    config: Config, raw: bytes, envelope_from: str | None, recipient: str, now: float
) -> dict[str, object]:
    """Return the row of the journal for a mail with lines ended in LF or CRLF; `envelope_from` is
    None when it is unknown, "" or "<>" for the null sender. A mail that cannot be taken is set
    aside. NotOurs."""
    if not receive.is_ours(config, recipient):
        raise NotOurs(f"no such address here; games are played by {config.server.address}")
    sender = envelope_from.strip("<> ") if envelope_from is not None else None
    recipient = recipient.strip("<>")
    try:
        return _build_row(config, raw, sender, recipient, now)
    except MailRefused as refused:
        return receive.build_aside_row(
            raw, str(refused), via="pipe", envelope_from=sender, recipient=recipient, now=now
        )


def _build_row(
    config: Config, raw: bytes, envelope_from: str | None, recipient: str, now: float
) -> dict[str, object]:
    most = config.limits.size
    if most and len(raw) > most:
        raise MailRefused(f"the mail has more than {most} bytes")
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return receive.build_journal_row(
        raw,
        via="pipe",
        envelope_from=envelope_from,
        recipient=recipient,
        now=now,
        line=config.limits.line,
    )
