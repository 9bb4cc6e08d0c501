"""The picture of a position of Space Cradles: the board and the platforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pbm.games.spacecradles.cells import (
    BACK,
    CELLS,
    COLOURS,
    DRONES,
    GRID,
    MOTHERSHIPS,
    PIECES,
    REGION,
    SIDES,
    VACANT,
    CradlesState,
)
from pbm.rules import Canvas, Picture
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    LAST,
    SLIDE,
    TAKEN,
    Entry,
    Mark,
    Panel,
    Piece,
    Point,
    Region,
    Scene,
    Stroke,
    marks_on,
    remark,
)
from pbm.rules.drawing.scene_text import TextLayout, draw_scene
from pbm.rules.phrases import Phrase, SeatName, join_phrases, phrase

_KINDS = (phrase("drone"), phrase("mothership"))
_REGION_LINES = tuple(
    Stroke((start, end), "region")
    for start, end in (((4, 4), (8, 4)), ((4, 8), (8, 8)), ((4, 4), (4, 8)), ((8, 4), (8, 8)))
)
"""The sides of the centre, which divide the regions."""
_ENDS: tuple[tuple[Point, ...], ...] = (
    ((4, 0), (8, 0), (8, 1), (4, 1)),
    ((11, 4), (12, 4), (12, 8), (11, 8)),
    ((4, 11), (8, 11), (8, 12), (4, 12)),
    ((0, 4), (1, 4), (1, 8), (0, 8)),
)
"""The back rank of each side."""
_BOARD = TextLayout(across=3, left=5, gaps=(3, 3), empty={"home": ".", "centre": ":"})


def draw_position(position: CradlesState, last: Sequence[str]) -> Picture:
    """Draw the cross with its pieces, and the platforms in the order of the turns."""
    scene = build_scene(position, last)
    canvas = draw_scene(scene, _BOARD)
    canvas.line()
    for seat in sorted(range(position.players), key=lambda seat: position.sides[seat]):
        _platform_line(position, canvas, seat)
    canvas.line()
    legend: str = phrase("small letters drones, capitals motherships, : the centre")
    if marked_cells(last):
        legend = join_phrases(", ", (legend, phrase("[ ] the last move")))
    if any(mark.role == TAKEN for mark in scene.marks):
        legend = join_phrases(", ", (legend, phrase("* taken")))
    canvas.paragraph(legend, indent=2)
    if position.open and not position.outcome:
        canvas.paragraph(_may_enter(position), indent=2)
    return canvas.picture()


def marked_cells(last: Sequence[str]) -> set[int]:
    """Return the cells that moves name."""
    return {GRID.number[n] for move in last for n in move.split("-") if n in GRID.number}


@cache
def empty_scene() -> Scene:
    """Return the scene of the empty cross, with its regions."""
    home = frozenset(cell for rank in BACK for cell in rank)
    centre = frozenset(cell for cell in CELLS if REGION[cell] == "centre")
    cross = grid_scene(GRID, shades=(("home", home), ("centre", centre)))
    regions = (
        Region("region", name, tuple(GRID.names[cell] for cell in CELLS if REGION[cell] == name))
        for name in ("centre", *SIDES)
    )
    return replace(cross, regions=(*cross.regions, *regions))


def build_scene(position: CradlesState, last: Sequence[str]) -> Scene:
    """Return the scene of a position, the platforms in the order of the turns."""
    pieces = (
        Piece(GRID.names[cell], _KINDS[piece.isupper()], position.sides.index(side), label=piece)
        for cell in CELLS
        if (piece := position.board[cell]) != VACANT
        for side in (PIECES.index(piece) % 4,)
    )
    seats = sorted(range(position.players), key=lambda seat: position.sides[seat])
    panels = [_platform(position, seat) for seat in seats]
    if position.open and not position.outcome:
        panels += remark(_may_enter(position))
    return replace(
        empty_scene(),
        pieces=tuple(pieces),
        marks=(*marks_on(GRID.names, marked_cells(last)), *_mark_bumps(position.news, last)),
        panels=tuple(panels),
        strokes=(
            *_REGION_LINES,
            *(Stroke(_ENDS[side], "owner", seat) for seat, side in enumerate(position.sides)),
        ),
        ground="deck",
    )


def _mark_bumps(news: Sequence[str], last: Sequence[str]) -> Iterator[Mark]:
    """Yield the marks of what became of bumped pieces: an arrow for a slide, and where pieces were
    taken."""
    for told in news if last else ():
        values = told.values if isinstance(told, Phrase) else {}
        start, rest, hit = (str(values.get(name, "")) for name in ("start", "rest", "hit"))
        if hit:
            yield Mark((hit,), TAKEN)
        elif start and not rest:
            yield Mark((start,), TAKEN)
        elif rest:
            yield Mark((rest,), LAST)
        if start and (hit or rest):
            yield Mark((start, hit or rest), SLIDE)


def _may_enter(position: CradlesState) -> str:
    return phrase(
        "{colour} may bring in its mothership now, or write {end}",
        colour=position.seat_name(position.seat),
        end="end",
    )


def _platform(position: CradlesState, seat: int) -> Panel:
    """Return the pieces on a seat's platform; the seat on the move can choose them."""
    side, has = SeatName(COLOURS[position.sides[seat]], seat), position.platforms[seat]
    if seat not in position.playing:
        return Panel(phrase("platform of {colour}, out of the game", colour=side), (), seat)
    entries = (
        Entry(
            kind,
            kind,
            seat,
            has.count(kind[0]),
            kind[0] if seat in position.to_move else "",
        )
        for kind in reversed(_KINDS)
        if kind[0] in has
    )
    return Panel(phrase("platform of {colour}", colour=side), tuple(entries), seat)


def _platform_line(position: CradlesState, canvas: Canvas, seat: int) -> None:
    side, row = position.sides[seat], canvas.height
    own = {"m": MOTHERSHIPS[side], "d": DRONES[side]}
    canvas.put(row, 0, ">" if seat in position.to_move else " ", LABEL)
    canvas.put(row, 2, SeatName(COLOURS[side], seat), seat_role(seat), room=9)
    canvas.put(row, 9, SIDES[side], room=7)
    # TRANSLATORS: heading of a row, at most 9 letters
    canvas.put(row, 16, phrase("platform"), room=10)
    if seat not in position.playing:
        canvas.put(row, 26, phrase("(out of the game)"))
    elif position.platforms[seat]:
        pieces = " ".join(own[kind] for kind in position.platforms[seat])
        canvas.put(row, 26, pieces, seat_role(seat))
    else:
        canvas.put(row, 26, "-")
