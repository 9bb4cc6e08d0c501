"""The scene of an empty square board: squares, or the points of crossing lines."""

from __future__ import annotations

from functools import cache
from itertools import product

from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.scene import Label, Place, Region, Scene

PLAIN, CHEQUERED, CROSSINGS = "plain", "chequered", "crossings"
"""The looks of a board: squares, squares of two colours, points of crossing lines."""


@cache
def grid_scene(
    grid: Grid,
    look: str = PLAIN,
    columns: tuple[str, ...] = (),
    rows: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    shades: tuple[tuple[str, frozenset[int]], ...] = (),
) -> Scene:
    """Return the empty board. `names` are the names of the cells, `columns` the letters and `rows`
    the numbers (bottom first) if they differ from those of the grid; `shades` are those of special
    cells."""
    width, height = grid.width, grid.height
    letters = columns or tuple(name.rstrip("0123456789") for name in grid.names[:width])
    numbers = rows or tuple(
        grid.names[row * width].removeprefix(letters[0]) for row in range(height)
    )
    there = {cell: names[cell] if names else name for name, cell in grid.number.items()}

    def shade_of(cell: int) -> str:
        for shade, cells in shades:
            if cell in cells:
                return shade
        if look == CHEQUERED:
            return "light" if (cell // width + cell % width) % 2 else "dark"
        return "point" if look == CROSSINGS else ""

    places = [
        Place(
            name,
            0.5 if look == CROSSINGS else square(cell % width, height - 1 - cell // width),
            (cell % width + 0.5, height - 0.5 - cell // width),
            shade_of(cell),
        )
        for cell, name in there.items()
    ]
    lines = (
        (name, there[beside])
        for cell, name in there.items()
        for beside in (grid.step(cell, 1, 0), grid.step(cell, 0, 1))
        if beside in there and beside > cell
    )
    across, up = range(width), range(height)
    return Scene(
        tuple(places),
        labels=(
            *(
                Label(letters[column], (column + 0.5, y))
                for y, column in product((-0.5, height + 0.5), across)
            ),
            *(
                Label(numbers[row], (x, height - 0.5 - row))
                for x, row in product((-0.5, width + 0.5), up)
            ),
        ),
        lines=tuple(lines) if look == CROSSINGS else (),
        regions=(
            *(
                _region("row", numbers[row], there, range(row * width, (row + 1) * width))
                for row in up
            ),
            *(
                _region("column", letters[column], there, range(column, width * height, width))
                for column in across
            ),
        ),
    )


def square(x: float, y: float, side: float = 1) -> tuple[tuple[float, float], ...]:
    """Return the corners of a square, given its upper left one."""
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def _region(kind: str, name: str, there: dict[int, str], cells: range) -> Region:
    return Region(kind, name, tuple(there[cell] for cell in cells if cell in there))
