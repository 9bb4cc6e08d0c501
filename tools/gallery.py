"""`python -m tools.gallery` draws all games on one sheet, light and dark, and measures pictures.

It writes docs/gallery-390-light.webp, with each board as wide as on a phone, docs/gallery-1200-
light.webp, as wide as on the page of a screen of 1200 pixels, and the same in dark. It exits with 1
where a game has no picture or too large a one."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from pbm.games import get_game
from pbm.pictures.png import MOST_BYTES, make_png, render
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.scene import Scene
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.drawing.svg.draw import WIDTH
from pbm.rules.drawing.svg.palette import DARK, LIGHT
from tools.games.sampling import list_sampled_names

# A position of every game, some moves after the start, to be shown and measured.

_PLIES: Mapping[str, int] = {
    "amazons": 11,
    "backgammon": 8,
    "cradle": 9,
    "fourinarow": 14,
    "go": 60,
    "hexxagon": 16,
    "minishogi": 12,
    "nackgammon": 8,
    "qubic": 12,
    "spacetruckin": 40,
    "tictactoe": 5,
}
_USUAL = 24
_OPENINGS: Mapping[str, str] = {
    "chess": "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1",
    "darkchess": "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4",
    "xiangqi": "h2e2 h9g7 h0g2 i9h9 g3g4 c6c5 i0h0 b9c7",
}
"""What random moves would show badly: the beginning of a sensible game."""


class Sample(NamedTuple):
    """A position, and the move that led to it."""

    position: Position
    last: tuple[str, ...]

    def scene(self) -> Scene:
        """Return the scene with the last move marked, for the first seat where something is
        hidden."""
        viewer = 0 if "hidden" in self.position.game.info.features else None
        return self.position.scene(viewer, self.last)


@cache
def sample(name: str, *, plies: int = 0, seed: int = 7) -> Sample:
    """Return the position of a game after `plies` plies (0: as many as show it well)."""
    position, last = get_game(name).setup(), ""
    opening = _OPENINGS.get(name, "").split() if not plies else []
    wanted = len(opening) or plies or _PLIES.get(name, _USUAL)
    chance = random.Random(seed)
    while position.to_move and (wanted or CHANCE in position.to_move):
        if CHANCE in position.to_move:
            question = position.chance
            assert question is not None
            position = position.play(CHANCE, chance.choice(question.outcomes))
            continue
        seat = min(position.to_move)
        if opening:
            last = position.parse(opening.pop(0), seat)[0]
        else:
            last = _choose(position.legal_moves(seat), chance)
        position, wanted = position.play(seat, last), wanted - 1
    return Sample(position, (last,) if last else ())


def _choose(moves: Sequence[str], chance: random.Random) -> str:
    """Return one of the moves; not a pass where there is another."""
    move = moves[chance.randrange(len(moves))]
    return next((one for one in moves if one != "pass"), move) if move == "pass" else move


_DOCS = Path(__file__).parents[1] / "docs"
_FONT = Path(__file__).parents[1] / "pbm" / "pictures" / "board.otf"
_COLUMNS = 8
_SIZES = {390: 1.0, 1200: 1.56}
"""The widths of a window, and how much larger than a phone's it shows a board."""
_GAP = 12
_TITLE = 24
_QUALITY = 26


def main() -> int:
    """Draw the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=_DOCS, help="where the sheets go")
    folder = parser.parse_args().folder
    is_good = _measure()
    for width, scale in _SIZES.items():
        for dark in (False, True):
            file = folder / f"gallery-{width}-{'dark' if dark else 'light'}.webp"
            draw_sheet(scale, dark=dark).save(file, quality=_QUALITY, method=6)
            print(f"{file}: {file.stat().st_size:,} bytes")
    return 0 if is_good else 1


def _measure() -> bool:
    """Print the size of every game's picture; whether all are small enough."""
    is_good = True
    for name in list_sampled_names():
        shown = sample(name)
        scene = shown.scene()
        if not scene.places:
            print(f"{name:<22} no picture")
            is_good = False
            continue
        svg = draw_svg(scene, shown.position.colours)
        size = len(make_png(draw_svg(scene, shown.position.colours, dark=False)))
        is_good &= size <= MOST_BYTES
        print(f"{name:<22} svg {len(svg):>7,} png {size:>7,}")
    return is_good


def draw_sheet(scale: float, *, dark: bool) -> Image.Image:
    """Return all games on one sheet."""
    theme = DARK if dark else LIGHT
    tiles = [
        (get_game(name).info.title, _draw(name, scale, dark=dark))
        for name in list_sampled_names()
        if sample(name).scene().places
    ]
    columns: list[list[tuple[str, Image.Image]]] = [[] for _ in range(_COLUMNS)]
    heights = [_GAP] * _COLUMNS
    for tile in tiles:  # into the shortest column, so that tall boards leave no holes
        at = heights.index(min(heights))
        columns[at].append(tile)
        heights[at] += tile[1].height + _TITLE + _GAP
    wide = round(WIDTH * scale)
    sheet = Image.new("RGB", (_COLUMNS * (wide + _GAP) + _GAP, max(heights)), theme.page)
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(str(_FONT), 16)
    for number, column in enumerate(columns):
        x, y = _GAP + number * (wide + _GAP), _GAP
        for title, picture in column:
            pen.text((x, y), title, theme.text, font)
            sheet.paste(picture, (x, y + _TITLE))
            y += picture.height + _TITLE + _GAP
    return sheet


def _draw(name: str, scale: float, *, dark: bool) -> Image.Image:
    shown = sample(name)
    svg = draw_svg(shown.scene(), shown.position.colours, dark=dark)
    with Image.open(BytesIO(render(svg, scale))) as picture:
        return picture.convert("RGB")


if __name__ == "__main__":
    sys.exit(main())
