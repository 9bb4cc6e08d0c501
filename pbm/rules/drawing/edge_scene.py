"""Scenes of empty boards on whose edges something can stand: walls between squares, lines between
dots.

Edges are thin rectangles centred on what they separate."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from pbm.rules.boards.squares import Grid, column_number
from pbm.rules.boards.walls import walls_of
from pbm.rules.drawing.grid_scene import grid_scene, square
from pbm.rules.drawing.scene import Place, Point, Scene

GUTTER = 0.2
"""The width of an edge."""
EDGE = "edge"
"""The shade of a place that is drawn only if something stands on it."""


def bar(centre: Point, length: float, *, upright: bool) -> tuple[Point, ...]:
    """Return the corners of a thin rectangle."""
    (x, y), along, across = centre, round(length / 2, 3), GUTTER / 2
    right, down = (across, along) if upright else (along, across)
    return (
        (x - right, y - down),
        (x + right, y - down),
        (x + right, y + down),
        (x - right, y + down),
    )


@cache
def wall_scene(size: int) -> Scene:
    """Return the squares of a board with walls between them, and the places of walls. Those of one
    direction lie beside each other without overlapping; what stands there is twice as long."""
    plain = grid_scene(Grid(size, size))
    inset = GUTTER / 2
    squares = (
        replace(place, shape=square(x - 0.5 + inset, y - 0.5 + inset, 1 - GUTTER))
        for place in plain.places
        for x, y in (place.centre,)
    )
    walls = (
        Place(name, wall_shape(size, name, 1), _wall_centre(size, name), EDGE)
        for name in walls_of(size).names
    )
    return replace(plain, places=(*squares, *walls))


def wall_shape(size: int, name: str, length: float = 2 - GUTTER) -> tuple[Point, ...]:
    """Return the outline of a wall."""
    return bar(_wall_centre(size, name), length, upright=name.endswith("v"))


def _wall_centre(size: int, name: str) -> Point:
    """Return the middle of a wall: a corner of four squares."""
    column, row = column_number(name[0]), int(name[1:-1])
    return float(column + 1), float(size - row)


@cache
def dot_scene(grid: Grid, edges: tuple[tuple[int, int], ...]) -> Scene:
    """Return the dots of a grid, the lines `edges` between two of them, and the boxes that these
    form, each named by the dot at its lower left."""
    plain = grid_scene(grid)
    dots = tuple(replace(place, shape=0.1, shade="dot") for place in plain.places)
    lines: list[Place] = []
    for one, other in edges:
        (x, y), (to_x, to_y) = dots[one].centre, dots[other].centre
        centre = (x + to_x) / 2, (y + to_y) / 2
        name = f"{dots[one].name}-{dots[other].name}"
        lines.append(Place(name, bar(centre, 0.8, upright=x == to_x), centre, EDGE))
    boxes = {
        dot.name: Place(f"box {dot.name}", square(x, y - 1), (x + 0.5, y - 0.5), "box")
        for cell, dot in enumerate(dots)
        for x, y in (dot.centre,)
        if grid.step(cell, 1, 1) is not None
    }
    regions = (
        replace(region, places=tuple(boxes[name].name for name in region.places if name in boxes))
        for region in plain.regions
    )
    return replace(
        plain,
        places=(*boxes.values(), *dots, *lines),
        regions=tuple(region for region in regions if region.places),
    )
