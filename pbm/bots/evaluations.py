"""Who is ahead in games that alpha-beta searches: pieces, and where they stand.

A game without a row here is judged by its `standing` if it has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple, Protocol

from pbm.rules import Position
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.families.sowing import SowingPosition
from pbm.rules.families.two_player import TwoPlayerPosition


class Evaluation(Protocol):
    """How a search judges positions of a game that are not over."""

    def judge(self, position: Position, seat: int) -> float:
        """By how many pieces a seat is ahead."""

    def takes(self, position: Position, move: str) -> bool:
        """Whether a legal move captures, so that the judgement should wait until after it."""


class Worth(NamedTuple):
    """What a piece is worth.

    value    anywhere
    forward  for each row, or for each step towards the opposite corner, from the own side
    centre   for each step from the edge towards the centre
    """

    value: float
    forward: float = 0.0
    centre: float = 0.0


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
        self._capture = re.compile(capture) if capture else None
        self._values = cache(self._compute_values)

    def _compute_values(self, cells: int) -> Sequence[Mapping[str, float]]:
        """For each cell of a board, what each sign on it counts for side 0."""
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
        """What counts for side 0 besides the board."""
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


class Seeds:
    """An evaluation of sowing games: the seeds in the stores."""

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, SowingPosition):
            return 0.0
        first, second = position.stores
        ahead = (first - second) / 2
        return -ahead if seat ^ position.swapped else ahead

    def takes(self, position: Position, move: str) -> bool:
        return False


class Standing:
    """An evaluation by the standing of the game."""

    def judge(self, position: Position, seat: int) -> float:
        standing = position.standing
        return 0.0 if standing is None else standing[seat] - standing[1 - seat]

    def takes(self, position: Position, move: str) -> bool:
        return False


def _stones(sign: str) -> str:
    return {"X": "O", "#": "@"}[sign]


_CHESS = ChessPieces(
    {
        "P": Worth(1.0, 0.05, 0.04),
        "N": Worth(3.1, 0.0, 0.15),
        "B": Worth(3.2, 0.0, 0.08),
        "R": Worth(5.0, 0.02),
        "Q": Worth(9.0, 0.0, 0.03),
        "K": Worth(0.0, 0.0, -0.12),
    }
)
_MINISHOGI = ChessPieces(
    {
        "P": Worth(1.0, 0.1),
        "S": Worth(3.5, 0.05),
        "G": Worth(4.0),
        "B": Worth(5.0),
        "R": Worth(6.0),
        "T": Worth(3.0),
        "N": Worth(4.0),
        "H": Worth(7.5),
        "D": Worth(8.5),
        "K": Worth(0.0),
    }
)
_XIANGQI = ChessPieces(
    {
        "P": Worth(1.0, 0.12, 0.05),
        "A": Worth(2.0),
        "E": Worth(2.0),
        "H": Worth(4.0, 0.02, 0.1),
        "C": Worth(4.5, 0.0, 0.05),
        "R": Worth(9.0, 0.02, 0.02),
        "K": Worth(0.0),
    },
    columns=9,
)
_SHORT_KINGS = {"X": Worth(1.0, 0.04, 0.01), "#": Worth(1.7, 0.0, 0.05)}
_LONG_KINGS = {"X": Worth(1.0, 0.04, 0.01), "#": Worth(3.2)}
_STONES = {"X": Worth(1.0, 0.0, 0.02)}

EVALUATIONS: Mapping[str, Evaluation] = {
    "chess": _CHESS,
    "chess960": _CHESS,
    "minishogi": _MINISHOGI,
    "xiangqi": _XIANGQI,
    "draughts": Pieces(_SHORT_KINGS, _stones, home=1),
    "russiandraughts": Pieces(_LONG_KINGS, _stones),
    "internationaldraughts": Pieces(_LONG_KINGS, _stones),
    "turkishdraughts": Pieces(_LONG_KINGS, _stones),
    "breakthrough": Pieces({"X": Worth(1.0, 0.1)}, _stones),
    "fanorona": Pieces(_STONES, _stones, capture="[aw]$"),
    "morris": Pieces({"X": Worth(1.0)}, _stones),
    "ataxx": Pieces({"X": Worth(1.0)}, _stones),
    "hexxagon": Pieces({"X": Worth(1.0)}, _stones),
    "sumito": Pieces({"X": Worth(1.0)}, _stones),
    "halma": Pieces({"X": Worth(0.0, 0.1, 0.01)}, _stones, corner=True),
    "kalah": Seeds(),
    "oware": Seeds(),
}
_STANDING = Standing()


def find_evaluation(position: Position) -> Evaluation | None:
    """How alpha-beta judges positions of that game; None where it does not search: more seats than
    two, dice, or no way to tell who is ahead."""
    info = position.game.info
    if position.players != 2:
        return None
    evaluation = EVALUATIONS.get(info.name)
    if evaluation is None and position.standing is not None and "chance" not in info.features:
        return _STANDING
    return evaluation
