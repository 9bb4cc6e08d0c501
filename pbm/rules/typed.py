"""Helpers for parsers of typed moves: quoting hostile text safely, joining words, trimming what is
left."""

from __future__ import annotations

from collections.abc import Sequence

SEPARATORS = " ,;.\t\r\n"
"""The characters that may separate the moves of a list and end it."""


def quoted(text: str, limit: int = 40) -> str:
    """A player's text as a refusal repeats it: in quotes, printable ASCII, at most `limit`
    characters."""
    shown = text[: limit + 1]
    shown = "".join(char if " " <= char <= "~" else "?" for char in shown)
    return f"'{shown}'" if len(shown) <= limit else f"'{shown[:limit]}...'"


def left_of(text: str, at: int) -> str:
    """The rest of a list of moves from index `at`, without separators at its ends."""
    return text[at:].strip(SEPARATORS)


def listing(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
