"""Draws that one player may claim: by repetition, or by the game's own rule."""

from __future__ import annotations

from pbm.core.model.board import Board
from pbm.core.model.log import effective, entry_of, short_key
from pbm.store import reads
from pbm.store.transaction import Session


def occurrences(session: Session, board: Board) -> int:
    """How often the position on the board has stood, now included; 0 where that means nothing."""
    key = short_key(board.position)
    if not key:
        return 0
    start = board.game.setup(len(board.seats), board.options)
    log = effective(entry_of(row) for row in reads.log_of(session, board.id))
    return [short_key(start), *(entry.key for entry in log)].count(key)


def has_rolled(session: Session, board: int) -> bool:
    """Whether chance has ever answered at a board."""
    return any(row.kind == "chance" for row in reads.log_of(session, board))


def claim(session: Session, board: Board) -> str:
    """Why a player may make a draw of the board alone, as a clause; "" when none may."""
    if board.is_over:
        return ""
    if occurrences(session, board) >= 3:
        return "the position stands for the third time"
    return board.position.claim
