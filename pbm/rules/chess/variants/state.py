"""The state of a position of a variant, apart from its players."""

from __future__ import annotations

from typing import NamedTuple

from pbm.rules.boards.stone_groups import fingerprint

PROMOTED_PAWN = "~"


class State(NamedTuple):
    """The state of a game.

    board     one sign a cell, from White's first row: letters of men, capitals White's; `.` and `*`
    side      the side to move
    under     what promoted men were before, one sign a cell: their letter, `~` for a pawn; "" if
              there are none
    hands     the pieces in hand of each side, letters in order
    castles   king and rook of each castling that is still possible
    passed    the cells where a man that has just moved may be captured in passing
    victim    the cell of that man
    gates     for each side the cells where a piece may enter behind a man that moves away
    checks    how many more checks each side needs
    limit, counted  when the counting rule ends the game, and how far it has counted, in turns
    facing, faced  whether the kings face each other, and did before the last move
    passing, passed_before  whether the last turn was a pass, and the one before it
    dropped   whether the last move was a drop
    idle      the turns since the last progress
    history   a mark for each position that could recur: twice its fingerprint, plus 1 in check
    """

    board: str
    side: int = 0
    under: str = ""
    hands: tuple[str, str] = ("", "")
    castles: tuple[tuple[int, int], ...] = ()
    passed: tuple[int, ...] = ()
    victim: int = -1
    gates: tuple[int, int] = (0, 0)
    checks: tuple[int, int] = (0, 0)
    limit: int = 0
    counted: int = 0
    facing: bool = False
    faced: bool = False
    passing: bool = False
    passed_before: bool = False
    dropped: bool = False
    idle: int = 0
    turn: int = 0
    history: tuple[int, ...] = ()

    def fingerprint(self) -> int:
        """Return a number that stands for what counts when positions are compared."""
        place = (self.side, self.hands, self.castles, self.passed, self.gates, self.checks)
        return fingerprint(f"{self.board}{self.under}{place}")
