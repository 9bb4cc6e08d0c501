"""Ratings: Plackett-Luce (openskill) for any number of seats, shown on a familiar scale.

Pure arithmetic, independent of players, boards and the database."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct

MU = 25.0
SIGMA = 25.0 / 3.0
BETA = 25.0 / 6.0
TAU = 25.0 / 300.0
KAPPA = 0.0001
CENTRE = 1500
POINTS = 30
"""Points of the shown scale per unit of mu: between players with certain ratings, 400 points are
odds of about ten to one, as with Elo: ln(10) * sqrt(2) * BETA * POINTS is 407."""
ESTABLISHED = 200
"""The uncertainty, in points, below which a rating counts as established."""
MOST_SIGMA = (ESTABLISHED + 0.5) / POINTS
"""The largest sigma that is shown as ESTABLISHED."""


HOUSE = "house"
"""The pool of boards with computer players."""


def name_pool(game: str, pool: str) -> str:
    """Return what ratings of a game in a pool are stored and shown under: those of people under the
    name of the game, those of the house as `cradle house`."""
    return f"{game} {pool}" if pool else game


def split_pool(name: str) -> tuple[str, str]:
    """Return the game and the pool of a name made by `name_pool`."""
    game, _, pool = name.partition(" ")
    return game, pool


class Rating(Struct, frozen=True):
    """The belief about a player's strength at one game: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """The rating as it is shown."""
        return round(CENTRE + POINTS * (self.mu - MU))

    @property
    def uncertainty(self) -> int:
        """One standard deviation, in points."""
        return round(POINTS * self.sigma)

    @property
    def is_established(self) -> bool:
        """Whether it is certain enough to be ranked among the established ratings."""
        return self.uncertainty <= ESTABLISHED

    @property
    def text(self) -> str:
        """Points and uncertainty: 1500 +-250."""
        return f"{self.points} +-{self.uncertainty}"


NEW = Rating()
"""The rating of a new player."""


def compute_chances(before: Sequence[Rating]) -> tuple[float, ...]:
    """Return the chance of first place that the ratings gave each seat; they sum to 1."""
    spread = math.sqrt(sum(rating.sigma**2 + TAU**2 + BETA**2 for rating in before))
    best = max(rating.mu for rating in before)
    weights = [math.exp((rating.mu - best) / spread) for rating in before]
    return tuple(weight / sum(weights) for weight in weights)


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after one board: 1 is the best rank, equal ranks are ties. ValueError
    unless there are at least two seats with a rank each."""
    if len(before) < 2 or len(before) != len(ranks):
        raise ValueError("a rating needs at least two seats, each with a rank")
    plackett_luce = get_model()
    teams = [[plackett_luce.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = plackett_luce.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(Rating(float(team[0].mu), float(team[0].sigma)) for team in after)


@cache
def get_model() -> Any:
    """Return the openskill model; imported here so that commands which rate nothing need not wait
    for it."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)
