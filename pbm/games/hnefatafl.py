"""Hnefatafl, the large tafl game: the king is strong and can be surrounded."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.boards.bitboards import mask_of, masks
from pbm.rules.families.tafl import ATTACKER, DEFENDER, IDLE, KING, PAGE, TaflPosition, mirror
from pbm.rules.families.two_player import two_player_game

STRONG = """\
THE KING. He is captured when attackers hold all four squares beside him, or
three and the fourth is the throne. At the edge of the board he cannot be
captured."""
RING = """, or when neither he nor any of his men could reach the
edge of the board even if no attacker moved: then they are surrounded"""


@dataclass(frozen=True, slots=True)
class Hnefatafl(TaflPosition):
    """A position of the game."""

    first = mirror(
        "...XXXXX...", ".....X.....", "...........", "X....O....X", "X...OOO...X", "XX.OOKOO.XX"
    )

    def is_king_taken(self, king: int, moved: int) -> bool:
        around = self.geometry.orthogonal[king]
        held = [n == self.geometry.throne or self.board[n] == ATTACKER for n in around]
        return len(held) == 4 and all(held)

    def is_surrounded(self) -> bool:
        # No defender can reach the edge without passing through attackers.
        geometry = self.geometry
        of = masks(geometry.width, geometry.height)
        inside = of.full & ~mask_of(self.board, ATTACKER)
        seed = mask_of(self.board, DEFENDER) | mask_of(self.board, KING)
        return not of.joined(seed, inside) & geometry.border


GAMES = (
    two_player_game(
        Hnefatafl,
        "hnefatafl",
        "Hnefatafl",
        ("attackers", "defenders"),
        "a king breaks through to a corner, 11 by 11 squares",
        PAGE.format(
            title="HNEFATAFL", size="11 by 11", example="d1-d3", king=STRONG, ring=RING, idle=IDLE
        ),
        aliases=("tafl",),
        family="kings",
        length="long",
    ),
)
