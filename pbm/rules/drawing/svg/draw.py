"""Draws a scene as SVG: the board with what stands on it, and the panels below.

One unit is a pixel at the size of a phone, where the picture is at most 390 wide; it stays crisp at
any other. All colours are in the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from xml.sax.saxutils import escape, quoteattr

from pbm.rules.drawing.scene import Label, Mark, Piece, Point, Scene, turn
from pbm.rules.drawing.svg.board_surface import draw_surface, label_size
from pbm.rules.drawing.svg.elements import number, text_width
from pbm.rules.drawing.svg.layout import Layout, extent_of, reach_of
from pbm.rules.drawing.svg.link_layer import build_link_style, draw_links
from pbm.rules.drawing.svg.marks import draw_marks
from pbm.rules.drawing.svg.palette import GROUNDS, has_plain_colours
from pbm.rules.drawing.svg.panel_rows import draw_panels
from pbm.rules.drawing.svg.piece_layer import PieceLayer
from pbm.rules.drawing.svg.style_sheet import build_style

WIDTH = 390
_LARGEST_CELL = 50.0
_NARROWEST = 250
_MARGIN = 8
_USUAL_GAP = 0.5
"""The distance of a label from the board in a scene, in cells."""
_LABEL_GAP = 12.0
"""Its distance in the picture, in pixels, unless that is more."""
_ROUNDS = 3
"""The number of times the size of cells is computed: it depends on the room for labels, which need
more of smaller cells."""


def draw_svg(
    scene: Scene,
    colours: Sequence[str] = (),
    *,
    title: str = "",
    description: str = "",
    dark: bool | None = None,
    has_sheet: bool = True,
    is_turned: bool = False,
    is_faced: bool = False,
    links: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    label: str = "the board",
) -> str:
    """Return the picture as a complete SVG document.

    colours    the names of the seats' pieces, for which colours are used where they are ones
    title      what it is, and `description` what it shows, for whoever cannot see it
    dark       whether it is dark; None: as the reader's system prefers
    has_sheet  whether it has a page of its own; else it can be read on a light and on a dark one
    is_turned  whether it is seen from the other side of the board
    is_faced   whether it has been turned to its reader already, by `face`
    links      for places that can be clicked, the URL that each leads to
    names      what those places are called for whoever cannot see them, if not by their names
    label      what these places are together, for whoever cannot see them
    """
    scene = scene if is_faced else face(scene, is_turned=is_turned)
    layout, width, below = lay_out(scene)
    scene = layout.scene
    pieces = PieceLayer(layout, has_emblems=not has_plain_colours(colours))
    board = draw_surface(layout) + pieces.draw() + draw_marks(layout)
    panels, height = draw_panels(scene.panels, pieces, below, width)
    size = f"{number(width)} {number(height)}"
    role = f'role="group" aria-label={quoteattr(label)}' if links else 'role="img"'
    drawn = pieces.definitions + board + panels
    style = build_style(
        colours, _seats(scene), drawn, ground=scene.ground, dark=dark, has_sheet=has_sheet
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{number(width)}" '
        f'height="{number(height)}" {role}>'
        + (f"<title>{escape(title)}</title>" if title and not links else "")
        + (f"<desc>{escape(description)}</desc>" if description and not links else "")
        + f"<style>{style}{build_link_style(layout, links or {})}</style>"
        + f"<defs>{pieces.definitions}</defs>"
        + f'<rect width="{number(width)}" height="{number(height)}" class="page"/>'
        + board
        + draw_links(layout, links or {}, names or {})
        + panels
        + "</svg>\n"
    )


def draw_things(
    layout: Layout,
    pieces: tuple[Piece, ...],
    marks: tuple[Mark, ...],
    colours: Sequence[str],
    box: tuple[float, float, float, float],
) -> str:
    """Return pieces and marks alone, without the board on which they are, by day; of the whole
    picture what is between the left, top, right and bottom of the box."""
    layout = layout.hold(pieces, marks)
    layer = PieceLayer(layout, has_emblems=not has_plain_colours(colours))
    drawn = layer.draw() + draw_marks(layout)
    style = build_style(
        colours,
        _seats(layout.scene),
        layer.definitions + drawn,
        dark=False,
        has_sheet=False,
        ground=layout.scene.ground,
    )
    left, top = map(number, box[:2])
    width, height = number(box[2] - box[0]), number(box[3] - box[1])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" '
        f'width="{width}" height="{height}"><style>{style}</style>'
        f"<defs>{layer.definitions}</defs>{drawn}</svg>"
    )


def face(scene: Scene, *, is_turned: bool) -> Scene:
    """Return the scene as drawn, with the reader's side below."""
    if is_turned:
        scene = turn(scene)
    if scene.style == "shogi":
        scene = _point_men(scene, down=0 if is_turned else 1)
    return scene


def lay_out(scene: Scene) -> tuple[Layout, float, float]:
    """Return where the places are, how wide the picture is, and where the board ends. It depends on
    no piece, mark or panel."""
    cell = _LARGEST_CELL
    for _ in range(_ROUNDS):
        near = _draw_labels_near(scene, cell)
        left, top, right, bottom = _box(near, cell)
        cell = min(_LARGEST_CELL, (WIDTH - 2 * _MARGIN) / (right - left))
    width = max((right - left) * cell + 2 * _MARGIN, _NARROWEST)
    origin = (width - (right - left) * cell) / 2 - left * cell, _MARGIN - top * cell
    return Layout(near, cell, origin), width, (bottom - top) * cell + 2 * _MARGIN


def _point_men(scene: Scene, down: int) -> Scene:
    """Return the scene with the men of one side pointing down, which tells the sides apart."""
    return replace(
        scene,
        pieces=tuple(
            replace(piece, turned=180) if piece.seat == down else piece for piece in scene.pieces
        ),
    )


def _draw_labels_near(scene: Scene, cell: float) -> Scene:
    """Return the scene with the labels beyond the board's box moved close to it, where cells of
    `cell` pixels are large."""
    left, top, right, bottom = _box(replace(scene, labels=()), cell)
    gap, size = min(_USUAL_GAP, _LABEL_GAP / cell), label_size(cell)

    def come_near(beyond: float) -> float:
        return max(gap, beyond - _USUAL_GAP + gap) if beyond > gap else beyond

    def move(label: Label) -> Label:
        x, y = label.centre
        longer = max(0.0, (text_width(label.text, size) - size) / 2 / cell)
        if x > right:
            x = right + come_near(x - right) + longer
        elif x < left:
            x = left - come_near(left - x) - longer
        if y > bottom:
            y = bottom + come_near(y - bottom)
        elif y < top:
            y = top - come_near(top - y)
        return replace(label, centre=(x, y))

    return replace(scene, labels=tuple(map(move, scene.labels)))


def _box(scene: Scene, cell: float) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of all that is on the board, in cells of that many
    pixels."""
    size = label_size(cell) / cell
    points = [
        *(point for place in scene.places for point in reach_of(place)),
        *_base_corners(scene),
        *(point for stroke in scene.strokes for point in stroke.points),
        *(
            (
                label.centre[0] + side * text_width(label.text, size) / 2,
                label.centre[1] + side * size / 2,
            )
            for label in scene.labels
            for side in (-1, 1)
        ),
    ] or [(0.0, 0.0), (1.0, 1.0)]
    columns, rows = [x for x, _ in points], [y for _, y in points]
    return min(columns), min(rows), max(columns), max(rows)


def _base_corners(scene: Scene) -> Iterable[Point]:
    """Return two corners of what the board lies on."""
    ground = GROUNDS.get(scene.ground)
    if ground is None or not ground.margin:
        return ()
    (left, top, right, bottom), far = extent_of(scene.places), ground.margin
    return (left - far, top - far), (right + far, bottom + far)


def _seats(scene: Scene) -> list[int]:
    """Return the seats that own something in the picture."""
    entries = (entry for panel in scene.panels for entry in panel.entries)
    owners = chain.from_iterable(
        (each.seat for each in group)
        for group in (scene.pieces, scene.marks, scene.strokes, scene.panels, entries)
    )
    return sorted({seat for seat in owners if seat is not None})
