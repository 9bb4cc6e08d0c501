"""Draws marks above what stands on the board: rings, crosses and arrows."""

from __future__ import annotations

import re
from math import cos, hypot, pi, sin

from pbm.rules.drawing.scene import (
    BUILT,
    DISBANDED,
    HELD,
    ORDERED,
    SLIDE,
    STOOD_OFF,
    TAKEN,
    TURN,
    Mark,
    Point,
)
from pbm.rules.drawing.svg.elements import circle, number, path, polygon
from pbm.rules.drawing.svg.layout import Layout

_ALARMING = ("check", "dead")
_RAYS = 8
_NUMBER = 11.0
"""The size of the number of a turn, in pixels."""
_FAILED = re.compile(r"^failed|in vain$")
"""The roles of what a seat tried without success."""
_DASHES = {
    "support": (' stroke-dasharray="{} {}"', 2.4),
    "convoy": (' stroke-dasharray="0.1 {1}"', 2.4),
}
"""The dashes of lines whose roles contain this word, and the size of their heads."""


def draw_marks(layout: Layout) -> str:
    """Return all marks but links, which lie on the board."""
    return "".join(_mark(layout, mark) for mark in layout.scene.marks if mark.role != "link")


def _mark(layout: Layout, mark: Mark) -> str:
    if len(mark.places) > 1:
        return _arrow(layout, mark)
    place = layout.places[mark.places[0]]
    x, y = layout.at(mark.at[0] if mark.at else place.centre)
    radius, width = layout.radius(place), max(1.6, layout.cell / 14)
    if mark.role in (BUILT, f"{ORDERED}build"):
        return _write_number("+", x + 1.1 * radius, y - radius)
    if mark.role == STOOD_OFF:
        return _write_number("=", x, y)
    if mark.role.startswith(TURN):
        return _write_number(mark.role.removeprefix(TURN), x + 0.8 * radius, y - 0.8 * radius)
    if mark.role in (TAKEN, DISBANDED):
        is_around = mark.places[0] in layout.occupied
        return path(_burst(x, y, radius, is_around=is_around), "alarmring", width)
    if mark.role in (*_ALARMING, f"{ORDERED}disband"):
        if mark.role == "check":
            return circle(radius * 1.06, "alarmring", x, y, width)
        return path(_cross(x, y, 0.5 * radius), "alarmring", width * 1.3)
    if mark.role == "chosen" and layout.is_area(mark.places[0]):
        return ""
    if layout.scene.ground == "rack":
        return circle(radius * 1.06, "lastring", x, y, width * 1.3)
    if mark.role in (HELD, f"{ORDERED}hold"):
        return circle(radius * 1.25, f"u{mark.seat}", x, y, 0.6 * width)
    if mark.seat is not None and layout.is_map:
        return ""
    if mark.seat is not None:
        return circle(radius * 1.1, f"u{mark.seat}", x, y, 1.9 * width) + circle(
            radius * 1.1, f"b{mark.seat}", x, y, 1.2 * width
        )
    if mark.role != "last":
        return circle(radius * 1.05, "lastring", x, y, width)
    if place.shade == "edge":
        return path(layout.outline(place), "lastring", width)
    if not layout.is_area(mark.places[0]):
        far = radius * (1.0 if mark.places[0] in layout.occupied else 0.5)
        return circle(far, "lastring", x, y, width * 1.2)
    return ""


def _write_number(text: str, x: float, y: float) -> str:
    """Return a number on a disc, by which a reader follows what several did one after another."""
    size, far = _NUMBER, 0.62 * _NUMBER + 0.25 * _NUMBER * (len(text) - 1)
    return (
        f'<rect class="gold" x="{number(x - far)}" y="{number(y - 0.62 * size)}" '
        f'width="{number(2 * far)}" height="{number(1.24 * size)}" rx="{number(0.62 * size)}"/>'
        f'<text class="goldtext" x="{number(x)}" y="{number(y + 0.36 * size)}" '
        f'font-size="{number(size)}">{text}</text>'
    )


def _burst(x: float, y: float, radius: float, *, is_around: bool) -> str:
    """Return strokes that radiate from a centre, or around a piece that is there now."""
    strokes = list[str]()
    for ray in range(_RAYS):
        angle, far = 2 * pi * ray / _RAYS, radius * (0.62 if ray % 2 else 0.85)
        near = 0.3 * radius
        if is_around:
            near, far = radius, 1.3 * radius
        strokes.append(
            f"M{number(x + near * cos(angle))} {number(y + near * sin(angle))}"
            f"L{number(x + far * cos(angle))} {number(y + far * sin(angle))}"
        )
    return "".join(strokes)


def _arrow(layout: Layout, mark: Mark) -> str:
    """Return an arrow; of one to the middle of the way between two others, the way's nearer half is
    theirs."""
    points = [layout.at(at) for at in mark.at or (layout.places[p].centre for p in mark.places)]
    start, end = points[0], points[-1]
    ends = mark.places[0], mark.places[-1]
    gaps = [
        0.7 * layout.radius(layout.places[name]) if mark.at or name in layout.occupied else 0.0
        for name in ends
    ]
    if len(mark.places) > 2:
        x, y = points[1]
        end, gaps[1] = ((x + end[0]) / 2, (y + end[1]) / 2), 0.0
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y) or 1.0
    x, y = x / length, y / length
    # What is written on the pieces at its ends stays legible.
    if (mark.seat is not None or mark.role == SLIDE) and sum(gaps) < 0.7 * length:
        start = start[0] + gaps[0] * x, start[1] + gaps[0] * y
        end = end[0] - gaps[1] * x, end[1] - gaps[1] * y
    width = max(1.6, layout.cell / 14)
    if mark.seat is not None:
        return _order(mark, start, end, width)
    sides = _sides(end, (x, y), 0.22 * layout.cell, pi / 6)
    tip = f"{number(end[0])} {number(end[1])}"
    data = f"M{number(start[0])} {number(start[1])}L{tip}" + "".join(
        f"M{tip}L{number(p)} {number(q)}" for p, q in sides
    )
    return path(data, "alarmring" if mark.role in _ALARMING else "lastring", width)


def _order(mark: Mark, start: Point, end: Point, width: float) -> str:
    """Return the arrow of what a seat ordered: whole for a move, in dashes for support, dotted for
    a convoy; crossed if it failed."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y) or 1.0
    x, y = x / length, y / length
    dash, head = "", 3.6 * width
    for role, (dashes, size) in _DASHES.items():
        if role in mark.role:
            dash, head = dashes.format(number(1.8 * width), number(2.2 * width)), size * width
            width *= 0.8
    neck = end[0] - 0.8 * head * x, end[1] - 0.8 * head * y
    line = f"M{number(start[0])} {number(start[1])}L{number(neck[0])} {number(neck[1])}"
    drawn = f'<path d="{line}" class="u{mark.seat}" stroke-width="{number(width + 1.4)}"{dash}/>'
    drawn += f'<path d="{line}" class="b{mark.seat}" stroke-width="{number(width)}"{dash}/>'
    drawn += path(polygon([end, *_sides(end, (x, y), head, pi / 7)]), f"a{mark.seat}", 0.8)
    if not _FAILED.search(mark.role):
        return drawn
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return drawn + path(_cross(*middle, 1.8 * width), "alarmring", width * 1.1)


def _sides(tip: Point, way: Point, far: float, angle: float) -> list[Point]:
    """Return the ends of the two sides of the head of an arrow."""
    x, y = way
    return [
        (tip[0] - far * (x * cos(a) - y * sin(a)), tip[1] - far * (y * cos(a) + x * sin(a)))
        for a in (-angle, angle)
    ]


def _cross(x: float, y: float, r: float) -> str:
    return (
        f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}"
        f"m{number(-2 * r)} 0l{number(2 * r)} {number(-2 * r)}"
    )
