"""How strong each level is in each game: measured, never felt.

The work of a level is counted in playouts or positions, not in seconds, so that a level is the same
on any machine on which its work fits into the time of a turn. `python -m tests.bots.calibrate`
computes a row of the table, and `python -m tests.bots` measures what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

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
_COMPULSORY = {"draughts", "internationaldraughts", "russiandraughts", "turkishdraughts"}
"""Games in which captures must be made: beginners play them like chance, so level1 does too."""
_SLIPS = (1.0, 0.4, 0.15, 0.0, 0.0)
"""The chance of each level to play a turn of them at a glance."""
Work: TypeAlias = tuple[int, int, int, int]
"""Of level2 to level5."""
_PLAYOUTS: Work = (6, 30, 130, 520)
_POSITIONS: Work = (10, 30, 120, 480)
"""What is usual where pieces are counted, for games without a row of their own."""
_SLOW: Work = (4, 12, 32, 80)
"""Where a playout takes a fiftieth of a second."""
_WORK: Mapping[str, Work] = {
    "amazons": (6, 24, 90, 300),
    "backgammon": (2, 4, 12, 3000),
    "breakthrough": (8, 30, 180, 1200),
    "clobber": (4, 16, 110, 616),
    "cradle": (5, 40, 260, 1500),
    "draughts": (6, 8, 10, 38),
    "fanorona": (11, 48, 191, 510),
    "fourinarow": (7, 24, 65, 243),
    "gameofy": (8, 40, 200, 1500),
    "go": (4, 16, 60, 240),
    "gonnect": (5, 16, 50, 150),
    "hex": (8, 40, 200, 1500),
    "hypergammon": (2, 3, 6, 1000),
    "internationaldraughts": (6, 8, 12, 40),
    "kalah": (8, 40, 700, 10_000),
    "nackgammon": (2, 4, 12, 3000),
    "oware": (13, 20, 27, 47),
    "pegs": _SLOW,
    "qubic": (9, 92, 299, 711),
    "russiandraughts": (6, 8, 13, 49),
    "turkishdraughts": (6, 8, 10, 15),
}


def get_strength(game: str, name: str) -> Strength:
    """The strength of a bot with that name in a game."""
    if name not in LEVELS:
        return _FULL
    level = LEVELS.index(name)
    is_counted = game in EVALUATIONS
    if not level:
        return _HALF_A_GLANCE if is_counted and game not in _COMPULSORY else _GLANCE
    work = _WORK.get(game, _POSITIONS if is_counted else _PLAYOUTS)[level - 1]
    return Strength(work, _SLIPS[level] if game in _COMPULSORY else 0.0)
