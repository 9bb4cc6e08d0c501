"""The tile set of Space Truckin'.

Rules: docs/rules/spacetruckin.md, "Tiles"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbm.rules.boards.squares import Grid
from pbm.rules.boards.tiles import DIRECTIONS, Segment, Tile, Tiling
from pbm.rules.drawing.picture import Canvas
from pbm.rules.drawing.tile_drawing import Style, draw_row

# Type, edges, segments ("s" is the station), copies, how many of them with arrows, how many arrows.
SET = (
    ("p4", "pppp", "p:nesw", 2, 0, 0),
    ("p3", "ppvp", "p:new", 4, 1, 1),
    ("p3w", "ppwp", "p:new w:s", 3, 1, 1),
    ("p2a", "ppvv", "p:ne", 5, 2, 1),
    ("p2aw", "ppww", "p:ne w:sw", 6, 2, 1),
    ("p2o", "pvpv", "p:ns", 4, 0, 0),
    ("p2ox", "pvpv", "p:n p:s", 3, 0, 0),
    ("p2ax", "ppvv", "p:n p:e", 3, 0, 0),
    ("p1", "pvvv", "p:n", 5, 2, 1),
    ("p1ws", "pwvw", "p:n w:ew", 5, 1, 1),
    ("p1wr", "pwwv", "p:n w:es", 4, 1, 1),
    ("p1wl", "pvww", "p:n w:sw", 4, 1, 1),
    ("p1w3", "pwww", "p:n w:e w:s w:w", 4, 1, 1),
    ("ws", "wvwv", "w:ns", 8, 2, 2),
    ("wc", "vvww", "w:sw", 7, 2, 1),
    ("w3", "vwww", "w:e w:s w:w", 4, 1, 1),
    ("w4", "wwww", "w:n w:e w:s w:w", 2, 0, 0),
    ("st", "vvvv", "s:", 5, 1, 1),
    ("stw", "vvwv", "s: w:s", 3, 1, 1),
)
HOLES = 10
SHIPS, MOST_SHIPS = 7, 10
"""Of each seat: at the start; at most in pool and board together by planets."""


def _tile(name: str, edges: str, segments: str) -> Tile:
    parts = (one.split(":") for one in segments.split())
    return Tile(
        name,
        edges,
        tuple(Segment(kind, tuple(map(DIRECTIONS.index, on))) for kind, on in parts),
    )


GRID = Grid(9, 9, torus=True)
TILING = Tiling(GRID, [_tile(*row[:3]) for row in SET])
FACES = TILING.faces
TILE_NAMED = {row[0]: tile for tile, row in enumerate(SET)}
START = "e5@0 p1ws 0"
"""The start tile as a dumped position writes it: place, type, no ship."""


class Kind(NamedTuple):
    """What can be drawn: a tile of the set (-1 the black hole) with its number of arrows."""

    name: str
    tile: int
    arrows: int
    copies: int


def _kinds() -> Iterable[Kind]:
    """In the order of the list to draw from: the table's, within a type those with arrows first."""
    for tile, (name, _edges, _segments, copies, marked, arrows) in enumerate(SET):
        if marked:
            yield Kind(f"{name}^", tile, arrows, marked)
        yield Kind(name, tile, 0, copies - marked - (name == "p1ws"))  # one lies on e5
    yield Kind("hole", -1, 0, HOLES)


KINDS = tuple(_kinds())
KIND_NAMED = {kind.name: number for number, kind in enumerate(KINDS)}
HOLE = len(KINDS) - 1
NONE = -1

CORNERS = ("ne", "se", "sw", "nw")
SIDES = ("north", "east", "south", "west")
ROLES = {"p": "battleship", "w": "cargo", "s": "engineer"}
FEATURES = {"p": "planetary system", "w": "wormhole", "s": "station"}
EDGES = {"v": "void", "p": "planetary", "w": "a wormhole"}
SHOWN = {"v": "a void edge", "p": "a planet", "w": "a wormhole"}
STYLE = Style(lines={"p": ("@@", "@@"), "w": ("==", "||")}, inside={"s": "[]"}, knots={"w": "()"})
COLOURS = ("red", "yellow", "blue", "green", "white", "orange")


def arrow_rotations(kind: Kind, corner: int) -> int:
    """The rotations, as a mask, in which one of the arrows points to the corner; all of them
    without arrows or before the corner is drawn."""
    if not kind.arrows or corner == NONE:
        return 15
    return 1 << corner | (1 << (corner + 2) % 4 if kind.arrows == 2 else 0)


def describe_draw(kind: Kind, corner: int) -> str:
    """What was drawn, in words: `a p2a with an arrow to ne`."""
    if kind.tile < 0:
        return "a black hole"
    if not kind.arrows:
        return f"a {kind.name}"
    to = "" if corner == NONE else f" to {CORNERS[corner]}"
    arrows = f"an arrow{to}" if kind.arrows == 1 else "two arrows" + (to and f", one{to}")
    return f"a {kind.name[:-1]} with {arrows}"


def ship_text(face: int, segment: int) -> str:
    """The notation of manning a segment, to follow a placement: `/cargo:s`; the first edge names
    it."""
    one = FACES[face].segments[segment]
    return f"/{ROLES[one.kind]}" + (f":{DIRECTIONS[one.edges[0]]}" if one.edges else "")


def rows_of_pictures(across: int) -> str:
    """Pictures of every type of tile before rotation, `across` in a row."""
    canvas = Canvas()
    for first in range(0, len(SET), across):
        shown = [
            (FACES[TILING.face(tile, 0)], SET[tile][0], "")
            for tile in range(first, min(first + across, len(SET)))
        ]
        draw_row(canvas, shown, STYLE, 10)
    return canvas.picture().text.rstrip() + "\n"
