"""Reads of the logs of boards."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from pbm.store.board_tables import MoveRow, moves
from pbm.store.rows import Query
from pbm.store.transaction import Session

_OF_BOARD = select(moves).where(moves.c.board_id == bindparam("id"))
_LOG = Query(MoveRow, _OF_BOARD.order_by(moves.c.number))
_LOG_END = Query(MoveRow, _OF_BOARD.order_by(moves.c.number.desc()).limit(bindparam("most")))


def find_log(session: Session, board: int) -> Sequence[MoveRow]:
    """Return the whole log of a board."""
    cache = session.prefetched
    if cache is not None and (rows := cache.logs.get(board)) and rows[0].number == 1:
        return rows
    return session.all(_LOG, {"id": board})


def find_end_of_log(session: Session, board: int, most: int) -> list[MoveRow]:
    """Return the last rows of a board's log, in order."""
    cache = session.prefetched
    if cache is not None and board in cache.logs:
        return cache.logs[board][-most:]
    return list(reversed(session.all(_LOG_END, {"id": board, "most": most})))
