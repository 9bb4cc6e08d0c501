"""Draws what lies in space: planets and wormholes on tiles, stations, stars."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, pi, sin

from pbm.rules.drawing.scene import Place, Point, Stroke
from pbm.rules.drawing.svg.elements import circle, number, path, polygon
from pbm.rules.drawing.svg.layout import Layout

SPACE_ROLES = ("planet", "planet edge", "wormhole", "wormhole edge", "station")
"""The roles of the strokes that are drawn here."""
_BAND, _GLOBE = 0.3, 0.27
"""The breadth of what joins the planets of a system, and the radius of a planet, in cells."""
_RIM = 2.0
_RAYS = 12


def draw_space(layout: Layout) -> str:
    """Return the planets, wormholes and stations of all tiles."""
    found: dict[str, list[Stroke]] = {role: [] for role in SPACE_ROLES}
    for stroke in layout.scene.strokes:
        if stroke.role in found:
            found[stroke.role].append(stroke)
    return (
        _systems(layout, found["planet"], found["planet edge"])
        + _wormholes(layout, found["wormhole"])
        + "".join(_station(layout, stroke.points[0]) for stroke in found["station"])
    )


def _systems(layout: Layout, bands: Iterable[Stroke], edges: Iterable[Stroke]) -> str:
    """Draw planets on the edges of tiles, half of each on either tile, and what joins them."""
    joined = "".join(_line(layout, stroke.points) for stroke in bands)
    halves = "".join(_half_globe(layout, *stroke.points) for stroke in edges)
    if not halves:
        return ""
    width = _BAND * layout.cell
    return (
        path(joined, "band", width + 2 * _RIM)
        + path(joined, "planetband", width)
        + path(halves, "planet", _RIM)
        + path("".join(_land(layout, *stroke.points) for stroke in edges), "land")
    )


def _half_globe(layout: Layout, side: Point, middle: Point) -> str:
    """Draw half a disc that stands on the edge of a tile."""
    (x, y), (to_x, to_y) = layout.at(side), layout.at(middle)
    radius, far = _GLOBE * layout.cell, hypot(to_x - x, to_y - y) or 1.0
    right, down = radius * (to_x - x) / far, radius * (to_y - y) / far
    r = number(radius)
    return (
        f"M{number(x + down)} {number(y - right)}"
        f"A{r} {r} 0 0 1 {number(x - down)} {number(y + right)}"
    )


def _land(layout: Layout, side: Point, middle: Point) -> str:
    """Return a continent on half a planet."""
    (x, y), (to_x, to_y) = layout.at(side), layout.at(middle)
    right, down = 0.24 * (to_x - x), 0.24 * (to_y - y)
    a, b = 0.35, 0.5
    points = [
        (x + 0.2 * right - a * down, y + 0.2 * down + a * right),
        (x + right - 0.1 * down, y + down + 0.1 * right),
        (x + 0.7 * right + b * down, y + 0.7 * down - b * right),
        (x + 0.1 * right + 0.2 * down, y + 0.1 * down - 0.2 * right),
    ]
    return polygon(points)


def _wormholes(layout: Layout, strokes: Iterable[Stroke]) -> str:
    """Draw tunnels with rings."""
    data = "".join(_line(layout, stroke.points) for stroke in strokes)
    if not data:
        return ""
    return path(data, "tunnel", 0.26 * layout.cell) + path(data, "wormhole", 0.16 * layout.cell)


def _station(layout: Layout, centre: Point) -> str:
    """Return a wheel with docks on all sides."""
    x, y = layout.at(centre)
    cell = layout.cell
    r = 0.36 * cell
    arms = (
        f"M{number(x - r)} {number(y)}h{number(2 * r)}M{number(x)} {number(y - r)}v{number(2 * r)}"
    )
    return (
        path(arms, "dock", 0.12 * cell)
        + circle(0.25 * cell, "hub", x, y, 1.5)
        + circle(0.13 * cell, "hub", x, y, 1.2)
    )


def draw_sparks(layout: Layout) -> str:
    """Draw faint stars, where space is empty; always the same."""
    data = "".join(
        f"M{number(x)} {number(y)}h.1"
        for index, place in enumerate(layout.scene.places)
        if layout.is_area(place.name) and place.name not in layout.occupied
        for x, y in (
            layout.at(
                (
                    place.centre[0] + 0.33 * cos(2.4 * index),
                    place.centre[1] + 0.33 * sin(3.7 * index),
                )
            ),
        )
    )
    return path(data, "spark", 1.8) if data else ""


def draw_sun(layout: Layout, place: Place) -> str:
    """Return a star with its rays, which fills the place."""
    x, y = layout.at(place.centre)
    outer, inner = 0.46 * layout.cell, 0.33 * layout.cell
    rays = [
        (
            x + (outer, inner)[k % 2] * sin(k * pi / _RAYS),
            y - (outer, inner)[k % 2] * cos(k * pi / _RAYS),
        )
        for k in range(2 * _RAYS)
    ]
    return path(polygon(rays), "sun", 1)


def _line(layout: Layout, points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in map(layout.at, points))
