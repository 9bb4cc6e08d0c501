"""The state of a game of Space Cradles: board, platforms, eliminated seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbm.games.spacecradles.cells import COLOURS
from pbm.rules import NOBODY, SEAT_TO_MOVE, Outcome, Position, Value


@dataclass(frozen=True, slots=True)
class CradlesState(Position):
    """A position of Space Cradles, without the moves that change it.

    sides      for each seat the number of its colour
    board      one character per cell, see `cells`
    platforms  for each seat the pieces on its platform: `m` before any number of `d`
    seat       the seat on the move, or that was when the game ended
    begun      the seats that have begun their first turn
    open       whether the seat on the move has moved a drone and may bring in its mothership
    gone       the seats eliminated or resigned, one group for each moment, in order
    """

    players: int
    options: Mapping[str, Value]
    sides: tuple[int, ...]
    board: str
    platforms: tuple[str, ...]
    seat: int = 0
    turn: int = 0
    begun: frozenset[int] = frozenset()
    open: bool = False
    gone: tuple[tuple[int, ...], ...] = ()
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(*self.gone)

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(COLOURS[side] for side in self.sides)
