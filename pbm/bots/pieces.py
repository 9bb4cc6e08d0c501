"""Who is ahead by the pieces on the board, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple

from pbm.rules import Position
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.families.two_player import TwoPlayerPosition


class Worth(NamedTuple):
    """What a piece is worth.

    value    anywhere
    forward  for each row, or for each step towards the opposite corner, from the own side
    centre   for each step from the edge towards the centre
    """

    value: float
    forward: float = 0.0
    centre: float = 0.0


class Quiet:
    """What evaluations have in common that follow no captures."""

    follows = False

    def takes(self, position: Position, move: str) -> bool:
        """Return False: no move is a capture that the judgement should wait for."""
        return False


class Pieces:
    """An evaluation by the pieces on the board.

    worth     of each sign of side 0
    signs     the sign of side 1 for each of side 0
    columns   of the board; 0 if it is square
    home      the side whose home are the first cells of the board
    corner    whether home is the corner instead of the edge
    capture   what the notation of a capture contains; None if captures are not followed
    """

    def __init__(
        self,
        worth: Mapping[str, Worth],
        signs: Callable[[str], str] = str.lower,
        *,
        columns: int = 0,
        home: int = 0,
        corner: bool = False,
        capture: str | None = "[x:]",
    ) -> None:
        self._worth = worth
        self._signs = signs
        self._columns = columns
        self._home = home
        self._corner = corner
        self.follows = capture is not None
        self._capture = re.compile(capture) if capture else None
        self._values = cache(self._compute_values)

    def _compute_values(self, cells: int) -> Sequence[Mapping[str, float]]:
        """Return for each cell of a board, what each sign on it counts for side 0."""
        columns = self._columns or isqrt(cells)
        rows = cells // columns
        table: list[Mapping[str, float]] = []
        for cell in range(cells):
            row, column = divmod(cell, columns)
            inward = min(row, rows - 1 - row, column, columns - 1 - column)
            values: dict[str, float] = {}
            for side in (0, 1):
                is_near = side == self._home
                ahead = row if is_near else rows - 1 - row
                if self._corner:
                    ahead += column if is_near else columns - 1 - column
                for sign, worth in self._worth.items():
                    value = worth.value + worth.forward * ahead + worth.centre * inward
                    values[self._signs(sign) if side else sign] = -value if side else value
            table.append(values)
        return table

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TwoPlayerPosition):
            return 0.0
        board = position.board
        ahead = self.count_more(position)
        for values, sign in zip(self._values(len(board)), board, strict=True):
            if sign in values:
                ahead += values[sign]
        return -ahead if seat ^ position.swapped else ahead

    def count_more(self, position: TwoPlayerPosition) -> float:
        """Return what counts for side 0 besides the board."""
        return 0.0

    def takes(self, position: Position, move: str) -> bool:
        return self._capture is not None and self._capture.search(move) is not None


class ChessPieces(Pieces):
    """The same for chess-like games: pieces in hand count, and captures are seen on the board."""

    def count_more(self, position: TwoPlayerPosition) -> float:
        if not isinstance(position, ChessLikePosition):
            return 0.0
        first, second = position.hands
        worth = self._worth
        return 1.1 * (
            sum(worth[letter].value for letter in first)
            - sum(worth[letter].value for letter in second)
        )

    def takes(self, position: Position, move: str) -> bool:
        if not isinstance(position, ChessLikePosition):
            return False
        start, end, _ = position.tables.ends[move]
        return start >= 0 and position.board[end] != "."
