"""The queue of analyses: boards to be analysed, and the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import BindParameter, bindparam, delete, func, insert, or_, select, update

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.features.analysis.tables import AnalysisRow, analyses, analysis_requests
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import DONE, FAILED, WAITING, boards, seat_members, seats
from pbm.store.transaction import Session

_LEASE = 180.0
"""Seconds after which another worker may take over a claimed analysis."""

_OF_BOARD = analyses.c.board_id == bindparam("board")
_ANALYSIS = Query(AnalysisRow, select(analyses).where(_OF_BOARD))
_IS_FREE = or_(
    analyses.c.claimed.is_(None),
    ~analyses.c.claimed.between(bindparam("since"), bindparam("now")),
)
_NEXT = Query(
    AnalysisRow,
    select(analyses)
    .where(analyses.c.state == WAITING, analyses.c.asked <= bindparam("now"), _IS_FREE)
    .order_by(analyses.c.asked, analyses.c.board_id)
    .limit(1),
)
_CLAIM = (
    update(analyses)
    .where(analyses.c.board_id == bindparam("key"), analyses.c.state == WAITING, _IS_FREE)
    .values(claimed=bindparam("now"))
)
_WHO_ASKED = (
    select(analysis_requests.c.player_id)
    .where(analysis_requests.c.board_id == bindparam("board"))
    .order_by(analysis_requests.c.at, analysis_requests.c.player_id)
)
_AHEAD = select(func.count()).where(
    analyses.c.state == WAITING, analyses.c.asked < bindparam("asked")
)
_PLAYERS: BindParameter[int] = bindparam("players", expanding=True)
_own_seats = select(seats.c.board_id).where(seats.c.player_id.in_(_PLAYERS))
_held = select(seat_members.c.board_id).where(seat_members.c.player_id.in_(_PLAYERS))
_RUNNING = select(boards.c.id).where(
    boards.c.id.in_(_own_seats.where(seats.c.rank.is_(None)).union_all(_held)),
    boards.c.game == bindparam("game"),
    boards.c.state == "running",
)
_JUST_OVER = select(boards.c.id).where(
    boards.c.id.in_(_own_seats.union_all(_held)),
    boards.c.game == bindparam("game"),
    boards.c.state.in_(("over", "cancelled")),
    boards.c.kept.is_not(None),
    boards.c.ended >= bindparam("since"),
)
_SETTLE = (
    update(boards)
    .where(
        boards.c.id == bindparam("board"),
        boards.c.number == bindparam("entry"),
        boards.c.state == "over",
        boards.c.kept.is_not(None),
    )
    .values(kept=None)
)


def find_analysis(session: Session, board: int) -> AnalysisRow | None:
    """Return the analysis of a board, done or not."""
    return session.first(_ANALYSIS, {"board": board})


def enqueue_analysis(session: Session, board: int, number: int, since: float) -> None:
    """Have a board analysed, not before `since`, as it is after the entry `number` of its log. An
    earlier analysis is deleted."""
    session.execute(delete(analyses).where(analyses.c.board_id == board))
    row = {"board_id": board, "number": number, "state": WAITING, "asked": since}
    session.execute(insert(analyses).values(row))


def note_request(session: Session, board: int, player: int, now: float) -> None:
    """Note that a player gets the analysis."""
    if player not in find_who_asked(session, board):
        row = {"board_id": board, "player_id": player, "at": now}
        session.execute(insert(analysis_requests).values(row))


def find_who_asked(session: Session, board: int) -> Sequence[int]:
    """Return the players who wait for an analysis, in the order of their requests."""
    return session.execute(_WHO_ASKED, {"board": board}).scalars().all()


def count_ahead(session: Session, row: AnalysisRow) -> int:
    """Return the number of analyses ahead of a waiting one."""
    return int(session.value(_AHEAD, {"asked": row.asked}))


def find_next_analysis(session: Session, now: float) -> AnalysisRow | None:
    """Return the analysis that has waited longest, of those that are due and not claimed."""
    return session.first(_NEXT, {"now": now, "since": now - _LEASE})


def claim_analysis(session: Session, board: int, number: int, now: float) -> bool:
    """Claim the analysis of a board, as it is after the entry `number` of its log, for a while.
    Return whether nobody else had claimed it. From now on nobody can take the board's end back."""
    params = {"key": board, "now": now, "since": now - _LEASE}
    if session.execute(_CLAIM, params).rowcount != 1:
        return False
    session.execute(_SETTLE, {"board": board, "entry": number})
    return True


def keep_analysis(session: Session, board: int, now: float | None) -> None:
    """Renew the claim on an analysis, or (None) give it up."""
    waits = (analyses.c.board_id == board) & (analyses.c.state == WAITING)
    session.execute(update(analyses).where(waits).values(claimed=now))


def finish_analysis(session: Session, board: int, result: str, now: float) -> None:
    """Store the result of an analysis; "" if it failed."""
    values = {"state": DONE if result else FAILED, "result": result, "finished": now}
    session.execute(update(analyses).where(analyses.c.board_id == board).values(values))
    session.execute(delete(analysis_requests).where(analysis_requests.c.board_id == board))


def find_running_boards(session: Session, game: str, players: Sequence[int]) -> Sequence[int]:
    """Return the numbers of the boards of a game on which any of these players is playing."""
    return session.execute(_RUNNING, {"game": game, "players": list(players)}).scalars().all()


def find_just_over(
    session: Session, game: str, players: Sequence[int], since: float
) -> Sequence[int]:
    """Return the numbers of the boards of a game on which any of these players played and whose
    end, no earlier than `since`, could be taken back."""
    params = {"game": game, "players": list(players), "since": since}
    return session.execute(_JUST_OVER, params).scalars().all()


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Yield finished analyses to delete, with the same delay as rows of mails."""
    if retention.rows_days:
        before = now - retention.rows_days * DAY
        ended = (analyses.c.state != WAITING) & (analyses.c.finished < before)
        yield OldRows((analyses.c.board_id,), ended)
