"""Search for two seats and dice: each move is judged, then the best of them again, by what every
roll and the best answer to it make of the position.

With little work only some moves are looked at, drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Protocol

from pbm.bots.simple import Dice
from pbm.rules import CHANCE_TO_MOVE, Position

_MARGIN = 0.002
"""Moves whose values differ by less are equally good."""


class PositionJudge(Protocol):
    """How the search judges positions."""

    def judge(self, position: Position, seat: int) -> float:
        """Return what a seat is going to win, 1 being a game; also of positions that are over."""


class _Enough(Exception):
    """The search is over."""


class Expectimax:
    """The search. `work` counts the positions it has judged; it `is_ready` once it has judged every
    move."""

    doubt = 0.0
    """Nothing that it finds is a matter of chance."""

    def __init__(self, position: Position, judgement: PositionJudge, dice: Dice) -> None:
        self._position = position
        self._judgement = judgement
        self._dice = dice
        self.work = 0
        self.is_ready = False
        self._values: dict[str, float] = {}
        self._is_over: Callable[[], bool] = lambda: False

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    def run(self, enough: Callable[[], bool]) -> None:
        """Judge the moves, then look at what the dice and the other seat make of the best."""
        self._is_over = enough
        (seat,) = self._position.to_move
        moves = [(self._dice.random(), move) for move in self._position.legal_moves(seat)]
        after = {move: self._position.play(seat, move) for _, move in sorted(moves)}
        foreseen: dict[str, float] = {}
        try:
            for move, position in after.items():
                self._values[move] = self._judge(position, seat)
            self.is_ready = True
            for move in sorted(after, key=lambda move: -self._values[move]):
                foreseen[move] = self._foresee(after[move], seat, after[move].turn)
        except _Enough:
            pass
        if len(foreseen) > 1:
            most = min(foreseen.values())
            judged = {move: min(value, most) for move, value in self._values.items()}
            self._values = {**judged, **foreseen}

    def _judge(self, position: Position, seat: int) -> float:
        if self._values and self._is_over():
            raise _Enough
        self.work += 1
        return self._judgement.judge(position, seat)

    def _foresee(self, position: Position, seat: int, turn: int, dice: int = 2) -> float:
        """Return what a position is worth to a seat when the turn is over: `dice` are thrown,
        and played well."""
        if position.outcome is not None or position.turn != turn:
            return self._judge(position, seat)
        if position.to_move == CHANCE_TO_MOVE and position.chance is not None:
            if not dice:
                return self._judge(position, seat)
            answers = position.chance.outcomes
            return math.fsum(
                self._foresee(position.answer(answer), seat, turn, dice - 1) for answer in answers
            ) / len(answers)
        (mover,) = position.to_move
        values = [
            self._foresee(position.play(mover, move), seat, turn, dice)
            for move in position.legal_moves(mover)
        ]
        return max(values) if mover == seat else min(values)

    def best(self) -> str:
        """Return one of the best moves; any legal one if there was no time."""
        if not self._values:
            (seat,) = self._position.to_move
            return self._dice.choice(self._position.legal_moves(seat))
        least = max(self._values.values()) - _MARGIN
        return self._dice.choice([move for move, value in self._values.items() if value >= least])

    def prospect(self) -> float:
        """Return what the seat to move gets after the best move, from 0 (loses) to 1 (wins); a half
        if nothing was tried."""
        return _share(max(self._values.values())) if self._values else 0.5

    def list_values(self) -> list[tuple[str, float]]:
        """Return the moves judged with what the seat to move gets after each, best first."""
        shares = ((move, _share(value)) for move, value in self._values.items())
        return sorted(shares, key=itemgetter(1), reverse=True)

    def appraise(
        self, positions: Sequence[Position], seat: int, enough: Callable[[], bool]
    ) -> list[float]:
        """Return what a seat gets in each of these positions, from 0 to 1, all seen as far
        ahead."""
        self._is_over = enough
        self._values = {
            str(number): self._judgement.judge(position, seat)
            for number, position in enumerate(positions)
        }
        try:
            values = [self._foresee(position, seat, position.turn) for position in positions]
        except _Enough:
            values = [*self._values.values()]
        return [_share(value) for value in values]

    def advance(self, move: str) -> None:
        """Continue from the position after a move."""
        (seat,) = self._position.to_move
        self._position = self._position.play(seat, move)
        self._values = {}
        self.is_ready = False


def _share(value: float) -> float:
    """Return what is won, from -1 to 1, as a share from 0 to 1."""
    return min(max((1 + value) / 2, 0.0), 1.0)
