"""The scene of an empty board of hexagons, whose corners point up and whose middles in a row are 1
apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import cos, pi, sin, sqrt

from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene, Stroke

_ROW = sqrt(3) / 2
_CORNERS = tuple((sin(turn * pi / 3) / sqrt(3), -cos(turn * pi / 3) / sqrt(3)) for turn in range(6))


def middle(board: HexBoard, column: float, row: float) -> Point:
    """Return where the middle of a cell is, on the board or beyond its border."""
    return column + board.lean * row / 2, round(row * _ROW, 3)


def corner(board: HexBoard, cell: int, number: int) -> Point:
    """Return a corner of a cell, numbered clockwise from the top."""
    (x, y), (dx, dy) = middle(board, *board.cells[cell]), _CORNERS[number % 6]
    return round(x + dx, 3), round(y + dy, 3)


def _order(item: tuple[tuple[str, int], list[int]]) -> tuple[bool, int]:
    """Order rows first."""
    (kind, number), _ = item
    return kind == "column", number


@cache
def hexagon_scene(
    board: HexBoard,
    rows: tuple[str, ...] = (),
    columns: tuple[str, ...] = (),
    right: bool = False,
) -> Scene:
    """Return the empty board. Column letters stand at the upper ends of columns and at the lower
    end of the board, row names at the left; `rows` name the rows where 1, 2, 3 ... do not,
    `columns` the columns where a, b, c ... do not (empty ones are not shown); with `right` rows are
    also named at their right end."""
    cells_of: dict[tuple[str, int], list[int]] = {}
    for cell, (column, row) in enumerate(board.cells):
        cells_of.setdefault(("row", row), []).append(cell)
        cells_of.setdefault(("column", column), []).append(cell)
    labels: list[Label] = []
    regions: list[Region] = []
    for (kind, number), cells in sorted(cells_of.items(), key=_order):
        (column, row), (end, bottom) = board.cells[cells[0]], board.cells[cells[-1]]
        if kind == "row":
            text = rows[number] if rows else str(number + 1)
            ends = [(column - 1, row), *([(end + 1, row)] if right else [])]
        else:
            text = columns[number] if columns else column_name(number)
            last = board.cells[-1][1]
            ends = [(column, row - 1), *([(end, bottom + 1)] if bottom == last else [])]
        centres = {label.centre for label in labels}
        labels += [
            Label(text, there)
            for there in (middle(board, *end) for end in ends)
            if text and there not in centres
        ]
        if text:
            regions.append(Region(kind, text, tuple(board.names[cell] for cell in cells)))
    places = (
        Place(name, tuple(corner(board, cell, n) for n in range(6)), middle(board, *there))
        for cell, (name, there) in enumerate(zip(board.names, board.cells, strict=True))
    )
    return Scene(tuple(places), labels=tuple(labels), regions=tuple(regions))


Side = tuple[int, Iterable[int], tuple[int, ...]]
"""A side of the board: whose it is, its cells in order, and the directions, numbered clockwise from
the east, in which their edges belong to it."""


def borders(board: HexBoard, sides: Iterable[Side]) -> tuple[Stroke, ...]:
    """Return the sides as strokes; where two meet at a cell, the first has the edge that both name.
    Cells and directions go round the board clockwise."""
    taken = set[tuple[int, int]]()
    strokes: list[Stroke] = []
    for seat, cells, ways in sides:
        points: list[Point] = []
        for cell in cells:
            for way in ways:
                if board.around[cell][way] < 0 and (cell, way) not in taken:
                    taken.add((cell, way))
                    points += [corner(board, cell, way + 1), corner(board, cell, way + 2)]
        strokes.append(Stroke(tuple(dict.fromkeys(points)), "border", seat))
    return tuple(strokes)
