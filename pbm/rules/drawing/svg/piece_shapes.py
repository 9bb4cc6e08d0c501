"""Draws one piece as SVG, around the origin, in the manner of its field.

Colours are classes of the style sheet in `svg`: `a0` is the body of what belongs to seat 0, `e0` a
line and `t0` a letter on it; `an`, `en` and `tn` are nobody's."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin

from pbm.rules.drawing.scene import Piece
from pbm.rules.drawing.svg.chess_men import (
    CHESS_MEN,
    SHOGI_MEN,
    XIANGQI_MEN,
    draw_chess_man,
    draw_lettered_disc,
    draw_lettered_wedge,
)
from pbm.rules.drawing.svg.elements import (
    Shape,
    circle,
    letter,
    line_width,
    path,
    polygon,
    square,
    text,
)
from pbm.rules.drawing.svg.elements import number as n


def _emblem(seat: str, radius: float) -> str:
    """Return the emblem of a seat's pieces, so that seats differ by more than colour."""
    r, width = radius * 0.42, max(1.2, radius / 7)
    match seat:
        case "1":
            return circle(r, "e1", width=width)
        case "2":
            return path(polygon([(0, -r), (r, 0), (0, r), (-r, 0)]), "e2", width)
        case "3":
            return path(polygon([(0, -r), (0.9 * r, 0.7 * r), (-0.9 * r, 0.7 * r)]), "e3", width)
        case "4":
            return path(f"M{n(-r)} 0H{n(r)}M0 {n(-r)}V{n(r)}", "e4", width)
        case "5":
            return path(polygon([(-r, -r), (r, -r), (r, r), (-r, r)]), "e5", width)
    return ""


def disc(seat: str, label: str, radius: float) -> str:
    """Return a flat disc: with its label, or with the emblem of its seat."""
    return circle(radius, f"a{seat}", width=line_width(radius)) + (
        letter(label, seat, radius) or _emblem(seat, radius)
    )


def _stone(seat: str, label: str, radius: float) -> str:
    return circle(radius, f"a{seat}", width=line_width(radius)) + letter(label, seat, radius)


def _man(seat: str, label: str, radius: float) -> str:
    """Return a man of draughts: a disc with rings."""
    return (
        circle(radius, f"a{seat}", width=line_width(radius))
        + circle(radius * 0.68, f"e{seat}", width=max(0.8, radius / 14))
        + letter(label, seat, radius * 0.8)
    )


def _crowned(seat: str, label: str, radius: float) -> str:
    """Return a king of draughts: a disc with a crown."""
    r = radius * 0.55
    crown = (
        f"M{n(-r)} {n(0.6 * r)}L{n(-1.1 * r)} {n(-0.6 * r)}L{n(-0.45 * r)} {n(-0.05 * r)}"
        f"L0 {n(-0.9 * r)}L{n(0.45 * r)} {n(-0.05 * r)}L{n(1.1 * r)} {n(-0.6 * r)}"
        f"L{n(r)} {n(0.6 * r)}Z"
    )
    return (
        circle(radius, f"a{seat}", width=line_width(radius))
        + circle(radius * 0.82, f"e{seat}", width=max(0.8, radius / 16))
        + path(crown, f"t{seat}")
    )


def _cross(seat: str, _label: str, radius: float) -> str:
    """Return a cross as in Tic-Tac-Toe."""
    r = radius * 0.72
    data = f"M{n(-r)} {n(-r)}L{n(r)} {n(r)}M{n(r)} {n(-r)}L{n(-r)} {n(r)}"
    return path(data, f"u{seat}", radius / 2.6 + 2 * line_width(radius)) + path(
        data, f"b{seat}", radius / 2.6
    )


def _nought(seat: str, _label: str, radius: float) -> str:
    """Return a nought as in Tic-Tac-Toe."""
    r = radius * 0.74
    return circle(r, f"u{seat}", width=radius / 2.6 + 2 * line_width(radius)) + circle(
        r, f"b{seat}", width=radius / 2.6
    )


_PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _die(seat: str, label: str, radius: float) -> str:
    """Return a die that shows the number of its label."""
    r = radius * 0.86
    pips = _PIPS.get(int(label) if label.isdecimal() else 0)
    if pips is None:
        return square(r, f"a{seat}") + letter(label, seat, r)
    return square(r, f"a{seat}") + "".join(
        circle(0.17 * r, f"t{seat}", 0.5 * r * x, 0.5 * r * y) for x, y in pips
    )


def _cube(seat: str, label: str, radius: float) -> str:
    """Return a cube seen from above, with its letter on the top."""
    r, inner = radius * 0.8, radius * 0.56
    bevel = "".join(
        f"M{n(x * r)} {n(y * r)}L{n(x * inner)} {n(y * inner)}" for x in (-1, 1) for y in (-1, 1)
    )
    side, width = n(2 * inner), n(max(0.8, radius / 16))
    top = (
        f'<rect x="{n(-inner)}" y="{n(-inner)}" width="{side}" height="{side}" '
        f'class="e{seat}" stroke-width="{width}"/>'
    )
    return (
        square(r, f"a{seat}", 0.2)
        + path(bevel, f"e{seat}", max(0.8, radius / 16))
        + top
        + letter(label, seat, 0.72 * radius)
    )


def _box(seat: str, label: str, radius: float) -> str:
    return square(radius, f"a{seat}") + (letter(label, seat, radius) or _emblem(seat, radius))


def _ship(seat: str, label: str, radius: float) -> str:
    """Return a stretch of a ship's hull."""
    return square(radius, f"a{seat}", 0.35) + letter(label, seat, radius)


def _star(points: int, outer: float, inner: float) -> list[tuple[float, float]]:
    """Return the corners of a star that stands on the origin."""
    lengths = (outer, inner)
    return [
        (lengths[k % 2] * sin(k * pi / points), -lengths[k % 2] * cos(k * pi / points))
        for k in range(2 * points)
    ]


def _hit(_seat: str, _label: str, radius: float) -> str:
    """Return a hit: a burst with a cross."""
    r = 0.32 * radius
    cross = f"M{n(-r)} {n(-r)}L{n(r)} {n(r)}M{n(r)} {n(-r)}L{n(-r)} {n(r)}"
    burst = polygon(_star(8, radius, 0.6 * radius))
    return path(burst, "alarm") + path(cross, "burst", max(1.2, radius / 6))


def _miss(_seat: str, _label: str, radius: float) -> str:
    """Return a miss: a ring in the water."""
    return circle(0.38 * radius, "ring", width=max(1.2, radius / 7))


def _shot(_seat: str, _label: str, radius: float) -> str:
    """Return a place that is spent for the rest of the game: an arrow of Amazons."""
    r = 0.42 * radius
    cross = f"M{n(-r)} {n(-r)}L{n(r)} {n(r)}M{n(r)} {n(-r)}L{n(-r)} {n(r)}"
    return square(radius, "spent", 0.2) + path(cross, "ring", max(1.2, radius / 6))


def _unknown(_seat: str, _label: str, radius: float) -> str:
    """Return the sign of something hidden from the viewer."""
    return text("?", "fog", 1.2 * radius)


def _fighter(seat: str, label: str, radius: float) -> str:
    """Return a small ship of space: an arrowhead."""
    r = radius
    hull = [(0.0, -r), (0.78 * r, 0.8 * r), (0.0, 0.45 * r), (-0.78 * r, 0.8 * r)]
    return path(polygon(hull), f"a{seat}", line_width(r)) + letter(label, seat, 0.5 * r, 0.1 * r)


def _mothership(seat: str, label: str, radius: float) -> str:
    """Return a large ship of space: a disc with a bridge."""
    r = radius
    ring = [(r * sin(k * pi / 4 + pi / 8), -r * cos(k * pi / 4 + pi / 8)) for k in range(8)]
    return (
        path(polygon(ring), f"a{seat}", line_width(r))
        + circle(0.66 * r, f"e{seat}", width=max(1, r / 10))
        + letter(label, seat, 0.72 * r)
    )


def _sun(_seat: str, _label: str, radius: float) -> str:
    """Return a star of the sky."""
    return path(polygon(_star(8, radius, 0.45 * radius)), "sun", line_width(radius))


def _station(seat: str, label: str, radius: float) -> str:
    """Return a station: a square with docks on all sides."""
    r, dock = 0.66 * radius, 0.28 * radius
    arms = f"M{n(-radius)} 0H{n(radius)}M0 {n(-radius)}V{n(radius)}"
    return (
        path(arms, f"b{seat}", dock)
        + square(r, f"a{seat}", 0.3)
        + (letter(label, seat, r) or _emblem(seat, r))
    )


def _lettered(draw: Shape, sign: str) -> Shape:
    """Return a drawing whose letter says the kind."""
    return lambda seat, _label, radius: draw(seat, sign, radius)


def _peg(seat: str, label: str, radius: float) -> str:
    """Return a peg seen from above."""
    return circle(0.94 * radius, f"a{seat}", width=line_width(radius)) + (
        _emblem(seat, 0.8 * radius) if not label else letter(label, seat, 0.8 * radius)
    )


def _seed(_seat: str, _label: str, radius: float) -> str:
    return circle(radius, "seed", width=max(0.7, radius / 6))


_SHAPES: Mapping[str, Shape] = {
    "man": _man,
    "checker": _man,
    "king": _crowned,
    "cross": _cross,
    "nought": _nought,
    "die": _die,
    "cube": _cube,
    "ship": _ship,
    "hit": _hit,
    "miss": _miss,
    "arrow": _shot,
    "unknown": _unknown,
    "fog": _unknown,
    "fighter": _fighter,
    "drone": _fighter,
    "mothership": _mothership,
    "control ship": _mothership,
    "star": _sun,
    "station": _station,
    "battleship": _lettered(disc, "b"),
    "cargo": _lettered(_box, "c"),
    "engineer": _lettered(_mothership, "e"),
    "peg": _peg,
    "seed": _seed,
    "box": _box,
    "amazon": draw_chess_man("queen"),
}
_STYLES: Mapping[str, Mapping[str, Shape]] = {
    "chess": CHESS_MEN,
    "xiangqi": XIANGQI_MEN,
    "shogi": SHOGI_MEN,
}
_LETTERED: Mapping[str, Shape] = {"shogi": draw_lettered_wedge, "xiangqi": draw_lettered_disc}
"""The men of a field that has no picture of them."""


def shape_of(piece: Piece, radius: float, style: str, *, has_emblem: bool) -> str:
    """Return the shape of a piece around the origin: as its field draws it, else a disc with its
    label. `has_emblem`: the seats are told apart by emblems besides colours."""
    seat = "n" if piece.seat is None else str(piece.seat)
    draw = _STYLES.get(style, {}).get(piece.kind) or _SHAPES.get(piece.kind, disc)
    if draw is disc and style in _LETTERED and piece.label:
        draw = _LETTERED[style]
    if draw is disc and not has_emblem:
        draw = _stone
    if draw is _man and has_emblem:
        draw = disc
    return draw(seat, piece.label, radius)
