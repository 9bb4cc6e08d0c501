"""Draws marks above what stands on the board: rings, crosses and arrows."""

from __future__ import annotations

import re
from math import cos, hypot, pi, sin

from pbm.rules.drawing.scene import SLIDE, TAKEN, TURN, Mark
from pbm.rules.drawing.svg.elements import circle, number, path
from pbm.rules.drawing.svg.layout import Layout

_ALARMING = ("check", "dead")
_RAYS = 8
_NUMBER = 11.0
"""The size of the number of a turn, in pixels."""
_FAILED = re.compile(r"^failed|in vain$")
"""The roles of what a seat tried without success: red inside, as nobody's alarms are."""


def draw_marks(layout: Layout) -> str:
    """Return all marks but links, which lie on the board."""
    return "".join(_mark(layout, mark) for mark in layout.scene.marks if mark.role != "link")


def _mark(layout: Layout, mark: Mark) -> str:
    if len(mark.places) > 1:
        return _arrow(layout, mark)
    place = layout.places[mark.places[0]]
    x, y = layout.at(place.centre)
    radius, width = layout.radius(place), max(1.6, layout.cell / 14)
    if mark.role.startswith(TURN):
        return _write_number(mark.role.removeprefix(TURN), x + 0.8 * radius, y - 0.8 * radius)
    if mark.role == TAKEN:
        is_around = mark.places[0] in layout.occupied
        return path(_burst(x, y, radius, is_around=is_around), "alarmring", width)
    if mark.role in _ALARMING:
        if mark.role == "check":
            return circle(radius * 1.06, "alarmring", x, y, width)
        r = 0.5 * radius
        cross = (
            f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}"
            f"m{number(-2 * r)} 0l{number(2 * r)} {number(-2 * r)}"
        )
        return path(cross, "alarmring", width * 1.3)
    if mark.role == "chosen" and layout.is_area(mark.places[0]):
        return ""
    if layout.scene.ground == "rack":
        return circle(radius * 1.06, "lastring", x, y, width * 1.3)
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
    """Return strokes away from a centre, or those around what stands there now."""
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
    start, end = (layout.at(layout.places[name].centre) for name in mark.places[:2])
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y) or 1.0
    x, y, head = x / length, y / length, 0.22 * layout.cell
    if mark.seat is not None or mark.role == SLIDE:
        # What is written on the pieces at its ends stays legible.
        gaps = [
            0.7 * layout.radius(layout.places[name]) * (name in layout.occupied)
            for name in mark.places[:2]
        ]
        if sum(gaps) < 0.7 * length:
            start = start[0] + gaps[0] * x, start[1] + gaps[0] * y
            end = end[0] - gaps[1] * x, end[1] - gaps[1] * y
    tip = f"{number(end[0])} {number(end[1])}"
    sides = [
        (end[0] - head * (x * cos(a) - y * sin(a)), end[1] - head * (y * cos(a) + x * sin(a)))
        for a in (-pi / 6, pi / 6)
    ]
    data = f"M{number(start[0])} {number(start[1])}L{tip}" + "".join(
        f"M{tip}L{number(p)} {number(q)}" for p, q in sides
    )
    width = max(1.6, layout.cell / 14)
    if mark.seat is None:
        return path(data, "alarmring" if mark.role in _ALARMING else "lastring", width)
    inner = "alarmring" if _FAILED.search(mark.role) else f"b{mark.seat}"
    return path(data, f"u{mark.seat}", width + 1.4) + path(data, inner, width)
