"""Four in a Row, also known as Connect Four (a trademark of Hasbro): pieces fall to the bottom.

The rules only; rows of pieces come from `pbm.rules.placing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.rules import GameInfo, IllegalMove, InvalidMove, Option, OptionError, Picture, Value
from pbm.rules.duel import EMPTY, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.placing import Placing, row_lengths, square_axes
from pbm.rules.squares import Grid, cached_grid, column_name, column_number
from pbm.rules.typed import quoted

HELP = """\
FOUR IN A ROW, 2 players; also known as Connect Four

AIM. Four of your pieces in an unbroken row: across, up or slanting.

MOVES. The board stands upright. Name a column by its letter, or by its number
from the left: your piece falls to its lowest empty cell. X begins.
  > d
  > 4
  > C

OPTIONS. -columns=4..15, -rows=4..15, -row=3..6 for another length of the row
(longer ones count too), -misere: who completes such a row loses.

ENDING. A row decides at once. A full board without a row is a draw. Who
resigns loses.
"""


@dataclass(frozen=True, slots=True)
class FourInARowPosition(Placing):
    """A moment of Four in a Row; a move is the letter of a column."""

    @property
    def surface(self) -> Grid:
        return cached_grid(int(self.options["columns"]), int(self.options["rows"]))

    def moves(self) -> Sequence[str]:
        width = self.surface.width
        top = self.board[-width:]
        return [column_name(column) for column in range(width) if top[column] == EMPTY]

    def read(self, word: str) -> str:
        width = self.surface.width
        if word.isdecimal() and word.isascii() and 1 <= int(word[:4]) <= width:
            return column_name(int(word[:4]) - 1)
        return word

    def after(self, move: str) -> FourInARowPosition:
        width = self.surface.width
        if len(move) != 1 or not "a" <= move <= "z":
            raise InvalidMove(f"{quoted(move)} is not a column; a move is like {self.example}")
        column = column_number(move)
        if column >= width:
            raise IllegalMove(f"there is no column {move}: they go to {column_name(width - 1)}")
        height = self.board[column::width].find(EMPTY)
        if height < 0:
            raise IllegalMove(f"column {move} is full")
        return self.placed(height * width + column)

    def placed(self, cell: int) -> FourInARowPosition:
        following, need = self.stone_on(cell), int(self.options["row"])
        grid = self.surface
        if max(row_lengths(following.board, cell, square_axes(grid.width, grid.height))) >= need:
            winner = 1 - self.side if self.options["misere"] else self.side
            return following.won(winner, f"{need} in a row for {self.colour(self.side)}")
        return following.or_full()

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        grid = self.surface
        cells = range(len(grid))
        # A column that was played last: its topmost piece.
        marked = {
            max(cell for cell in cells if cell % grid.width == column and self.board[cell] != EMPTY)
            for column in (column_number(move) for move in last if len(move) == 1)
            if column < grid.width and self.board[column] != EMPTY
        }
        canvas = draw(grid, self.board, marked)
        self.caption(canvas)
        return canvas.picture()


class FourInARow(DuelGame):
    """The game."""

    position = FourInARowPosition
    info = GameInfo(
        name="fourinarow",
        title="Four in a Row",
        version=1,
        players=TWO,
        seats={2: ("crosses", "noughts")},
        summary="four in a row, pieces fall down (Connect Four)",
        help=HELP,
        aliases=("connectfour", "connect4", "four"),
        options=(
            Option("columns", "int", "width of the board", default=7, low=4, high=15),
            Option("rows", "int", "height of the board", default=6, low=4, high=15),
            Option("row", "int", "pieces in a row", default=4, low=3, high=6),
            Option("misere", "flag", "a row loses"),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> FourInARowPosition:
        columns, rows, row = (int(options[name]) for name in ("columns", "rows", "row"))
        if row > max(columns, rows):
            raise OptionError(f"-row={row} does not fit on {columns} columns and {rows} rows")
        return FourInARowPosition(options, EMPTY * (columns * rows))


FourInARowPosition.game = FourInARow()
GAMES = (FourInARowPosition.game,)
