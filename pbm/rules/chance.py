"""Chance as a player: the questions that the server answers with an index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CHANCE = -1
"""The seat number of the server, for when dice, a draw or the clock must decide."""

NOBODY: frozenset[int] = frozenset()
CHANCE_TO_MOVE: frozenset[int] = frozenset({CHANCE})
SEAT_TO_MOVE: tuple[frozenset[int], ...] = tuple(frozenset({seat}) for seat in range(16))
"""`SEAT_TO_MOVE[2]` is the `to_move` of a position with only seat 2 on the move."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A question to chance. `outcomes` are canonical moves, each equally likely (a likelier one is
    listed several times); the server picks one by index and plays it as seat CHANCE."""

    kind: str
    outcomes: tuple[str, ...]


_ROLLS: dict[int, Chance] = {}
_SECOND = Chance("second", tuple(str(second) for second in range(60)))


def roll(sides: int) -> Chance:
    """Return the question for a die: `sides` outcomes, "1" to "sides"."""
    if sides not in _ROLLS:
        _ROLLS[sides] = Chance("roll", tuple(str(pip) for pip in range(1, sides + 1)))
    return _ROLLS[sides]


def pick(outcomes: Sequence[str]) -> Chance:
    """Return the question for a draw from a list, in the order of the list."""
    return Chance("pick", tuple(outcomes))


def second() -> Chance:
    """Return the question for the second hand of a clock: "0" to "59"."""
    return _SECOND
