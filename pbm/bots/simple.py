"""What needs no search: a legal move, a win in one move, the share that a result gives each
seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from pbm.rules import Outcome, Position

T = TypeVar("T")
Choose = Callable[[Sequence[str]], str]


class Dice(Protocol):
    """What a bot needs of a generator; a seeded `random.Random` is one."""

    def choice(self, seq: Sequence[T]) -> T:
        """Return one of them, each equally likely."""

    def random(self) -> float:
        """Return a number from 0 up to, not including, 1."""


def random_move(position: Position, seat: int, choose: Choose) -> str:
    """Return a legal move of a seat on the move; ValueError if it has none."""
    moves = position.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has no move")
    return choose(moves)


def glance(position: Position, seat: int, dice: Dice, sees: float) -> str:
    """Return a move that wins at once, if there is one and it is seen, as often as `sees` says;
    otherwise any legal move."""
    win = find_win(position, seat) if dice.random() < sees else ""
    return win or random_move(position, seat, dice.choice)


def find_win(position: Position, seat: int) -> str:
    """Return a move that wins at once; "" if there is none."""
    for move in position.legal_moves(seat):
        outcome = position.play(seat, move).outcome
        if outcome is not None and outcome.winners == (seat,):
            return move
    return ""


def shares(outcome: Outcome) -> tuple[float, ...]:
    """Return each seat's share of a result: 1 for beating all others, 0 for losing to all, a half
    for each tie."""
    ranks = outcome.ranks
    others = len(ranks) - 1
    if not others:
        return (1.0,)
    return tuple(
        (sum(rank > mine for rank in ranks) + (sum(rank == mine for rank in ranks) - 1) / 2)
        / others
        for mine in ranks
    )
