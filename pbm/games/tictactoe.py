"""Tic-Tac-Toe: three in a row on nine cells, or more on larger boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Option, OptionError, Value
from pbm.rules.drawing.scene import CROSSES
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import two_player_game
from pbm.rules.phrases import phrase

HELP = """\
TIC-TAC-TOE, 2 players

AIM. Get three of your signs in an unbroken row: horizontal, vertical or
diagonal.

MOVES. X begins. Players take turns putting their sign on an empty cell, named
by column and row; a1 is at the bottom left.

WRITING MOVES. The cell:
  > b2
  > a1

THE END. A row wins at once. A full board without a row is a draw. Resigning
loses.

KNOWN. With best play the usual game is a draw.
"""


@dataclass(frozen=True, slots=True)
class TicTacToePosition(OnSquares, PlacementPosition):
    """A position of Tic-Tac-Toe."""

    kinds = CROSSES

    @classmethod
    def check_options(cls, options: Mapping[str, Value]) -> None:
        if int(options["row"]) > int(options["size"]):
            raise OptionError(
                phrase(
                    "a row of {row} does not fit on a size of {size}",
                    row=options["row"],
                    size=options["size"],
                )
            )

    def place(self, cell: int) -> TicTacToePosition:
        return self.place_for_row(cell, self.geometry.axes)


GAMES = (
    two_player_game(
        TicTacToePosition,
        "tictactoe",
        "Tic-Tac-Toe",
        ("crosses", "noughts"),
        "three in a row, on nine cells or more",
        HELP,
        Option("size", "int", "rows and columns", default=3, low=3, high=9),
        Option("row", "int", "signs in a row; longer rows count too", default=3, low=3, high=9),
        Option("misere", "flag", "completing a row loses"),
        aliases=("ttt", "noughts"),
        family="lines",
        length="short",
    ),
)
