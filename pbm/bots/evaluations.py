"""Who is ahead in games that alpha-beta searches: pieces, and where they stand.

A game without a row here is judged by its `standing` if it has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import isqrt
from typing import NamedTuple, Protocol, cast

from pbm.rules import Position
from pbm.rules.boards.bitboards import mask_of
from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.walls import wall_set, walls_of
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.outflanking import OutflankingPosition, outflanking_board
from pbm.rules.families.sowing import SowingPosition
from pbm.rules.families.tafl import ATTACKER, DEFENDER, KING, TaflPosition, tafl_board
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition

# Who is ahead by the pieces on the board, and where they stand.


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


# Who is ahead in games where pieces alone do not tell.


class Discs(Quiet):
    """An evaluation of games in which discs are turned over: corners and edges, and how many moves
    each side has."""

    corner, edge, beside, mobility = 3.0, 0.25, -0.9, 0.25

    @staticmethod
    @cache
    def _list_corners(size: int) -> Sequence[tuple[int, Sequence[int]]]:
        """Return the corners, each with the cells from which it can be reached."""
        board = outflanking_board(size)
        last = size * size - 1
        return tuple((cell, board.king[cell]) for cell in (0, size - 1, last - size + 1, last))

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, OutflankingPosition):
            return 0.0
        board, side = position.board, position.side
        geometry = position.geometry
        own, other = (mask_of(board, STONES[each]) for each in (side, 1 - side))
        here = len(position.moves())
        there = geometry.outflanking(other, own).bit_count()
        ahead = self.mobility * (here - there)
        size = geometry.width
        rim = board[:size] + board[-size:] + board[::size] + board[size - 1 :: size]
        stone, foe = STONES[side], STONES[1 - side]
        ahead += self.edge * (rim.count(stone) - rim.count(foe))
        for cell, around in self._list_corners(size):
            if board[cell] == EMPTY:
                near = "".join([board[each] for each in around])
                ahead += self.beside * (near.count(stone) - near.count(foe))
            else:
                ahead += self.corner if board[cell] == stone else -self.corner
        if position.options.get("misere"):
            ahead = -ahead
        return ahead if seat == side ^ position.swapped else -ahead


class Huddle(Quiet):
    """An evaluation of Lines of Action: how far the pieces are from their middle."""

    _size = 8

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TwoPlayerPosition):
            return 0.0
        ahead = self._spread(position.board, STONES[1]) - self._spread(position.board, STONES[0])
        return -ahead if seat ^ position.swapped else ahead

    def _spread(self, board: str, stone: str) -> float:
        """Return how far the pieces of a colour are from their middle, on average."""
        cells = [divmod(cell, self._size) for cell, sign in enumerate(board) if sign == stone]
        count = len(cells)
        row, column = sum(r for r, _ in cells) / count, sum(c for _, c in cells) / count
        return 2 * sum([max(abs(r - row), abs(c - column)) for r, c in cells]) / count


class Tafl(Quiet):
    """An evaluation of tafl: men, and how free the king is."""

    man, free, held, far = 1.7, 0.6, 0.4, 0.15

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TaflPosition):
            return 0.0
        board, geometry = position.board, tafl_board(position.geometry.width)
        king, size = board.index(KING), position.geometry.width
        row, column = divmod(king, size)
        ahead = self.man * board.count(DEFENDER) - board.count(ATTACKER)
        ahead -= self.far * (min(row, size - 1 - row) + min(column, size - 1 - column))
        for ray in geometry.straight[king]:
            if board[ray[0]] == ATTACKER:
                ahead -= self.held
            elif all(board[cell] == EMPTY for cell in ray):
                ahead += self.free
        return ahead if seat ^ position.swapped else -ahead


class Marbles(Quiet):
    """An evaluation of Sumito: the marbles, and how far they stand from the rim, where they can be
    pushed off."""

    inward = 0.15

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, OnHexagons):
            return 0.0
        board, steps = position.board, _list_steps_inward(position.geometry)
        ahead = 0.0
        for stone, inward in zip(board, steps, strict=True):
            if stone != EMPTY:
                worth = 1 + self.inward * inward
                ahead += worth if stone == STONES[0] else -worth
        return -ahead if seat ^ position.swapped else ahead


@cache
def _list_steps_inward(board: HexBoard) -> Sequence[int]:
    """Return how far each cell is from the rim."""
    return [min(len(ray) for ray in rays) for rays in board.rays]


class Mobility(Quiet):
    """An evaluation of games in which whoever cannot move loses: how many moves each side has."""

    worth = 0.3

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TwoPlayerPosition):
            return 0.0
        other = replace(position, side=1 - position.side)
        ahead = self.worth * (len(position.moves()) - len(other.moves()))
        if position.options.get("misere"):
            ahead = -ahead
        return ahead if seat == position.side ^ position.swapped else -ahead


class Boxes(Quiet):
    """An evaluation of Dots and Boxes: the boxes closed, and those that the side to move can close
    at once."""

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TwoPlayerPosition):
            return 0.0
        owners, options = str(position.dump()[-1]), position.options
        ahead = float(owners.count(STONES[0]) - owners.count(STONES[1]))
        open_to_mover = self._count_closable(
            position.board, int(options["columns"]), int(options["rows"])
        )
        ahead += -open_to_mover if position.side else open_to_mover
        if options.get("misere"):
            ahead = -ahead
        return -ahead if seat ^ position.swapped else ahead

    @staticmethod
    def _count_closable(board: str, columns: int, rows: int) -> int:
        """Return how many boxes can be closed one after another."""
        sides, bordered = _list_sides(columns, rows)
        left = [4 - sum([board[side] != EMPTY for side in four]) for four in sides]
        waiting, drawn, closed = (
            [box for box, count in enumerate(left) if count == 1],
            set[int](),
            0,
        )
        while waiting:
            box = waiting.pop()
            if left[box] != 1:
                continue
            (line,) = (each for each in sides[box] if board[each] == EMPTY and each not in drawn)
            drawn.add(line)
            for other in bordered[line]:
                left[other] -= 1
                if left[other] == 1:
                    waiting.append(other)
                closed += not left[other]
        return closed


@cache
def _list_sides(columns: int, rows: int) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """Return for each box its four lines, and for each line the boxes that it borders. Lines are
    numbered as on the board: those along the rows first."""
    wide, high = columns + 1, rows + 1
    pairs = [(at, at + 1) for at in range(wide * high) if (at + 1) % wide]
    pairs += [(at, at + wide) for at in range(wide * rows)]
    number = {pair: line for line, pair in enumerate(pairs)}
    corners = [row * wide + column for row in range(rows) for column in range(columns)]
    sides: list[tuple[int, ...]] = [
        (
            number[at, at + 1],
            number[at + wide, at + wide + 1],
            number[at, at + wide],
            number[at + 1, at + wide + 1],
        )
        for at in corners
    ]
    return sides, [[box for box, four in enumerate(sides) if n in four] for n in number.values()]


class Paths(Quiet):
    """An evaluation of Corridor: how much shorter the own way is, and the walls in stock."""

    wall, tempo = 0.15, 0.5

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, TwoPlayerPosition):
            return 0.0
        *_, walls, stock, _ = position.dump()
        board, side = position.board, position.side
        steps = [self._count_steps(board, each, walls) for each in (0, 1)]
        ahead = float(steps[1] - steps[0] + self.wall * (stock[0] - stock[1]))
        ahead += self.tempo if side == 0 else -self.tempo
        return -ahead if seat ^ position.swapped else ahead

    @staticmethod
    def _count_steps(board: str, side: int, walls: int) -> int:
        """Return the length of the shortest way of a pawn to its goal, as if alone."""
        size = isqrt(len(board))
        geometry, now = walls_of(size), wall_set(size, walls)
        row = (1 << size) - 1
        goal = row if side else row << size * (size - 1)
        seen = reach = 1 << board.index(STONES[side])
        steps = 0
        while not reach & goal and reach:
            reach = geometry.neighbours(reach, now.above, now.right) & ~seen
            seen |= reach
            steps += 1
        return steps


class Evaluation(Protocol):
    """How a search judges positions of a game that are not over."""

    @property
    def follows(self) -> bool:
        """Whether captures are followed beyond the horizon."""

    def judge(self, position: Position, seat: int) -> float:
        """Return by how many pieces a seat is ahead."""

    def takes(self, position: Position, move: str) -> bool:
        """Whether a legal move captures, so that the judgement should wait until after it."""


class Seeds(Quiet):
    """An evaluation of sowing games: the seeds in the stores."""

    def judge(self, position: Position, seat: int) -> float:
        if not isinstance(position, SowingPosition):
            return 0.0
        first, second = position.stores
        ahead = (first - second) / 2
        return -ahead if seat ^ position.swapped else ahead


class CountsMen(Protocol):
    """A position that knows what its men are worth, as those of chess variants do."""

    def count_material(self) -> float:
        """Return by how much the first side is ahead."""

    def is_capture(self, move: str) -> bool:
        """Whether a legal move captures."""


class Men:
    """An evaluation of variants of chess: the men, by how they move."""

    follows = True

    def judge(self, position: Position, seat: int) -> float:
        ahead = cast("CountsMen", position).count_material()
        return -ahead if seat else ahead

    def takes(self, position: Position, move: str) -> bool:
        return cast("CountsMen", position).is_capture(move)


class StandingEvaluation(Quiet):
    """An evaluation by the standing of the game."""

    def judge(self, position: Position, seat: int) -> float:
        standing = position.standing
        return 0.0 if standing is None else standing[seat] - standing[1 - seat]


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
    "sumito": Marbles(),
    "halma": Pieces({"X": Worth(0.0, 0.1, 0.01)}, _stones, corner=True),
    "reversi": Discs(),
    "modernreversi": Discs(),
    "linesofaction": Huddle(),
    "brandubh": Tafl(),
    "hnefatafl": Tafl(),
    "konane": Mobility(),
    "dotsandboxes": Boxes(),
    "corridor": Paths(),
    "kalah": Seeds(),
    "oware": Seeds(),
}
_STANDING = StandingEvaluation()
_MEN = Men()


def find_evaluation(position: Position) -> Evaluation | None:
    """Return how alpha-beta judges positions of that game; None where it does not search: more
    seats than two, dice, or no way to tell who is ahead."""
    info = position.game.info
    if position.players != 2:
        return None
    evaluation = EVALUATIONS.get(info.name)
    if info.variant_of:
        return _MEN
    if evaluation is None and position.standing is not None and "chance" not in info.features:
        return _STANDING
    return evaluation
