"""The analysis of a board as it is stored, and which boards may have one."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pbm.core.kernel.boards.board import Board
from pbm.store.analysis_queue import find_analysis
from pbm.store.backlog import DONE
from pbm.store.transaction import Session


class AnalysedTurn(Struct, frozen=True):
    """A turn, and the better one: `at` is the number of moves before it, `before` and `after` what
    its player could expect after the better turn and after the one that was played, from 0 to 1."""

    at: int
    seat: int
    played: str
    better: str
    before: float
    after: float


class Analysis(Struct, frozen=True):
    """What came of an analysis.

    by        the userid of the engine that analysed, or "" for the search of the server's own
    turns     those that cost most, that which cost most first
    curve     of two seats, what the first could expect after so many moves
    withheld  turns that were left out, as their positions stood on boards in play
    """

    by: str
    turns: tuple[AnalysedTurn, ...]
    curve: tuple[tuple[int, float], ...] = ()
    withheld: int = 0


def find_valid_analysis(session: Session, board: Board) -> Analysis | None:
    """Return the analysis of a board; None before it is done, and once the board has gone on."""
    if board.state != "over":
        return None
    row = find_analysis(session, board.id)
    if row is None or row.state != DONE or row.number != board.number:
        return None
    return msgspec.json.decode(row.result, type=Analysis)


def add_to_record(session: Session, board: Board) -> dict[str, Any]:
    """Return the analysis for the record of a board, where there is one."""
    analysis = find_valid_analysis(session, board)
    return {} if analysis is None else {"analysis": msgspec.to_builtins(analysis)}
