"""The style sheet of a picture: what each class of its shapes looks like, light and dark."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from textwrap import wrap

from pbm.rules.drawing.svg.elements import begins
from pbm.rules.drawing.svg.palette import DARK, GROUNDS, LIGHT, WOOD, Ink, Theme, ink_of, mix

FONT = "Pbm Board"
"""The font of the server's own PNG pictures; browsers take the first of the others they have."""
_FAMILIES = f"'{FONT}','Noto Sans CJK SC','Noto Sans','Helvetica Neue',Arial,sans-serif"
_COLOUR = re.compile("#[0-9a-f]{6}")
_PALE = re.compile("fill:(#[0-9a-f]{3,6});fill-opacity:([.0-9]+)")
_CLASSES = re.compile(r'class="([^"]*)"')
_WOODEN = "#f4dcae"
_RED = "#b3201a"
_OWNED, _ENTERED = 0.62, 0.3
"""The part of a seat's colour in its centres on a map, and in the other land of its country."""


def build_style(
    colours: Sequence[str],
    seats: Sequence[int],
    drawn: str,
    *,
    ground: str = "",
    dark: bool | None,
    has_sheet: bool = True,
) -> str:
    """Return the rules for the classes in what is drawn on that ground, with the colours of those
    seats: light, dark, or (None) as the reader's system prefers; with nothing behind the board
    unless it `has_sheet`."""
    used = {"page"}.union(*map(str.split, _CLASSES.findall(drawn)))
    fixed = (
        f"text{{font-family:{_FAMILIES};font-weight:700;text-anchor:middle}}"
        ".start{text-anchor:start}"
        "path,circle,rect{stroke-linejoin:round}"
    )
    made_of = GROUNDS.get(ground, WOOD)
    day, night = made_of.change(LIGHT, dark=False), made_of.change(DARK, dark=True)
    if not has_sheet:
        day, night = day.without_sheet(), night.without_sheet()
    if dark is not None:
        return fixed + _rules(night if dark else day, colours, seats, used, dark=dark)
    light = _rules(day, colours, seats, used, dark=False)
    other = _rules(night, colours, seats, used, dark=True)
    return f"{fixed}{light}@media(prefers-color-scheme:dark){{{other}}}"


def _rules(
    theme: Theme, colours: Sequence[str], seats: Sequence[int], used: Set[str] | None, *, dark: bool
) -> str:
    """Return the rules for the classes that are `used`, or all."""
    inks = {str(seat): theme.set_off(ink_of(seat, colours, dark=dark)) for seat in seats}
    rules = {
        "page": f"fill:{theme.page}",
        "label": f"fill:{theme.faint}",
        "onbase": f"fill:{theme.on_base or theme.faint}",
        "halo": f"stroke:{theme.page};stroke-width:3;paint-order:stroke;stroke-linejoin:round",
        "inner": f"fill:{theme.text}",
        "words": f"fill:{theme.words or theme.text}",
        "place": f"fill:{theme.place};stroke:{theme.grid}",
        "sea": f"fill:{theme.shades['water']};stroke:{theme.shades['river']}",
        "coast": f"fill:none;stroke:{theme.faint}",
        "name": f"fill:{theme.text};stroke:{theme.page};stroke-opacity:.6;stroke-width:2.4;"
        "paint-order:stroke",
        "centre": f"fill:{theme.text};stroke:{theme.page};stroke-opacity:.6",
        "light": f"fill:{theme.light}",
        "dark": f"fill:{theme.dark}",
        "wood": f"fill:{theme.wood}",
        "line": f"fill:none;stroke:{theme.line};stroke-linecap:round",
        "dot": f"fill:{theme.line}",
        "base": f"fill:{theme.base or 'none'}",
        "tile": f"fill:{theme.tile or theme.place};stroke:{theme.grid}",
        "planet": "fill:#2f9d8f;stroke:#125049",
        "band": "fill:none;stroke:#125049",
        "planetband": "fill:none;stroke:#7fc8bd",
        "land": "fill:#8fd18a",
        "tunnel": "fill:none;stroke:#4b2a86",
        "wormhole": "fill:none;stroke:#c9a7f0;stroke-dasharray:3 3",
        "nexus": "fill:#c9a7f0;stroke:#4b2a86",
        "dock": "fill:none;stroke:#5c6675",
        "hub": "fill:#c3ccd8;stroke:#39414d",
        "spark": "fill:none;stroke:#aab3dc;stroke-linecap:round",
        "gold": "fill:#fff4d2;stroke:#8a5a00",
        "goldtext": "fill:#1f1d1a",
        "region": f"fill:none;stroke:{theme.text};stroke-opacity:.55;stroke-dasharray:5 3",
        "chosen": "fill:#2f6f4f;stroke:#7fd6a4" if dark else "fill:#bfe3c5;stroke:#1d6b3f",
        "wall": f"fill:{theme.line};stroke:{theme.page}",
        "last": f"fill:{theme.last};stroke:{theme.last_edge}",
        "lastring": f"fill:none;stroke:{theme.last_edge}",
        "alarm": f"fill:{theme.alarm};stroke:none",
        "alarmring": f"fill:none;stroke:{theme.alarm};stroke-linecap:round",
        "burst": "fill:none;stroke:#fff;stroke-linecap:round",
        "ring": f"fill:none;stroke:{theme.text}",
        "spent": f"fill:{theme.shades['blocked']};stroke:{theme.nobody.edge}",
        "fog": f"fill:{theme.faint}",
        "veil": f"fill:{theme.shades['blocked']};fill-opacity:.35;stroke:{theme.grid}",
        "sun": f"fill:#f7c531;stroke:{'#ffe9a6' if dark else '#8a5a00'}",
        "shadow": "fill:#000;fill-opacity:.28",
        "seed": f"fill:{'#e0b56a' if dark else '#8a5a2b'};stroke:{theme.page}",
        "promoted": f"fill:{_RED}",
        "ink": "fill:#1f1d1a",
        **{f"at-{role}": f"fill:{colour}" for role, colour in theme.shades.items()},
        **{
            rule: look
            for level, (fill, letters) in enumerate(theme.levels)
            for rule, look in (
                (f"ch{level}", f"fill:{fill}"),
                (f"oh{level}", "fill:none;stroke:#4a453e;stroke-linecap:round"),
                (f"th{level}", f"fill:{letters}"),
            )
        },
        **{
            rule: look
            for seat, ink in (*inks.items(), ("n", theme.nobody))
            for rule, look in _seat_rules(seat, ink).items()
        },
        **{
            f"{rule}{seat}": f"fill:{mix(ink.fill, theme.place, share)};stroke:{theme.grid}"
            for seat, ink in inks.items()
            for rule, share in (("owned", _OWNED), ("country", _ENTERED))
        },
    }
    return "".join(
        f".{name}{{{look}}}" for name, look in rules.items() if used is None or name in used
    )


def _seat_rules(seat: str, ink: Ink) -> dict[str, str]:
    """Return what belongs to a seat: a body, a letter, a line on it, a broad line, a wooden man."""
    carved = _RED if begins(seat) else "#1f1d1a"
    return {
        f"a{seat}": f"fill:{ink.fill};stroke:{ink.edge}",
        f"m{seat}": f"fill:{ink.fill};fill-opacity:.3;stroke:{ink.fill}",
        f"t{seat}": f"fill:{ink.text}",
        f"e{seat}": f"fill:none;stroke:{ink.text};stroke-linecap:round",
        f"u{seat}": f"fill:none;stroke:{ink.edge};stroke-linecap:round",
        f"c{seat}": f"fill:{ink.fill}",
        f"o{seat}": f"fill:none;stroke:{ink.edge};stroke-linecap:round",
        f"b{seat}": f"fill:none;stroke:{ink.fill};stroke-linecap:round",
        f"w{seat}": f"fill:{_WOODEN};stroke:{carved}",
        f"l{seat}": f"fill:none;stroke:{carved}",
        f"f{seat}": f"fill:{carved}",
    }


def list_colours(ground: str, colours: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the colours of all rules on a ground by day where the page is seen behind the board,
    with those of seats of these names; then those of areas through which another one is seen."""
    theme = GROUNDS.get(ground, WOOD).change(LIGHT, dark=False).without_sheet()
    rules = _rules(theme, colours, range(max(2, len(colours))), None, dark=False)
    below = [theme.light, theme.dark, theme.place, theme.wood]
    below += filter(None, (theme.base, theme.tile))
    mixed = [
        tuple(round(float(part) * a + (1 - float(part)) * b) for a, b in zip(*pair, strict=True))
        for colour, part in _PALE.findall(rules)
        for pair in zip([_read_colour(colour)] * len(below), map(_read_colour, below), strict=True)
    ]
    flat = [_read_colour(colour) for colour in _COLOUR.findall(rules)]
    return list(dict.fromkeys([*flat, *((r, g, b) for r, g, b in mixed)]))


def _read_colour(text: str) -> tuple[int, int, int]:
    """Return a colour that is written as #rrggbb, or #000 and #fff."""
    red, green, blue = wrap(text[1:], len(text) // 3)
    return int(red, 16), int(green, 16), int(blue, 16)
