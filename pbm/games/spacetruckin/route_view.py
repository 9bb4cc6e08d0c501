"""The picture of a position of Space Truckin'.

Rules: docs/rules/spacetruckin.md, "The board as text"."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from pbm.games.spacetruckin.tile_set import (
    COLOURS,
    FACES,
    HOLE,
    KINDS,
    NONE,
    ROLES,
    STYLE,
    TILING,
    describe_draw,
)
from pbm.games.spacetruckin.truckin_state import TruckinState
from pbm.rules import Canvas, Picture
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.tile_drawing import draw_board, draw_row, place_of


def draw_position(position: TruckinState, last: Sequence[str]) -> Picture:
    """The board, six columns and three rows a tile, then the drawn tile, scores and bag."""
    canvas = Canvas()
    _draw_tiles(canvas, position, last)
    if position.outcome is None:
        _draw_drawn(canvas, position)
    _draw_scores(canvas, position)
    return canvas.picture()


def _draw_tiles(canvas: Canvas, position: TruckinState, last: Sequence[str]) -> None:
    marks: dict[int, dict[int, tuple[str, str]]] = {}
    for cell, ship in enumerate(position.ships):
        if ship:
            owner, segment = divmod(ship - 1, 4)
            one = FACES[position.board[cell]].segments[segment]
            text = ROLES[one.kind][0] + COLOURS[owner][0].upper()
            marks[cell] = {place_of(one): (text, seat_role(owner))}
    draw_board(canvas, TILING, position.board, STYLE, marks, position.named_cells(last))
    canvas.line("@@ planet  == || wormhole  () nexus  [] station  . vacant  * last move")
    canvas.line("ships: b battleship, c cargo, e engineer, and the owner: cR is red's cargo")


def _draw_drawn(canvas: Canvas, position: TruckinState) -> None:
    """The drawn tile in its rotations, each with the number of cells that it fits."""
    canvas.line()
    seat, kind = COLOURS[position.mover], KINDS[position.drawn]
    if position.drawn == NONE:
        canvas.line(f"a tile is to be drawn for {seat}")
        return
    canvas.line(f"{seat} has {describe_draw(kind, position.corner)}", seat_role(position.mover))
    if position.drawn == HOLE:
        canvas.line("remove:CELL takes a cargo, exchange:CELL@R,CELL@R swaps tiles; or pass")
        return
    shown = [(FACES[face], above, below) for face, above, below in position.choices()]
    draw_row(canvas, shown, STYLE, 18)


def _draw_scores(canvas: Canvas, position: TruckinState) -> None:
    canvas.line()
    canvas.line("            points   pool   battleships   cargos   engineers", LABEL)
    for seat, colour in enumerate(COLOURS[: position.players]):
        fleet = Counter(
            position.ship_kind_on(cell)
            for cell, ship in enumerate(position.ships)
            if ship and ship - 1 >> 2 == seat
        )
        row = canvas.height
        canvas.put(row, 0, ">" if seat == position.mover and position.outcome is None else " ")
        canvas.put(row, 2, f"{colour[0].upper()} {colour}", seat_role(seat))
        canvas.put(row, 12, f"{position.points[seat]:6}")
        if seat in position.left:
            canvas.put(row, 21, "resigned")
            continue
        counts = (position.pools[seat], fleet["p"], fleet["w"], fleet["s"])
        for column, count in zip((23, 37, 46, 58), counts, strict=True):
            canvas.put(row, column, f"{count:2}")
    canvas.line()
    holes, tiles = position.bag[HOLE], sum(position.bag[:HOLE])
    left = f"left to draw: {tiles} tiles, {holes} black holes"
    canvas.line(f"{left}; set aside: {position.set_aside}; ^ has arrows", LABEL)
    bag = [f"{kind.name}:{n}" for kind, n in zip(KINDS[:HOLE], position.bag, strict=False) if n]
    for line in textwrap.wrap(" ".join(bag), 76):
        canvas.line(line)
