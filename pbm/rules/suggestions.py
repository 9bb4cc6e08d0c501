"""Moves that a game gives as examples, chosen by the positions that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbm.rules.game import ENDING_WORDS, MOST_TRIED, Position, sort_from_middle


def choose_best(position: Position, seat: int, rate: Callable[[Any], float]) -> str:
    """Return the legal move after which the position is rated highest; of equal ones one that
    leaves the turn open, and is near the middle of the list. A word such as `pass` is chosen only
    where there is nothing else."""
    moves = sort_from_middle(position.legal_moves(seat))
    acts = [move for move in moves if move not in ENDING_WORDS] or moves

    def judge(move: str) -> tuple[float, bool]:
        after = position.play(seat, move)
        return rate(after), after.leaves_open(seat, position.turn)

    return max(acts[:MOST_TRIED], key=judge)
