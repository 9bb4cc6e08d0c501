"""How much an analysis searches: in work, as a level does, so that what it says of a turn does not
depend on how fast or how busy a machine is.

Work is counted in looks at whether to go on: a search takes one with each position or playout.
`python -m tools.bots.paces` measures the table."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.bots.evaluations import find_evaluation
from pbm.rules import Position

_POSITIONS, _PLAYOUTS = 5_000, 300
"""The usual paces where it can be told who is ahead, and where games are played out: with more
seats than two, and for games that others bring."""
_PACES: Mapping[str, int] = {
    "amazons": 700,
    "atarigo": 26_000,
    "ataxx": 33_000,
    "backgammon": 20_000,
    "brandubh": 60_000,
    "breakthrough": 42_000,
    "cephalopod": 770,
    "chess": 8_900,
    "chess960": 14_000,
    "clobber": 29_000,
    "connect6": 1_700,
    "corridor": 35_000,
    "cyclone": 1_000,
    "dotsandboxes": 38_000,
    "draughts": 46_000,
    "fanorona": 40_000,
    "fivepairs": 2_100,
    "fourinarow": 7_300,
    "gameofy": 5_100,
    "go": 260,
    "gomoku": 2_600,
    "gonnect": 620,
    "halma": 6_500,
    "havannah": 2_300,
    "hex": 3_800,
    "hexxagon": 41_000,
    "hnefatafl": 23_000,
    "hypergammon": 23_000,
    "internationaldraughts": 38_000,
    "kalah": 91_000,
    "konane": 12_000,
    "linesofaction": 29_000,
    "minishogi": 22_000,
    "modernreversi": 48_000,
    "morris": 39_000,
    "nackgammon": 23_000,
    "oware": 70_000,
    "pegs": 580,
    "qubic": 18_000,
    "reversi": 47_000,
    "russiandraughts": 48_000,
    "spacecradles": 48_000,
    "spacefighters": 710,
    "spacetruckin": 610,
    "sumito": 8_300,
    "tictactoe": 16_000,
    "turkishdraughts": 35_000,
    "xiangqi": 16_000,
    "yavalath": 28_000,
}
"""The looks in a second, of games with two seats."""


def count_work(position: Position, seconds: float) -> float:
    """Return the work of a search of a position that takes about so many seconds."""
    usual = _PLAYOUTS if find_evaluation(position) is None else _POSITIONS
    measured = _PACES if position.players == 2 else {}
    return seconds * measured.get(position.game.info.name, usual)
