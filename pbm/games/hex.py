"""Hex: join your two sides of a rhombus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pbm.rules import Option, Played
from pbm.rules.boards.hexagons import HexBoard, rhombus
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import connects
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game
from pbm.rules.formats import sgf

HELP = """\
HEX, 2 players, after Piet Hein and John Nash

AIM. Red (X) joins the top and bottom sides of the board with an unbroken
chain of stones, Blue (O) the left and right sides. Corner cells belong to
both sides that meet there. One of the two always succeeds: there are no
draws.

MOVES. Red begins. Players take turns putting a stone on an empty cell, named
by column and row; a1 is at the upper left. Each cell touches six others:
left, right, two above and two below; f6 touches e6, g6, f5, g5, e7 and f7:
  > f6
  > D3
Blue may answer the first move with swap: the players change colours, the
stone stays red, and it is Blue's turn. Each colour keeps its sides.

OPTIONS. -size=3..19 rows and columns, -noswap: no swap, -misere: joining your
own sides loses.

ENDING. The chain wins at once. Resigning loses.
"""
TOP, BOTTOM, LEFT, RIGHT = 1, 2, 4, 8
GOALS = (TOP | BOTTOM, LEFT | RIGHT)
SIDES = ("top and bottom", "left and right")


@cache
def touching(size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each colour, which of its own sides each cell touches."""
    cells = rhombus(size, size).cells
    last = size - 1
    return (
        tuple(TOP * (row == 0) | BOTTOM * (row == last) for _, row in cells),
        tuple(LEFT * (column == 0) | RIGHT * (column == last) for column, _ in cells),
    )


@dataclass(frozen=True, slots=True)
class HexPosition(OnHexagons, PlacementPosition):
    """A position of Hex."""

    numbered_right = True
    remark = "red joins top and bottom, blue left and right"

    @property
    def geometry(self) -> HexBoard:
        size = int(self.options["size"])
        return rhombus(size, size)

    def place(self, cell: int) -> HexPosition:
        following, side = self.put_stone(cell), self.side
        touch = touching(int(self.options["size"]))[side]
        if connects(following.board, cell, self.geometry, touch) == GOALS[side]:
            return following.win_by_goal(side, f"{self.colour(side)} joins {SIDES[side]}")
        return following

    @classmethod
    def record(cls, played: Played) -> str:
        """The game in SGF as hex programs write it: red is B, a swap is swap-sides."""
        turns, swapped = sgf.stone_turns(played, lambda move: move, swap="swap-sides")
        return sgf.sgf(sgf.HEX, int(played.options["size"]), turns, played, swapped=swapped)


GAMES = (
    two_player_game(
        HexPosition,
        "hex",
        "Hex",
        ("red", "blue"),
        "join your two sides of the board",
        HELP,
        Option("size", "int", "rows and columns", default=11, low=3, high=19),
        NO_SWAP_OPTION,
        Option("misere", "flag", "joining your own sides loses"),
    ),
)
