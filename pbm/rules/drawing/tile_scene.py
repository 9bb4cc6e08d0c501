"""Scenes of square tiles whose edges match: what is drawn on a tile, as strokes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbm.rules.boards.tiles import Segment, Tile
from pbm.rules.drawing.scene import Place, Point, Stroke

_SIDES: tuple[Point, ...] = ((0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0))
"""The middle of the north, east, south and west edge, seen from the middle of a tile."""
_SHORT = 0.5
"""How far a segment with one edge reaches toward the middle, and a bend from its corner."""


def tile_strokes(face: Tile, place: Place, roles: Mapping[str, str]) -> Iterator[Stroke]:
    """Yield the lines of the segments of the tile on a place; `roles` gives the role of each kind.
    What lies inside a tile is a line of one point. Each edge is besides a line from its middle to
    that of the tile, whose role ends with "edge"."""
    for one in face.segments:
        role = roles[one.kind]
        for points in _lines(one):
            yield Stroke(_move(points, place.centre), role, place=place.name)
        for edge in one.edges:
            points = _move((_SIDES[edge], (0.0, 0.0)), place.centre)
            yield Stroke(points, f"{role} edge", place=place.name)


def _move(points: Iterable[Point], centre: Point) -> tuple[Point, ...]:
    return tuple((round(centre[0] + x, 3), round(centre[1] + y, 3)) for x, y in points)


def _lines(segment: Segment) -> Iterator[tuple[Point, ...]]:
    sides = [_SIDES[edge] for edge in segment.edges]
    if len(sides) == 2:
        yield sides[0], knot(segment), sides[1]
    elif sides:
        for side in sides:
            yield side, knot(segment)
    else:
        yield (knot(segment),)


def knot(segment: Segment) -> Point:
    """Return where the lines of a segment meet, seen from the middle of its tile: there, or near
    its edge or corner if others may pass through the middle."""
    x = sum(_SIDES[edge][0] for edge in segment.edges)
    y = sum(_SIDES[edge][1] for edge in segment.edges)
    if len(segment.edges) == 1 or (len(segment.edges) == 2 and x and y):
        return x * _SHORT, y * _SHORT
    return 0.0, 0.0
