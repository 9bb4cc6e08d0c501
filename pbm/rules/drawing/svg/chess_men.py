"""Chess men as paths in a box from -50 to 50, standing on y = 38; and the characters of the men of
xiangqi and shogi."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.rules.drawing.svg.characters import OUTLINES
from pbm.rules.drawing.svg.elements import (
    Shape,
    begins,
    circle,
    line_width,
    number,
    path,
    polygon,
    text,
)

_FOOT = "M-27 30Q-27 26-23 26H23Q27 26 27 30V37H-27Z"
_CROWN_BAND = "M-21 12Q0 5 21 12L18 21Q0 16-18 21Z"
_SKIRT = "M-18 21Q0 16 18 21L22 27H-22Z"

_MEN: Mapping[str, tuple[str, str]] = {
    "pawn": (
        "M-9-6C-8 10-15 17-21 26H21C15 17 8 10 9-6Z"
        "M-14-6Q-14-10-10-10H10Q14-10 14-6Q14-3 10-3H-10Q-14-3-14-6Z"
        "M-12.5-20A12.5 12.5 0 1 1 12.5-20A12.5 12.5 0 1 1-12.5-20Z" + _FOOT,
        "",
    ),
    "rook": (
        "M-17-12H17V14L21 27H-21L-17 14Z"
        "M-24-34H-14V-27H-5V-34H5V-27H14V-34H24V-19L17-12H-17L-24-19Z" + _FOOT,
        "M-17-12H17M-17 14H17",
    ),
    "bishop": (
        "M-5-36A5 5 0 1 1 5-36A5 5 0 1 1-5-36Z"
        "M0-31C14-22 21-11 19 0C18 8 12 11 9 14H-9C-12 11-18 8-19 0C-21-11-14-22 0-31Z"
        "M-13 14H13L16 22L22 27H-22L-16 22Z" + _FOOT,
        "M0-20V-4M-7-12H7M-13 14H13",
    ),
    "knight": (
        "M-20 27C-21 15-3 13-3-3C-8 3-15 3-18 9C-19 12-22 14-26 12C-31 11-33 6-31 2"
        "C-28-3-25-8-23-14C-21-19-18-22-14-25L-15-36L-5-29C17-30 29-9 25 27Z" + _FOOT,
        "M3-22C15-14 18 4 17 22M-18 9L-14 6",
    ),
    "queen": (
        "M-4-34A4.5 4.5 0 1 1 4.9-34A4.5 4.5 0 1 1-4-34Z"
        "M-22-29A4.5 4.5 0 1 1-13-29A4.5 4.5 0 1 1-22-29Z"
        "M13-29A4.5 4.5 0 1 1 22-29A4.5 4.5 0 1 1 13-29Z"
        "M-37-20A4.5 4.5 0 1 1-28-20A4.5 4.5 0 1 1-37-20Z"
        "M28-20A4.5 4.5 0 1 1 37-20A4.5 4.5 0 1 1 28-20Z"
        "M-21 12L-31-16L-16-2L-17-25L-6-5L0-30L6-5L17-25L16-2L31-16L21 12Q0 5-21 12Z"
        + _CROWN_BAND
        + _SKIRT
        + _FOOT,
        "",
    ),
    "king": (
        "M-3-42H3V-37H8V-31H3V-24H-3V-31H-8V-37H-3Z"
        "M0-25C8-20 7-12 0-4C-7-12-8-20 0-25Z"
        "M-21 12C-36-3-34-20-19-21C-8-21-3-12 0-3C3-12 8-21 19-21C34-20 36-3 21 12Q0 5-21 12Z"
        + _CROWN_BAND
        + _SKIRT
        + _FOOT,
        "M0-3V7",
    ),
}
"""Of each man the outline, and the lines drawn on it."""

_EYE = (-15, -15, 2.8)
"""The knight's eye: x, y and radius."""


def draw_chess_man(kind: str) -> Shape:
    """Return the drawing of a man of chess."""
    outline, lines = _MEN[kind]

    def draw(seat: str, _label: str, radius: float) -> str:
        scale = radius / 36
        eye = circle(_EYE[2], f"t{seat}", _EYE[0], _EYE[1]) if kind == "knight" else ""
        detail = path(lines, f"e{seat}", 3.2) if lines else ""
        return (
            f'<g transform="scale({scale:.3f})">{path(outline, f"a{seat}", 3.4)}{detail}{eye}</g>'
        )

    return draw


_XIANGQI: Mapping[str, tuple[str, str]] = {
    "general": ("\u5e25", "\u5c07"),
    "advisor": ("\u4ed5", "\u58eb"),
    "elephant": ("\u76f8", "\u8c61"),
    "horse": ("\u508c", "\u99ac"),
    "chariot": ("\u4fe5", "\u8eca"),
    "cannon": ("\u70ae", "\u7832"),
    "soldier": ("\u5175", "\u5352"),
}
"""The characters of red and of black."""

_SHOGI: Mapping[str, str] = {
    "king": "\u738b",
    "rook": "\u98db",
    "bishop": "\u89d2",
    "gold general": "\u91d1",
    "silver general": "\u9280",
    "knight": "\u6842",
    "lance": "\u9999",
    "pawn": "\u6b69",
    "promoted rook": "\u9f8d",
    "promoted bishop": "\u99ac",
    "promoted silver": "\u5168",
    "promoted pawn": "\u3068",
}
"""The characters of shogi men; a promoted one is written in red."""


def _character(character: str, style: str, size: float, y: float) -> str:
    """Return a character of that size, its middle at that height."""
    at = f"translate(0 {number(y)})scale({size / 100:.3f})"
    return f'<g transform="{at}">{path(OUTLINES[character], style)}</g>'


def _wooden_disc(seat: str, radius: float) -> str:
    return circle(radius, f"w{seat}", width=line_width(radius) * 1.5) + circle(
        0.86 * radius, f"l{seat}", width=max(0.8, radius / 18)
    )


def draw_lettered_disc(seat: str, label: str, radius: float) -> str:
    """Return a man of xiangqi without a character of its own: a wooden disc with its letters."""
    return _wooden_disc(seat, radius) + text(label, f"f{seat}", 1.1 * radius)


def _xiangqi_man(kind: str) -> Shape:
    red, black = _XIANGQI[kind]

    def draw(seat: str, label: str, radius: float) -> str:
        """Return a wooden disc with the character, and the letter below it."""
        r, written = radius, red if begins(seat) else black
        return (
            _wooden_disc(seat, r)
            + _character(written, f"f{seat}", 1.06 * r, -0.2 * r)
            + text(label.upper(), f"f{seat}", 0.5 * r, 0, 0.56 * r)
        )

    return draw


def _wedge(seat: str, radius: float) -> str:
    half = ((0.0, -radius), (0.62 * radius, -0.72 * radius), (0.86 * radius, radius))
    outline = [*half, *((-x, y) for x, y in half[:0:-1])]
    return path(polygon(outline), f"w{seat}", line_width(radius))


def draw_lettered_wedge(seat: str, label: str, radius: float) -> str:
    """Return a man of shogi without a character of its own: a wedge with its letters."""
    style = "promoted" if label.startswith("+") else "ink"
    return _wedge(seat, radius) + text(label, style, 0.8 * radius, 0, 0.1 * radius)


def _shogi_man(kind: str) -> Shape:
    written = _SHOGI[kind]

    def draw(seat: str, label: str, radius: float) -> str:
        """Return a wedge with the character, and the letter below it."""
        r, style = radius, "promoted" if kind.startswith("promoted") else "ink"
        return (
            _wedge(seat, r)
            + _character(written, style, 1.0 * r, -0.1 * r)
            + text(label, style, 0.5 * r, 0, 0.68 * r)
        )

    return draw


CHESS_MEN: Mapping[str, Shape] = {kind: draw_chess_man(kind) for kind in _MEN}
XIANGQI_MEN: Mapping[str, Shape] = {kind: _xiangqi_man(kind) for kind in _XIANGQI}
SHOGI_MEN: Mapping[str, Shape] = {kind: _shogi_man(kind) for kind in _SHOGI}
