"""Where the places of a scene are in the picture, and how large."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from math import dist

from pbm.rules.drawing.scene import Label, Mark, Piece, Place, Point, Scene
from pbm.rules.drawing.svg.elements import number, polygon

_POINTS = ("point", "star", "hole", "dot")
"""Shades of places that are points of a board and not areas; so are those that lines join, unless
they are spaces."""
_SPACES = ("space", "home", "goal", "water")
_UNIT = 0.29
"""The radius of a piece on a map, in cells."""
_LARGEST = 0.55
"""The radius of the largest piece on a place with corners, in cells."""


class Layout:
    """The board of a scene, `cell` pixels to a cell, its origin at `origin`."""

    def __init__(self, scene: Scene, cell: float, origin: Point) -> None:
        self.scene = scene
        self.cell = cell
        self.places = {place.name: place for place in scene.places}
        self.points = {place.name for place in scene.places if place.shade in _POINTS}
        joined = {name for pair in scene.lines for name in pair}
        self.points |= {name for name in joined if self.places[name].shade not in _SPACES}
        self._origin = origin

    def at(self, point: Point) -> Point:
        """Return a point of the scene in pixels."""
        return self._origin[0] + point[0] * self.cell, self._origin[1] + point[1] * self.cell

    def hold(self, pieces: tuple[Piece, ...], marks: tuple[Mark, ...]) -> Layout:
        """Return the same board with these pieces and marks on it alone."""
        scene = replace(self.scene, pieces=pieces, marks=marks, strokes=())
        return Layout(scene, self.cell, self._origin)

    def outline(self, place: Place) -> str:
        """Return the path of a place."""
        if not isinstance(place.shape, (int, float)):
            return polygon([self.at(point) for point in place.shape])
        return draw_round(self.at(place.centre), place.shape * self.cell)

    def radius(self, place: Place) -> float:
        """Return the radius of the largest piece that fits onto the place, in pixels."""
        if self.is_map:
            return _UNIT * self.cell
        shape = place.shape
        if isinstance(shape, (int, float)):
            return shape * self.cell * (0.92 if place.name in self.points else 0.84)
        sides = zip(shape, (*shape[1:], shape[0]), strict=True)
        inner = min(_distance(place.centre, *side) for side in sides)
        return min(inner, _LARGEST) * self.cell * (0.74 if self.inner_labels else 0.82)

    @property
    def is_map(self) -> bool:
        """Whether the board is a map of areas."""
        return self.scene.ground == "map"

    def is_area(self, name: str) -> bool:
        """Whether a place is an area, that can be coloured, and no point or edge."""
        return name not in self.points and self.places[name].shade != "edge"

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of the places, in cells."""
        return extent_of(self.scene.places)

    def is_on_base(self, point: Point) -> bool:
        """Whether a point lies between places, on what the board lies on."""
        left, top, right, bottom = self.extent
        return left < point[0] < right and top < point[1] < bottom

    @cached_property
    def inner_labels(self) -> frozenset[Label]:
        """The labels that share a place of one cell with a piece."""
        if self.is_map:
            return frozenset()
        left, top, right, bottom = self.extent
        return frozenset(
            label
            for label in self.scene.labels
            if left < label.centre[0] < right and top < label.centre[1] < bottom and not label.role
            if any(
                abs(label.centre[0] - place.centre[0]) < 0.5
                and abs(label.centre[1] - place.centre[1]) < 0.5
                for place in self.scene.places
                if not isinstance(place.shape, (int, float))
            )
        )

    @cached_property
    def occupied(self) -> set[str]:
        """The places on which something stands."""
        return {piece.place for piece in self.scene.pieces}


def extent_of(places: Iterable[Place]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of places."""
    points = [point for place in places for point in reach_of(place)] or [(0.0, 0.0), (1.0, 1.0)]
    columns, rows = [x for x, _ in points], [y for _, y in points]
    return min(columns), min(rows), max(columns), max(rows)


def reach_of(place: Place) -> Iterable[Point]:
    """Return the points between which a place lies."""
    if not isinstance(place.shape, (int, float)):
        return place.shape
    (x, y), radius = place.centre, place.shape
    return (x - radius, y - radius), (x + radius, y + radius)


def half_size(place: Place) -> Point:
    """Return half the width and half the height of a place, in cells."""
    if isinstance(place.shape, (int, float)):
        return place.shape, place.shape
    columns, rows = [x for x, _ in place.shape], [y for _, y in place.shape]
    return (max(columns) - min(columns)) / 2, (max(rows) - min(rows)) / 2


def column_of(place: Place) -> tuple[Point, Point, float] | None:
    """Return the axis of a long place, from its broad end, and half its width; None for others."""
    if isinstance(place.shape, (int, float)):
        return None
    columns, rows = [x for x, _ in place.shape], [y for _, y in place.shape]
    left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
    width, height = right - left, bottom - top
    if max(width, height) < 1.8 * min(width, height):
        return None
    x, y = (left + right) / 2, (top + bottom) / 2
    if height >= width:
        up, down = ((x, bottom), (x, top)), ((x, top), (x, bottom))
        is_down = _breadth(place.shape, top, 1) >= _breadth(place.shape, bottom, 1)
        return (*(down if is_down and height else up), width / 2)
    is_right = _breadth(place.shape, left, 0) >= _breadth(place.shape, right, 0)
    start, end = ((left, y), (right, y)) if is_right else ((right, y), (left, y))
    return start, end, height / 2


def draw_round(centre: Point, radius: float) -> str:
    """Return the path of a circle."""
    x, y, r = *centre, number(radius)
    across = number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0Z"


def _distance(point: Point, start: Point, end: Point) -> float:
    (x, y), (p, q), (s, t) = point, start, end
    length = dist(start, end)
    return abs((s - p) * (q - y) - (p - x) * (t - q)) / length if length else dist(point, start)


def _breadth(points: Iterable[Point], level: float, axis: int) -> float:
    """Return how broad a polygon is at one of its ends."""
    there = [point[1 - axis] for point in points if abs(point[axis] - level) < 0.01]
    return max(there) - min(there) if there else 0.0
