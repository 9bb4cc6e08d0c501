"""Game records in PDN, the format of draughts programs (pdn.fmjd.org, version 3.0): PGN with a tag
for the game.

It knows no game: moves are words, and a game is its `GameType`, like 21,B,8,8,N1,0: number, side
that begins, width, height, notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbm.rules import pgn
from pbm.rules.game import Outcome, Played

_POINTS = ("2-0", "1-1", "0-2", "0-0")
"""Results in points, none of which could be a move."""


def _black_first(kind: str) -> bool:
    return kind.split(",")[1] == "B"


def seated(headers: Mapping[str, str], kind: str) -> dict[str, str]:
    """Headers whose White is the first seat as tags whose White has the white pieces, and back."""
    names = {"White": "Black", "Black": "White"} if _black_first(kind) else {}
    return {names.get(name, name): value for name, value in headers.items()}


def pdn(played: Played, words: Sequence[str], kind: str) -> str:
    """A record of one game: its moves in `words`; `kind` is the GameType."""
    outcome = played.outcome
    if outcome is not None and _black_first(kind):
        outcome = Outcome(outcome.ranks[::-1], outcome.reason)
    white_first = replace(played, outcome=outcome, headers=seated(played.headers, kind))
    return pgn.pgn(white_first, words, more={"GameType": kind})


def read(text: str) -> tuple[dict[str, str], list[str]]:
    """The tags and the moves, as they are written, of the first game in a text; comments,
    variations and marks are left out."""
    tags, words = pgn.read(text)
    return tags, [word.rstrip("!?") for word in words if word not in _POINTS]
