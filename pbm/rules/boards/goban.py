"""Square boards with column and row names of their own: go boards without column i, and boards
whose row 1 is at the top."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pbm.rules.boards.squares import Grid, column_name

GO_COLUMNS = "abcdefghjklmnopqrstuvwxyz"
"""The columns of a go board: i is left out because it looks like j."""


class NamedGrid(Grid):
    """A grid with `columns` from left to right and `rows` from bottom to top."""

    def __init__(self, columns: Sequence[str], rows: Sequence[str]) -> None:
        Grid.__init__(self, len(columns), len(rows))
        self.columns, self.rows = tuple(columns), tuple(rows)
        self.names = tuple(column + row for row in rows for column in columns)
        self.number = {name: cell for cell, name in enumerate(self.names)}


@cache
def goban(size: int) -> NamedGrid:
    """Return the go board: columns without i, row 1 at the bottom."""
    return NamedGrid(GO_COLUMNS[:size], [str(row + 1) for row in range(size)])


@cache
def top_down(width: int, height: int) -> NamedGrid:
    """Return a board whose row 1 is at the top."""
    columns = [column_name(column) for column in range(width)]
    return NamedGrid(columns, [str(height - row) for row in range(height)])


@cache
def stars(size: int) -> tuple[int, ...]:
    """Return the marked points of a go board, in the order in which handicap stones take them:
    upper right, lower left, lower right, upper left, left, right, lower and upper side, centre."""
    if size < 7:
        return (size * size // 2,) if size % 2 else ()
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    spots = [(high, high), (low, low), (high, low), (low, high)]
    if size % 2 and size >= 9:
        spots += [(low, middle), (high, middle), (middle, low), (middle, high), (middle, middle)]
    return tuple(row * size + column for column, row in spots)


CENTRE = ("tengen", "centre", "center", "middle")
"""The names of the point in the middle of a board."""


def find_centre(word: str, names: Sequence[str]) -> str:
    """Return the point that the word names: the one in the middle of a symmetric board, if it has
    one, for `tengen` and the like, else the word itself."""
    return names[len(names) // 2] if word in CENTRE and len(names) % 2 else word
