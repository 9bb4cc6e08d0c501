"""The state of a game of Space Fighters: whose turn it is, the dice, the ships on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbm.games.spacefighters.battlefield import BIT, NUMBER
from pbm.games.spacefighters.ship_outlook import chance_to_win, judge_places
from pbm.games.spacefighters.teams import PRICE, SETUP, SHIP, Team
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

_TURNS = 5.0
"""So many turns' income count."""
_UNSPENT = 0.05
"""What a resource counts: little, so that a team spends them, and does not end its turn early only
to get its income."""


@dataclass(frozen=True, slots=True)
class FightersState(Position):
    """A position of Space Fighters, without the orders that change it.

    seat     the team whose turn it is; `phase` is the first kind of order still open to it
    dice     the fighter die and the control die, as far as they have been rolled
    left     the teams that are out, in the order of leaving
    moved    the fighters that have moved but not fought this turn
    spent    the fighters that have fought and the control ships that have moved this turn
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
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def options(self) -> Mapping[str, Value]:
        """There are none."""
        return {}

    @property
    def to_move(self) -> frozenset[int]:
        """The team on the move, or chance while dice are to be rolled."""
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
        return outcome_of(groups, f"{self.seat_names[winner]} is the last team left")

    @property
    def standing(self) -> tuple[float, ...]:
        """What its ships cost, its resources, and five turns' income."""
        return tuple(
            team.resources
            + PRICE["f"] * team.owned("f")
            + PRICE["c"] * team.owned("c")
            + 5.0 * team.income(self.home(number))
            for number, team in enumerate(self.teams)
        )

    @property
    def outlook(self) -> tuple[float, ...]:
        """What its ships cost, five turns' income, what the ships promise where they stand, and a
        little for its resources; in a fight, what is to be expected of it."""
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
        """What each team is likely to lose in the fight that is being rolled."""
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
        """The station of a team."""
        return NUMBER[self.seat_names[team]]

    def ships(self) -> int:
        """The places of all ships."""
        mask = 0
        for team in self.teams:
            mask |= team.fighters | team.controls
        return mask

    def foes(self) -> int:
        """The places of the ships that the team on the move may fight."""
        team = self.teams[self.seat]
        return self.ships() & ~team.fighters & ~team.controls

    def kind_on(self, place: int) -> str:
        """The kind of the ship on an occupied place."""
        return "c" if any(team.controls & BIT[place] for team in self.teams) else "f"

    def holder_of(self, place: int) -> int | None:
        """The team whose ship is there."""
        for number, team in enumerate(self.teams):
            if (team.fighters | team.controls) & BIT[place]:
                return number
        return None

    def holding(self, place: int) -> str:
        """`red's fighter`: what stands on an occupied place."""
        names = (*self.seat_names, "nobody")
        holder = self.holder_of(place)
        return f"{names[-1 if holder is None else holder]}'s {SHIP[self.kind_on(place)]}"

    @property
    def control_steps(self) -> int:
        """The control die is read as 4 when it shows more."""
        return min(self.dice[1], 4)
