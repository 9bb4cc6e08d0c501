"""Brandubh, the small tafl game of Ireland: the king is weak."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.families.tafl import ATTACKER, IDLE, PAGE, Tafl, mirrored
from pbm.rules.families.two_player import duel

WEAK = """\
THE KING is taken like his men, also against a corner; but on the throne only
by attackers on all four sides, and next to the throne only by attackers on
the three other sides.
"""


@dataclass(frozen=True, slots=True)
class Brandubh(Tafl):
    """A moment of the game."""

    first = mirrored("...X...", "...X...", "...O...", "XXOKOXX")

    def king_taken(self, king: int, moved: int) -> bool:
        surface = self.surface
        around = surface.orthogonal[king]
        if king == surface.throne or surface.throne in around:
            return all(n == surface.throne or self.board[n] == ATTACKER for n in around)
        behind = 2 * king - moved
        return behind in around and (self.board[behind] == ATTACKER or behind in surface.corners)


GAMES = (
    duel(
        Brandubh,
        "brandubh",
        "Brandubh",
        ("attackers", "defenders"),
        "a king breaks through to a corner, 7 by 7 squares",
        PAGE.format(
            title="BRANDUBH", size="7 by 7", example="d1-b1", king=WEAK, ring="", idle=IDLE
        ),
    ),
)
