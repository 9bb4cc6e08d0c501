"""A finding of `pbm doctor`."""

from __future__ import annotations

import smtplib
from dataclasses import dataclass

from pbm.logs import describe_cause

RESTART = "the server is there but does not answer: look at its log, restart it"
"""What to do about a server that hangs."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what was checked, the grade (ok, note or BAD), what was found, what
    to do about it, and the DNS record that does it."""

    what: str
    grade: str
    says: str
    do: str = ""
    record: str = ""


def summarize(error: Exception) -> str:
    """Return the error in a few words, on one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        words = reply.decode(errors="replace") if isinstance(reply, bytes) else str(reply)
        return f"{error.smtp_code} {words}"[:120]
    return describe_cause(error) or str(error)[:120] or type(error).__name__
