"""Solved games: the value of each move, and positions for players to solve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STRENGTHS = ("easy", "medium", "hard")
"""The levels of difficulty of puzzles."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of each move of the seat to move.

    wins   the moves by which it can force a win, with the number of moves until then, this one
           included; a move that wins later than another may be missing unless all were asked for
    loses  the moves after which another seat can, likewise
    holds  all others
    """

    wins: Mapping[str, int]
    loses: Mapping[str, int]
    holds: Sequence[str]

    @property
    def best(self) -> list[str]:
        """The moves that win soonest; else those that hold, else those that lose latest."""
        if self.wins:
            soonest = min(self.wins.values())
            return [move for move, after in self.wins.items() if after == soonest]
        if self.holds:
            return list(self.holds)
        latest = max(self.loses.values())
        return [move for move, after in self.loses.items() if after == latest]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move wins, given as the moves that lead there from the first
    position of the game; `strength` is one of STRENGTHS."""

    strength: str
    moves: tuple[str, ...]


def read_puzzles(text: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in a text, one on each line: the strength, then the moves, separated by
    blanks."""
    rows = (line.split() for line in text.splitlines())
    return tuple(Puzzle(strength, tuple(moves)) for strength, *moves in rows)
