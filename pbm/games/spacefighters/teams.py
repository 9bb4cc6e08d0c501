"""A team of Space Fighters: its ships, its income, and the prices of ships."""

from __future__ import annotations

from typing import NamedTuple

from pbm.games.spacefighters.battlefield import STAR, STATION_MASK
from pbm.rules.boards.floor_plans import bits

SETUP, DEPLOY, FIGHTERS, CONTROLS = range(4)
"""What a team does next: set up, or the first kind of order still open to it."""
PRICE = {"f": 25, "c": 100}
MOST = {"f": 7, "c": 5}
SHIP = {"f": "fighter", "c": "control ship"}


class Team(NamedTuple):
    """The possessions of a team: masks of its ships in space, numbers in reserve, resources."""

    fighters: int
    controls: int
    spare_fighters: int
    spare_controls: int
    resources: int

    def with_reserve(self, kind: str, ships: int) -> Team:
        """The team with that many more ships of a kind in reserve."""
        if kind == "f":
            return self._replace(spare_fighters=self.spare_fighters + ships)
        return self._replace(spare_controls=self.spare_controls + ships)

    def put(self, kind: str, source: int, target: int) -> Team:
        """The team with a ship of a kind moved from one place (a bit) to another; 0 for neither."""
        if kind == "f":
            return self._replace(fighters=self.fighters & ~source | target)
        return self._replace(controls=self.controls & ~source | target)

    def owned(self, kind: str) -> int:
        """The number of its ships of a kind, in space and in reserve."""
        if kind == "f":
            return self.fighters.bit_count() + self.spare_fighters
        return self.controls.bit_count() + self.spare_controls

    def income(self, home: int) -> int:
        """What the stations it owns earn at `end`: 10 its own, 5 another coloured one, 20 the
        central one."""
        worth = {home: 10, STAR: 20}
        return sum(worth.get(place, 5) for place in bits(self.controls & STATION_MASK))


GONE = Team(0, 0, 0, 0, 0)
