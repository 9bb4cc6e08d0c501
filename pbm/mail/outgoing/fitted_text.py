"""Sentences and what people wrote, as lines of a mail that fit."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

COLUMNS = 78
JOINERS = "\u200c\u200d"
"""Zero-width joiners, which some scripts and emoji need."""
_SHORTEST_SUBJECT = 48
_CUT = " ..."
_GLUED = re.compile(r"(?<=«) | (?=[:;!?»](?:\s|$))")
"""Blanks at which no line is broken: beside the marks that French sets apart."""
_GLUE = "\u00a0"


def shorten(text: str) -> str:
    """Return a subject that fits into a line: up to the last colon or comma that fits, or the last
    word."""
    if len(text) <= COLUMNS:
        return text
    part = text[: COLUMNS - len(_CUT) + 1]
    ends = [at for at in map(part.rfind, (": ", "; ", ", ")) if at > _SHORTEST_SUBJECT]
    end = max(ends, default=part.rfind(" "))
    return f"{part[: end if end > 0 else -1].rstrip(' -')}{_CUT}"


def quote(text: str) -> str:
    """Return what a person wrote, as quoted lines that fit."""
    lines = []
    for line in text.splitlines():
        plain = "".join(
            letter if letter.isprintable() or letter in JOINERS else " " for letter in line
        ).rstrip()
        lines += textwrap.wrap(plain, COLUMNS - 2) or [""]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def format_sentence(text: str, names: str = "") -> str:
    """Return the text as a sentence: a full stop, and a capital unless a userid begins it."""
    return fill(punctuate(text, names))


def format_sentences(texts: Sequence[str], names: str = "") -> str:
    """Return the texts as sentences of one paragraph."""
    return fill(" ".join([punctuate(text, names) for text in texts]))


def punctuate(text: str, names: str) -> str:
    """Return the text with a full stop, and a capital unless a userid begins it."""
    first = text.partition(" ")[0].rstrip(",:")
    if text and first not in names.split():
        at = 1 if text[0] in "¿¡" else 0
        text = f"{text[:at]}{text[at : at + 1].upper()}{text[at + 1 :]}"
    return text if text[-1:] in (".", "!", "?") else f"{text}."


def wrap_line(line: str, indent: int) -> list[str]:
    """Break a line into pieces that fit, at blanks and commas, the later ones indented."""
    pieces = []
    while len(line) > COLUMNS:
        at = max(line.rfind(" ", indent, COLUMNS), line.rfind(",", indent, COLUMNS - 1) + 1)
        at = at if at > indent else COLUMNS
        pieces.append(line[:at].rstrip())
        line = " " * indent + line[at:].lstrip()
    return [*pieces, line]


def fill(text: str, indent: int = 0) -> str:
    """Return a sentence as lines that fit, the later ones indented."""
    if len(text) <= COLUMNS and "\n" not in text:
        return text
    text = _GLUED.sub(_GLUE, text)
    filled = textwrap.fill(
        text, COLUMNS, subsequent_indent=" " * indent, break_long_words=True, break_on_hyphens=False
    )
    return filled.replace(_GLUE, " ")
