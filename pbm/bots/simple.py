"""The bot `random`: any legal move, each equally likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from pbm.rules import Position

T = TypeVar("T")
Choose = Callable[[Sequence[str]], str]


class Dice(Protocol):
    """What a bot needs of a generator; a seeded `random.Random` is one."""

    def choice(self, seq: Sequence[T]) -> T:
        """One of them, each equally likely."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""


def random_move(position: Position, seat: int, choose: Choose) -> str:
    """A legal move of a seat on the move; ValueError if it has none."""
    moves = position.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has no move")
    return choose(moves)
