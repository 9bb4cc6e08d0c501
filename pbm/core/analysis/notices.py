"""Notices about the analysis of a board that is over."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.notices.content import GameContent


class TurnView(Struct, frozen=True):
    """A turn that was analysed, for one reader.

    number          of its first move
    judgement       what kind of mistake it is, with its article
    before, after   what the player could expect, in percent
    board           the board before the turn, as text, or in words
    """

    number: int
    userid: str
    played: str
    better: str
    judgement: str
    before: int
    after: int
    board: str = ""


class AnalysisView(Struct, frozen=True):
    """An analysis in words.

    turns   those that changed the game most
    first   the userid of the first seat, whose chances `points` has: after so many moves, in
            percent; no points where there are more than two seats
    """

    by: str
    turns: Sequence[TurnView]
    first: str
    points: Sequence[tuple[int, int]]
    withheld: int


class AnalysisShown(GameContent, frozen=True, kw_only=True):
    """The analysis of a board; `curve` draws its points, or says them."""

    board: int
    title: str
    result: str
    names: str
    view: AnalysisView
    curve: Sequence[str]
    in_words: bool

    @property
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.in_words


class AnalysisQueued(GameContent, frozen=True, kw_only=True):
    """The reader gets the analysis of a board later; `ahead` others come first. It is not made
    before the time `settles`, "" for any time."""

    board: int
    ahead: int
    settles: str = ""


class AnalysisFailed(GameContent, frozen=True, kw_only=True):
    """There will be no analysis of a board; `goes_on`: it is being played again."""

    is_failure = True

    board: int
    goes_on: bool
