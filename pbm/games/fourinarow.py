"""Four in a Row, also known as Connect Four (a trademark of Hasbro): pieces fall to the bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import IllegalMove, InvalidMove, Option, OptionError, Value
from pbm.rules.boards.squares import column_name, column_number
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.drawing.scene import both_sides
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.many_sides import SIGNS, ManySides, all_sides
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import EMPTY, two_player_game
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

HELP = """\
FOUR IN A ROW, 2 to 4 players; also known as Connect Four

AIM. Get four of your pieces in an unbroken row: horizontal, vertical or
diagonal.

MOVES. Red (X) begins, against yellow (O). The board stands upright: a piece
put into a column falls to its lowest empty cell.

WRITING MOVES. The letter of the column, or its number from the left:
  > d
  > 4
  > C

MORE PLAYERS. With three, red, yellow (O) and green (%) play in this order,
with four blue (@) after them. A board of 9 columns and 7 rows has more room:
-columns=9 -rows=7. The first row wins, and the others share the second place;
with -misere whoever completes a row is out, and the others go on. The pieces
of a player who is out or resigns stay.

THE END. A row wins at once. A full board without a row is a draw. Resigning
loses.

KNOWN. On the usual board whoever begins can force a win, by beginning in the
middle column (James Allen and Victor Allis, 1988).
"""


@dataclass(frozen=True, slots=True)
class FourInARowPosition(OnSquares, PlacementPosition):
    """A position of Four in a Row; a move is the letter of a column."""

    kinds = both_sides("disc")
    ground = "rack"

    @classmethod
    def check_options(cls, options: Mapping[str, Value]) -> None:
        columns, rows, row = (int(options[name]) for name in ("columns", "rows", "row"))
        if row > max(columns, rows):
            raise OptionError(
                phrase(
                    "a row of {row} does not fit on {columns} columns and {rows} rows",
                    row=row,
                    columns=columns,
                    rows=rows,
                )
            )

    def moves(self) -> Sequence[str]:
        top = self.board[-self.geometry.width :]
        return [column_name(column) for column, piece in enumerate(top) if piece == EMPTY]

    def read(self, word: str) -> str:
        if word.isdecimal() and word.isascii() and 1 <= int(word[:4]) <= self.geometry.width:
            return column_name(int(word[:4]) - 1)
        return word

    def advance(self, move: str) -> FourInARowPosition:
        width = self.geometry.width
        if len(move) != 1 or not "a" <= move <= "z":
            raise InvalidMove(
                phrase(
                    "{move} is not a column; a move looks like {example}",
                    move=quoted(move),
                    example=self.example,
                )
            )
        column = column_number(move)
        if column >= width:
            raise IllegalMove(
                phrase(
                    "there is no column {move}; the last one is {column_name}",
                    move=move,
                    column_name=column_name(width - 1),
                )
            )
        height = self.board[column::width].find(EMPTY)
        if height < 0:
            raise IllegalMove(phrase("column {move} is full", move=move))
        return self.place(height * width + column)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the cell on which the disc comes to lie."""
        width, column = self.geometry.width, column_number(move)
        return (self.geometry.names[self.board[column::width].find(EMPTY) * width + column],)

    def place(self, cell: int) -> FourInARowPosition:
        return self.place_for_row(cell, self.geometry.axes)

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        width, board = self.geometry.width, self.board
        columns = {column_number(move) for move in moves if len(move) == 1}
        # The last piece played is the topmost one of its column.
        return {
            max(cell for cell in range(column, len(board), width) if board[cell] != EMPTY)
            for column in columns
            if column < width and board[column] != EMPTY
        }


@dataclass(frozen=True, slots=True)
class CrowdedFourInARow(ManySides, FourInARowPosition):
    """A position for three or four, on the board and for the row that the options say.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = all_sides("disc")
    count: int = 3
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedFourInARow:
        return replace(cls.initial(options), count=players)

    def place(self, cell: int) -> CrowdedFourInARow:
        side, need = self.side, int(self.options["row"])
        after = self.end_turn(put_sign(self.board, cell, SIGNS[side]))
        if max(row_lengths(after.board, cell, self.geometry.axes)) < need:
            return after.draw_if_full()
        reason = phrase("{need} in a row for {colour}", need=need, colour=self.colour(side))
        if not self.options["misere"]:
            return after.win(side, reason)
        after = after.remove(side)
        others = sorted(after.playing)
        if len(others) == 1:
            return after.win(others[0], reason)
        news = (reason, phrase("{colour} is out", colour=self.colour(side)))
        return replace(after.draw_if_full(), news=news)


GAMES = (
    two_player_game(
        FourInARowPosition,
        "fourinarow",
        "Four in a Row",
        ("red", "yellow"),
        "four in a row, pieces fall down (Connect Four)",
        HELP,
        Option("columns", "int", "width of the board", default=7, low=4, high=15),
        Option("rows", "int", "height of the board", default=6, low=4, high=15),
        Option("row", "int", "pieces in a row; longer rows count too", default=4, low=3, high=6),
        Option("misere", "flag", "completing a row loses"),
        aliases=("connectfour", "connect4", "four"),
        family="lines",
        length="short",
        crowd=CrowdedFourInARow,
        crowds=(("red", "yellow", "green"), ("red", "yellow", "green", "blue")),
    ),
)
