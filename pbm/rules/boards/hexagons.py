"""Boards of hexagons: rhombus, triangle and hexagon of any size, with neighbours, lines and
drawing.

A board is one character per cell in the order of the cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property

from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.grid_drawing import STONE_ROLES
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas

Namer = Callable[[int, int], str]


def letter_and_row(column: int, row: int) -> str:
    """The name of a cell: column 0 of row 0, the top row, is a1."""
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
        """The number of cells."""
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

    def draw(
        self,
        board: Sequence[str],
        last: Collection[int] = (),
        *,
        roles: Mapping[str, str] = STONE_ROLES,
        labels: Sequence[str] = (),
        columns: Sequence[str] = (),
        canvas: Canvas | None = None,
        indent: int = 3,
        right: bool = False,
    ) -> Canvas:
        """The board at the bottom of `canvas`, cells of `last` in brackets. Column letters stand at
        the upper and the lower end of columns, row names at the left, with `right` also there;
        `labels` name the rows where 1, 2, 3 ... do not, `columns` the columns where a, b, c ... do
        not."""
        canvas = canvas or Canvas()
        top = canvas.height
        leftmost = min(2 * column + self.lean * row for column, row in self.cells)
        shift = indent + 4 - leftmost
        places = [
            (top + 1 + row, 2 * column + self.lean * row + shift) for column, row in self.cells
        ]
        height = self.cells[-1][1]
        letters = columns or [column_name(n) for n in range(1 + max(self.cells)[0])]
        named: set[int] = set()
        for (column, row), (line, at) in zip(self.cells, places, strict=True):
            if column not in named:
                canvas.put(line - 1, at - self.lean + (row > 0), letters[column], LABEL)
                named.add(column)
            if row == height:
                canvas.put(line + 1, at + self.lean, letters[column], LABEL)
        for cell, (_, row) in enumerate(self.cells):
            line, at = places[cell]
            name = labels[row] if labels else str(row + 1)
            if self.around[cell][3] < 0:
                canvas.put(line, at - 2 - len(name), name, LABEL)
            if right and self.around[cell][0] < 0:
                canvas.put(line, at + 3, name, LABEL)
            sign = board[cell]
            if cell in last:
                canvas.put(line, at - 1, f"[{sign}]", LAST)
            else:
                canvas.put(line, at, sign, roles.get(sign, PLAIN))
        return canvas


@cache
def rhombus(width: int, height: int) -> HexBoard:
    """The hex board: a1 at the upper left, each row shifted to the right."""
    return HexBoard(((column, row) for row in range(height) for column in range(width)), 1)


@cache
def triangle(side: int) -> HexBoard:
    """The Y board: a1 at the top, row n has n cells."""
    return HexBoard(((column, row) for row in range(side) for column in range(row + 1)), -1)


def hexagon_cells(side: int) -> Iterable[tuple[int, int]]:
    """The cells of a hexagon with `side` cells along each side, for columns that lean left."""
    return (
        (column, row)
        for row in range(2 * side - 1)
        for column in range(max(0, row - side + 1), min(side + row, 2 * side - 1))
    )


@cache
def hexagon(side: int) -> HexBoard:
    """The hexagon with `side` cells along each side: a1 at the upper left, 2 side - 1 rows."""
    return HexBoard(hexagon_cells(side), -1)
