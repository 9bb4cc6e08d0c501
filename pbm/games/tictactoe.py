"""Tic-Tac-Toe: three in a row on nine cells, or more on larger boards.

The rules only; rows of stones come from `pbm.rules.placing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.rules import GameInfo, Option, OptionError, Picture, Value
from pbm.rules.duel import EMPTY, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.placing import Placing, row_lengths, square_axes
from pbm.rules.squares import Grid, cached_grid

HELP = """\
TIC-TAC-TOE, 2 players

AIM. Three of your signs in an unbroken row: across, up or slanting.

MOVES. X begins. In turn you put your sign on an empty cell, named by its
column and row; a1 is at the bottom left:
  > b2
  > a1

OPTIONS. -size=3..9 for a larger board, -row=3..9 for a longer row (longer
ones count too), -misere: who completes such a row loses.

ENDING. A row decides at once. A full board without a row is a draw. Who
resigns loses.
"""


@dataclass(frozen=True, slots=True)
class TicTacToePosition(Placing):
    """A moment of Tic-Tac-Toe."""

    @property
    def surface(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    def placed(self, cell: int) -> TicTacToePosition:
        following, need = self.stone_on(cell), int(self.options["row"])
        grid = self.surface
        if max(row_lengths(following.board, cell, square_axes(grid.width, grid.height))) >= need:
            winner = 1 - self.side if self.options["misere"] else self.side
            return following.won(winner, f"{need} in a row for {self.colour(self.side)}")
        return following.or_full()

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        self.caption(canvas)
        return canvas.picture()


class TicTacToe(DuelGame):
    """The game."""

    position = TicTacToePosition
    info = GameInfo(
        name="tictactoe",
        title="Tic-Tac-Toe",
        version=1,
        players=TWO,
        seats={2: ("crosses", "noughts")},
        summary="three in a row, on nine cells or more",
        help=HELP,
        aliases=("ttt", "noughts"),
        options=(
            Option("size", "int", "rows and columns", default=3, low=3, high=9),
            Option("row", "int", "signs in a row", default=3, low=3, high=9),
            Option("misere", "flag", "a row loses"),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> TicTacToePosition:
        size, row = int(options["size"]), int(options["row"])
        if row > size:
            raise OptionError(f"-row={row} does not fit on -size={size}")
        return TicTacToePosition(options, EMPTY * size**2)


TicTacToePosition.game = TicTacToe()
GAMES = (TicTacToePosition.game,)
