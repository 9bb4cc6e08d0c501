"""Outrank: numbered men, which each side sets up before the march begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import move_sign, put_sign
from pbm.rules.drawing.scene import Piece
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, two_player_game

MEN = ("1234", "ABCD")
"""The men of each side, the weakest first; they are also what is written on them."""
WIDTH, ROWS = 4, 6

HELP = """\
OUTRANK, 2 players

AIM. Bring one of your four men to the last row, or take all of the other's.

MOVES. First the sides take turns in setting up their men on their own first
row, the weakest first: south has 1 to 4, north A to D, and A is as strong as
1. Name the square:
  > b1
Then a man steps straight or diagonally ahead, to an empty square or onto a
man who is no stronger, who is taken:
  > b1-c2

THE END. Who reaches the last row or takes the last man wins. Who cannot move
loses. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class Outrank(OnSquares, MoveListPosition):
    """A position of the game: turns 0 to 7 are the set-up, so that no field says which phase it
    is."""

    form = re.compile("([a-d][0-9])(?:-?([a-d][0-9]))?")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Outrank:
        return cls(options, EMPTY * WIDTH * ROWS)

    @property
    def geometry(self) -> Grid:
        return cached_grid(WIDTH, ROWS)

    @property
    def seat_signs(self) -> tuple[str, str]:
        return MEN

    def scene_pieces(self) -> tuple[Piece, ...]:
        names = self.geometry.names
        return tuple(
            Piece(names[cell], "stone", side, label=sign)
            for cell, sign in enumerate(self.board)
            for side in (0, 1)
            if sign in MEN[side]
        )

    @property
    def is_setting_up(self) -> bool:
        """Whether men are still to be put on the board."""
        return self.turn < 2 * WIDTH

    def list_moves(self) -> list[str]:
        names, rows = self.geometry.names, range(WIDTH * ROWS)
        if self.is_setting_up:
            home = (rows[:WIDTH], rows[-WIDTH:])[self.side]
            return [names[cell] for cell in home if self.board[cell] == EMPTY]
        steps = [(across, (1, -1)[self.side]) for across in (-1, 0, 1)]
        targets = [(cell, self.geometry.step(cell, *step)) for cell in rows for step in steps]
        return [f"{names[a]}-{names[b]}" for a, b in targets if b is not None and self.may(a, b)]

    def may(self, here: int, there: int) -> bool:
        """Whether a man of the side to move goes there: nobody as strong or stronger of his own."""
        man, other, (own, foe) = self.board[here], self.board[there], (MEN, MEN[::-1])[self.side]
        is_weaker = other in foe and foe.index(other) <= own.find(man)
        return man in own and (other == EMPTY or is_weaker)

    def find_fault(self, move: str) -> str:
        if self.is_setting_up or "-" not in move:
            return "men are set up on empty squares of the first row, and then they step ahead"
        return "a man of yours steps one square ahead, and takes nobody who is stronger"

    def make_move(self, move: str) -> Outrank:
        *here, there = (self.geometry.number[name] for name in move.split("-"))
        if self.is_setting_up:
            return self.end_turn(put_sign(self.board, there, MEN[self.side][self.turn // 2]))
        after = self.end_turn(move_sign(self.board, here[0], there))
        if there // WIDTH == (ROWS - 1, 0)[self.side]:
            return after.win(self.side, f"{self.colour(self.side)} has reached the last row")
        if not set(MEN[after.side]) & set(after.board):
            return after.win(self.side, f"{self.colour(after.side)} has no man left")
        return after.lose_if_stuck()


GAME = two_player_game(
    Outrank,
    "outrank",
    "Outrank",
    ("south", "north"),
    "set up four numbered men, and march",
    HELP,
    family="capture",
    length="short",
    is_decisive=True,
)
