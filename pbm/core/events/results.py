"""How a board of an event ended, written down in the transaction in which it did."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import bindparam, case, update

from pbm.core.kernel.boards.board import Board
from pbm.rules.phrases import pack, phrase
from pbm.store.event_tables import events, pairings
from pbm.store.transaction import Session

_NOTE = (
    update(pairings)
    .where(pairings.c.board_id == bindparam("board"))
    .values(
        points=bindparam("to_each"),
        how=bindparam("ending"),
        note=bindparam("more"),
        late=bindparam("late_seat"),
        ended=bindparam("at"),
    )
)
_LOOK = (
    update(events)
    .where(events.c.id == bindparam("event"))
    .values(
        revision=events.c.revision + 1,
        look=case(
            (events.c.state != "running", events.c.look),
            (events.c.look < bindparam("at"), events.c.look),
            else_=bindparam("at"),
        ),
    )
)
_LEAVING = ("resign", "forfeit")


def note_result(session: Session, board: Board, now: float, _had_ranks: Sequence[int]) -> None:
    """Note how a board of an event has ended, or that it goes on after all, and have the scheduler
    look at its event. A result that can be taken back stands only when it no longer can."""
    if board.event is None or not (board.is_over or board.is_reopened):
        return
    at = max(now, board.settles)
    points, how, note = _describe_end(board)
    row = {
        "board": board.id,
        "to_each": None if points is None else json.dumps(points),
        "ending": how,
        "more": pack(note),
        "late_seat": _find_late_seat(board),
        "at": at if board.is_over else None,
    }
    session.defer(_NOTE, (row,))
    session.defer(_LOOK, ({"event": board.event, "at": at},))


def _find_late_seat(board: Board) -> int | None:
    """Return the seat whose time ran out last, in the act that ended the board."""
    late = [entry.seat for entry in board.entries if entry.kind == "forfeit"]
    return late[-1] if late and board.is_over else None


def _describe_end(board: Board) -> tuple[Sequence[float] | None, str, str]:
    """Return the points of each seat, how the board ended, and more about it."""
    from pbm.pairing.game_points import score_ranks  # seldom needed

    if not board.is_over:
        return None, "open", ""
    if board.state == "cancelled":
        if _is_withdrawn(board):
            return None, "annulled", phrase("the challenge was withdrawn")
        is_unanswered = not all(seat.accepted for seat in board.seats)
        if is_unanswered:
            ranks = [1 if seat.accepted else 2 for seat in board.seats]
            return score_ranks(ranks), "forfeit", phrase("the challenge was not accepted")
        if board.entries and board.entries[-1].comment:
            return None, "annulled", board.entries[-1].comment
        return [0.0] * len(board.seats), "forfeit", phrase("the time of all players ran out")
    outcome = board.outcome
    if outcome is None:
        raise ValueError("a board that is over has an outcome")
    points = score_ranks(outcome.ranks)
    kinds = {entry.kind for entry in board.entries}
    if "adjudicate" in kinds:
        return points, "adjudicated", outcome.reason
    if kinds.intersection(_LEAVING) and not all(seat.moved for seat in board.seats):
        return points, "forfeit", outcome.reason
    return points, "played", ""


def _is_withdrawn(board: Board) -> bool:
    """Whether the challenger gave the invitation up before it was answered."""
    last = board.entries[-1] if board.entries else None
    if last is None or last.kind != "cancel" or last.seat is None:
        return False
    return board.seats[last.seat].accepted
