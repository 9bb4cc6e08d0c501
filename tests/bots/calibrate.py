"""Find the work of each level in a game: python -m tests.bots.calibrate GAME ... [--rounds N]

From level2 up, the work is corrected after each two games against the level below until it scores
what is wanted (Robbins and Monro, 1951). Prints a row of `pbm.bots.strengths` for each game."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from pbm.bots.strengths import Strength, get_strength
from tests.bots.matches import play

GAIN, DELAY = 5.0, 5.0
FIRST, RATIO = 8.0, 4.0


def find_work(
    game: str, below: Strength, start: float, most: float, target: float, rounds: int
) -> float:
    """The work that scores the target against a strength."""
    x, sums, count = math.log(start), 0.0, 0
    for number in range(rounds):
        above = Strength(round(math.exp(x)))
        seed = f"{game}/{below}/{number}"
        score = (play(game, (above, below), seed)[0] + 1 - play(game, (below, above), seed)[0]) / 2
        x += GAIN / (DELAY + number) * (target - score)
        x = min(max(x, 0.0), math.log(most))
        if 2 * number >= rounds:
            sums, count = sums + x, count + 1
    return math.exp(sums / count)


def calibrate(game: str, rounds: int, target: float, seconds: float) -> str:
    """A row of the table for a game. `seconds`: the most that level5 may take for a turn here."""
    began = time.process_time()
    _, turns = play(game, (Strength(30), Strength(30)), game)
    each = (time.process_time() - began) / max(1, turns) / 30
    most = max(40.0, seconds / each)
    below, work = get_strength(game, "level1"), list[int]()
    start, ratio = FIRST, RATIO
    for _ in range(4):
        found = find_work(game, below, min(start, most), most, target, rounds)
        if work:
            ratio = max(1.5, found / work[-1])
        work.append(round(found))
        below = Strength(work[-1])
        start = found * ratio
    took = time.process_time() - began
    return f'    "{game}": {tuple(work)},  # {1000 * each:.2f} ms a playout, {took:.0f} s'


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row a game."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.calibrate")
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--target", type=float, default=0.76)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    with ProcessPoolExecutor(asked.processes) as pool:
        settings = (asked.rounds, asked.target, asked.seconds)
        for row in pool.map(calibrate, asked.games, *map(repeat, settings)):
            print(row, flush=True)


if __name__ == "__main__":
    main()
