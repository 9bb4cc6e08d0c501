"""Draws the empty board: its places, the lines between them, the coordinates, and the places of the
last move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pbm.rules.drawing.scene import LAND, Label, Place, Point, Stroke, is_of_place
from pbm.rules.drawing.svg.elements import circle, number, path, polygon, text, text_width
from pbm.rules.drawing.svg.layout import Layout, draw_round
from pbm.rules.drawing.svg.palette import GROUNDS, LIGHT
from pbm.rules.drawing.svg.space import SPACE_ROLES, draw_space, draw_sparks, draw_sun

_SHADES = {*LIGHT.shades, "bar", "tray"}
_LABEL = 11.5
_INNER_LABEL = 0.2
"""The size of a label on a place, in cells."""
_NAME = 0.31
"""The size of a label on a map, in cells."""
_CENTRE = 0.1
"""The radius of the dot before the name of a centre, in cells."""
_SURFACES = ("owner", "frame", "impassable")
"""Roles of strokes that are no lines."""
SOFT = "geometricPrecision"
"""How the edges of the areas of a map are drawn."""
_HOLE = 0.41
"""The radius of a hole in a rack, in cells."""


def label_size(cell: float) -> float:
    """Return the size of coordinates beside cells of that size, in pixels."""
    return min(_LABEL, 0.8 * cell)


def draw_surface(layout: Layout) -> str:
    """Return everything below the pieces."""
    return "".join(
        (
            _base(layout),
            _places(layout),
            _tiles(layout),
            _owned_parts(layout),
            _marked_places(layout, "last"),
            _marked_places(layout, "chosen"),
            _strokes(layout),
            _dots(layout, "dot", layout.cell / 4.5),
            _labels(layout),
        )
    )


def _base(layout: Layout) -> str:
    """Return the base below the board, if it has a ground of its own, and the sheet in a frame."""
    drawn = ""
    if (ground := GROUNDS.get(layout.scene.ground)) and layout.scene.places:
        left, top, right, bottom = layout.extent
        x, y = layout.at((left - ground.margin, top - ground.margin))
        to_x, to_y = layout.at((right + ground.margin, bottom + ground.margin))
        drawn = (
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(to_x - x)}" '
            f'height="{number(to_y - y)}" rx="6" class="base"/>'
        )
    sheet = "place" if ground else "light"
    frames = [stroke.points for stroke in layout.scene.strokes if stroke.role == "frame"]
    return drawn + "".join(path(polygon(map(layout.at, points)), sheet, 1) for points in frames)


def _map(layout: Layout) -> str:
    """Return a map: seas, the coast, and land with whose it is; at last land that nobody enters."""
    scene = layout.scene
    owned = {
        mark.places[0]: f"{'country' if mark.role == LAND else 'owned'}{mark.seat}"
        for mark in scene.marks
        if is_of_place(mark)
    }
    seas, land = list[str](), defaultdict[str, list[str]](list)
    for place in scene.places:
        if place.shade == "water":
            seas.append(layout.outline(place))
        elif layout.is_area(place.name):
            land[owned.get(place.name, "place")].append(layout.outline(place))
    for stroke in scene.strokes:
        if stroke.role == "impassable":
            land["place at-blocked"].append(polygon(map(layout.at, stroke.points)))
    shapes = "".join(
        f'<path id="k{at}" d="{"".join(outlines)}"/>' for at, outlines in enumerate(land.values())
    )
    coast = "".join(f'<use href="#k{at}"/>' for at in range(len(land)))
    return (
        f'<defs>{shapes}</defs><g shape-rendering="{SOFT}">'
        + path("".join(seas), "sea", 1)
        + f'<g class="coast" stroke-width="{number(layout.cell / 12)}">{coast}</g>'
        + "".join(f'<use href="#k{at}" class="{style}"/>' for at, style in enumerate(land))
        + "</g>"
        + _bridges(layout)
    )


def _bridges(layout: Layout) -> str:
    """Return the lines between neighbours of a map that have no border in common."""
    data = "".join(_lines(layout))
    width = number(layout.cell / 10)
    dash = f"{number(layout.cell / 7)} {number(layout.cell / 5)}"
    drawn = f'<path d="{data}" class="line" stroke-width="{width}" stroke-dasharray="{dash}"/>'
    return drawn if data else ""


def _places(layout: Layout) -> str:
    if layout.is_map:
        return _map(layout)
    groups: dict[str, list[str]] = defaultdict(list)
    for place in layout.scene.places:
        if layout.is_area(place.name):
            groups[place.shade].append(_outline(layout, place))
    drawn = "".join(
        path("".join(outlines), _place_class(shade), 1) for shade, outlines in groups.items()
    )
    suns = (place for place in layout.scene.places if place.shade == "sun")
    sparks = draw_sparks(layout) if layout.scene.ground == "void" else ""
    return _crossings(layout) + drawn + sparks + "".join(draw_sun(layout, sun) for sun in suns)


def _outline(layout: Layout, place: Place) -> str:
    """Return the path of a place; in a rack that of its hole."""
    if layout.scene.ground == "rack":
        return draw_round(layout.at(place.centre), _HOLE * layout.cell)
    return layout.outline(place)


def _owned_parts(layout: Layout) -> str:
    """Return the parts of the board that belong to seats, tinted."""
    return "".join(
        path(
            polygon(map(layout.at, stroke.points)),
            f"m{stroke.seat}",
            max(2.0, layout.cell / 11),
        )
        for stroke in layout.scene.strokes
        if stroke.role == "owner"
    )


def _tiles(layout: Layout) -> str:
    """Return the grounds of tiles; strokes draw what is on them."""
    outlines = [
        layout.outline(layout.places[piece.place])
        for piece in layout.scene.pieces
        if piece.kind == "tile"
    ]
    return path("".join(outlines), "tile", 1) if outlines else ""


def _crossings(layout: Layout) -> str:
    """Return a board of points: its ground, the lines, and the marked points."""
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
    )


def _dots(layout: Layout, shade: str, across: float) -> str:
    """Draw dots on all places of a shade: the round ends of lines without length."""
    data = "".join(
        f"M{number(x)} {number(y)}h.1"
        for x, y in (
            layout.at(place.centre) for place in layout.scene.places if place.shade == shade
        )
    )
    return path(data, "line", across) if data else ""


def _lines(layout: Layout) -> Iterator[str]:
    """Yield the lines between places, those in a row as one: a large board has hundreds."""
    runs: list[tuple[Point, Point]] = []
    last: dict[tuple[str, Point], int] = {}
    for one, other in layout.scene.lines:
        start, end = layout.places[one].centre, layout.places[other].centre
        step = round(end[0] - start[0], 2), round(end[1] - start[1], 2)
        at = last.pop((one, step), len(runs))
        if at < len(runs):
            runs[at] = runs[at][0], end
        else:
            runs.append((start, end))
        last[other, step] = at
    for (x, y), (to_x, to_y) in ((layout.at(start), layout.at(end)) for start, end in runs):
        yield f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"


def _strokes(layout: Layout) -> str:
    """Return the lines drawn on the board, and the links between places."""
    drawn = [draw_space(layout)]
    for stroke in layout.scene.strokes:
        if stroke.role == "region":
            drawn.append(path(_line_of(layout, stroke.points), "region", layout.cell / 18))
        elif stroke.role == "cube":
            drawn.append(_doubling_cube(layout, stroke))
        elif stroke.role not in SPACE_ROLES and stroke.role not in _SURFACES:
            drawn.append(_polyline(layout, stroke.points, stroke.seat, _width(layout, stroke.role)))
    for mark in layout.scene.marks:
        if mark.role == "link":
            points = [layout.places[name].centre for name in mark.places]
            drawn.append(_polyline(layout, points, mark.seat, max(2.2, layout.cell / 9)))
    return "".join(drawn)


def _width(layout: Layout, role: str) -> float:
    """Return how broad a line of that role is."""
    match role:
        case "border":
            return max(3.0, layout.cell / 7)
        case "wall":
            return max(2.0, layout.cell / 9)
    return max(1.2, layout.cell / 22)


def _doubling_cube(layout: Layout, stroke: Stroke) -> str:
    """Return the doubling cube: a label gives its number."""
    (x, y), (to_x, to_y) = map(layout.at, stroke.points)
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(to_x - x)}" '
        f'height="{number(to_y - y)}" rx="3" class="gold" stroke-width="1.5"/>'
    )


def _line_of(layout: Layout, points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in map(layout.at, points))


def _polyline(layout: Layout, points: Iterable[Point], seat: int | None, width: float) -> str:
    """Return a line through these points, in the colour of a seat with an edge of its own."""
    data = _line_of(layout, points)
    if seat is None:
        return path(data, "line", width)
    return path(data, f"u{seat}", width + 2) + path(data, f"b{seat}", width)


def _labels(layout: Layout) -> str:
    return "".join(_label(layout, label) for label in layout.scene.labels)


def _label(layout: Layout, label: Label) -> str:
    """Return a coordinate; small where it shares a place with a piece."""
    size, style = label_size(layout.cell), "label halo" if layout.scene.lines else "label"
    x, y = layout.at(label.centre)
    if layout.is_map:
        return _name(layout, label, x, y)
    if label in layout.inner_labels:
        size, style = min(size, _INNER_LABEL * layout.cell), "inner"
    elif label.role == "cube":
        size, style = 0.5 * layout.cell, "goldtext"
    elif layout.scene.ground and layout.is_on_base(label.centre):
        style = "onbase"
    return text(label.text, style, size, *layout.at(label.centre))


def _name(layout: Layout, label: Label, x: float, y: float) -> str:
    """Return the name of a province on a map, with a dot before it where that is a centre."""
    size = _NAME * layout.cell
    if label.role != "centre":
        return text(label.text, "name", size, x, y)
    radius = _CENTRE * layout.cell
    left = x - text_width(label.text, size) / 2 - radius
    dot = circle(radius, "centre", left, y, 1)
    return dot + text(label.text, "name", size, x + radius, y)


def _place_class(shade: str) -> str:
    if shade in ("light", "dark"):
        return shade
    return f"place at-{shade}" if shade in _SHADES else "place"


def _marked_places(layout: Layout, role: str) -> str:
    """Return the places with such a mark, coloured below their pieces."""
    outlines = [
        _outline(layout, layout.places[mark.places[0]])
        for mark in layout.scene.marks
        if mark.role == role and len(mark.places) == 1 and layout.is_area(mark.places[0])
    ]
    return path("".join(outlines), role, max(1.2, layout.cell / 20)) if outlines else ""
