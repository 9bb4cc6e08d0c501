"""Brandubh, the small tafl game of Ireland, with a weak king."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.families.tafl import ATTACKER, CLAIMED, IDLE, PAGE, TaflPosition, mirror
from pbm.rules.families.two_player import two_player_game

WEAK = """\
THE KING. He is captured like his men, also against a corner; but on the
throne only by attackers on all four sides, and next to the throne only by
attackers on the three other sides."""


@dataclass(frozen=True, slots=True)
class Brandubh(TaflPosition):
    """A position of the game."""

    first = mirror("...X...", "...X...", "...O...", "XXOKOXX")

    def is_king_taken(self, king: int, moved: int) -> bool:
        geometry = self.geometry
        around = geometry.orthogonal[king]
        if king == geometry.throne or geometry.throne in around:
            return all(n == geometry.throne or self.board[n] == ATTACKER for n in around)
        behind = 2 * king - moved
        return behind in around and (self.board[behind] == ATTACKER or behind in geometry.corners)


GAMES = (
    two_player_game(
        Brandubh,
        "brandubh",
        "Brandubh",
        ("attackers", "defenders"),
        "a king breaks through to a corner, 7 by 7 squares",
        PAGE.format(
            title="BRANDUBH",
            size="7 by 7",
            example="d1-b1",
            king=WEAK,
            ring="",
            idle=IDLE,
            repeated=CLAIMED,
        ),
        family="kings",
        length="short",
    ),
)
