"""Games that put stones on empty cells where they stay: parsing cells, refusing occupied ones,
measuring rows.

What a stone brings about is up to the game."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from pbm.rules.boards.goban import find_centre
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.errors import IllegalMove, InvalidMove
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

Axes = Sequence[Sequence[tuple[Sequence[int], Sequence[int]]]]
"""For each cell and each axis through it the cells ahead and the cells behind, nearest first."""

CUBE_AXES = tuple(
    (x, y, z) for x in (1, 0, -1) for y in (1, 0, -1) for z in (1, 0, -1) if (x, y, z) > (0, 0, 0)
)
"""One of the two directions along each line of cells of a cube."""

_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")
P = TypeVar("P", bound="PlacementPosition")


def axes(cells: Sequence[tuple[int, ...]], steps: Iterable[tuple[int, ...]]) -> Axes:
    """Return the lines through cells with integer coordinates, one for each of `steps`: for each
    cell the cells ahead and behind."""
    number = {cell: index for index, cell in enumerate(cells)}

    def ray(cell: tuple[int, ...], step: tuple[int, ...], way: int) -> tuple[int, ...]:
        cells_ahead: list[int] = []
        while (cell := tuple(a + way * b for a, b in zip(cell, step, strict=True))) in number:
            cells_ahead.append(number[cell])
        return tuple(cells_ahead)

    axis_steps = tuple(steps)
    return tuple(tuple((ray(c, s, 1), ray(c, s, -1)) for s in axis_steps) for c in cells)


def row_lengths(board: Sequence[str], cell: int, through: Axes) -> list[int]:
    """Return for each axis the length of the unbroken row of like stones through `cell`."""
    stone, lengths = board[cell], []
    for ahead, behind in through[cell]:
        length = 1
        for there in ahead:
            if board[there] != stone:
                break
            length += 1
        for there in behind:
            if board[there] != stone:
                break
            length += 1
        lengths.append(length)
    return lengths


class Geometry(Protocol):
    """The properties of the board that such a game needs."""

    names: tuple[str, ...]
    number: dict[str, int]


def extent(geometry: Geometry) -> str:
    """Return where a board ends, for refusals: from which cell to which."""
    return phrase(
        "it runs from {name} to {name_2}", name=geometry.names[0], name_2=geometry.names[-1]
    )


@dataclass(frozen=True, slots=True)
class PlacementPosition(TwoPlayerPosition):
    """A position of such a game; a move is the name of a cell."""

    @property
    @abstractmethod
    def geometry(self) -> Geometry:
        """The geometry of the board, with its cells in the order of `board`."""

    def moves(self) -> Sequence[str]:
        names = self.geometry.names
        return [name for name, stone in zip(names, self.board, strict=True) if stone == EMPTY]

    def read(self, word: str) -> str:
        word = find_centre(word, self.geometry.names)
        if word not in self.geometry.number and not _CELL.fullmatch(word):
            raise InvalidMove(
                phrase(
                    "{word} is not a cell; a move looks like {example}",
                    word=quoted(word),
                    example=self.example,
                )
            )
        return word

    def advance(self, move: str) -> TwoPlayerPosition:
        cell = self.geometry.number.get(move)
        if cell is None:
            if not _CELL.fullmatch(move):
                raise InvalidMove(
                    phrase(
                        "{move} is not a cell; a move looks like {example}",
                        move=quoted(move),
                        example=self.example,
                    )
                )
            raise IllegalMove(
                phrase(
                    "{move} is not on the board: {extent}", move=move, extent=extent(self.geometry)
                )
            )
        if self.board[cell] in STONES:
            colour = self.colour(STONES.index(self.board[cell]))
            raise IllegalMove(
                phrase("{move} is already taken by {colour}", move=move, colour=colour)
            )
        return self.place(cell)

    @abstractmethod
    def place(self, cell: int) -> TwoPlayerPosition:
        """Return the position after the side to move put a stone on an empty cell; raise
        IllegalMove if the game does not allow it there."""

    def put_stone(self: P, cell: int) -> P:
        """Return the position with the stone there and the other side to move; nothing is
        evaluated."""
        board = put_sign(self.board, cell, STONES[self.side])
        return replace(self, board=board, side=1 - self.side, turn=self.turn + 1, news=())

    def place_for_row(self: P, cell: int, through: Axes) -> P:
        """Return the position after a stone there, won by a row of the option `row` stones or more
        (lost with -misere), and drawn when the board is full."""
        following, need = self.put_stone(cell), int(self.options["row"])
        if max(row_lengths(following.board, cell, through)) >= need:
            return following.win_by_goal(
                self.side,
                phrase("{need} in a row for {colour}", need=need, colour=self.colour(self.side)),
            )
        return following.draw_if_full()

    def draw_if_full(self: P) -> P:
        """Return the position, drawn if no empty cell is left."""
        return self if EMPTY in self.board else self.end_in_draw(phrase("the board is full"))

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        """Return the cells named in moves, for marking them."""
        number: Mapping[str, int] = self.geometry.number
        return {number[move] for move in moves if move in number}
