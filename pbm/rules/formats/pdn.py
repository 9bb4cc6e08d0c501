"""Game records in PDN, the format of draughts programs (pdn.fmjd.org, version 3.0): PGN with a tag
for the game.

Moves are words here, and a game is its `GameType`, such as 21,B,8,8,N1,0: number, side that begins,
width, height, notation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbm.rules.errors import RecordError
from pbm.rules.formats import pgn
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import phrase

_POINTS = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_PADDED = re.compile(r"(?<=[0-9][-x:]) +(?=[0-9](?![0-9.]))")
"""The blank before a square of one digit, as in 1- 7."""
_RANGE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_LONGEST = 1000


def black_first(kind: str) -> bool:
    """Whether Black begins and so is the first seat."""
    return kind.split(",")[1] == "B"


def number(kind: str) -> str:
    """Return the number of a GameType, which alone identifies the game."""
    return kind.split(",")[0].strip()


def _by_colour(headers: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return headers whose White is the first seat, as tags whose White has the white pieces."""
    names = {"White": "Black", "Black": "White"} if black_first(kind) else {}
    return {names.get(name, name): value for name, value in headers.items()}


def pdn(played: Played, words: Sequence[str], kind: str) -> str:
    """Return the record of one game with its moves in `words`; `kind` is the GameType."""
    outcome = played.outcome
    if outcome is not None and black_first(kind):
        outcome = Outcome(outcome.ranks[::-1], outcome.reason)
    white_first = replace(played, outcome=outcome, headers=_by_colour(played.headers, kind))
    return pgn.pgn(white_first, words, more={"GameType": kind})


def read(text: str) -> pgn.ParsedRecord:
    """Return the first game in a text; see `pgn.games`."""
    record = pgn.read(_PADDED.sub("", text))
    tag = record.tags.get("Result", "")
    if record.words and (found := _read_points(record.words[-1], tag)):
        record.words.pop()
        record.result = found
    record.tags["Result"] = _read_points(tag, tag) or tag
    record.words = [word.rstrip("!?*") for word in record.words]
    return record


def _read_points(word: str, tag: str) -> str:
    """Return the result that points such as 2-0 and 12-0 are; "" for what could be a move, unless
    the tag Result says the same."""
    points = _POINTS.fullmatch(word)
    if points is None or word in (pgn.WON, pgn.LOST):
        return ""
    first, second = int(points[1]), int(points[2])
    if first and second and first != second and word != tag:
        return ""
    if first == second:
        return pgn.DRAWN if first else pgn.OPEN
    return pgn.WON if first > second else pgn.LOST


def placement(fen: str) -> tuple[str, frozenset[str]]:
    """Return the side to move and the pieces of a FEN such as W:W21-23,K30:B1,2, as `W21` and
    `BK30`. RecordError if it is not a FEN."""
    if len(fen) > _LONGEST:
        raise RecordError(phrase("the tag FEN is too long to be one"))
    side, *groups = fen.strip().rstrip(".").upper().split(":")
    pieces = set[str]()
    for group in groups:
        colour, squares_text = group[:1], group[1:]
        if colour not in ("W", "B"):  # move numbers: H0, F1
            continue
        for piece in filter(None, squares_text.split(",")):
            king, square = ("K", piece[1:]) if piece[0] == "K" else ("", piece)
            run = _RANGE.fullmatch(square)
            first, last = (int(run[1]), int(run[2])) if run else (0, 0)
            squares = [str(n) for n in range(first, last + 1)] if run else [square]
            pieces.update(f"{colour}{king}{name}" for name in squares)
    return side, frozenset(pieces)
