"""Gomoku: five in a row, freestyle or exact."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.drawing.grid_scene import CROSSINGS
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import SWAP_OPTION, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase

HELP = """\
GOMOKU, 2 players

AIM. Get five of your stones in an unbroken row: horizontal, vertical or
diagonal.

MOVES. Black (X) begins. Players take turns putting a stone on an empty point,
named by column and row; a1 is at the bottom left. Stones stay where they are.

WRITING MOVES. The point:
  > h8
  > I9

THE END. A row that counts wins at once. A full board without one is a draw.
Resigning loses. No move is forbidden to Black (that would be renju).

KNOWN. On the usual board Black can force a win (Victor Allis, 1994): see the
option swap.
"""


@dataclass(frozen=True, slots=True)
class GomokuPosition(OnSquares, PlacementPosition):
    """A position of Gomoku."""

    moves_once = True
    look = CROSSINGS
    sgf_number = sgf_game = sgf.GOMOKU

    def place(self, cell: int) -> GomokuPosition:
        following = self.put_stone(cell)
        lengths = row_lengths(following.board, cell, self.geometry.axes)
        if 5 in lengths or (max(lengths) > 5 and not self.options["exact"]):
            return following.win_by_goal(
                self.side, phrase("five in a row for {colour}", colour=self.colour(self.side))
            )
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
        Option("exact", "flag", "only exactly five in a row win, not six or more"),
        SWAP_OPTION,
        Option("misere", "flag", "completing a row loses"),
        aliases=("gobang", "fiveinarow"),
        family="lines",
    ),
)
