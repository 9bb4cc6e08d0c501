"""`python -m tools.pictures [GAME ...] [--plies 40]` measures what the picture of a board's mail
costs, in milliseconds of processor time: drawn as a whole, and put together from parts that were
drawn for boards before. Both are measured in turn, position by position, so that whatever else the
machine does weighs on both alike."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from pbm.games import get_game
from pbm.pictures import parts
from pbm.pictures.png import make_png
from pbm.rules import CHANCE
from pbm.rules.drawing.scene import Scene
from pbm.rules.drawing.svg import draw_svg

_GAMES = ("chess", "go", "hex", "backgammon", "reversi", "draughts", "xiangqi", "cradle", "dip")
_WARMING = 8
"""How often the positions are drawn before: a picture draws some of its parts only."""


def play(name: str, plies: int) -> Iterator[tuple[Scene, tuple[str, ...]]]:
    """Yield the scene after each ply of a random game, and the colours of its seats."""
    dice, position = random.Random(name), get_game(name).setup()
    viewer = 0 if "hidden" in position.game.info.features else None
    while plies and position.to_move:
        seat = min(position.to_move)
        move = dice.choice(list(position.legal_moves(seat)))
        position = position.play(seat, move)
        if seat != CHANCE:
            plies -= 1
            yield position.scene(viewer, (move,)), tuple(position.colours)


def measure(draw: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that something takes."""
    began = time.process_time()
    draw()
    return 1000 * (time.process_time() - began)


def draw_whole(scene: Scene, colours: tuple[str, ...]) -> bytes:
    """Draw a board as a whole."""
    make_png.cache_clear()
    return make_png(draw_svg(scene, colours, dark=False, has_sheet=False))


def draw_parts(scene: Scene, colours: tuple[str, ...]) -> bytes:
    """Draw a board from parts where these are there."""
    parts.draw_board_png.cache_clear()
    return parts.draw_board_png(scene, colours, is_turned=False)[0]


def main() -> None:
    """Measure games and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures", description=__doc__)
    parser.add_argument("games", nargs="*", default=_GAMES, metavar="GAME")
    parser.add_argument("--plies", type=int, default=40)
    request = parser.parse_args()
    print("| game | whole, ms | parts, ms | the first ten, ms | whole, bytes | parts, bytes |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in request.games:
        scenes = list(play(name, request.plies))
        parts.forget_all()
        first = [measure(partial(draw_parts, *at)) for at in scenes[:10]]
        for at in scenes * _WARMING:
            draw_parts(*at)
        pairs = [
            (measure(partial(draw_whole, *at)), measure(partial(draw_parts, *at))) for at in scenes
        ]
        whole, joined = (median(side) for side in zip(*pairs, strict=True))
        sizes = len(draw_whole(*scenes[-1])), len(draw_parts(*scenes[-1]))
        shown = f"{whole:.1f} | {joined:.1f} | {sum(first) / len(first):.1f}"
        print(f"| {name} | {shown} | {sizes[0]:,} | {sizes[1]:,} |", flush=True)


if __name__ == "__main__":
    main()
