"""Notices about puzzles: a position to solve, what an answer is worth, how many were solved."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.notices.content import Content, PositionContent
from pbm.rules.phrases import phrase

# TRANSLATORS: how hard a puzzle is to solve: "Hex, puzzle 17, hard"
STRENGTH_NAMES = {"easy": phrase("easy"), "medium": phrase("medium"), "hard": phrase("hard")}


class PuzzleContent(PositionContent, frozen=True, kw_only=True):
    """Content about one puzzle; `seat` is the name of the seat that is to win."""

    puzzle: int
    strength: str
    seat: str


class PuzzleSent(PuzzleContent, frozen=True, kw_only=True):
    """A puzzle, with the moves that led there."""

    played: Sequence[str]
    userid: str


class PuzzleAnswered(PuzzleContent, frozen=True, kw_only=True):
    """What is to be said of an answer, with the board at the end of the line.

    move      the answer, or the solution that was asked for
    is_right  it is the only move that wins
    is_asked  the reader asked for the solution
    reply     the best answer to a wrong move; "" when the game is over
    is_lost   after it the other seat wins
    other     the name of that seat
    line      how it goes on, as names of seats and moves
    reason    how that ends, if it does
    counts    this is what counts of the puzzle
    solved    of so many puzzles `tried` of that strength
    """

    move: str
    is_right: bool
    is_asked: bool
    reply: str
    is_lost: bool
    other: str
    line: Sequence[tuple[str, str]]
    reason: str
    counts: bool
    solved: int
    tried: int


class PuzzleScore(Struct, frozen=True):
    """How many puzzles of a game and strength were solved at the first answer, how many were tried,
    and how many wait for an answer."""

    game: str
    strength: str
    solved: int
    tried: int
    waiting: int


class PuzzleScores(Content, frozen=True, kw_only=True):
    """All scores of a player."""

    userid: str
    rows: Sequence[PuzzleScore]
