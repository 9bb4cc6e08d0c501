"""The elements of an SVG picture, and how long a text is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from unicodedata import normalize
from xml.sax.saxutils import escape

Point = tuple[float, float]
Shape = Callable[[str, str, float], str]
"""Draws a piece around the origin: of a seat ("0", "1" ... or "n" for nobody), with a label and a
radius."""

_ADVANCES = {
    letter: width
    for width, letters in (
        (0.25, " ',.:;ijl|"),
        (0.35, "!-If"),
        (0.4, "()/[]\\t{}"),
        (0.45, "r"),
        (0.5, "*?sz"),
        (0.55, '"J_cxy'),
        (0.65, "ACPX`bdhnopqu"),
        (0.7, "BDGKR"),
        (0.75, "&HNOQU"),
        (0.87, "MwW"),
        (0.95, "%m@\u00e6\u0153\u00c6\u0152"),
    )
    for letter in letters
}
_ADVANCES |= {
    letter: _ADVANCES[plain]
    for letter in map(chr, range(0xC0, 0x100))
    if (plain := normalize("NFD", letter)[0]) != letter and plain in _ADVANCES
}
"""Letters with accents are as wide as without."""
_ADVANCE = 0.6
"""The width of all other letters, in parts of the size."""


def begins(seat: str) -> bool:
    """Whether a seat is that of the side that begins, on one of two boards too."""
    return seat.isdigit() and int(seat) % 2 == 0


def number(value: float) -> str:
    """Return a length as SVG needs it, to a tenth."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def circle(radius: float, style: str, x: float = 0, y: float = 0, width: float = 0) -> str:
    """Return a circle of a class, with a line of that width where it is given."""
    at = (f' cx="{number(x)}"' if x else "") + (f' cy="{number(y)}"' if y else "")
    stroke = f' stroke-width="{number(width)}"' if width else ""
    return f'<circle{at} r="{number(radius)}" class="{style}"{stroke}/>'


def path(data: str, style: str, width: float = 0) -> str:
    """Return a path of a class."""
    stroke = f' stroke-width="{number(width)}"' if width else ""
    return f'<path d="{data}" class="{style}"{stroke}/>'


def polygon(points: Iterable[Point]) -> str:
    """Return the data of a closed path."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def text(words: str, style: str, size: float, x: float = 0, y: float = 0) -> str:
    """Return a text centred on a point, or with the class `start` beginning there."""
    at = f'x="{number(x)}" y="{number(y + 0.36 * size)}"'
    return f'<text {at} class="{style}" font-size="{number(size)}">{escape(words)}</text>'


def text_width(words: str, size: float) -> float:
    """Return how long a text is in our font, nearly."""
    return size * sum(_ADVANCES.get(letter, _ADVANCE) for letter in words)


def line_width(radius: float) -> float:
    """Return the width of outlines of a piece of that radius."""
    return max(1.0, radius / 11)


def square(radius: float, style: str, rounded: float = 0.25) -> str:
    """Return a square with rounded corners."""
    side, width = number(2 * radius), number(line_width(radius))
    return (
        f'<rect x="{number(-radius)}" y="{number(-radius)}" width="{side}" height="{side}" '
        f'rx="{number(rounded * radius)}" class="{style}" stroke-width="{width}"/>'
    )


def letter(label: str, seat: str, radius: float, y: float = 0) -> str:
    """Return a label that fits into a piece of that radius; nothing for an empty one."""
    if not label:
        return ""
    size = radius * (1.25, 1.0, 0.78, 0.6)[min(len(label), 4) - 1] * min(1, 4 / len(label))
    return text(label, f"t{seat}", size, 0, y)
