"""The scene of an empty floor plan: cells, joined places, walls with their doors."""

from __future__ import annotations

from functools import cache

from pbm.rules.boards.floor_plans import FloorPlan
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene, Stroke


@cache
def floor_scene(plan: FloorPlan) -> Scene:
    """Return the empty board. A joined place has the shade "home", a renamed cell "sun"."""
    grid = plan.grid
    cells = grid_scene(grid)
    names = {grid.names[place]: name for name, place in plan.number.items() if place < len(grid)}
    places = [
        Place(name, place.shape, place.centre, "" if name == place.name else "sun")
        for place in cells.places
        if (name := names.get(place.name))
    ]
    labels = [*cells.labels]
    for name, number in plan.number.items():
        if number >= len(grid):
            rows, columns = plan.extent(number)
            left, right = min(columns), max(columns) + 1
            top, bottom = grid.height - max(rows) - 1, grid.height - min(rows)
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            places.append(Place(name, corners, ((left + right) / 2, (top + bottom) / 2), "home"))
            labels.append(Label(name, ((left + right) / 2, top + 0.3)))
    regions = (
        Region(one.kind, one.name, tuple(names[name] for name in one.places if name in names))
        for one in cells.regions
    )
    return Scene(
        tuple(places),
        labels=tuple(labels),
        regions=tuple(regions),
        strokes=tuple(Stroke(_wall(grid, *pair), "wall") for pair in plan.walls()),
    )


def _wall(grid: Grid, cell: int, there: int) -> tuple[Point, Point]:
    """Return the line between two neighbouring cells."""
    row, column = divmod(cell, grid.width)
    if there == cell + 1:
        return (column + 1, grid.height - row - 1), (column + 1, grid.height - row)
    return (column, grid.height - row - 1), (column + 1, grid.height - row - 1)
