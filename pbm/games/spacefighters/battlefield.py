"""The board of Space Fighters: its places as bits of masks, and their names."""

from __future__ import annotations

from collections.abc import Iterable

from pbm.rules.boards.floor_plans import FloorPlan, bits
from pbm.rules.boards.squares import Grid

GRID = Grid(13, 13)
COLOURS = ("red", "blue", "green", "yellow")
SEATS = {2: ("red", "green"), 3: ("red", "blue", "green"), 4: COLOURS}
PLAN = FloorPlan(
    GRID,
    joined={
        "red": ("a12", "b12", "a13", "b13"),
        "blue": ("l12", "m12", "l13", "m13"),
        "green": ("l1", "m1", "l2", "m2"),
        "yellow": ("a1", "b1", "a2", "b2"),
    },
    rooms=[
        (
            ("f6", "g6", "h6", "f7", "g7", "h7", "f8", "g8", "h8"),
            (("g8", "g9"), ("g6", "g5"), ("f7", "e7"), ("h7", "i7")),
        )
    ],
    renamed={"g7": "star"},
)
BIT, NAMES, NUMBER, ADJACENT = PLAN.bit, PLAN.names, PLAN.number, PLAN.adjacent
STAR = NUMBER["star"]
COLOURED = tuple(NUMBER[colour] for colour in COLOURS)
STATIONS = (*COLOURED, STAR)
STATION_MASK = sum(BIT[place] for place in STATIONS)
TILES = PLAN.places & ~STATION_MASK
"""The tiles any ship may stand on: neither star nor coloured stations."""


def names_of(mask: int) -> list[str]:
    """The places of a mask by their names."""
    return [NAMES[place] for place in bits(mask)]


def mask_of(names: Iterable[str]) -> int:
    """The mask of those places."""
    return sum(BIT[NUMBER[name]] for name in names)
