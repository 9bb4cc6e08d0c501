"""Konane, the checkers of Hawaii: jumps over a board that is full at the start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pbm.rules import Option, Value
from pbm.rules.boards.stone_groups import clear_cells, move_sign
from pbm.rules.families.board_positions import OnSquares, chequerboard
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
KONANE, 2 players, the checkers of Hawaii

AIM. Be the last player who can move.

BOARD. Full at the start, Black (X) and White (O) alternating like the squares
of a chessboard, Black on a1.

OPENING. Black takes off one black piece: from a corner, or from the four
squares in the middle. Then White takes off one white piece next to the empty
square.

MOVES. From then on a move is a jump with one of your pieces along its row or
column, over an opposing piece next to it onto the empty square behind, which
captures that piece. The jump may go on in the same direction over more such
pieces with an empty square behind each, as far as you like, but never round a
corner.

WRITING MOVES. For the opening the square; for a jump from and to (`c1-g1`
jumps twice):
  > a1
  > c1-a1

THE END. A player who cannot jump loses. There are no draws. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class Konane(OnSquares, MoveListPosition):
    """A position of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})(?:[-x]?([a-z][0-9]{1,2}))?")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Konane:
        return cls(options, chequerboard(int(options["size"]), int(options["size"])))

    def _removable_cells(self) -> list[int]:
        """Return the cells from which a piece may be taken off in the opening."""
        geometry, own = self.geometry, STONES[self.side]
        cells = geometry.orthogonal[self.board.index(EMPTY)] if self.turn else geometry.middle
        if self.turn == 0:
            last = geometry.width - 1
            cells = (*cells, 0, last, geometry.width * last, len(geometry) - 1)
        return sorted(cell for cell in cells if self.board[cell] == own)

    def _jumps(self, cell: int) -> Iterator[int]:
        """Yield the cells to which the piece on a cell can jump."""
        board, other = self.board, STONES[1 - self.side]
        for ray in self.geometry.rays[cell][::2]:
            for over, there in zip(ray[::2], ray[1::2], strict=False):
                if board[over] != other or board[there] != EMPTY:
                    break
                yield there

    def list_moves(self) -> list[str]:
        names, own = self.geometry.names, STONES[self.side]
        if self.turn < 2:
            return [names[cell] for cell in self._removable_cells()]
        return [
            f"{names[cell]}-{names[there]}"
            for cell, stone in enumerate(self.board)
            if stone == own
            for there in self._jumps(cell)
        ]

    def find_fault(self, move: str) -> str:
        start, _, end = move.partition("-")
        if why := self.find_source_fault(start):
            return why
        if self.turn < 2:
            if end:
                return phrase("in the opening each side takes off a piece: write its square")
            if self.turn:
                return phrase("take off a piece next to the empty square instead")
            return phrase("take off a piece in a corner or the middle instead")
        if not end:
            return phrase("a jump has two squares, like c1-a1")
        if why := self.find_target_fault(end):
            return why
        number = self.geometry.number
        here, there = number[start], number[end]
        ray = next((ray for ray in self.geometry.rays[here][::2] if there in ray), ())
        if not ray:
            return phrase("a jump goes along a row or a column")
        if ray.index(there) % 2 == 0:
            return phrase("a jump goes over one piece at a time onto the square behind it")
        return phrase(
            "each piece you jump over must be your opponent's, with an empty square behind it"
        )

    def make_move(self, move: str) -> Konane:
        start, *end = (self.geometry.number[name] for name in move.split("-"))
        if not end:
            removed = phrase(
                "{colour} takes away the piece on {place}",
                colour=self.colour(self.side),
                place=move,
            )
            after = self.end_turn(clear_cells(self.board, [start]))
            return replace(after, news=(removed,)).lose_if_stuck()
        ray = next(ray for ray in self.geometry.rays[start] if end[0] in ray)
        over = ray[: ray.index(end[0])]
        after = self.end_turn(move_sign(clear_cells(self.board, over), start, end[0]))
        return replace(after, news=self.tell_captured(over[::2])).lose_if_stuck()


GAMES = (
    two_player_game(
        Konane,
        "konane",
        "Konane",
        ("black", "white"),
        "jump over opposing pieces; the last to jump wins",
        HELP,
        Option("size", "choice", "squares along a side", "8", choices=("6", "8", "10")),
        family="blocking",
        is_decisive=True,
        length="short",
    ),
)
