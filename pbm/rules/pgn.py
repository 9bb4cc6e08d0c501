"""Game records in PGN, the format of chess programs (the standard of 1994, import and export form).

It knows no game: moves are words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from pbm.rules.game import Played

_COLUMNS = 78
_ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?",
           "Black": "?", "Result": "*"}  # fmt: skip
"""The seven tags that every record has, with what they say when nothing is known."""
_TAG = re.compile(r'^\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$', re.MULTILINE)
_ASIDE = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", re.MULTILINE)
_VARIATION = re.compile(r"\([^()]*\)")
_NO_MOVE = re.compile(r"[0-9]+\.*|\.+|\$[0-9]+|1-0|0-1|1/2-1/2|\*|[!?]+")
_NUMBER = re.compile(r"^[0-9]+\.+")


def result(played: Played) -> str:
    """The result as PGN writes it."""
    if played.outcome is None:
        return "*"
    first, second = played.outcome.ranks
    return "1-0" if first < second else "0-1" if second < first else "1/2-1/2"


def pgn(
    played: Played, words: Sequence[str], *, more: Mapping[str, str] | None = None, first: int = 0
) -> str:
    """A record of one game: its moves in `words`, the first by side `first`, `more` tags."""
    known = {name: played.headers.get(name, unknown) for name, unknown in _ROSTER.items()}
    tags = {**known, "Result": result(played), **(more or {})}
    if "Termination" in played.headers:
        tags["Termination"] = played.headers["Termination"]
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    text = " ".join([*_numbered(words, first), tags["Result"]])
    return head + "\n" + "\n".join(wrap(text, _COLUMNS, break_on_hyphens=False)) + "\n"


def _numbered(words: Iterable[str], first: int) -> Iterable[str]:
    for ply, word in enumerate(words, first):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}. {word}"
        else:
            yield f"{ply // 2 + 1}... {word}" if ply == first else word


def _escaped(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


def read(text: str) -> tuple[dict[str, str], list[str]]:
    """The tags and the moves, as they are written, of the first game in a text; comments,
    variations and marks are left out."""
    tags: dict[str, str] = {}
    at = 0
    for found in _TAG.finditer(text):
        if text[at : found.start()].strip():
            break
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        at = found.end()
    moves = _ASIDE.sub(" ", text[at:]).partition("\n[")[0]
    while (shorter := _VARIATION.sub(" ", moves)) != moves:
        moves = shorter
    words = [_NUMBER.sub("", word) for word in moves.split()]
    return tags, [word for word in words if word and not _NO_MOVE.fullmatch(word)]
