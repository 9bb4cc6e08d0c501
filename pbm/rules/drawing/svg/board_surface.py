"""Draws the empty board: its places, the lines between them, the coordinates, and the places of the
last move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pbm.rules.drawing.scene import Point
from pbm.rules.drawing.svg.elements import circle, number, path, text
from pbm.rules.drawing.svg.layout import Layout
from pbm.rules.drawing.svg.palette import LIGHT

_TILE_LINES = {"planet": "planet", "wormhole": "wormhole", "station": "outpost"}
"""The styles of lines on tiles, by their roles."""
_LABEL = 11.5


def label_size(cell: float) -> float:
    """The size of coordinates beside cells of that size, in pixels."""
    return min(_LABEL, 0.8 * cell)


def draw_surface(layout: Layout) -> str:
    """All that lies below what stands on the board."""
    return "".join(
        (_places(layout), _tiles(layout), _last_moves(layout), _strokes(layout), _labels(layout))
    )


def _places(layout: Layout) -> str:
    groups: dict[str, list[str]] = defaultdict(list)
    for place in layout.scene.places:
        if layout.is_area(place.name):
            groups[place.shade].append(layout.outline(place))
    drawn = "".join(
        path("".join(outlines), _place_class(shade), 1) for shade, outlines in groups.items()
    )
    return _crossings(layout) + drawn


def _tiles(layout: Layout) -> str:
    """The grounds of tiles; strokes draw what is on them."""
    outlines = [
        layout.outline(layout.places[piece.place])
        for piece in layout.scene.pieces
        if piece.kind == "tile"
    ]
    return path("".join(outlines), "tile", 1) if outlines else ""


def _crossings(layout: Layout) -> str:
    """A board of points: its ground, the lines, and the marked points."""
    ground = ""
    if len(layout.points) * 2 > len(layout.scene.places):
        centres = [layout.at(layout.places[name].centre) for name in layout.points]
        reach = 0.5 * layout.cell
        left, top = min(x for x, _ in centres) - reach, min(y for _, y in centres) - reach
        width = max(x for x, _ in centres) + reach - left
        height = max(y for _, y in centres) + reach - top
        ground = (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(width)}" '
            f'height="{number(height)}" rx="4" class="wood"/>'
        )
    lines = "".join(_lines(layout))
    return (
        ground
        + (path(lines, "line", max(0.8, layout.cell / 28)) if lines else "")
        + _dots(layout, "star", max(4.4, layout.cell / 4.5))
        + _dots(layout, "hole", max(2.6, layout.cell / 6))
        + _dots(layout, "dot", layout.cell / 4.5)
    )


def _dots(layout: Layout, shade: str, across: float) -> str:
    """Dots on all places of a shade: the round ends of lines without length."""
    data = "".join(
        f"M{number(x)} {number(y)}h.1"
        for x, y in (
            layout.at(place.centre) for place in layout.scene.places if place.shade == shade
        )
    )
    return path(data, "line", across) if data else ""


def _lines(layout: Layout) -> Iterator[str]:
    for one, other in layout.scene.lines:
        start, end = layout.at(layout.places[one].centre), layout.at(layout.places[other].centre)
        yield f"M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}"


def _strokes(layout: Layout) -> str:
    """What is drawn on the board, and the links between places."""
    drawn = []
    for stroke in layout.scene.strokes:
        if style := _TILE_LINES.get(stroke.role):
            drawn.append(_segment(layout, stroke.points, style))
            continue
        is_border = stroke.role == "border"
        width = max(3.0, layout.cell / 7) if is_border else max(1.2, layout.cell / 22)
        drawn.append(_polyline(layout, stroke.points, stroke.seat, width))
    for mark in layout.scene.marks:
        if mark.role == "link":
            points = [layout.places[name].centre for name in mark.places]
            drawn.append(_polyline(layout, points, mark.seat, max(2.2, layout.cell / 9)))
    return "".join(drawn)


def _segment(layout: Layout, points: Sequence[Point], style: str) -> str:
    """A line on a tile, with an edge; one of a single point is a disc."""
    ends = list(map(layout.at, points))
    if len(ends) == 1:
        return circle(0.26 * layout.cell, "hub", *ends[0], width=1.2)
    width = 0.24 * layout.cell
    data = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in ends)
    return path(data, "rim", width + 2) + path(data, style, width)


def _polyline(layout: Layout, points: Iterable[Point], seat: int | None, width: float) -> str:
    """A line through these points, in the colour of a seat with an edge of its own."""
    data = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in map(layout.at, points))
    if seat is None:
        return path(data, "line", width)
    return path(data, f"u{seat}", width + 2) + path(data, f"b{seat}", width)


def _labels(layout: Layout) -> str:
    size = label_size(layout.cell)
    return "".join(
        text(label.text, "label", size, *layout.at(label.centre)) for label in layout.scene.labels
    )


def _place_class(shade: str) -> str:
    if shade in ("light", "dark"):
        return shade
    return f"place at-{shade}" if shade in LIGHT.shades else "place"


def _last_moves(layout: Layout) -> str:
    """The places of the last move, coloured below what stands there."""
    outlines = [
        layout.outline(layout.places[mark.places[0]])
        for mark in layout.scene.marks
        if mark.role == "last" and len(mark.places) == 1 and layout.is_area(mark.places[0])
    ]
    return path("".join(outlines), "last", max(1.2, layout.cell / 20)) if outlines else ""
