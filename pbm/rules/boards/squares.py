"""Square grids and tori. Cells are numbered row by row from the bottom left: `a1` is cell 0."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property

ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Steps (columns, rows): north, east, south, west."""
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""Steps north-east, south-east, south-west, north-west."""
KING = tuple(step for pair in zip(ORTHOGONAL, DIAGONAL, strict=True) for step in pair)
"""The eight steps clockwise from north."""

_CELL = re.compile(r"([a-z]+)([0-9]{1,3})")


def column_name(column: int) -> str:
    """Name a column: 0 -> a, 25 -> z, 26 -> aa."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Number a column: a -> 0; the inverse of `column_name` for lower case letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


class Grid:
    """A board of `width` by `height` squares; with `torus` its edges are joined.

    The cells named in `missing` do not exist: they keep their numbers and names, so that a board of
    any outline is drawn and indexed like a full one, but no text means them and no step reaches or
    leaves them."""

    def __init__(
        self, width: int, height: int, *, torus: bool = False, missing: Iterable[str] = ()
    ) -> None:
        self.width, self.height, self.torus = width, height, torus
        self.names = tuple(
            f"{column_name(column)}{row + 1}" for row in range(height) for column in range(width)
        )
        absent = frozenset(missing)
        self.number = {name: cell for cell, name in enumerate(self.names) if name not in absent}
        self._exists = tuple(name not in absent for name in self.names)

    def __len__(self) -> int:
        """Return the number of cell numbers, those of missing cells included."""
        return self.width * self.height

    def cell(self, text: str) -> int | None:
        """Return the number of the cell with that name in any case; None if there is none."""
        return self.number.get(text.lower())

    def looks_like_cell(self, text: str) -> bool:
        """Whether `text` has the form of a cell, on this board or not."""
        return _CELL.fullmatch(text.lower()) is not None

    def step(self, cell: int, columns: int, rows: int) -> int | None:
        """Return the cell that many columns to the east and rows to the north; None off the
        board."""
        row, column = divmod(cell, self.width)
        column, row = column + columns, row + rows
        if self.torus:
            column, row = column % self.width, row % self.height
        elif not (0 <= column < self.width and 0 <= row < self.height):
            return None
        there = row * self.width + column
        return there if self._exists[there] and self._exists[cell] else None

    def _table(self, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(
                there
                for columns, rows in steps
                if (there := self.step(cell, columns, rows)) is not None
            )
            for cell in range(len(self))
        )

    @cached_property
    def middle(self) -> tuple[int, ...]:
        """The cells in the middle, from the lower left: four, two or one."""
        rows = sorted({(self.height - 1) // 2, self.height // 2})
        columns = sorted({(self.width - 1) // 2, self.width // 2})
        return tuple(row * self.width + column for row in rows for column in columns)

    @cached_property
    def orthogonal(self) -> tuple[tuple[int, ...], ...]:
        """For each cell its neighbours over an edge: north, east, south, west."""
        return self._table(ORTHOGONAL)

    @cached_property
    def king(self) -> tuple[tuple[int, ...], ...]:
        """For each cell its neighbours over an edge or a corner, clockwise from north."""
        return self._table(KING)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """`rays[cell][direction]`: the cells that a piece on `cell` passes going straight in that
        direction of `KING`, nearest first, up to the edge, a missing cell or, on a torus, the cell
        before its own."""
        return tuple(
            tuple(tuple(self._ray(cell, columns, rows)) for columns, rows in KING)
            for cell in range(len(self))
        )

    @cached_property
    def axes(self) -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]:
        """For each cell and each of the four lines through it, the cells ahead and behind."""
        return tuple(tuple((eight[way], eight[way + 4]) for way in range(4)) for eight in self.rays)

    def _ray(self, cell: int, columns: int, rows: int) -> list[int]:
        ray: list[int] = []
        there = self.step(cell, columns, rows)
        while there is not None and there != cell:
            ray.append(there)
            there = self.step(there, columns, rows)
        return ray


@cache
def cached_grid(width: int, height: int) -> Grid:
    """Return the plain board of that size, built once."""
    return Grid(width, height)
