"""Levels come out as far apart as is wanted, and games that do not count are told from those that
do."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path as FilePath

import pytest

from pbm.bots import LEVELS
from pbm.bots.strengths import Strength
from tools.bots import calibrate
from tools.bots.__main__ import Match, Result
from tools.bots.calibrate import Calibration, Setting
from tools.bots.ladder import LEAST, MOST, Path, Score, fit
from tools.bots.matches import compute_interval

PATH = Path(8, 500)


def win_chance(low: float, high: float, rise: float) -> float:
    return 1 / (1 + math.exp(rise * (low - high)))


@pytest.mark.parametrize("begin", [0, -1])
@pytest.mark.parametrize("least", [1, 8, 17])
def test_a_path_slips_less_and_then_works_more(least: int, begin: int) -> None:
    path = Path(least, 500, begin)
    strengths = [path.find_strength(at) for at in path.knots]
    assert strengths[0] == (Strength(least, 1.0, worst=1.0) if begin else Strength(0, 1.0))
    assert strengths[-1] == Strength(500)
    ranks = [(-each.worst, -each.slips, each.work or 0) for each in strengths]
    assert ranks == sorted(ranks)
    for at, strength in zip(path.knots, strengths, strict=True):
        assert path.find_number(strength) == pytest.approx(at, abs=0.1)


def test_the_next_level_is_as_much_better_as_wanted() -> None:
    scores = [
        Score(low, high, win_chance(low, high, 1.1), 200) for low, high in pairwise(PATH.knots)
    ]
    ratings = fit(PATH, scores)
    assert ratings.find_next(0.5, 4) == pytest.approx(0.5 + math.log(0.77 / 0.23) / 1.1, abs=0.1)
    assert ratings.find_next(6.5, 1) == PATH.end  # there is no more room
    assert ratings.find_first(0.5) == 0.5
    assert ratings.find_first(6.0) == pytest.approx(PATH.end - 4 * math.log(7 / 3) / 1.1, abs=0.2)


@pytest.mark.parametrize("rise", [0.55, 1.0, 2.5])
def test_levels_are_found_whatever_a_game_is_like(
    rise: float, tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of chance between points of the path, whose rating rises evenly."""
    dice, results = random.Random(rise), tmp_path / "games.jsonl"

    def play(match: Match, strengths: tuple[Strength, Strength]) -> Result:
        low, high = map(PATH.find_number, strengths)
        return Result(match, strengths, float(dice.random() < win_chance(low, high, rise)), 9)

    monkeypatch.setattr(calibrate, "play_match", play)
    found = Calibration("kalah", PATH, 0.0, Setting(200, results)).run()
    assert len(found) == len(LEVELS)
    again = Calibration("kalah", PATH, 0.0, Setting(200, results))
    for number, strengths in enumerate(pairwise(found), 1):
        shares = again.get_shares((LEVELS[number - 1], LEVELS[number]), strengths)
        assert len(shares) == 200
        assert LEAST <= sum(shares) / 200 <= MOST


def test_the_interval_of_a_share() -> None:
    assert compute_interval(0.75, 200) == pytest.approx((0.686, 0.805), abs=0.001)
