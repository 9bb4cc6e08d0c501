"""Tic-Tac-Toe: three in a row on nine cells, or more on larger boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Option, OptionError, Value
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import Placing, row_lengths
from pbm.rules.families.two_player import duel

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
class TicTacToePosition(OnSquares, Placing):
    """A moment of Tic-Tac-Toe."""

    @classmethod
    def vet(cls, options: Mapping[str, Value]) -> None:
        if int(options["row"]) > int(options["size"]):
            raise OptionError(f"-row={options['row']} does not fit on -size={options['size']}")

    def placed(self, cell: int) -> TicTacToePosition:
        following, need = self.stone_on(cell), int(self.options["row"])
        if max(row_lengths(following.board, cell, self.surface.axes)) >= need:
            return following.reached(self.side, f"{need} in a row for {self.colour(self.side)}")
        return following.or_full()


GAMES = (
    duel(
        TicTacToePosition,
        "tictactoe",
        "Tic-Tac-Toe",
        ("crosses", "noughts"),
        "three in a row, on nine cells or more",
        HELP,
        Option("size", "int", "rows and columns", default=3, low=3, high=9),
        Option("row", "int", "signs in a row", default=3, low=3, high=9),
        Option("misere", "flag", "a row loses"),
        aliases=("ttt", "noughts"),
    ),
)
