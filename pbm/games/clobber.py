"""Clobber by Albert, Grossman and Nowakowski (2001): every move captures a neighbouring piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Option, Value
from pbm.rules.boards.stone_groups import move_sign
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.families.board_positions import OnSquares, chequerboard
from pbm.rules.families.move_lists import FROM_TO, MoveListPosition
from pbm.rules.families.two_player import STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
CLOBBER, 2 players, by Albert, Grossman and Nowakowski (2001)

AIM. Be the last player who can move.

BOARD. Full at the start, White (X) and Black (O) alternating like the squares
of a chessboard, White on a1.

MOVES. White begins. One of your pieces moves to a square next to it in its
row or column that holds a piece of the other colour, and captures it. There
are no other moves.

WRITING MOVES. From and to:
  > a1-a2
  > a1b1

THE END. A player who cannot move loses. There are no draws. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class Clobber(OnSquares, MoveListPosition):
    """A position of the game."""

    form = FROM_TO
    look = CHEQUERED

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Clobber:
        return cls(options, chequerboard(int(options["columns"]), int(options["rows"])))

    def list_moves(self) -> list[str]:
        names, near, board = self.geometry.names, self.geometry.orthogonal, self.board
        own, other = STONES[self.side], STONES[1 - self.side]
        return [
            f"{names[cell]}-{names[there]}"
            for cell, stone in enumerate(board)
            if stone == own
            for there in near[cell]
            if board[there] == other
        ]

    def find_fault(self, move: str) -> str:
        start, end = move.split("-")
        number = self.geometry.number
        if why := self.find_source_fault(start):
            return why
        if number[end] not in self.geometry.orthogonal[number[start]]:
            return phrase("{end} is not next to {start} in its row or column", end=end, start=start)
        return phrase(
            "a move captures, and no piece of {colour} stands on {end}",
            colour=self.colour(1 - self.side),
            end=end,
        )

    def make_move(self, move: str) -> Clobber:
        start, end = (self.geometry.number[name] for name in move.split("-"))
        return self.end_turn(move_sign(self.board, start, end)).lose_if_stuck()


GAMES = (
    two_player_game(
        Clobber,
        "clobber",
        "Clobber",
        ("white", "black"),
        "capture the piece next door; the last to move wins",
        HELP,
        Option("columns", "int", "squares in a row", 6, low=2, high=10),
        Option("rows", "int", "rows", 5, low=2, high=10),
        Option("misere", "flag", "whoever cannot move wins"),
        family="blocking",
        is_decisive=True,
        length="short",
    ),
)
