"""The scene of an empty board of triangles, whose sides are 1 long."""

from __future__ import annotations

from functools import cache
from math import sqrt

from pbm.rules.boards.squares import column_name
from pbm.rules.boards.triangles import Point as Corner
from pbm.rules.boards.triangles import TriangleBoard
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene

_HEIGHT = sqrt(3) / 2


def _at(board: TriangleBoard, corner: Corner) -> Point:
    x, y = corner
    return x / 2, round((board.height - y) * _HEIGHT, 3)


@cache
def triangle_scene(board: TriangleBoard) -> Scene:
    """Return the empty board, with column letters above and below, row numbers at both ends of
    rows."""
    places: list[Place] = []
    columns: dict[int, list[str]] = {}
    rows: dict[int, list[int]] = {}
    for cell, ((column, row), corners) in enumerate(zip(board.cells, board.corners, strict=True)):
        points = tuple(_at(board, corner) for corner in corners)
        centre = round(sum(x for x, _ in points) / 3, 3), round(sum(y for _, y in points) / 3, 3)
        places.append(Place(board.names[cell], points, centre))
        columns.setdefault(column, []).append(board.names[cell])
        rows.setdefault(row, []).append(cell)
    labels = [
        Label(column_name(column), ((column + 1) / 2, y))
        for y in (-0.4, round(board.height * _HEIGHT + 0.4, 3))
        for column in range(board.width)
    ]
    regions: list[Region] = []
    for row, cells in sorted(rows.items()):
        for cell, beside in ((cells[0], -0.8), (cells[-1], 0.8)):
            x, y = places[cell].centre
            labels.append(Label(str(row + 1), (round(x + beside, 3), y)))
        regions.append(Region("row", str(row + 1), tuple(board.names[cell] for cell in cells)))
    for column, names in sorted(columns.items()):
        regions.append(Region("column", column_name(column), tuple(names)))
    return Scene(tuple(places), labels=tuple(labels), regions=tuple(regions))
