"""Space the levels of a game: python -m tools.bots.calibrate GAME[:LEAST:MOST[:SLIPS]] ...

LEAST and MOST are the ends of the path on which the levels are looked for (`tools.bots.ladder`),
SLIPS is how often level1 slips, 2 if its turns may be the worst; unless given, they are those of
level2, level5 and level1 as they are. First neighbours on the path play each other. Then each level
plays the one below it, in batches, and as soon as it is clear that it wins too much or too little,
it is placed anew.

All games are appended to `--results`. Those between levels count, and `python -m tools.bots` finds
them; where a level is placed anew, so are all that were played with it. Prints a row of
`pbm.bots.strengths` for each game."""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat
from pathlib import Path as FilePath
from typing import NamedTuple

from pbm.bots import LEVELS
from pbm.bots.strengths import Strength, get_strength
from tools.bots.__main__ import Match, play_match
from tools.bots.ladder import LEAST, MOST, Path, Ratings, Score, fit
from tools.bots.matches import compute_interval

BATCH = 20
DEVIATIONS = 2.2
"""A level is placed anew when its score is so surely out of bounds."""
ATTEMPTS = 24
SCOUTS = ("lower", "higher")
"""The names under which neighbours on the path play each other."""


class Setting(NamedTuple):
    """How games are calibrated.

    games    that two levels play
    results  the file to which games are appended
    """

    games: int
    results: FilePath


class Calibration:
    """The levels of a game, while they are looked for."""

    def __init__(self, game: str, path: Path, first: float, setting: Setting) -> None:
        self._game = game
        self._path = path
        self._first = first
        self._setting = setting
        self._shares: dict[tuple[str, str, Strength, Strength], list[float]] = defaultdict(list)
        for line in setting.results.read_text().splitlines() if setting.results.exists() else ():
            name, low, high, _, (weaker, stronger), share, _ = json.loads(line)
            if name == game:
                self._shares[low, high, Strength(*weaker), Strength(*stronger)].append(share)

    def play(self, names: tuple[str, str], low: float, high: float, count: int) -> list[float]:
        """Play until there are `count` games between two points of the path."""
        strengths = self._path.find_strength(low), self._path.find_strength(high)
        shares = self.get_shares(names, strengths)
        with self._setting.results.open("a") as file:
            while len(shares) < count:
                result = play_match(Match(self._game, *names, len(shares)), strengths)
                shares.append(result.share)
                file.write(result.dump() + "\n")
        return shares

    def get_shares(
        self, names: tuple[str, str], strengths: tuple[Strength, Strength]
    ) -> list[float]:
        """Return what the higher one got of each game between two strengths."""
        return self._shares[(*names, *strengths)]

    def scout(self) -> None:
        """Let neighbours on the path play a batch."""
        for low, high in pairwise(self._path.knots):
            if self._path.find_strength(low) != self._path.find_strength(high):
                self.play(SCOUTS, low, high, BATCH)

    def fit(self) -> Ratings:
        """Return the ratings by all games so far."""
        number = self._path.find_number
        scores = [
            Score(number(low), number(high), sum(shares) / len(shares), len(shares))
            for (name, _, low, high), shares in self._shares.items()
            if shares and name in {SCOUTS[0], *LEVELS}
        ]
        return fit(self._path, scores)

    def measure(self, number: int, low: float, high: float) -> float:
        """Return what a level scores against the one below, in all games or until it is clear that
        they are too near or too far apart."""
        names = LEVELS[number - 1], LEVELS[number]
        count, score = 0, 0.0
        while count < self._setting.games:
            count = min(count + BATCH, self._setting.games)
            shares = self.play(names, low, high, count)
            score = sum(shares) / len(shares)
            lowest, highest = compute_interval(score, len(shares), DEVIATIONS)
            if lowest > MOST or highest < LEAST:
                break
        strengths = map(write_strength, map(self._path.find_strength, (low, high)))
        print(self._game, *names, *strengths, f"{score:.1%} of {len(shares)}", flush=True)
        return score

    def run(self) -> list[Strength]:
        """Return the strengths of the levels."""
        self.scout()
        points, error = [self.fit().find_first(self._first)], 0.0
        for _ in range(ATTEMPTS):
            number, end = len(points), self._path.end
            if number == len(LEVELS):
                break
            high = self.fit().find_next(points[-1], len(LEVELS) - number, error)
            score = self.measure(number, points[-1], high) if points[-1] < end else 0.5
            error = 0.0
            if LEAST <= score <= MOST:
                points.append(high)
            elif score < LEAST and high > end - 0.01:
                points = [self.fit().find_first(self._first)]
            else:
                error = self.fit().find_error(points[-1], high, score)
        return [self._path.find_strength(point) for point in points]


def calibrate(asked: str, setting: Setting) -> str:
    """Return a row of the table for a game."""
    began = time.process_time()
    game, *numbers = asked.split(":")
    usual = [get_strength(game, level) for level in LEVELS]
    least, most = map(int, numbers[:2]) if numbers else (usual[1].work or 1, usual[-1].work or 1)
    slips = float(numbers[2]) if len(numbers) > 2 else usual[0].slips
    path = Path(least, most, -1 if slips > 1 else 0)
    found = Calibration(game, path, 1 - min(slips, 1.0), setting).run()
    row = ", ".join(map(write_strength, found))
    return f'    "{game}": ({row}),  # {time.process_time() - began:.0f} s'


def write_strength(strength: Strength) -> str:
    """Return a strength as it stands in a row."""
    if not strength.slips:
        return str(strength.work)
    numbers = strength if strength.worst else strength[:2]
    return f"({', '.join(map(str, numbers))})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row a game."""
    parser = argparse.ArgumentParser(prog="python -m tools.bots.calibrate")
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--results", type=FilePath, default=FilePath("levels.jsonl"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    setting = Setting(asked.count, asked.results)
    with ProcessPoolExecutor(asked.processes) as pool:
        for row in pool.map(calibrate, asked.games, repeat(setting)):
            print(row, flush=True)


if __name__ == "__main__":
    main()
