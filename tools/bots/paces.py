"""Measures how much a search does in a second of processor time, game by game, and prints the table
of `pbm.bots.analysis.judging`: run it on the machine on which the levels were measured.

    python -m tools.bots.paces kalah chess"""

from __future__ import annotations

import argparse
import random
import time

from pbm.bots.analysis.judging import assess
from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE, Position
from tools.games.sampling import VARIANTS

_SECONDS = 0.4
_POSITIONS = 3
_PLIES = 14
"""Moves at random between two positions that are searched."""


def measure(name: str) -> float:
    """Return how often a search of the game's positions asks, in a second, whether to go on."""
    dice, position, looks, used = random.Random(name), get_game(name).setup(), 0, 0.0
    first = position
    for _ in range(_POSITIONS):
        for _ in range(_PLIES):
            position = play_any(position, dice)
        if position.outcome is not None:
            position = first
        while position.chance is not None:
            position = play_any(position, dice)
        started = time.process_time()

        def enough(began: float = started) -> bool:
            nonlocal looks
            looks += 1
            return time.process_time() - began >= _SECONDS

        assess(position, first, dice, enough)
        used += time.process_time() - started
    return looks / used


def play_any(position: Position, dice: random.Random) -> Position:
    """Return the position after any move or answer of chance; the same when the game is over."""
    if position.outcome is not None:
        return position
    if position.chance is not None:
        return position.play(CHANCE, dice.choice(position.chance.outcomes))
    seat = min(position.to_move)
    return position.play(seat, dice.choice(position.legal_moves(seat)))


def round_off(pace: float) -> int:
    """Return the pace with two digits."""
    return int(float(f"{pace:.1e}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all that have a search, when none is named")
    for name in parser.parse_args().games or list_game_names():
        info = get_game(name).info
        if name not in VARIANTS and not info.features & {"hidden", "sealed"}:
            print(f'    "{name}": {round_off(measure(name))},', flush=True)


if __name__ == "__main__":
    main()
