"""Yavalath: four in a row wins, three in a row loses."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.boards.hexagons import HexBoard, hexagon
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
YAVALATH, 2 players, after Cameron Browne and his program Ludi

AIM. Get four of your stones in an unbroken row along the lines of cells. But
if you make three in a row without making four, you lose.

MOVES. White (X) begins. Players take turns putting a stone on an empty cell,
named by column and row. Row 1 is at the top; columns lean from the letter at
their upper end to the lower left. Black may answer the first move with swap:
the players change colours, the stone stays white, and it is Black's turn.

WRITING MOVES. The cell:
  > e5
  > D4

THE END. A stone that makes four or more in a row wins, even if it makes three
on another line as well. Otherwise a stone that makes three in a row loses. A
full board is a draw. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class YavalathPosition(OnHexagons, PlacementPosition):
    """A position of Yavalath."""

    @property
    def geometry(self) -> HexBoard:
        return hexagon(int(self.options["side"]))

    def place(self, cell: int) -> YavalathPosition:
        following = self.put_stone(cell)
        longest = row_lengths(following.board, cell, self.geometry.axes)
        if max(longest) > 3:
            return following.win(
                self.side, phrase("four in a row for {colour}", colour=self.colour(self.side))
            )
        if 3 in longest:
            return following.win(
                1 - self.side, phrase("three in a row for {colour}", colour=self.colour(self.side))
            )
        return following.draw_if_full()


GAMES = (
    two_player_game(
        YavalathPosition,
        "yavalath",
        "Yavalath",
        ("white", "black"),
        "four in a row wins, three in a row loses",
        HELP,
        Option("side", "int", "cells along each side", default=5, low=3, high=8),
        NO_SWAP_OPTION,
        family="lines",
        length="short",
    ),
)
