"""Hex: join your two sides of a rhombus.

The rules only; the board comes from `pbm.rules.hexagons`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbm.rules import GameInfo, Option, Picture, Played, Value, sgf
from pbm.rules.connection import connects
from pbm.rules.duel import EMPTY, NO_SWAP_OPTION, SWAP, TWO, DuelGame
from pbm.rules.hexagons import HexBoard, rhombus
from pbm.rules.placing import Placing

HELP = """\
HEX, 2 players, after Piet Hein and John Nash

AIM. Red (X) joins the top and the bottom side of the board with an unbroken
chain of stones, blue (O) the left and the right side. Corner cells belong to
both sides that meet there. One of the two always succeeds: no draws.

MOVES. Red begins. In turn you put a stone on an empty cell, named by its
column and row; a1 is at the upper left. Each cell touches six others: left,
right, two above and two below; f6 touches e6, g6, f5, g5, e7 and f7:
  > f6
  > D3
Blue may answer the first move with swap: the colours change hands, the stone
stays red, and it is blue's turn. Whoever has a colour keeps its sides.

OPTIONS. -size=3..19 rows and columns, -noswap: no swap, -misere: who joins
the own sides loses.

ENDING. The chain decides at once. Who resigns loses.
"""

TOP, BOTTOM, LEFT, RIGHT = 1, 2, 4, 8
GOALS = (TOP | BOTTOM, LEFT | RIGHT)
SIDES = ("top and bottom", "left and right")


@cache
def touching(size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each colour and cell which of its own sides the cell touches."""
    cells = rhombus(size, size).cells
    last = size - 1
    return (
        tuple(TOP * (row == 0) | BOTTOM * (row == last) for _, row in cells),
        tuple(LEFT * (column == 0) | RIGHT * (column == last) for column, _ in cells),
    )


@dataclass(frozen=True, slots=True)
class HexPosition(Placing):
    """A moment of Hex."""

    @property
    def surface(self) -> HexBoard:
        size = int(self.options["size"])
        return rhombus(size, size)

    def placed(self, cell: int) -> HexPosition:
        following, side = self.stone_on(cell), self.side
        touch = touching(int(self.options["size"]))[side]
        if connects(following.board, cell, self.surface, touch) == GOALS[side]:
            winner = 1 - side if self.options["misere"] else side
            return following.won(winner, f"{self.colour(side)} joins {SIDES[side]}")
        return following

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = self.surface.draw(self.board, self.cells_of(last), right=True)
        self.caption(canvas, note="red joins top and bottom, blue left and right")
        return canvas.picture()


class Hex(DuelGame):
    """The game."""

    position = HexPosition
    info = GameInfo(
        name="hex",
        title="Hex",
        version=1,
        players=TWO,
        seats={2: ("red", "blue")},
        summary="join your two sides of the board",
        help=HELP,
        options=(
            Option("size", "int", "rows and columns", default=11, low=3, high=19),
            NO_SWAP_OPTION,
            Option("misere", "flag", "who joins the own sides loses"),
        ),
        features=frozenset({"swap"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> HexPosition:
        return HexPosition(options, EMPTY * int(options["size"]) ** 2)

    def record(self, played: Played) -> str:
        """The game in SGF as hex programs write it: red is B, a swap is swap-sides."""
        turns: list[tuple[str, str]] = []
        stones = 0
        for _, move in played.moves:
            turns.append(("BW"[stones % 2], "swap-sides" if move == SWAP else move))
            stones += move != SWAP
        swapped = stones < len(turns)
        return sgf.sgf(sgf.HEX, int(played.options["size"]), turns, played, swapped=swapped)


HexPosition.game = Hex()
GAMES = (HexPosition.game,)
