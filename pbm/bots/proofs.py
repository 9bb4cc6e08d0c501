"""The end of a game, solved: where few positions are left, a move that is proven to be best.

For two seats, nothing random, and games in which no position can come again. How many positions are
left is estimated from games at random (Knuth: Estimating the efficiency of backtrack programs,
1975)."""

from __future__ import annotations

import math
from collections.abc import Callable

from pbm.bots.simple import Dice, shares
from pbm.rules import Position

_MOST = 20_000
"""Positions that a proof may need by the estimate, and the size of the table."""
_ROOT = 2.6
"""A search for win, draw or loss alone, with a table, needs about this root of all positions."""
_GAMES = 4
"""Games at random that the estimate is made of."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)


class _Enough(Exception):
    """There is no time for the proof."""


def find_proven(position: Position, seat: int, dice: Dice, enough: Callable[[], bool]) -> str:
    """Return a move by which a seat wins, or draws if it cannot win, whatever the other one plays;
    "" if all lose, and if nothing is proven before `enough()`."""
    if position.players != 2 or "chance" in position.game.info.features or position.key is not None:
        return ""
    if not is_near_end(position, dice):
        return ""
    prover, best, chosen = _Prover(enough), 0.0, ""
    moves = sorted(position.legal_moves(seat), key=lambda move: dice.random())
    after = {move: position.play(seat, move) for move in moves}
    try:
        for move in sorted(after, key=lambda move: _count_answers(after[move])):
            share = prover.find_share(after[move], seat, best, 1.0)
            if share > best:
                best, chosen = share, move
            if best == 1.0:
                break
    except _Enough:
        return ""
    return chosen


def is_near_end(position: Position, dice: Dice) -> bool:
    """Whether a proof needs no more than so many positions, by the largest estimate."""
    most = _ROOT * math.log(_MOST)
    for _ in range(_GAMES):
        at, size = position, 0.0
        while at.outcome is None:
            (seat,) = at.to_move
            moves = at.legal_moves(seat)
            size += math.log(len(moves))
            if size > most:
                return False
            at = at.play(seat, dice.choice(moves))
    return True


def _count_answers(position: Position) -> int:
    """Return how many moves the next seat has; 0 at the end of the game."""
    return sum(len(position.legal_moves(seat)) for seat in position.to_move)


class _Prover:
    """An alpha-beta search to the end of the game, with a table of what is proven."""

    def __init__(self, enough: Callable[[], bool]) -> None:
        self._enough = enough
        self._table: dict[str, tuple[int, float]] = {}

    def find_share(self, position: Position, seat: int, alpha: float, beta: float) -> float:
        """Return what a seat gets from a position: exact between `alpha` and `beta`, else a
        bound."""
        if position.outcome is not None:
            return shares(position.outcome)[seat]
        (mover,) = position.to_move
        if mover != seat:
            return 1.0 - self.find_share(position, mover, 1.0 - beta, 1.0 - alpha)
        key = position.encode()
        kind, share = self._table.get(key, (_AT_LEAST, -1.0))
        if kind == _EXACT or (share >= beta if kind == _AT_LEAST else share <= alpha):
            return share
        if self._enough() or len(self._table) >= _MOST:
            raise _Enough
        best, lowest = 0.0, alpha
        following = [position.play(seat, move) for move in position.legal_moves(seat)]
        for after in sorted(following, key=_count_answers):
            best = max(best, self.find_share(after, seat, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        kind = _AT_LEAST if best >= beta else _EXACT if best > lowest else _AT_MOST
        self._table[key] = kind, best
        return best
