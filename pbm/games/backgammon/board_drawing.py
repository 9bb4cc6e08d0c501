"""Draws a backgammon board as one of the players sees it: own home at the lower right, points
numbered from there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbm.games.backgammon.men import BAR, count_at
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas
from pbm.rules.drawing.picture import seat as seat_role

SIDE_COLUMN = 49
"""The column beside the board where text has room."""
TOP_LINES, MIDDLE_LINE, BOTTOM_LINES = 1, 7, 10
"""The rows of the texts beside it: the opponent, the game, the viewer."""
_LEFT, _WIDE, _DEEP = 2, 18, 5
_BAR_COLUMN = _LEFT + 1 + _WIDE + 1
_BORDER = "+" + "-" * _WIDE + "+---+" + "-" * _WIDE + "+"


@cache
def _empty() -> Canvas:
    """The board without men."""
    canvas = Canvas()
    for row in (1, 13):
        canvas.put(row, _LEFT, _BORDER)
    for row in range(2, 13):
        for column in (_LEFT, _BAR_COLUMN - 1, _BAR_COLUMN + 3, _LEFT + len(_BORDER) - 1):
            canvas.put(row, column, "|")
    for point in range(1, 25):
        column = _column(point) - (point > 9)
        canvas.put(0 if point > 12 else 14, column, str(point), LABEL)
    canvas.put(MIDDLE_LINE, _BAR_COLUMN, "BAR", LABEL)
    return canvas


def draw_men(
    men: tuple[int, int], seat: int, signs: str, marked: Iterable[int], mover: int
) -> Canvas:
    """Draw the board as `seat` sees it, with the points `marked` to which `mover` (who counts them
    from its own side) has moved."""
    canvas = _empty().copy()
    mine = {(place if mover == seat else BAR - place) for place in marked if place}
    for owner in (seat, 1 - seat):
        for place in range(1, BAR):
            count = count_at(men[owner], place)
            if count:
                point = place if owner == seat else BAR - place
                _stack(canvas, point, count, signs[owner], owner, marked=point in mine)
        count = count_at(men[owner], BAR)
        if count:
            row = MIDDLE_LINE + 2 if owner == seat else MIDDLE_LINE - 2
            text = f"{count}{signs[owner]}" if count > 1 else f" {signs[owner]}"
            canvas.put(row, _BAR_COLUMN, text, seat_role(owner))
    return canvas


def _column(point: int) -> int:
    """The column of the men on a point."""
    across = point - 13 if point > 12 else 12 - point
    return _LEFT + 2 + 3 * across + 5 * (across > 5)


def _stack(canvas: Canvas, point: int, count: int, sign: str, owner: int, *, marked: bool) -> None:
    """Draw the men on a point; if there are too many, the last is their number."""
    column = _column(point)
    shown = min(count, _DEEP)
    for n in range(shown):
        row = 2 + n if point > 12 else 12 - n
        text, tip = sign, n == shown - 1
        if tip and count > _DEEP:
            text = str(count)
        if tip and marked:
            canvas.put(row, column - 1 - (len(text) > 1), f"[{text}]", LAST)
        canvas.put(row, column - (len(text) > 1), text, seat_role(owner) if text == sign else PLAIN)
