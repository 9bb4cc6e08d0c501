"""Five and Pairs, also known as Pente (a trademark of Hasbro): five in a row, or five captures.

The rules only; rows of stones come from `pbm.rules.placing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import GameInfo, IllegalMove, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.placing import Placing, row_lengths, square_axes
from pbm.rules.squares import Grid, cached_grid
from pbm.rules.stones import emptied

HELP = """\
FIVE AND PAIRS, 2 players; also known as Pente

AIM. Five or more of your stones in an unbroken row (across, up or slanting),
or ten captured stones.

MOVES. White (X) begins, in the centre of the board. In turn you put a stone
on an empty point, named by its column and row; a1 is at the bottom left:
  > k10
  > L11
A stone that takes a pair of the other side between itself and another stone
of yours, in a straight line without a gap, captures the pair: both leave the
board, their points are free again. One stone may capture several pairs. You
may safely put a stone between two of the other side: only the side that moves
captures. Three stones in a line are not captured, but see keryo.

OPTIONS. -size=9..19, odd or even: with even sizes the centre is the point to
the upper right of the middle. -tournament: white's second stone must be at
least three lines away from the centre, outside the five by five square around
it. -keryo: threes are captured as well as pairs, and fifteen stones win.

ENDING. A row of five, or the tenth captured stone (keryo: fifteenth), decides
at once. A full board without either is a draw. Who resigns loses.
"""


@dataclass(frozen=True, slots=True)
class FivePairsPosition(Placing):
    """A moment of Five and Pairs; `taken` are the stones that each side has captured."""

    taken: tuple[int, int] = (0, 0)

    @property
    def surface(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    def _reserved(self, cell: int) -> str:
        """Why the opening rules forbid a cell; empty where they do not."""
        grid = self.surface
        middle = grid.width // 2
        away = max(abs(part - middle) for part in divmod(cell, grid.width))
        if self.turn == 0 and away:
            return "the first stone goes to the centre, " + grid.names[middle * grid.width + middle]
        if self.turn == 2 and self.options["tournament"] and away < 3:
            return "white's second stone must be three lines or more away from the centre"
        return ""

    def moves(self) -> Sequence[str]:
        names = Placing.moves(self)
        if self.turn in (0, 2):
            return [name for name in names if not self._reserved(self.surface.number[name])]
        return names

    def placed(self, cell: int) -> FivePairsPosition:
        if self.turn in (0, 2) and (why := self._reserved(cell)):
            raise IllegalMove(f"{self.surface.names[cell]}: {why}")
        following, side, grid = self.stone_on(cell), self.side, self.surface
        caught = self._captured(cell)
        if caught:
            taken = list(self.taken)
            taken[side] += len(caught)
            names = " ".join(grid.names[there] for there in sorted(caught))
            following = replace(
                following,
                board=emptied(following.board, caught),
                taken=(taken[0], taken[1]),
                news=(f"{self.colour(side)} captures {names}",),
            )
        if max(row_lengths(following.board, cell, square_axes(grid.width, grid.height))) >= 5:
            return following.won(side, f"five in a row for {self.colour(side)}")
        if following.taken[side] >= (15 if self.options["keryo"] else 10):
            count = following.taken[side]
            return following.won(side, f"{count} captured stones for {self.colour(side)}")
        return following.or_full()

    def _captured(self, cell: int) -> list[int]:
        """The stones that a stone of the side on the move put on `cell` captures."""
        board, grid = self.board, self.surface
        own, other = STONES[self.side], STONES[1 - self.side]
        caught: list[int] = []
        for ray in grid.rays[cell]:
            for count in (2, 3) if self.options["keryo"] else (2,):
                if (
                    len(ray) > count
                    and board[ray[count]] == own
                    and all(board[there] == other for there in ray[:count])
                ):
                    caught += ray[:count]
        return caught

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        white, black = self.taken
        self.caption(canvas, note=f"captured stones: white {white}, black {black}")
        return canvas.picture()


class FivePairs(DuelGame):
    """The game."""

    position = FivePairsPosition
    info = GameInfo(
        name="fivepairs",
        title="Five and Pairs",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="five in a row, or five captured pairs (Pente)",
        help=HELP,
        aliases=("pente",),
        options=(
            Option("size", "int", "rows and columns", default=19, low=9, high=19),
            Option("tournament", "flag", "white's second stone keeps away from the centre"),
            Option("keryo", "flag", "threes are captured too, fifteen stones win"),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> FivePairsPosition:
        return FivePairsPosition(options, EMPTY * int(options["size"]) ** 2)


FivePairsPosition.game = FivePairs()
GAMES = (FivePairsPosition.game,)
