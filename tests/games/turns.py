"""What the tests of games for more than two share: who is on the move, and what is typed."""

import pytest

from pbm.rules import MoveError, Position


def on_move(position: Position) -> int:
    """The one seat on the move."""
    (seat,) = position.to_move
    return seat


def listed(position: Position) -> set[str]:
    """Its legal moves."""
    return set(position.legal_moves(on_move(position)))


def typed(position: Position, text: str) -> Position:
    """Plays a typed text as the server does: parse, play, parse what is left."""
    seat = on_move(position)
    while text:
        move, text = position.parse(text, seat)
        position = position.play(seat, move)
    return position


def refusal(position: Position, move: str) -> str:
    """Why the seat on the move may not play that; it is not in the list of moves."""
    assert move not in listed(position)
    with pytest.raises(MoveError) as caught:
        position.play(on_move(position), move)
    return str(caught.value)
