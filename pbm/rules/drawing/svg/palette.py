"""Colours of pictures of boards, light and dark: of the seats, of the board and of what marks it.

Colours of seats differ in lightness as well as in hue, so that a colour-blind eye can tell them
apart; where only hue differs much, the emblems of `piece_shapes` help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from colorsys import hls_to_rgb
from typing import Any, NamedTuple


class Ink(NamedTuple):
    """How what belongs to a seat is drawn: its body, its outline, and what is written on it."""

    fill: str
    edge: str
    text: str


class Theme(NamedTuple):
    """The colours of one look of the picture.

    page, text, faint  the sheet, what is written on it, and coordinates
    place, grid        a place of the board, and the lines between places
    light, dark        squares of two colours
    wood, line         a board of crossing lines, and the lines
    shades             places of a special role
    last, last_edge    the last move
    levels             things of nobody's that lie on each other, from the lowest: body and text
    alarm              a king in check, a dead or captured piece
    nobody             what belongs to nobody
    base               what a board of a ground lies on; "" for nothing
    tile               the ground of a tile
    on_base            what is written on the base; "" for as coordinates are
    words              what is written beside the board; "" for as the text is
    """

    page: str
    text: str
    faint: str
    place: str
    grid: str
    light: str
    dark: str
    wood: str
    line: str
    shades: Mapping[str, str]
    last: str
    last_edge: str
    levels: tuple[tuple[str, str], ...]
    alarm: str
    nobody: Ink
    base: str = ""
    tile: str = ""
    on_base: str = ""
    words: str = ""

    def set_off(self, ink: Ink) -> Ink:
        """Return an ink as one that can be seen beside the board, where the page may be dark."""
        is_dark = sum(bytes.fromhex(ink.fill[1:])) < _DARK
        return ink._replace(edge=self.words) if self.words and is_dark else ink

    def without_sheet(self) -> Theme:
        """Return the look of a picture through which its page is seen, light or dark."""
        return self._replace(page="none", faint=_SEEN_ON_BOTH, words=_SEEN_ON_BOTH)


_SEEN_ON_BOTH = "#7d776d"
"""A grey with the same contrast, 4.2 to 1, to the pages of light and of dark mails."""
_DARK = 3 * 0x40
"""The sum of red, green and blue below which a colour is hardly seen on a dark page."""
_LEVELS = (
    ("#f6efc4", "#1f1d1a"),
    ("#f3c35b", "#1f1d1a"),
    ("#e8824a", "#1f1d1a"),
    ("#b23a48", "#ffffff"),
    ("#6c2a6b", "#ffffff"),
    ("#2a1a4a", "#ffffff"),
)
"""From light to dark, so that the higher of two pieces is the darker one."""
LEVELS = len(_LEVELS)
LIGHT = Theme(
    page="#fbf9f4",
    text="#2b2823",
    faint="#6f675b",
    place="#f1e7d3",
    grid="#b9a988",
    light="#f3e8d2",
    dark="#c6a57a",
    wood="#ecd3a0",
    line="#7b6440",
    shades={
        "home": "#d5e3c8",
        "goal": "#cfe0f0",
        "promotion": "#e3dcf0",
        "palace": "#e8d5b0",
        "throne": "#d9c8e8",
        "corner": "#d9c8e8",
        "river": "#cfe3ee",
        "sea": "#d3e6f1",
        "water": "#d3e6f1",
        "blocked": "#8d857a",
        "hole": "#d9c9a6",
        "sun": "#20243a",
        "planet": "#d5e3c8",
        "station": "#cfe0f0",
    },
    last="#ffd964",
    last_edge="#a86400",
    levels=_LEVELS,
    alarm="#d1242f",
    nobody=Ink("#9a9187", "#4a453e", "#1f1d1a"),
)
DARK = Theme(
    page="#1d1e21",
    text="#ece7dd",
    faint="#a59d90",
    place="#413e38",
    grid="#6b655a",
    light="#746d5f",
    dark="#453f35",
    wood="#4d402b",
    line="#b5a383",
    shades={
        "home": "#3f5238",
        "goal": "#35506b",
        "promotion": "#4c4363",
        "palace": "#6b583a",
        "throne": "#5a4770",
        "corner": "#5a4770",
        "river": "#34505f",
        "sea": "#2b4350",
        "water": "#2b4350",
        "blocked": "#23211e",
        "hole": "#2f2b24",
        "sun": "#10121e",
        "planet": "#3f5238",
        "station": "#35506b",
    },
    last="#8a6a10",
    last_edge="#ffc94d",
    levels=_LEVELS,
    alarm="#ff6b63",
    nobody=Ink("#8d867b", "#e0dacd", "#16140f"),
)


class Ground(NamedTuple):
    """What a board is made of: how far its base reaches beyond it, in cells, and the colours that
    differ from those of wood, light and dark."""

    margin: float
    light: Mapping[str, Any]
    dark: Mapping[str, Any]

    def change(self, theme: Theme, *, dark: bool) -> Theme:
        """Return the theme with the colours of this ground."""
        colours = {**(self.dark if dark else self.light)}
        shades = {**theme.shades, **colours.pop("shades", {})}
        return theme._replace(shades=shades, **colours)


WOOD = Ground(0, {}, {})
_BLUE = "#1c57b5"
_CASE = "#6d4427"
GROUNDS: Mapping[str, Ground] = {
    "felt": Ground(
        0.12,
        {"place": "#4a9a68", "grid": "#2f6f48", "base": "#2f6f48"},
        {"place": "#2f6b4a", "grid": "#1d4a32", "base": "#1d4a32"},
    ),
    "rack": Ground(
        0.2,
        {"place": "#eef2fb", "grid": "#123c80", "base": _BLUE},
        {"place": "#1b2233", "grid": "#0b2a5e", "base": _BLUE},
    ),
    "sea": Ground(
        0,
        {"place": "#cfe4f2", "grid": "#8db5d0"},
        {"place": "#22404f", "grid": "#456d80"},
    ),
    "void": Ground(
        0.1,
        {
            "place": "#171b31",
            "grid": "#343b63",
            "base": "#171b31",
            "tile": "#dfe3f1",
            "on_base": "#c9cfee",
        },
        {
            "place": "#0d0f1c",
            "grid": "#2b3155",
            "base": "#0d0f1c",
            "tile": "#4b5273",
            "on_base": "#c9cfee",
        },
    ),
    "case": Ground(
        0.3,
        {
            "place": "#3f7d5c",
            "grid": "#2b5a41",
            "light": "#f1e3c3",
            "dark": "#c07a4b",
            "base": _CASE,
            "shades": {"bar": _CASE, "tray": "#356b4e"},
        },
        {
            "place": "#274f3b",
            "grid": "#1b3a2b",
            "light": "#8f8266",
            "dark": "#6d4128",
            "base": "#4a2e1a",
            "shades": {"bar": "#4a2e1a", "tray": "#204231"},
        },
    ),
    "map": Ground(
        0,
        {
            "place": "#e8dec5",
            "grid": "#948873",
            "shades": {"water": "#cfe3ec", "river": "#a3c3d1", "blocked": "#b9b0a0"},
        },
        {
            "place": "#57524a",
            "grid": "#25221d",
            "shades": {"water": "#1f323c", "river": "#3b5665", "blocked": "#38342e"},
        },
    ),
    "deck": Ground(
        0,
        {"shades": {"home": LIGHT.place}},
        {"shades": {"home": DARK.place}},
    ),
    "paper": Ground(
        0.35,
        {"place": "#fffefa", "grid": "#e3dccd", "base": "#fffefa"},
        {"place": "#2a2b2f", "grid": "#3c3d42", "base": "#2a2b2f"},
    ),
}
"""The grounds by the name that a scene gives."""

_NAMED: Mapping[str, tuple[str, str]] = {
    "white": ("#ffffff", "#1f1d1a"),
    "black": ("#24222a", "#ffffff"),
    "red": ("#c4261d", "#ffffff"),
    "blue": ("#1d5fc4", "#ffffff"),
    "green": ("#49b882", "#10231a"),
    "yellow": ("#f7cf2e", "#1f1d1a"),
    "orange": ("#e8741c", "#1f1d1a"),
    "brown": ("#7a4a24", "#ffffff"),
    "purple": ("#7b3fa0", "#ffffff"),
    "grey": ("#8d8d8d", "#1f1d1a"),
    "Austrian": ("#c4261d", "#ffffff"),
    "English": ("#1d3f9e", "#ffffff"),
    "French": ("#7fc6f0", "#10202b"),
    "German": ("#3a3a3a", "#ffffff"),
    "Italian": ("#49b882", "#10231a"),
    "Russian": ("#ffffff", "#1f1d1a"),
    "Turkish": ("#f7cf2e", "#1f1d1a"),
    "British": ("#1d3f9e", "#ffffff"),
    "Chinese": ("#8a2be2", "#ffffff"),
    "Dutch": ("#e8741c", "#1f1d1a"),
    "Egyptian": ("#8a3b12", "#ffffff"),
    "Japanese": ("#c4261d", "#ffffff"),
    "Polish": ("#8a2be2", "#ffffff"),
    "Spanish": ("#e8741c", "#1f1d1a"),
    "Ukrainian": ("#d877ac", "#1f1d1a"),
}
"""Fill and text of seats that are named after a colour, and of powers that have one by custom."""
_NUMBERED = (
    ("#0b62a4", "#ffffff"),
    ("#f0a31c", "#1f1d1a"),
    ("#12795e", "#ffffff"),
    ("#e07fa8", "#1f1d1a"),
    ("#7fc6f0", "#10202b"),
    ("#8a3b12", "#ffffff"),
    ("#ffffff", "#1f1d1a"),
    ("#24222a", "#ffffff"),
)
"""Fill and text of other seats, by number."""
_MANY = 12
"""The most seats that have different colours; with more, each has a hue of its own, and a label."""
_BRIGHT, _DEEP = 0.72, 0.26
"""The lightness of such hues, in turn."""


def ink_of(seat: int, colours: Sequence[str], *, dark: bool) -> Ink:
    """Return the colours of a seat; `colours` are the names of the seats' pieces, colours or
    not."""
    name = colours[seat] if 0 <= seat < len(colours) else ""
    fill, text = _NAMED.get(name) or _NUMBERED[seat % len(_NUMBERED)]
    if len(colours) > _MANY:
        fill, text = _find_hue(seat, len(colours))
    if dark:
        return Ink(fill, "#0d0d0f" if text != "#ffffff" else "#d8d2c6", text)
    return Ink(fill, "#2b2823" if text != "#ffffff" else "#14120f", text)


def _find_hue(seat: int, seats: int) -> tuple[str, str]:
    """Return the fill and text of one of many seats: bright and deep hues in turn."""
    is_bright = seat % 2 == 0
    rgb = hls_to_rgb(seat / seats, _BRIGHT if is_bright else _DEEP, 0.75)
    fill = "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
    return fill, "#1f1d1a" if is_bright else "#ffffff"


def mix(one: str, other: str, share: float) -> str:
    """Return the colour with that share of one and the rest of another."""
    parts = (
        round(share * int(one[at : at + 2], 16) + (1 - share) * int(other[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def has_plain_colours(colours: Sequence[str]) -> bool:
    """Whether the seats are white and black, which nobody confuses and which need no emblem."""
    return bool(colours) and set(colours) <= {"white", "black"}
