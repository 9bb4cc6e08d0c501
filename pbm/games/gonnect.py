"""Gonnect: the stones of go, won by a chain from one side to the opposite one."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.boards.stone_groups import find_group
from pbm.rules.families.surrounding import SurroundingPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game
from pbm.rules.formats import sgf

HELP = """\
GONNECT, 2 players, after Joao Pedro Neto

AIM. Join two opposite sides of the board, left and right or top and bottom,
whichever you like, with one chain of your stones. Stones of a chain touch
along the lines; slanting does not join.

MOVES. Black (X) begins. In turn you put a stone on an empty point, named by
its column and row; there is no column i, a1 is at the bottom left:
  > g7
  > J3
Stones of the other colour that have no empty point beside them, alone or as a
chain, are captured and leave the board, as in go. A stone that would stand
without an empty point beside its chain and captures nothing is not allowed,
nor one that brings back a board that was there before. There is no passing.
White may answer the first move with swap: the colours change hands, the stone
stays black, and it is white's turn.

OPTIONS. -size=5..19 lines along a side, -noswap: no swap.

ENDING. The chain decides at once. Who is on the move and has none loses. Who
resigns loses. No draws.
"""


@dataclass(frozen=True, slots=True)
class Gonnect(SurroundingPosition):
    """A moment of the game."""

    sgf_number = sgf.GO

    def list_moves(self) -> list[str]:
        return self.points()

    def make_move(self, move: str) -> Gonnect:
        after, geometry = self.with_stone(move), self.geometry
        size, cell = geometry.width, geometry.number[move]
        chain = find_group(after.board, cell, geometry.orthogonal)
        for name, places in (
            ("bottom and top", {there // size for there in chain}),
            ("left and right", {there % size for there in chain}),
        ):
            if 0 in places and size - 1 in places:
                return after.win(self.side, f"{self.colour(self.side)} joins {name}")
        return after.lose_if_stuck()


GAMES = (
    two_player_game(
        Gonnect,
        "gonnect",
        "Gonnect",
        ("black", "white"),
        "the stones of go, won by joining opposite sides",
        HELP,
        Option("size", "int", "lines along a side", default=13, low=5, high=19),
        NO_SWAP_OPTION,
    ),
)
