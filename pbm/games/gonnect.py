"""Gonnect: the stones of go, won by a chain between opposite sides."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.boards.stone_groups import find_group
from pbm.rules.families.surrounding import SurroundingPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase

HELP = """\
GONNECT, 2 players, after Joao Pedro Neto

AIM. Join two opposite sides of the board, left and right or top and bottom,
whichever you like, with one chain of your stones. Stones of a chain touch
along the lines, not diagonally.

MOVES. Black (X) begins. Players take turns putting a stone on an empty point,
named by column and row; there is no column i, a1 is at the bottom left.
Opposing stones without an empty point beside them, alone or as a chain, are
captured and leave the board, as in go. You may not put a stone that captures
nothing and would leave its own chain without an empty point beside it, nor
one that brings back an earlier board. You cannot pass. White may answer the
first move with swap: the players change colours, the stone stays black, and
it is White's turn.

WRITING MOVES. The point:
  > g7
  > J3

THE END. The chain wins at once. A player who cannot move loses. Resigning
loses. There are no draws.
"""


@dataclass(frozen=True, slots=True)
class Gonnect(SurroundingPosition):
    """A position of the game."""

    moves_once = True
    sgf_number = sgf.GO

    def list_moves(self) -> list[str]:
        return self.points()

    def make_move(self, move: str) -> Gonnect:
        after, geometry = self.with_stone(move), self.geometry
        size, cell = geometry.width, geometry.number[move]
        chain = find_group(after.board, cell, geometry.orthogonal)
        for name, places in (
            (phrase("bottom and top"), {there // size for there in chain}),
            (phrase("left and right"), {there % size for there in chain}),
        ):
            if 0 in places and size - 1 in places:
                return after.win(
                    self.side,
                    phrase("{colour} joins {name}", colour=self.colour(self.side), name=name),
                )
        return after if after.has_open_point() else after.lose_if_stuck()


GAMES = (
    two_player_game(
        Gonnect,
        "gonnect",
        "Gonnect",
        ("black", "white"),
        "the stones of go, won by joining opposite sides",
        HELP,
        Option("size", "int", "lines along a side", default=13, low=5, high=19),
        NO_SWAP_OPTION,
        family="connection",
        is_decisive=True,
    ),
)
