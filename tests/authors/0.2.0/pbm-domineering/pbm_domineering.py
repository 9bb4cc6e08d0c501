"""Domineering by Goran Andersson: dominoes on squares, whoever cannot lay one has lost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbm.rules import Option
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import FROM_TO, MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game

HELP = """\
DOMINEERING, 2 players, by Goran Andersson

AIM. Be the last player who can lay a domino.

MOVES. Vertical begins. A domino covers two empty squares that share an edge:
Vertical lays upright ones, Horizontal flat ones. Name both squares:
  > b2-b3
  > b2b3

THE END. A player who cannot lay a domino loses. There are no draws. Resigning
loses.
"""


@dataclass(frozen=True, slots=True)
class Domineering(OnSquares, MoveListPosition):
    """A position of the game; its fields are those of `TwoPlayerPosition`."""

    form = FROM_TO

    def find_partner(self, cell: int) -> int | None:
        """The second cell of a domino of the side to move, above or to the right of the first."""
        return self.geometry.step(cell, *((0, 1), (1, 0))[self.side])

    def list_moves(self) -> list[str]:
        names, board = self.geometry.names, self.board
        return [
            f"{names[cell]}-{names[there]}"
            for cell, sign in enumerate(board)
            if sign == EMPTY
            and (there := self.find_partner(cell)) is not None
            and board[there] == EMPTY
        ]

    def canonicalize(self, match: re.Match[str]) -> str:
        return "-".join(sorted(match.groups(), key=self.geometry.names.index))

    def find_fault(self, move: str) -> str:
        cells = [self.geometry.number[name] for name in move.split("-")]
        for cell in cells:
            if self.board[cell] != EMPTY:
                return f"{self.geometry.names[cell]} is covered already"
        way = ("one above the other", "side by side")[self.side]
        return f"{self.colour(self.side)} covers two squares {way}"

    def make_move(self, move: str) -> Domineering:
        board = self.board
        for name in move.split("-"):
            board = put_sign(board, self.geometry.number[name], STONES[self.side])
        return self.end_turn(board).lose_if_stuck()


GAME = two_player_game(
    Domineering,
    "domineering",
    "Domineering",
    ("vertical", "horizontal"),
    "lay dominoes, upright or flat; the last to lay one wins",
    HELP,
    Option("columns", "int", "squares in a row", 8, low=2, high=12),
    Option("rows", "int", "rows", 8, low=2, high=12),
    family="blocking",
    length="short",
    is_decisive=True,
)
