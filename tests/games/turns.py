"""Shared helpers of the tests of games with several moves a turn: the seat on the move, playing
typed text."""

from typing import TypeVar

import pytest

from pbm.rules import MoveError, Position

P = TypeVar("P", bound=Position)


def on_move(position: Position) -> int:
    """The only seat on the move."""
    (seat,) = position.to_move
    return seat


def legal_set(position: Position) -> set[str]:
    """Its legal moves."""
    return set(position.legal_moves(on_move(position)))


def play_text(position: P, text: str) -> P:
    """Play typed text as the server does: parse, play, parse what is left."""
    seat = on_move(position)
    while text:
        move, text = position.parse(text, seat)
        position = played(position, seat, move)
    return position


def played(position: P, seat: int, move: str) -> P:
    """The position after a move: it is of the same kind."""
    following = position.play(seat, move)
    assert isinstance(following, type(position))
    return following


def refusal(position: Position, move: str) -> str:
    """Why the seat on the move may not play that unlisted move."""
    assert move not in legal_set(position)
    with pytest.raises(MoveError) as caught:
        position.play(on_move(position), move)
    return str(caught.value)
