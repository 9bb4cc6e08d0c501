"""Who is ahead in backgammon and its relatives: the race, the blots, the points made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from pbm.bots.expectimax import PositionJudge
from pbm.rules import Position

_BAR = 25
_SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
"""In how many of 36 rolls a man at that distance is hit."""
_TO_ROLL = 4.0
"""The pips that the side to roll is ahead by."""
_CALM = 0.35
"""How dangerous blots of the side to roll are, compared with the other's."""
_HOME, _ANCHOR, _PRIME, _HELD = 2.5, 3.0, 0.7, 2.0
"""In pips: a point made at home, one in the other home, the square of a prime's length, a point
that the other side holds at home when one's own man is on the bar or hit."""
_EVEN = 28.0
"""The pips ahead that win about seven games of eight, with men still in contact."""
_CUBE = 0.25
"""What it is worth to own the cube."""

Men = tuple[int, ...]
"""How many men of a side are off, on its points 1 to 24, and on the bar."""


class MatchJudgement:
    """The judgement of a match: the points scored, and those that the game is going to bring."""

    def judge(self, position: Position, seat: int) -> float:
        outcome, points = position.outcome, float(position.options["points"])
        if outcome is not None:
            won = max(1.0, 2 * points - 2)
            return won if outcome.ranks[seat] == 1 else -won
        men, side, phase, _, cube, owner, score, *_ = position.dump()
        ahead = _judge_men(men[side], men[1 - side])
        if phase == "opening":
            ahead = 0.0
        if phase == "doubled":
            ahead, cube = min(2 * ahead - 2 * _CUBE, 1.0), float(cube)
        elif owner >= 0:
            ahead += _CUBE if owner == side else -_CUBE
        ahead = float(cube * ahead + score[side] - score[1 - side])
        return ahead if seat == side else -ahead


@lru_cache(maxsize=1 << 15)
def _judge_men(own: str, other: str) -> float:
    """Return what the side to roll is going to win, from -1 to 1. Men are a digit for each place,
    from the bar down."""
    mine, theirs = _read(own), _read(other)
    ahead = _count_pips(theirs) - _count_pips(mine) + _TO_ROLL
    if _find_rearmost(mine) + _find_rearmost(theirs) <= _BAR:
        total = _count_pips(mine) + _count_pips(theirs)
        return math.tanh(ahead / (0.09 * total + 4.0))
    ahead += _judge_points(mine, theirs) - _judge_points(theirs, mine)
    ahead += _count_danger(theirs, mine) - _CALM * _count_danger(mine, theirs)
    return math.tanh(ahead / _EVEN)


def _read(text: str) -> Men:
    return tuple([int(digit, 16) for digit in reversed(text)])


def _count_pips(men: Men) -> int:
    return sum([place * count for place, count in enumerate(men)])


def _find_rearmost(men: Men) -> int:
    return next((place for place in range(_BAR, 0, -1) if men[place]), 0)


def _judge_points(men: Men, others: Men) -> float:
    """Return, in pips, what the points that a side holds are worth to it."""
    made = [count > 1 for count in men]
    value = _HOME * sum(made[1:7]) + _ANCHOR * sum(made[19:25])
    value += _HELD * others[_BAR] * sum(made[1:7])
    rearmost = _BAR - _find_rearmost(others)
    longest = run = 0
    for place in range(rearmost + 1, 16):
        run = run + 1 if made[place] else 0
        longest = max(longest, run)
    return value + _PRIME * longest * longest


def _count_danger(men: Men, others: Men) -> float:
    """Return, in pips, what a side is going to lose by its blots."""
    held = _HELD * sum([others[place] > 1 for place in range(1, 7)])
    lost = 0.0
    for place in range(1, _BAR):
        if men[place] != 1:
            continue
        safe = 1.0
        for far in range(1, len(_SHOTS)):
            from_there = _BAR - place + far
            if from_there <= _BAR and others[from_there]:
                safe *= 1 - _SHOTS[far] / 36
        lost += (1 - safe) * (_BAR - place + held)
    return lost


JUDGEMENTS: Mapping[str, PositionJudge] = {
    name: MatchJudgement() for name in ("backgammon", "nackgammon", "hypergammon")
}
