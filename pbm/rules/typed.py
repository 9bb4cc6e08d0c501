"""What parsers of typed moves share: repeating hostile text safely, lists of words, what is left.

It knows no notation."""

from __future__ import annotations

from collections.abc import Sequence

SEPARATORS = " ,;.\t\r\n"
"""What may stand between two moves of a list and after the last."""


def quoted(text: str, limit: int = 40) -> str:
    """A text of a player as a refusal repeats it: in quotes, printable ASCII, at most `limit`
    characters of it."""
    shown = text[: limit + 1]
    shown = "".join(char if " " <= char <= "~" else "?" for char in shown)
    return f"'{shown}'" if len(shown) <= limit else f"'{shown[:limit]}...'"


def left_of(text: str, at: int) -> str:
    """What is left of a list of moves from the index `at`, without separators at its ends."""
    return text[at:].strip(SEPARATORS)


def listing(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
