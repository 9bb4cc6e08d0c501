"""What the ships of Space Fighters promise where they stand: without it a bot that looks two turns
ahead would see no reason to set out."""

from __future__ import annotations

from functools import cache

from pbm.games.spacefighters.battlefield import BIT, PLAN, STAR, STATION_MASK
from pbm.games.spacefighters.teams import Team
from pbm.rules.boards.floor_plans import bits

_FARTHEST = 20
"""Steps from which a ship promises nothing."""
_HUNTING = 30.0
"""What a fighter promises, almost next to an enemy ship."""
_CLAIMING, _INVADING = 60.0, 40.0
"""What the nearest control ship in space promises, almost in the central station or in that of an
enemy."""
_SIDES = {"f": 6, "c": 8}


@cache
def _list_reaches(place: int) -> tuple[int, ...]:
    """The places within 0, 1, 2 … steps on an empty board."""
    here = BIT[place]
    return here, *(here | PLAN.reach(place, far, PLAN.places) for far in range(1, _FARTHEST))


def _nearness(place: int, goals: int) -> float:
    """From 1, there, down to 0, far away from all goals."""
    for steps, reach in enumerate(_list_reaches(place)):
        if reach & goals:
            return 1 - steps / _FARTHEST
    return 0.0


def judge_places(team: Team, foes: int, foreign_homes: int) -> float:
    """What the ships of a team promise; `foes` are the places of all enemy ships, `foreign_homes`
    the stations of the enemies that still play."""
    value = _HUNTING * sum(_nearness(place, foes) for place in bits(team.fighters))
    free = [place for place in bits(team.controls & ~STATION_MASK)]
    goals = [(STAR, _CLAIMING), *((home, _INVADING) for home in bits(foreign_homes))]
    for goal, worth in goals:
        if free and not team.controls & BIT[goal]:
            value += worth * max(_nearness(place, BIT[goal]) for place in free)
    return value


def chance_to_win(kind: str, attack: int) -> float:
    """How likely an attacker beats a ship of that kind; `attack` is its roll, 0 before that."""
    rolls = (attack,) if attack else range(1, 7)
    return sum(rolls) / len(rolls) / _SIDES[kind]
