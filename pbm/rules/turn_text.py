"""A turn of several moves as one text, as a player would type it."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.rules.errors import MoveError
from pbm.rules.game import Position

_SEPARATORS = (" ", ",", ", ", "; ")


def turn_text(position: Position, seat: int, moves: Sequence[str]) -> str:
    """The moves as one text that parses to exactly these moves; only the first if the notation
    cannot join them."""
    for separator in _SEPARATORS:
        text = separator.join(moves)
        if _reads_as(position, seat, text) == list(moves):
            return text
    return moves[0]


def _reads_as(position: Position, seat: int, text: str) -> list[str]:
    """The moves that the server would parse one after another; empty if it would refuse."""
    read, rest, turn = [], text, position.turn
    try:
        while rest and is_same_turn(position, seat, turn):
            move, rest = position.parse(rest, seat)
            rest = rest.strip()
            position = position.play(seat, move)
            read.append(move)
    except MoveError:
        return []
    return read if not rest else []


def is_same_turn(position: Position, seat: int, turn: int) -> bool:
    """Whether a seat's turn with that number goes on in a position."""
    return position.outcome is None and position.turn == turn and seat in position.to_move
