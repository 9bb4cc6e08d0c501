"""Boards of hexagons: rhombus, triangle and hexagon of any size, with neighbours and lines.

A board is one character per cell in the order of the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, cached_property

from pbm.rules.boards.squares import column_name

Namer = Callable[[int, int], str]


def letter_and_row(column: int, row: int) -> str:
    """Return the name of a cell: column 0 of row 0, the top row, is a1."""
    return f"{column_name(column)}{row + 1}"


class HexBoard:
    """Cells (column, row), rows from the top, numbered row by row.

    Columns lean: from a row to the next one below they go half a cell to the right where `lean` is
    1, to the left where it is -1. Rows go straight from left to right."""

    def __init__(
        self, cells: Iterable[tuple[int, int]], lean: int, name: Namer = letter_and_row
    ) -> None:
        self.cells = tuple(sorted(set(cells), key=lambda cell: (cell[1], cell[0])))
        self.lean = lean
        self.names = tuple(name(*cell) for cell in self.cells)
        self.number = {name: cell for cell, name in enumerate(self.names)}
        number_of = {cell: number for number, cell in enumerate(self.cells)}
        east, left, right = (1, 0), (min(0, -lean), 1), (max(0, -lean), 1)
        self.steps = (east, right, left, *((-x, -y) for x, y in (east, right, left)))
        """The steps (columns, rows) to the neighbours, clockwise from the east."""
        self.around = tuple(
            tuple(number_of.get((column + x, row + y), -1) for x, y in self.steps)
            for column, row in self.cells
        )
        """For each cell the six next to it, clockwise from the east; -1 beyond the border."""
        self.neighbours = tuple(tuple(n for n in six if n >= 0) for six in self.around)
        """For each cell those next to it."""

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.cells)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """`rays[cell][direction]`: the cells straight ahead up to the edge, nearest first;
        directions clockwise from east."""
        return tuple(
            tuple(tuple(self._ray(cell, way)) for way in range(6)) for cell in range(len(self))
        )

    def _ray(self, cell: int, way: int) -> Iterable[int]:
        while (cell := self.around[cell][way]) >= 0:
            yield cell

    @cached_property
    def axes(self) -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]:
        """For each cell and each of the three lines through it, the cells ahead and behind."""
        return tuple(tuple((six[way], six[way + 3]) for way in range(3)) for six in self.rays)


@cache
def rhombus(width: int, height: int) -> HexBoard:
    """Return the hex board: a1 at the upper left, each row shifted to the right."""
    return HexBoard(((column, row) for row in range(height) for column in range(width)), 1)


@cache
def triangle(side: int) -> HexBoard:
    """Return the Y board: a1 at the top, row n has n cells."""
    return HexBoard(((column, row) for row in range(side) for column in range(row + 1)), -1)


def hexagon_cells(side: int) -> Iterable[tuple[int, int]]:
    """Return the cells of a hexagon with `side` cells along each side, for columns that lean
    left."""
    return (
        (column, row)
        for row in range(2 * side - 1)
        for column in range(max(0, row - side + 1), min(side + row, 2 * side - 1))
    )


@cache
def hexagon(side: int) -> HexBoard:
    """Return the hexagon with `side` cells along each side: a1 at the upper left, 2 side - 1
    rows."""
    return HexBoard(hexagon_cells(side), -1)
