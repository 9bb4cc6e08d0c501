"""Writes texts as the parts of mails."""

from __future__ import annotations

import quopri
from functools import lru_cache

ENCODED = "Content-Transfer-Encoding: quoted-printable"
_UNENCODED = "Content-Transfer-Encoding: 7bit"
BOUNDARY = "=_pbm_"
"""Quoted-printable text cannot contain it: there `=` is followed by two hexadecimal digits. Text
that contains it is encoded."""
_LONGEST_LINE = 991
"""Longer lines, with the first character of their ends, are encoded: SMTP allows 998 without."""


def build_part(boundary: str, name: str, text: str) -> tuple[str, ...]:
    """Return the lines of a part; the last one is all that it says."""
    kind, written = encode_text(text, name)
    return f"--{boundary}", *kind, "", written


def join_lines(*lines: str) -> bytes:
    return "\r\n".join(lines).encode("ascii")


def encode_quoted_printable(text: str) -> str:
    written = quopri.encodestring(text.encode("utf-8", "replace"))
    return written.replace(b"\n", b"\r\n").decode("ascii")


def end_lines(text: str) -> str:
    """Return the text with the ends that lines of mails have."""
    return text.replace("\n", "\r\n")


end_lines_of_picture = lru_cache(maxsize=1)(end_lines)
"""The same for a picture: mails to both players of a board show the same."""


def encode_text(text: str, kind: str = "plain") -> tuple[tuple[str, str], str]:
    """Return a text as sent, and the headers that describe its encoding."""
    if text.isascii() and BOUNDARY not in text and not _has_long_line(text):
        return (f"Content-Type: text/{kind}; charset=us-ascii", _UNENCODED), text
    written = encode_quoted_printable(text.replace("\r\n", "\n"))
    return (f"Content-Type: text/{kind}; charset=utf-8", ENCODED), written


def _has_long_line(text: str) -> bool:
    """Whether a line is too long to be sent unencoded."""
    # Searching each stretch for its last line end takes a tenth of the time of splitting.
    at, size = 0, len(text)
    while size - at > _LONGEST_LINE:
        end = text.rfind("\n", at, at + _LONGEST_LINE + 1)
        if end < 0:
            return True
        at = end + 1
    return False
