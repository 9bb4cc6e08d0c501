"""Pictures of tiles, six columns wide and three rows high: nine blocks of two characters each.

The corners frame the tile, the sides show its edges, the middle joins them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbm.rules.boards.squares import column_name
from pbm.rules.boards.tiles import Segment, Tile, Tiling
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas

WIDTH, HEIGHT = 6, 3
_MIDDLE = 4
_SIDES = (1, 5, 7, 3)
"""The blocks, numbered row by row, of the north, east, south and west edge."""
_UPRIGHT = (0, 2)


@dataclass(frozen=True, slots=True)
class Style:
    """How kinds of segments look, two characters each.

    lines   level and upright, for segments with edges
    inside  for segments without edges, which stand in the middle
    knots   for the middle where several segments of the kind have one edge each
    """

    lines: Mapping[str, tuple[str, str]]
    inside: Mapping[str, str]
    knots: Mapping[str, str]


def place_of(segment: Segment) -> int:
    """Return the block for a mark on a segment: the middle, or its edge when it has only one."""
    return _SIDES[segment.edges[0]] if len(segment.edges) == 1 else _MIDDLE


def blocks(face: Tile, style: Style) -> list[str]:
    """Return the nine blocks of a tile, corners blank."""
    drawn = ["  "] * 9
    for one in face.segments:
        for edge in one.edges:
            drawn[_SIDES[edge]] = style.lines[one.kind][edge in _UPRIGHT]
    drawn[_MIDDLE] = _middle(face, style)
    return drawn


def _middle(face: Tile, style: Style) -> str:
    for one in face.segments:
        if not one.edges:
            return style.inside[one.kind]
    through = [one for one in face.segments if len(one.edges) > 1]
    if through:
        # Two bends share the middle: the left half belongs to the one that leads west.
        through.sort(key=lambda one: 3 not in one.edges)
        fills = [style.lines[one.kind][one.edges == _UPRIGHT] for one in through]
        return fills[0][0] + fills[-1][1]
    kinds = [one.kind for one in face.segments]
    return next((knot for kind, knot in style.knots.items() if kinds.count(kind) > 1), "  ")


def draw_tile(
    canvas: Canvas,
    at: tuple[int, int],
    drawn: Sequence[str],
    corner: str = "+",
    marks: Mapping[int, tuple[str, str]] | None = None,
) -> None:
    """Put the blocks of a tile at (row, column), its four corners `corner`, with `marks` (text and
    role) over some blocks."""
    row, column = at
    for number, text in enumerate(drawn):
        shown, role = (marks or {}).get(number, (text, PLAIN))
        canvas.put(row + number // 3, column + 2 * (number % 3), shown, role)
    for down in (0, 2):
        for right in (0, 5):
            canvas.put(row + down, column + right, corner, LAST if corner != "+" else PLAIN)


def draw_board(
    canvas: Canvas,
    tiling: Tiling,
    board: Sequence[int],
    style: Style,
    marks: Mapping[int, Mapping[int, tuple[str, str]]],
    last: Collection[int] = (),
) -> None:
    """Put the board at the bottom of the canvas with coordinates on all sides; `marks` are given
    for cell and block, the cells `last` have stars for corners."""
    grid, top = tiling.grid, canvas.height
    letters = "".join(column_name(column).center(WIDTH) for column in range(grid.width))
    canvas.line("   " + letters.rstrip(), LABEL)
    for row in range(grid.height):
        line = top + 1 + HEIGHT * (grid.height - 1 - row)
        canvas.put(line, 0, "")
        canvas.put(line + 1, 0, f"{row + 1:2}", LABEL)
        for column in range(grid.width):
            cell, at = row * grid.width + column, (line, 3 + WIDTH * column)
            if board[cell]:
                drawn = blocks(tiling.faces[board[cell]], style)
                corner = "*" if cell in last else "+"
                draw_tile(canvas, at, drawn, corner, marks.get(cell))
            else:
                canvas.put(line + 1, at[1] + 2, "*" if cell in last else ".")
        canvas.put(line + 1, 4 + WIDTH * grid.width, f"{row + 1}", LABEL)
        canvas.put(line + 2, 0, "")
    canvas.line("   " + letters.rstrip(), LABEL)


def draw_row(
    canvas: Canvas, faces: Iterable[tuple[Tile, str, str]], style: Style, spacing: int
) -> None:
    """Put tiles side by side at the bottom of the canvas, each with a line above and below."""
    top = canvas.height
    for number, (face, above, below) in enumerate(faces):
        column = 3 + spacing * number
        canvas.put(top, column, above, LABEL, spacing - 1)
        draw_tile(canvas, (top + 1, column), blocks(face, style))
        canvas.put(top + 4, column, below, room=spacing - 1)
