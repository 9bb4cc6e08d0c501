"""Gomoku: five in a row, freestyle or exact."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.drawing.grid_scene import CROSSINGS
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import SWAP_OPTION, two_player_game
from pbm.rules.formats import sgf

HELP = """\
GOMOKU, 2 players

AIM. Get five of your stones in an unbroken row: horizontal, vertical or
diagonal.

MOVES. Black (X) begins. Players take turns putting a stone on an empty point,
named by column and row; a1 is at the bottom left. Stones stay where they are:
  > h8
  > I9

OPTIONS. -size=9..19 rows and columns. -exact: only a row of exactly five
counts, six or more in a row count for nothing; otherwise they win like five.
-swap: White may answer the first move with swap: the players change colours,
the stone stays black, and it is White's turn. -misere: completing a row that
counts loses.

ENDING. A row that counts wins at once. A full board without one is a draw.
Resigning loses. No move is forbidden to Black (that would be renju).
"""


@dataclass(frozen=True, slots=True)
class GomokuPosition(OnSquares, PlacementPosition):
    """A position of Gomoku."""

    look = CROSSINGS
    sgf_number = sgf.GOMOKU

    def place(self, cell: int) -> GomokuPosition:
        following = self.put_stone(cell)
        lengths = row_lengths(following.board, cell, self.geometry.axes)
        if 5 in lengths or (max(lengths) > 5 and not self.options["exact"]):
            return following.win_by_goal(self.side, f"five in a row for {self.colour(self.side)}")
        return following.draw_if_full()


GAMES = (
    two_player_game(
        GomokuPosition,
        "gomoku",
        "Gomoku",
        ("black", "white"),
        "five in a row on a large board, free or exact",
        HELP,
        Option("size", "int", "rows and columns", default=15, low=9, high=19),
        Option("exact", "flag", "six in a row do not count"),
        SWAP_OPTION,
        Option("misere", "flag", "completing a row loses"),
        aliases=("gobang", "fiveinarow"),
        family="lines",
    ),
)
