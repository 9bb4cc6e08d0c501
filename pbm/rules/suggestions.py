"""Moves as examples: sensible ones, that leave open what more the turn allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.typed_moves import ends_turn

if TYPE_CHECKING:
    from pbm.rules.game import Position

_MOST_TRIED = 500
"""Moves that are tried: a mail waits for its example."""


def choose_middle(position: Position, seat: int) -> str:
    """Return a legal move from the middle of the list, of those that do not end the turn if there
    are any; never a word such as `pass` where there is something else. Where things are hidden or
    sealed no move is tried, for what comes of it is not known."""
    moves = position.legal_moves(seat)
    middle = moves[len(moves) // 2]
    is_tried = not position.moves_once and not position.game.info.features & {"hidden", "sealed"}
    if len(moves) == 1 or not (is_tried or ends_turn(middle)):
        return middle
    moves = _sort_by_place(moves)
    for move in moves[: _MOST_TRIED * is_tried]:
        if leaves_open(position.play(seat, move), seat, position.turn):
            return move
    return next((move for move in moves if not ends_turn(move)), middle)


def choose_best(position: Position, seat: int, rate: Callable[[Any], float]) -> str:
    """Return the legal move after which the position is rated highest; of equal ones one as
    `choose_middle` has it. A word such as `pass` is chosen only where there is nothing else."""
    moves = _sort_by_place(position.legal_moves(seat))
    acts = [move for move in moves if not ends_turn(move)] or moves

    def judge(move: str) -> tuple[float, bool]:
        after = position.play(seat, move)
        return rate(after), leaves_open(after, seat, position.turn)

    return max(acts[:_MOST_TRIED], key=judge)


def leaves_open(after: Position, seat: int, turn: int) -> bool:
    """Whether a seat's turn with that number goes on after its move, if need be after a roll."""
    if after.outcome is not None or after.turn != turn:
        return False
    return seat in after.to_move or after.to_move == CHANCE_TO_MOVE


def _sort_by_place(moves: Sequence[str]) -> list[str]:
    """Return moves from the middle of their list outwards."""
    middle = len(moves) // 2
    order = sorted(range(len(moves)), key=lambda number: abs(number - middle))
    return [moves[number] for number in order]
