"""Levels an equal distance apart: ratings along a path of strengths, from all games played on it.

A path begins at a glance (0) and slips less and less often with the same little work; from where it
does not slip at all (1), its work doubles at each step. It may begin earlier, with turns that are
the worst (-1). What was scored between any two points of it
says how its rating rises (Bradley and Terry), and so where the levels belong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbm.bots.strengths import Strength

LEAST, MOST = 0.65, 0.85
"""What a level is to score against the one below."""
_NEAREST, _FURTHEST = 0.70, 0.79
"""What it is aimed at, by how much room there is."""
_SLIPS = (1.0, 0.75, 0.5, 0.3, 0.15)
_WORST = (1.0, 0.65, 0.3)
_RISE, _DOUBT = 0.7, 1.5
"""How much a rating rises from knot to knot before anything is known, and how far it may be off."""
_SWEEPS = 60


class Path(NamedTuple):
    """Strengths in a row, by a number that grows with them.

    least  units of work up to where it does not slip
    most   units of work at its end
    begin  0, or -1 if it begins with the worst turns
    """

    least: int
    most: int
    begin: int = 0

    @property
    def end(self) -> float:
        """The number of the strongest."""
        return 1 + math.log2(self.most / self.least)

    @property
    def knots(self) -> list[float]:
        """The numbers between which the rating rises evenly."""
        doubled = range(1, math.ceil(self.end))
        worst = (-worst for worst in _WORST if self.begin)
        return [*worst, *(1 - slips for slips in _SLIPS), *map(float, doubled), self.end]

    def find_strength(self, at: float) -> Strength:
        """Return the strength with that number."""
        if at < 0:
            return Strength(self.least, 1.0, worst=-round(at, 2))
        slips = max(0.0, round(1 - at, 2))
        if slips == 1:
            return Strength(0, 1.0)
        return Strength(min(self.most, round(self.least * 2 ** max(0.0, at - 1))), slips)

    def find_number(self, strength: Strength) -> float:
        """Return the number of a strength."""
        if strength.slips:
            return 1 - strength.slips - strength.worst
        return 1 + math.log2((strength.work or 1) / self.least)


class Score(NamedTuple):
    """What the higher of two points on a path got, as a share of so many games."""

    low: float
    high: float
    share: float
    games: int


class Ratings(NamedTuple):
    """The rating at each knot of a path."""

    knots: Sequence[float]
    values: Sequence[float]

    def rate(self, at: float) -> float:
        """Return the rating at a point."""
        return _interpolate(self.knots, self.values, at)

    def find(self, rating: float) -> float:
        """Return the first point that has a rating; the last if none has."""
        return _interpolate(self.values, self.knots, rating)

    def find_first(self, wanted: float) -> float:
        """Return the point for level1: that one, or below it if there is too little room above."""
        return min(wanted, self.find(self.values[-1] - 4 * _log_odds(_NEAREST)))

    def find_next(self, below: float, remaining: int, error: float = 0.0) -> float:
        """Return the point for the next level, if so many are to come with it, and if levels there
        were so much further apart than their ratings."""
        rating = self.rate(below)
        step = (self.values[-1] - rating) / remaining
        step = min(max(step, _log_odds(_NEAREST)), _log_odds(_FURTHEST))
        return self.find(rating + max(step - error, 0.1))

    def find_error(self, low: float, high: float, share: float) -> float:
        """Return how much further apart two points were than their ratings."""
        return _log_odds(min(max(share, 0.02), 0.98)) - (self.rate(high) - self.rate(low))


def fit(path: Path, scores: Iterable[Score]) -> Ratings:
    """Return the ratings that explain best what was scored."""
    knots = path.knots
    spans = [*pairwise(knots)]
    rises = [_RISE] * len(spans)
    rows = [
        (score, [_cover(score.high, *span) - _cover(score.low, *span) for span in spans])
        for score in scores
    ]
    for _ in range(_SWEEPS):
        for index, rise in enumerate(rises):
            slope, bend = (_RISE - rise) / _DOUBT**2, 1 / _DOUBT**2
            for score, covers in rows:
                if cover := covers[index]:
                    ahead = sum(map(float.__mul__, covers, rises))
                    expected = 1 / (1 + math.exp(-ahead))
                    slope += score.games * cover * (score.share - expected)
                    bend += score.games * cover * cover * expected * (1 - expected)
            rises[index] = max(0.01, rise + min(max(slope / bend, -0.5), 0.5))
    return Ratings(knots, [sum(rises[:count]) for count in range(len(knots))])


def _cover(at: float, start: float, end: float) -> float:
    """Return how much of a span lies below a point."""
    return min(max((at - start) / (end - start), 0.0), 1.0)


def _interpolate(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """Return the value at x of a line through points; beyond its ends, that at the end."""
    for (left, low), (right, high) in pairwise(zip(xs, ys, strict=True)):
        if x <= right:
            return low + (high - low) * _cover(x, left, right)
    return ys[-1]


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
