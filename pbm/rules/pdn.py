"""Game records in PDN, the format of draughts programs (pdn.fmjd.org, version 3.0).

It knows no game: moves are words, and a game is its `GameType`, like 21,B,8,8,N1,0: number, side
that begins, width, height, notation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

from pbm.rules.game import Played

_COLUMNS = 78
_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}
_TAG = re.compile(r'^\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$', re.MULTILINE)
_ASIDE = re.compile(r"\{[^}]*\}|^%[^\n]*", re.MULTILINE)
_VARIATION = re.compile(r"\([^()]*\)")
_NUMBER = re.compile(r"^[0-9]+\.+")
_NO_MOVE = re.compile(r"\$[0-9]+|[!?]+|\*|1/2-1/2|[0-2]-0|0-[0-2]|1-1")


def result(played: Played, *, black_first: bool = False) -> str:
    """The result as PDN writes it: that of white first."""
    if played.outcome is None:
        return "*"
    first, second = played.outcome.ranks
    if first == second:
        return "1/2-1/2"
    return "1-0" if (first < second) != black_first else "0-1"


def _black_first(kind: str) -> bool:
    return kind.split(",")[1] == "B"


def seated(headers: Mapping[str, str], kind: str) -> dict[str, str]:
    """Headers whose White is the first seat as tags whose White has the white pieces, and back."""
    names = {"White": "Black", "Black": "White"} if _black_first(kind) else {}
    return {names.get(name, name): value for name, value in headers.items()}


def pdn(played: Played, words: Sequence[str], kind: str) -> str:
    """A record of one game: its moves in `words`; `kind` is the GameType."""
    headers = seated(played.headers, kind)
    tags = {name: headers.get(name, unknown) for name, unknown in _ROSTER.items()}
    tags |= {"Result": result(played, black_first=_black_first(kind)), "GameType": kind}
    if "Termination" in headers:
        tags["Termination"] = headers["Termination"]
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    pairs = [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
    numbered = [f"{number}. {pair}" for number, pair in enumerate(pairs, 1)]
    text = " ".join([*numbered, tags["Result"]])
    return head + "\n" + "\n".join(wrap(text, _COLUMNS, break_on_hyphens=False)) + "\n"


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
    words = (_NUMBER.sub("", word).rstrip("!?") for word in moves.split())
    return tags, [word for word in words if word and not _NO_MOVE.fullmatch(word)]
