"""How strong each level is in each game: measured, never felt.

The work of a level is counted in playouts or positions, not in seconds, so that a level is the same
on any machine on which its work fits into the time of a turn. `python -m tests.bots.calibrate`
computes a row of the table, and `python -m tests.bots` measures what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbm.bots import LEVELS
from pbm.bots.evaluations import EVALUATIONS


class Strength(NamedTuple):
    """How well a bot plays a game.

    work   units of work of a turn: playouts of a tree search; None for as many as time allows
    slips  the chance that it plays a turn at a glance instead, without searching
    """

    work: int | None
    slips: float = 0.0


_FULL = Strength(None)
_GLANCE = Strength(0, 1.0)
_HALF_A_GLANCE = Strength(16, 0.5)
"""Level1 where pieces are counted: a glance would lose every game to a few positions of search."""
_DEFAULT = (5, 20, 80, 320)
"""The work of level2 to level5 in a game without a row."""
_WORK: Mapping[str, tuple[int, int, int, int]] = {}


def get_strength(game: str, name: str) -> Strength:
    """The strength of a bot with that name in a game."""
    if name not in LEVELS:
        return _FULL
    level = LEVELS.index(name)
    if level:
        return Strength(_WORK.get(game, _DEFAULT)[level - 1])
    return _HALF_A_GLANCE if game in EVALUATIONS else _GLANCE
