"""Find the work of each level in a game: python -m tests.bots.calibrate GAME ... [--count N]

From level2 up, the level plays the one below it, in batches; when it is clear that it wins too much
or too little, its work is corrected and its games are counted anew. The games that count are
appended to `--results`, where `python -m tests.bots` finds them. Prints a row of
`pbm.bots.strengths` for each game."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from pbm.bots import LEVELS
from pbm.bots.strengths import Strength, get_strength
from tests.bots.__main__ import Match, Result, play_match
from tests.bots.matches import compute_interval, play

BATCH = 20
LEAST, MOST = 0.65, 0.85
"""What is wanted of a level."""
TARGET = 0.77
CLOSEST, FURTHEST = 1.25, 8.0
"""The factors between the work of two levels, and by which one is corrected at once."""
ATTEMPTS = 6


class Setting(NamedTuple):
    """How a game is calibrated.

    games    that are played with the work that is found
    seconds  of processor time that a turn may take
    results  the file to which the games are appended
    """

    games: int
    seconds: float
    results: Path


def correct(score: float, work: float, below: Strength) -> float:
    """Work that is likely to score what is wanted, after other work scored so much."""
    wanted, got = math.log(TARGET / (1 - TARGET)), math.log((score + 0.02) / (1.02 - score))
    if below.work is None or below.slips or work <= below.work:
        factor = math.exp(wanted - got)
    else:  # the same work would score a half
        ahead = math.log(work / below.work)
        factor = math.exp(ahead * wanted / max(got, 0.1 * wanted) - ahead)
    return work * min(max(factor, 1 / FURTHEST), FURTHEST)


def find_level(
    game: str, number: int, below: Strength, start: float, most: float, setting: Setting
) -> tuple[int, float, int]:
    """The work of a level, what it scores, and in how many games."""
    low, high = LEVELS[number - 1], LEVELS[number]
    slips = get_strength(game, high).slips
    least = 1.0 if number == 1 else CLOSEST * (below.work or 0)
    work = start
    for attempt in range(ATTEMPTS):
        work = round(max(min(work, most), least))
        results = list[Result]()
        while len(results) < setting.games:
            for _ in range(BATCH):
                match = Match(game, low, high, len(results))
                results.append(play_match(match, (below, Strength(work, slips))))
            score = sum(result.share for result in results) / len(results)
            corrected = round(max(min(correct(score, work, below), most), least))
            lowest, highest = compute_interval(score, len(results), 1.0)
            is_clear = lowest > MOST - 0.02 or highest < LEAST + 0.02
            if is_clear and corrected != work and attempt < ATTEMPTS - 1:
                break
        if len(results) >= setting.games and (LEAST <= score <= MOST or corrected == work):
            break
        work = corrected
    with setting.results.open("a") as file:
        file.writelines(result.dump() + "\n" for result in results)
    return round(work), score, len(results)


def calibrate(game: str, setting: Setting) -> str:
    """A row of the table for a game."""
    began = time.process_time()
    usual = [get_strength(game, level) for level in LEVELS]
    _, turns = play(game, (usual[-1], usual[-1]), game)
    each = (time.process_time() - began) / max(1, turns) / (usual[-1].work or 1)
    most = max(40.0, setting.seconds / each)
    below, work, scores = usual[0], list[int](), list[str]()
    for number in range(1, len(LEVELS)):
        usual_ratio = (usual[number].work or 1) / max(1, usual[number - 1].work or 1)
        start = float(usual[1].work or 1) if number == 1 else work[-1] * usual_ratio
        found, score, count = find_level(game, number, below, start, most, setting)
        work.append(found)
        scores.append(f"{score:.0%} of {count}")
        below = Strength(found, usual[number].slips)
    took = time.process_time() - began
    return (
        f'    "{game}": {tuple(work)},  # {", ".join(scores)}; '
        f"{1000 * each:.2f} ms each, {took:.0f} s"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row a game."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.calibrate")
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--results", type=Path, default=Path("levels.jsonl"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    setting = Setting(asked.count, asked.seconds, asked.results)
    with ProcessPoolExecutor(asked.processes) as pool:
        for row in pool.map(calibrate, asked.games, repeat(setting)):
            print(row, flush=True)


if __name__ == "__main__":
    main()
