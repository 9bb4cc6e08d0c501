"""Y: join the three sides of a triangle with one group.

The game is not called `y`: a name of one letter would turn every line of a mail that begins with it
into a command."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pbm.rules import Option
from pbm.rules.boards.hexagons import HexBoard, triangle
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import connects
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
Y, 2 players, after Claude Shannon, Craige Schensted and Charles Titus

AIM. Join all three sides of the triangle with one unbroken group of your
stones. Corner cells belong to both sides that meet there. One of the two
players always succeeds: there are no draws.

MOVES. Black (X) begins. Players take turns putting a stone on an empty cell,
named by column and row; a1 is at the top, row 5 goes from a5 to e5. Each
inner cell touches six others: c5 touches b5, d5, b4, c4, c6 and d6. White may
answer the first move with swap: the players change colours, the stone stays
black, and it is White's turn.

WRITING MOVES. The cell:
  > c5
  > D9

THE END. Joining the three sides wins at once. Resigning loses.

KNOWN. Without the swap the first player could always win.
"""
ALL_SIDES = 7


@cache
def touching(side: int) -> tuple[int, ...]:
    """Return the sides that each cell touches: left 1, right 2, bottom 4."""
    return tuple(
        (column == 0) | 2 * (column == row) | 4 * (row == side - 1)
        for column, row in triangle(side).cells
    )


@dataclass(frozen=True, slots=True)
class YPosition(OnHexagons, PlacementPosition):
    """A position of Y."""

    moves_once = True

    @property
    def geometry(self) -> HexBoard:
        return triangle(int(self.options["side"]))

    def place(self, cell: int) -> YPosition:
        following, touch = self.put_stone(cell), touching(int(self.options["side"]))
        if connects(following.board, cell, self.geometry, touch) == ALL_SIDES:
            return following.win_by_goal(
                self.side, phrase("{colour} joins the three sides", colour=self.colour(self.side))
            )
        return following


GAMES = (
    two_player_game(
        YPosition,
        "gameofy",
        "Y",
        ("black", "white"),
        "join the three sides of a triangle",
        HELP,
        Option("side", "int", "cells along each side", default=13, low=3, high=19),
        NO_SWAP_OPTION,
        Option("misere", "flag", "joining the three sides loses"),
        aliases=("ygame", "thegameofy"),
        family="connection",
        is_decisive=True,
    ),
)
