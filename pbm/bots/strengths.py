"""How strong each level is in each game: measured, never felt.

The work of a level is counted in playouts or positions, not in seconds, so that a level is the same
on any machine on which its work fits into the time of a turn. `python -m tools.bots.calibrate`
computes a row of the table, and `python -m tools.bots` measures what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from pbm.bots import LEVELS
from pbm.bots.evaluations import EVALUATIONS


class Strength(NamedTuple):
    """How well a bot plays a game.

    work   units of work of a turn: playouts of a tree search; None for as many as time allows
    slips  the chance that it plays a turn at a glance instead, without searching
    sees   how often a glance sees a move that wins at once
    worst  the chance that such a turn is the worst that it sees: where dice decide much, even moves
           at random win too often
    """

    work: int | None
    slips: float = 0.0
    sees: float = 0.5
    worst: float = 0.0


Level: TypeAlias = (
    int | tuple[int, float] | tuple[int, float, float] | tuple[int, float, float, float]
)
"""The work, and a strength's other numbers if it slips."""
Levels: TypeAlias = tuple[Level, Level, Level, Level, Level]
"""Of level1 to level5."""
_FULL = Strength(None)
_GLANCE = (0, 1.0)
_HALF_A_GLANCE = (16, 0.5)
"""Level1 where pieces are counted: a glance would lose every game to a few positions of search."""
_PLAYOUTS: Levels = (_GLANCE, 6, 30, 130, 520)
_POSITIONS: Levels = (_HALF_A_GLANCE, 10, 30, 120, 480)
"""The usual strengths where pieces are counted, for games without a row of their own."""
_ROWS: Mapping[str, Levels] = {
    "amazons": (_GLANCE, 5, 16, 52, 170),
    "atarigo": (_GLANCE, 17, 104, 234, 500),
    "ataxx": (_HALF_A_GLANCE, (16, 0.32), (16, 0.14), 18, 31),
    "backgammon": (_GLANCE, (2, 0.13), 3, 8, 93),
    "brandubh": (_GLANCE, (16, 0.62), (16, 0.09), 142, 449),
    "breakthrough": ((16, 0.62), (16, 0.36), (16, 0.17), (16, 0.03), 480),
    "cephalopod": (_GLANCE, 4, 7, 11, 16),
    "chess": (_HALF_A_GLANCE, (16, 0.33), (16, 0.19), 20, 36),
    "chess960": (_HALF_A_GLANCE, (16, 0.3), (16, 0.09), 23, 40),
    "clobber": (_GLANCE, 4, 16, 64, 218),
    "connect6": ((8, 0.7), (8, 0.38), (8, 0.23), (8, 0.06), 13),
    "corridor": (_HALF_A_GLANCE, (16, 0.2), (16, 0.01), 26, 44),
    "cradle": (_GLANCE, 9, 80, 260, 1500),
    "cyclone": (_GLANCE, 9, 14, 26, 46),
    "dotsandboxes": ((64, 1, 0.5, 1), (64, 0.64), (64, 0.34), (64, 0.03), 1500),
    "draughts": (_GLANCE, (6, 0.4), (8, 0.15), 10, 38),
    "fanorona": (_HALF_A_GLANCE, (16, 0.2), 16, 70, 210),
    "fivepairs": ((8, 0.6), (8, 0.26), 8, 65, 156),
    "fourinarow": (_GLANCE, 8, 20, 48, 189),
    "gameofy": (_GLANCE, (8, 0.48), (8, 0.1), 13, 35),
    "go": (_GLANCE, (4, 0.5), (4, 0.1), 7, 15),
    "gomoku": ((8, 0.6), (8, 0.15), 8, 25, 119),
    "gonnect": (_GLANCE, (6, 0.22), 8, 16, 42),
    "halma": (32, 49, 77, 135, 240),
    "havannah": (_GLANCE, 9, 32, 78, 148),
    "hex": (_GLANCE, (8, 0.66), 8, 15, 47),
    "hexxagon": ((16, 0.2), 20, 44, 96, 150),
    "hnefatafl": (_GLANCE, (16, 0.78), (16, 0.28), 120, 480),
    "hypergammon": ((18, 1, 0.5, 1), (18, 1, 0.5, 0.5), (18, 1, 0.5, 0.06), (18, 0.54), 100),
    "internationaldraughts": (_GLANCE, (6, 0.64), (6, 0.27), 6, 10),
    "kalah": (_GLANCE, _HALF_A_GLANCE, (16, 0.04), 43, 1000),
    "konane": (_HALF_A_GLANCE, 16, 35, 250, 800),
    "linesofaction": (_HALF_A_GLANCE, (16, 0.33), (16, 0.07), 77, 223),
    "minishogi": (_HALF_A_GLANCE, (16, 0.29), (16, 0.04), 29, 116),
    "modernreversi": (_HALF_A_GLANCE, (16, 0.25), (16, 0.09), 23, 43),
    "morris": (_HALF_A_GLANCE, 16, 40, 63, 80),
    "nackgammon": (_GLANCE, (2, 0.26), 3, 5, 47),
    "oware": (_HALF_A_GLANCE, 13, 20, 27, 47),
    "pegs": ((0, 1, 0.0), (6, 0.85), (6, 0.42), 8, 16),
    "qubic": (_GLANCE, 6, 18, 93, 278),
    "reversi": ((16, 0.35), (16, 0.14), 17, 34, 102),
    "russiandraughts": (_GLANCE, (6, 0.4), (8, 0.15), 13, 49),
    "spacecradles": ((8, 1, 0.5, 0.93), (8, 1, 0.5, 0.56), (8, 0.73), 135, 256),
    "spacefighters": ((4, 0.3), (4, 0.16), (4, 0.06), 8, 48),
    "spacetruckin": ((4, 0.58), (4, 0.44), (4, 0.31), (4, 0.17), 40),
    "sumito": ((16, 0.27), (16, 0.19), (16, 0.12), (16, 0.01), 19),
    "tictactoe": (_GLANCE, (20, 0.56), (20, 0.15), 57, 600),
    "turkishdraughts": (_GLANCE, (6, 0.4), (8, 0.15), 10, 15),
    "xiangqi": (_HALF_A_GLANCE, (16, 0.3), (16, 0.14), 20, 34),
    "yavalath": ((24, 1, 0.5, 1), (24, 1, 0.5, 0.68), (24, 0.62), 127, 800),
}


def get_strength(game: str, name: str) -> Strength:
    """Return the strength of a bot with that name in a game."""
    if name not in LEVELS:
        return _FULL
    usual = _POSITIONS if game in EVALUATIONS else _PLAYOUTS
    level = _ROWS.get(game, usual)[LEVELS.index(name)]
    return Strength(level) if isinstance(level, int) else Strength(*level)
