"""Breakthrough: be the first to reach the far side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Option, Value
from pbm.rules.boards.stone_groups import move_sign
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.drawing.scene import both_sides
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import FROM_TO, MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
BREAKTHROUGH, 2 players, after Dan Troyka

AIM. Bring one of your pieces to the last row on the far side.

MOVES. White (X) begins at the bottom, on rows 1 and 2, Black (O) at the top.
A piece moves one square forward, straight or diagonally, onto an empty
square. It captures by moving one square diagonally forward, never straight,
onto a piece of the other colour, which leaves the board. You need not
capture, and there are no multiple captures.

WRITING MOVES. Both squares; you may leave out the - or x between them:
  > a2-a3
  > B2B3

THE END. The first piece on the last row wins; so does capturing every piece.
There is always a legal move, and there are no draws. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class BreakthroughPosition(OnSquares, MoveListPosition):
    """A position of Breakthrough."""

    form, canonicalize = FROM_TO, MoveListPosition.canonicalize_capture
    remark = phrase("white goes up, black goes down")
    look = CHEQUERED
    kinds = both_sides("man")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> BreakthroughPosition:
        columns, rows = int(options["columns"]), int(options["rows"])
        first, second = (stone * (2 * columns) for stone in STONES)
        return cls(options, first + EMPTY * (columns * (rows - 4)) + second)

    def list_moves(self) -> list[str]:
        board, names, width = self.board, self.geometry.names, self.geometry.width
        own, other = STONES[self.side], STONES[1 - self.side]
        forward, moves = -width if self.side else width, list[str]()
        for cell, stone in enumerate(board):
            if stone == own:
                column, ahead = cell % width, cell + forward
                for there in range(ahead - (column > 0), ahead + 1 + (column < width - 1)):
                    if board[there] == EMPTY:
                        moves.append(f"{names[cell]}-{names[there]}")
                    elif there != ahead and board[there] == other:
                        moves.append(f"{names[cell]}x{names[there]}")
        return moves

    def find_fault(self, move: str) -> str:
        source, target = re.split("[-x]", move)
        if why := self.find_source_fault(source):
            return why
        grid = self.geometry
        at, to = (divmod(grid.number[name], grid.width) for name in (source, target))
        if to[0] - at[0] != 1 - 2 * self.side or abs(to[1] - at[1]) > 1:
            return phrase("a piece moves one square forward, straight or diagonally")
        if "x" in move:
            return phrase("a piece captures only diagonally")
        return phrase("your own piece stands on {target}", target=target)

    def make_move(self, move: str) -> BreakthroughPosition:
        grid, side = self.geometry, self.side
        source, target = (grid.number[name] for name in re.split("[-x]", move))
        after = self.end_turn(move_sign(self.board, source, target))
        if target // grid.width == (0 if side else grid.height - 1):
            return after.win(side, phrase("{colour} has broken through", colour=self.colour(side)))
        if STONES[1 - side] not in after.board:
            return after.win(
                side, phrase("{colour} has captured all pieces", colour=self.colour(side))
            )
        return after


GAMES = (
    two_player_game(
        BreakthroughPosition,
        "breakthrough",
        "Breakthrough",
        ("white", "black"),
        "be the first to reach the other side",
        HELP,
        Option("columns", "int", "width of the board", default=8, low=3, high=14),
        Option("rows", "int", "height of the board", default=8, low=5, high=14),
        family="race",
        is_decisive=True,
        length="short",
    ),
)
