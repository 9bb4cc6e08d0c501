"""The state of a game of Space Fighters: its places as bits of masks, the teams, whose turn it is,
the dice, the ships on the board and what they promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from pbm.rules import (
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    Outcome,
    Position,
    Value,
    outcome_of,
    roll,
)
from pbm.rules.boards.floor_plans import FloorPlan, bits
from pbm.rules.boards.squares import Grid
from pbm.rules.options import read_colours
from pbm.rules.phrases import phrase

GRID = Grid(13, 13)
COLOURS = ("red", "blue", "green", "yellow")
SEATS = {2: ("red", "green"), 3: ("red", "blue", "green"), 4: COLOURS}


@cache
def choose_colours(players: int, chosen: Value | None) -> tuple[str, ...]:
    """Return the colour of each seat from the text of the option, or the usual ones. OptionError
    for an invalid text."""
    if chosen is None:
        return SEATS[players]
    return read_colours(
        str(chosen).lower(),
        COLOURS,
        players,
        twice=phrase("{option} names {word} twice, each team has a colour of its own"),
        too_few=phrase("{option} needs a colour for each of {players} teams, not {named}"),
    )


PLAN = FloorPlan(
    GRID,
    joined={
        "red": ("a12", "b12", "a13", "b13"),
        "blue": ("l12", "m12", "l13", "m13"),
        "green": ("l1", "m1", "l2", "m2"),
        "yellow": ("a1", "b1", "a2", "b2"),
    },
    rooms=[
        (
            ("f6", "g6", "h6", "f7", "g7", "h7", "f8", "g8", "h8"),
            (("g8", "g9"), ("g6", "g5"), ("f7", "e7"), ("h7", "i7")),
        )
    ],
    renamed={"g7": "star"},
)
BIT, NAMES, NUMBER, ADJACENT = PLAN.bit, PLAN.names, PLAN.number, PLAN.adjacent
STAR = NUMBER["star"]
COLOURED = tuple(NUMBER[colour] for colour in COLOURS)
STATIONS = (*COLOURED, STAR)
STATION_MASK = sum(BIT[place] for place in STATIONS)
TILES = PLAN.places & ~STATION_MASK
"""The tiles any ship may stand on: neither star nor coloured stations."""


def names_of(mask: int) -> list[str]:
    """Return the places of a mask by their names."""
    return [NAMES[place] for place in bits(mask)]


def mask_of(names: Iterable[str]) -> int:
    """Return the mask of those places."""
    return sum(BIT[NUMBER[name]] for name in names)


SETUP, DEPLOY, FIGHTERS, CONTROLS = range(4)
"""A team's next act: to set up, or the first kind of order still possible."""
PRICE = {"f": 25, "c": 100}
MOST = {"f": 7, "c": 5}


class Team(NamedTuple):
    """The possessions of a team: masks of its ships in space, numbers in reserve, resources."""

    fighters: int
    controls: int
    spare_fighters: int
    spare_controls: int
    resources: int

    def with_reserve(self, kind: str, ships: int) -> Team:
        """Return the team with that many more ships of a kind in reserve."""
        if kind == "f":
            return self._replace(spare_fighters=self.spare_fighters + ships)
        return self._replace(spare_controls=self.spare_controls + ships)

    def put(self, kind: str, source: int, target: int) -> Team:
        """Return the team with a ship of a kind moved from one place (a bit) to another; 0 for
        neither."""
        if kind == "f":
            return self._replace(fighters=self.fighters & ~source | target)
        return self._replace(controls=self.controls & ~source | target)

    def owned(self, kind: str) -> int:
        """Return the number of its ships of a kind, in space and in reserve."""
        if kind == "f":
            return self.fighters.bit_count() + self.spare_fighters
        return self.controls.bit_count() + self.spare_controls

    def income(self, home: int) -> int:
        """Return the income of the stations it owns at `end`: 10 for its own, 5 for another
        coloured one, 20 for the central one."""
        worth = {home: 10, STAR: 20}
        return sum(worth.get(place, 5) for place in bits(self.controls & STATION_MASK))


GONE = Team(0, 0, 0, 0, 0)


_FARTHEST = 20
"""Steps from which a ship promises nothing."""
_HUNTING = 30.0
"""The prospects of a fighter that is almost beside an enemy ship."""
_CLAIMING, _INVADING = 60.0, 40.0
"""The prospects of the nearest control ship in space that is almost in the central station, or in
an enemy's."""
_SIDES = {"f": 6, "c": 8}


@cache
def _list_reaches(place: int) -> tuple[int, ...]:
    """Return the places within 0, 1, 2 … steps on an empty board."""
    here = BIT[place]
    return here, *(here | PLAN.reach(place, far, PLAN.places) for far in range(1, _FARTHEST))


def _nearness(place: int, goals: int) -> float:
    """Rate nearness from 1, there, down to 0, far away from all goals."""
    for steps, reach in enumerate(_list_reaches(place)):
        if reach & goals:
            return 1 - steps / _FARTHEST
    return 0.0


def judge_places(team: Team, foes: int, foreign_homes: int) -> float:
    """Return the prospects of a team's ships; `foes` are the places of all enemy ships,
    `foreign_homes` the stations of the enemies that still play."""
    value = _HUNTING * sum(_nearness(place, foes) for place in bits(team.fighters))
    free = [place for place in bits(team.controls & ~STATION_MASK)]
    goals = [(STAR, _CLAIMING), *((home, _INVADING) for home in bits(foreign_homes))]
    for goal, worth in goals:
        if free and not team.controls & BIT[goal]:
            value += worth * max(_nearness(place, BIT[goal]) for place in free)
    return value


def chance_to_win(kind: str, attack: int) -> float:
    """Return how likely an attacker beats a ship of that kind; `attack` is its roll, 0 before
    that."""
    rolls = (attack,) if attack else range(1, 7)
    return sum(rolls) / len(rolls) / _SIDES[kind]


_TURNS = 5.0
"""The number of turns whose income counts."""
_UNSPENT = 0.05
"""The value of a resource: low, so that a team spends them, and does not end its turn early only to
get its income."""


@dataclass(frozen=True, slots=True)
class FightersState(Position):
    """A position of Space Fighters, without the orders that change it.

    seat     the team whose turn it is; `phase` is the first kind of order still open to it
    dice     the fighter die and the control die, as far as they have been rolled
    left     the teams that are out, in the order of leaving
    moved    the fighters that have moved but not fought this turn
    spent    the fighters that have fought and the control ships that have moved this turn
    options  -colors and -pass_own, as far as they were given
    fight    source, target and then the attacker's die while a fight is being rolled
    """

    players: int
    seat: int
    turn: int
    phase: int
    dice: tuple[int, ...]
    teams: tuple[Team, ...]
    left: tuple[int, ...] = ()
    bought: bool = False
    moved: int = 0
    spent: int = 0
    fight: tuple[int, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the teams, which are the names of their stations."""
        return choose_colours(self.players, self.options.get("colors"))

    @property
    def to_move(self) -> frozenset[int]:
        """The team on the move, or chance while dice have to be rolled."""
        if self.is_over:
            return NOBODY
        if self.fight or (self.phase != SETUP and len(self.dice) < 2):
            return CHANCE_TO_MOVE
        return SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        """The teams that are not out."""
        return frozenset(range(self.players)) - frozenset(self.left)

    @property
    def outcome(self) -> Outcome | None:
        """The last team left wins; the first to leave is last."""
        if not self.is_over:
            return None
        (winner,) = self.playing
        groups = [[winner], *([leaver] for leaver in reversed(self.left))]
        return outcome_of(
            groups, phrase("{seat_name} is the last team left", seat_name=self.seat_name(winner))
        )

    @property
    def standing(self) -> tuple[float, ...]:
        """The cost of its ships, its resources, and five turns' income."""
        return tuple(
            team.resources
            + PRICE["f"] * team.owned("f")
            + PRICE["c"] * team.owned("c")
            + 5.0 * team.income(self.home(number))
            for number, team in enumerate(self.teams)
        )

    @property
    def outlook(self) -> tuple[float, ...]:
        """The cost of its ships, five turns' income, the prospects of the ships where they are, and
        a little for its resources; in a fight, the expected result."""
        homes = [self.home(number) for number in range(self.players)]
        risk = self._list_risks(homes)
        everyone = self.ships()
        playing = sum(BIT[homes[number]] for number in self.playing)
        return tuple(
            _UNSPENT * team.resources
            + PRICE["f"] * team.owned("f")
            + PRICE["c"] * team.owned("c")
            + _TURNS * team.income(home)
            + judge_places(team, everyone & ~team.fighters & ~team.controls, playing & ~BIT[home])
            - risk[number]
            for number, (team, home) in enumerate(zip(self.teams, homes, strict=True))
        )

    def _list_risks(self, homes: Sequence[int]) -> list[float]:
        """Return the expected loss of each team in the fight being rolled."""
        risks = [0.0] * self.players
        holder = self.holder_of(self.fight[1]) if self.fight else None
        if holder is not None:
            target, kind = BIT[self.fight[1]], self.kind_on(self.fight[1])
            team = self.teams[holder]
            lost = team.income(homes[holder]) - team.put("c", target, 0).income(homes[holder])
            chance = chance_to_win(kind, self.fight[2] if len(self.fight) > 2 else 0)
            risks[holder] = chance * (PRICE[kind] + _TURNS * lost)
        return risks

    @property
    def chance(self) -> Chance | None:
        """Both movement dice at the start of a turn; attacker, then defender in a fight."""
        if self.to_move != CHANCE_TO_MOVE:
            return None
        if self.fight:
            second = len(self.fight) == 3
            return roll(8 if second and self.kind_on(self.fight[1]) == "c" else 6)
        return roll(8 if self.dice else 6)

    @property
    def is_over(self) -> bool:
        """Whether a single team is left."""
        return len(self.left) == self.players - 1

    def home(self, team: int) -> int:
        """Return the station of a team."""
        return NUMBER[self.seat_names[team]]

    def ships(self) -> int:
        """Return the places of all ships."""
        mask = 0
        for team in self.teams:
            mask |= team.fighters | team.controls
        return mask

    def foes(self) -> int:
        """Return the places of the ships that the team on the move may fight."""
        team = self.teams[self.seat]
        return self.ships() & ~team.fighters & ~team.controls

    def blockers(self) -> int:
        """Return the places over which no control ship of the team on the move passes."""
        return self.foes() if self.options.get("pass_own") else self.ships()

    def kind_on(self, place: int) -> str:
        """Return the kind of the ship on an occupied place."""
        return "c" if any(team.controls & BIT[place] for team in self.teams) else "f"

    def holder_of(self, place: int) -> int | None:
        """Return the team whose ship is there."""
        for number, team in enumerate(self.teams):
            if (team.fighters | team.controls) & BIT[place]:
                return number
        return None

    def holding(self, place: int) -> str:
        """Return the piece on an occupied place: `red's fighter`."""
        holder, is_fighter = self.holder_of(place), self.kind_on(place) == "f"
        if holder is None:
            return phrase("nobody's fighter") if is_fighter else phrase("nobody's control ship")
        colour = self.seat_name(holder)
        if is_fighter:
            return phrase("{colour}'s fighter", colour=colour)
        return phrase("{colour}'s control ship", colour=colour)

    @property
    def control_steps(self) -> int:
        """The control die is read as 4 when it shows more."""
        return min(self.dice[1], 4)
