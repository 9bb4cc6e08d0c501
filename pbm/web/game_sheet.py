"""One picture of all games side by side, from which the front page shows each game's board."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from io import BytesIO

from pbm.games import get_game, list_shown_names
from pbm.pictures.png import render
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.svg import draw_svg

SIDE = 80
"""Pixels along the side of a game's square on the page; the sheet has more of them, for screens on
which a pixel has several dots."""
COLUMNS = 8
_DOTS = 92
_QUALITY = 44
_FEW_PLIES = 14


@cache
def make_sheet() -> bytes:
    """Return the boards of all games in rows of `COLUMNS`, in the order of their names, as WebP.

    Takes a second or two. Raise PictureError and ImportError where no pictures can be made."""
    from PIL import Image

    names = list_shown_names()
    rows = -(-len(names) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * _DOTS, rows * _DOTS), "white")
    for number, name in enumerate(names):
        position = _open(get_game(name).setup(), random.Random(name))  # noqa: S311 (no secret)
        viewer = 0 if "hidden" in position.game.info.features else None
        scene = replace(position.scene(viewer), labels=(), panels=())
        svg = draw_svg(scene, position.colours, dark=False)
        with Image.open(BytesIO(render(svg, 1.0))) as drawn:
            picture = drawn.convert("RGB")
        picture.thumbnail((_DOTS - 4, _DOTS - 4), Image.Resampling.LANCZOS)
        row, column = divmod(number, COLUMNS)
        left, top = (_DOTS - picture.width) // 2, (_DOTS - picture.height) // 2
        sheet.paste(picture, (column * _DOTS + left, row * _DOTS + top))
    file = BytesIO()
    sheet.save(file, "webp", quality=_QUALITY)
    return file.getvalue()


@cache
def write_style() -> str:
    """Return the style that shows each game's part of the sheet, by its name."""
    parts = [f".thumb{{background:url(games.webp) 0/{COLUMNS * SIDE}px}}"]
    for number, name in enumerate(list_shown_names()):
        row, column = divmod(number, COLUMNS)
        parts.append(f".thumb-{name}{{background-position:-{column * SIDE}px -{row * SIDE}px}}")
    return "".join(parts)


def _open(position: Position, dice: random.Random) -> Position:
    """Return the position as chance sets it up; where nothing stands on the board, after a few
    moves."""
    plies = _FEW_PLIES if position.scene().pieces else 0
    while position.to_move and (CHANCE in position.to_move or plies < _FEW_PLIES):
        seat = min(position.to_move, key=lambda seat: seat != CHANCE)
        position = position.play(seat, dice.choice(list(position.legal_moves(seat))))
        plies += seat != CHANCE
    return position
