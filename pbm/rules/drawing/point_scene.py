"""The scene of an empty board of points joined by lines, at whole columns and rows."""

from __future__ import annotations

from functools import cache

from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.scene import Label, Place, Region, Scene


@cache
def point_scene(
    names: tuple[str, ...], at: tuple[tuple[int, int], ...], near: tuple[tuple[int, ...], ...]
) -> Scene:
    """Return the points with these names, columns and rows (row 0 at the bottom); `near` lists for
    each those to which a line leads."""
    width, height = max(column for column, _ in at) + 1, max(row for _, row in at) + 1
    columns = [(column_name(column), column + 0.5) for column in range(width)]
    rows = [(str(row + 1), height - 0.5 - row) for row in range(height)]

    def along(axis: int, number: int) -> tuple[str, ...]:
        return tuple(name for name, place in zip(names, at, strict=True) if place[axis] == number)

    return Scene(
        tuple(
            Place(name, 0.4, (column + 0.5, height - 0.5 - row), "point")
            for name, (column, row) in zip(names, at, strict=True)
        ),
        labels=(
            *(Label(text, (x, y)) for y in (-0.5, height + 0.5) for text, x in columns),
            *(Label(text, (x, y)) for x in (-0.5, width + 0.5) for text, y in rows),
        ),
        lines=tuple(
            (names[point], names[there])
            for point, beside in enumerate(near)
            for there in beside
            if there > point
        ),
        regions=(
            *(Region("row", str(row + 1), along(1, row)) for row in range(height)),
            *(Region("column", column_name(column), along(0, column)) for column in range(width)),
        ),
    )
