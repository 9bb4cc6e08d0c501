"""Plays what players type."""

from __future__ import annotations

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.rules import MoveError
from pbm.rules.typed_moves import require_no_number, respell


def play_text(board: Board, seat: Seat, text: str, comment: str, now: float) -> str:
    """Play the text for a seat, respelled if need be; return "" or why the rest of it was dropped.
    Raises MoveError when nothing was played."""
    require_no_number(board.position, seat.seat, text)
    try:
        problem = board.play_text(seat.seat, text, comment, now)
    except MoveError as error:
        text = respell_move(board, seat.seat, text, error)
        problem = board.play_text(seat.seat, text, comment, now)
    return "" if problem is None else str(problem)


def respell_move(board: Board, seat: int, text: str, error: MoveError) -> str:
    """A text that the game refused, as the game reads it. Raises MoveError when it cannot be read,
    or not with certainty."""
    has_begun = board.ply > board.turn_ply
    return respell(board.position, seat, text, error, has_begun=has_begun)
