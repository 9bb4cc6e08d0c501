"""Drawings of square boards: one character per cell, coordinates on all sides, marks. Games
describe a scene now, which also makes their graphics; those that draw themselves still may."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.moved import warn_moved

warn_moved(__name__, "pbm.rules.drawing.scene_text.draw_scene, of a scene")

STONE_ROLES: Mapping[str, str] = {"X": seat_role(0), "O": seat_role(1)}


def draw(
    grid: Grid,
    board: Sequence[str],
    last: Collection[int] = (),
    *,
    roles: Mapping[str, str] = STONE_ROLES,
    columns: Sequence[str] = (),
    rows: Sequence[str] = (),
    canvas: Canvas | None = None,
    indent: int = 3,
    spread: int = 2,
) -> Canvas:
    """Draw the board at the bottom of `canvas`, top row first, cells `spread` characters apart,
    those of `last` in brackets. `columns` are the letters and `rows` the numbers (bottom first) if
    they differ from the names of the cells."""
    canvas = canvas or Canvas()
    left = indent + len(str(grid.height)) + 2
    letters = columns or [name.rstrip("0123456789") for name in grid.names[: grid.width]]
    firsts = grid.names[0].rstrip("0123456789")
    top = canvas.height

    def write_letters(row: int) -> None:
        for column, letter in enumerate(letters):
            canvas.put(row, left + spread * column, letter, LABEL)

    write_letters(top)
    for row in range(grid.height):
        line = top + grid.height - row
        number = rows[row] if rows else grid.names[row * grid.width].lstrip(firsts)
        canvas.put(line, left - 2 - len(number), number, LABEL)
        signs = board[row * grid.width : (row + 1) * grid.width]
        chars, colours = [" "] * (spread * grid.width + 1), [PLAIN] * (spread * grid.width + 1)
        for column, sign in enumerate(signs):
            at = spread * column + 1
            role = roles.get(sign, PLAIN)
            if row * grid.width + column in last:
                end = at + len(sign)
                chars[at - 1], chars[end] = "[", "]"
                colours[at - 1] = colours[end] = LAST
                role = LAST if role == PLAIN else role
            chars[at : at + len(sign)] = sign
            colours[at : at + len(sign)] = [role] * len(sign)
        for at, (char, colour) in enumerate(zip(chars, colours, strict=True)):
            canvas.put(line, left - 1 + at, char, colour)
        canvas.put(line, left + spread * grid.width, number, LABEL)
    write_letters(top + grid.height + 1)
    return canvas


def bracket(canvas: Canvas, row: int, column: int, sign: str) -> None:
    """Write a marked sign: in brackets, with the role of the last move."""
    canvas.put(row, column - 1, f"[{sign}]", LAST)
