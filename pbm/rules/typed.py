"""Helpers for parsers of typed moves: quoting hostile text safely, joining words, trimming what is
left."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pbm.rules.phrases import Listing

_MOST_NAMED = 2
SEPARATORS = " ,;.\t\r\n"
"""The characters that may separate the moves of a list and end it."""


def quoted(text: str, limit: int = 40) -> str:
    """Return a player's text as a refusal repeats it: in quotes, printable, at most `limit`
    characters. The first that are neither letters nor ASCII are named, so that they can be told
    from those that they look like."""
    shown, named = "", 0
    for char in text[:limit]:
        if " " <= char <= "~" or (char.isalnum() and char.isprintable()):
            shown += char
        else:
            name = unicodedata.name(char, "").lower() if named < _MOST_NAMED else ""
            shown += f"<{name}>" if name else "?"
            named += 1
    return f"'{shown}'" if len(text) <= limit else f"'{shown}...'"


def left_of(text: str, at: int) -> str:
    """Return the rest of a list of moves from index `at`, without separators at its ends."""
    return text[at:].strip(SEPARATORS)


def listing(words: Sequence[str], last: str = "and") -> str:
    """List words: `a`, `a and b`, `a, b and c`."""
    return Listing(words, last)
