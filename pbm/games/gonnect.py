"""Gonnect: the stones of go, won by a chain from one side to the opposite one.

The rules of stones come from `pbm.games._goban`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.games._goban import Stones
from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, NO_SWAP_OPTION, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.stones import group

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
class Gonnect(Stones):
    """A moment of the game."""

    def every(self) -> list[str]:
        return self.points()

    def made(self, move: str) -> Gonnect:
        after, surface = self.with_stone(move), self.surface
        size, cell = surface.width, surface.number[move]
        chain = group(after.board, cell, surface.orthogonal)
        for name, places in (
            ("bottom and top", {there // size for there in chain}),
            ("left and right", {there % size for there in chain}),
        ):
            if 0 in places and size - 1 in places:
                return after.won(self.side, f"{self.colour(self.side)} joins {name}")
        if not after.moves():
            return after.won(self.side, f"{self.colour(after.side)} cannot move")
        return after

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        surface = self.surface
        canvas = draw(surface, self.board, self.cells_of(last), columns=surface.columns)
        black, white = self.taken_by
        self.caption(canvas, note=f"captured by black {black}, by white {white}")
        return canvas.picture()


class GonnectGame(DuelGame):
    """The game."""

    position = Gonnect
    info = GameInfo(
        name="gonnect",
        title="Gonnect",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="the stones of go, won by joining opposite sides",
        help=HELP,
        options=(
            Option("size", "int", "lines along a side", default=13, low=5, high=19),
            NO_SWAP_OPTION,
        ),
        features=frozenset({"swap"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Gonnect:
        return Gonnect(options, EMPTY * int(options["size"]) ** 2)


Gonnect.game = GonnectGame()
GAMES = (Gonnect.game,)
