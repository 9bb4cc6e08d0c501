"""Alpha-beta search for two seats, nothing random, and a way to tell who is ahead.

Iterative deepening with a table of positions seen, killer moves and a history of good ones; where
the horizon cuts an exchange, captures are followed to their end. Of moves that are about equally
good one is drawn, so that few games are the same: on a small board, where often a single move is
best, some are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pbm.bots.evaluations import Evaluation
from pbm.bots.simple import Dice
from pbm.rules import Outcome, Position

_WIN = 10_000.0
_DEEPEST = 60
_QUIET = 8
"""The number of captures that are followed beyond the horizon."""
_MARGIN = 0.06
"""Moves whose values differ by less, in pieces, are equally good."""
_FIRST_TURNS, _FIRST_MARGIN = 8, 0.2
"""The same in the first turns, so that games part early."""
_CLEAR = 3.0
"""Pieces ahead that are as good as a win in three games of four."""
_POSITIONS = 60_000
"""The size of the table: some 20 MiB."""
_REPLIES = 1
"""The depth at which every reply to every move has been seen."""
_FIRST_LOOK = 20_000
"""Positions, about a second, after which that may be left: a board may be crowded with pieces that
take each other."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)


class _Enough(Exception):
    """The search is over."""


class AlphaBeta:
    """A search that goes one move deeper at a time. `work` counts the positions it has seen."""

    doubt = 0.0
    """Nothing that it finds is a matter of chance."""

    def __init__(self, position: Position, evaluation: Evaluation, dice: Dice) -> None:
        self._position = position
        self.work = 0
        self._has_seen_replies = False
        self._evaluation = evaluation
        self._dice = dice
        self._table: dict[str, tuple[int, int, float, str]] = {}
        self._killers: dict[int, str] = {}
        self._history: dict[tuple[int, str], int] = {}
        self._path: set[str] = set()
        self._values: dict[str, float] = {}
        self._whole: dict[str, float] = {}
        self._is_over: Callable[[], bool] = lambda: False

    @property
    def is_ready(self) -> bool:
        """Whether it has seen every reply to every move, or so much that it need not."""
        return self._has_seen_replies or self.work >= _FIRST_LOOK

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def _margin(self) -> float:
        return _FIRST_MARGIN if self._position.turn < _FIRST_TURNS else _MARGIN

    def run(self, enough: Callable[[], bool]) -> None:
        """Search deeper and deeper until `enough()`, or until the end of the game is in sight."""
        position, self._is_over = self._position, enough
        (seat,) = position.to_move
        moves = [(self._dice.random(), move) for move in position.legal_moves(seat)]
        moves.sort()
        order = [move for _, move in moves]
        order.sort(key=lambda move: not self._evaluation.takes(position, move))
        for depth in range(_DEEPEST):
            values: dict[str, float] = {}
            began = self.work
            try:
                self._look_at(order, seat, depth, values)
            except _Enough:
                if values.keys() >= {order[0]}:
                    self._values = values
                break
            self._values = self._whole = values
            self._has_seen_replies = self._has_seen_replies or depth >= _REPLIES
            order.sort(key=lambda move: -values[move])
            is_decided = abs(values[order[0]]) > _WIN / 2
            if is_decided or self.work == began or enough():
                break

    def _look_at(
        self, order: Sequence[str], seat: int, depth: int, values: dict[str, float]
    ) -> None:
        """Fill in the values of the moves at the root; only those near the best are exact."""
        best = -math.inf
        self._path.clear()
        for move in order:
            after = self._position.play(seat, move)
            lowest = best - self._margin
            values[move] = self._value_after(after, seat, depth, lowest, math.inf, 1)
            best = max(best, values[move])

    def best(self) -> str:
        """Return one of the best moves; any legal one if there was no time."""
        values = self._values
        if not values:
            (seat,) = self._position.to_move
            return self._dice.choice(self._position.legal_moves(seat))
        least = max(values.values()) - self._margin
        return self._dice.choice([move for move, value in values.items() if value > least])

    def prospect(self) -> float:
        """Return what the seat to move gets after the best move, from 0 (loses) to 1 (wins); a half
        if nothing was tried."""
        return _share(max(self._values.values())) if self._values else 0.5

    def list_values(self) -> list[tuple[str, float]]:
        """Return the moves searched with what the seat to move gets after each, best first; of bad
        ones only at most so much."""
        ranked = sorted(self._values.items(), key=lambda pair: -pair[1])
        return [(move, _share(value)) for move, value in ranked]

    def list_losses(self) -> list[tuple[str, float]]:
        """Return all moves with how much less the seat to move gets after each than after the best
        one, as deep as each was searched, best first; of bad ones at least so much."""
        losses: dict[str, float] = {}
        for values in (self._whole, self._values):
            best = max(values.values(), default=0.0)
            losses |= {move: _share(best) - _share(value) for move, value in values.items()}
        return sorted(losses.items(), key=lambda pair: pair[1])

    def compare(self, after: Sequence[Position], enough: Callable[[], bool]) -> list[float]:
        """Return what the seat to move gets in each of these positions after its turn, from 0 to 1,
        all searched to the same depth: until `enough()`, once it `is_ready`."""
        (seat,) = self._position.to_move
        values = [self._evaluation.judge(position, seat) for position in after]
        self._is_over = lambda: self.is_ready and enough()
        for depth in range(_DEEPEST):
            try:
                deeper = [self._value_exactly(position, seat, depth) for position in after]
            except _Enough:
                break
            values = deeper
            self._has_seen_replies = self._has_seen_replies or depth >= _REPLIES
            if all(abs(value) > _WIN / 2 for value in values):
                break
        return [_share(value) for value in values]

    def _value_exactly(self, position: Position, seat: int, depth: int) -> float:
        self._path.clear()
        return self._value_after(position, seat, depth, -math.inf, math.inf, 1)

    def advance(self, move: str) -> None:
        """Continue from the position after a move, keeping what was learnt about others."""
        (seat,) = self._position.to_move
        self._position = self._position.play(seat, move)
        self._values = self._whole = {}
        self._has_seen_replies = False

    def _value_after(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        """Return the value for a seat of a position after its move."""
        if position.outcome is not None:
            self._count()
            return _judge(position.outcome, seat, ply)
        (mover,) = position.to_move
        if mover == seat:
            return self._search(position, seat, depth, alpha, beta, ply)
        return -self._search(position, mover, depth, -beta, -alpha, ply)

    def _count(self) -> None:
        self.work += 1
        if self._is_over():
            raise _Enough

    def _search(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        """Return the value of a position for the seat to move."""
        self._count()
        if depth <= 0:
            return self._settle(position, seat, depth, alpha, beta, ply)
        key, first = position.key, ""
        if key is not None:
            if key in self._path:
                return 0.0
            entry = self._table.get(key)
            if entry is not None:
                at, kind, value, first = entry
                if at >= depth and (
                    kind == _EXACT
                    or (kind == _AT_LEAST and value >= beta)
                    or (kind == _AT_MOST and value <= alpha)
                ):
                    return value
            self._path.add(key)
        best, chosen, lowest = -math.inf, "", alpha
        for move in self._order(position, seat, ply, first):
            after = position.play(seat, move)
            value = self._value_after(after, seat, depth - 1, alpha, beta, ply + 1)
            if value > best:
                best, chosen = value, move
                alpha = max(alpha, value)
                if alpha >= beta:
                    self._killers[ply] = move
                    place = seat, move
                    self._history[place] = self._history.get(place, 0) + depth * depth
                    break
        if key is not None:
            self._path.discard(key)
            kind = _AT_LEAST if best >= beta else _EXACT if best > lowest else _AT_MOST
            if len(self._table) >= _POSITIONS:
                self._table.clear()
            self._table[key] = depth, kind, best, chosen
        return best

    def _settle(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        """Return the value at the horizon: as it stands, or after captures, which may be
        compulsory."""
        value = self._evaluation.judge(position, seat)
        if depth <= -_QUIET or not self._evaluation.follows:
            return value
        moves, takes = position.legal_moves(seat), self._evaluation.takes
        captures = [move for move in moves if takes(position, move)]
        if not captures:
            return value
        best = -math.inf if len(captures) == len(moves) else value
        alpha = max(alpha, best)
        for move in captures:
            if alpha >= beta:
                break
            after = position.play(seat, move)
            best = max(best, self._value_after(after, seat, depth - 1, alpha, beta, ply + 1))
            alpha = max(alpha, best)
        return best

    def _order(self, position: Position, seat: int, ply: int, first: str) -> list[str]:
        """Return the moves, those first that are likely to be good."""
        killer, history, takes = self._killers.get(ply), self._history, self._evaluation.takes

        def rank(move: str) -> float:
            if move == first:
                return -math.inf
            urgency = history.get((seat, move), 0) + 1e6 * takes(position, move)
            return -urgency - 1e5 * (move == killer)

        return sorted(position.legal_moves(seat), key=rank)


def _judge(outcome: Outcome, seat: int, ply: int) -> float:
    """Return what a result is worth to a seat: a sooner win more, a sooner loss less."""
    mine, other = outcome.ranks[seat], outcome.ranks[1 - seat]
    if mine == other:
        return 0.0
    return _WIN - ply if mine < other else ply - _WIN


def _share(value: float) -> float:
    """Return a value in pieces as a share of the game, from 0 to 1."""
    return (1 + math.tanh(value / (2 * _CLEAR))) / 2
