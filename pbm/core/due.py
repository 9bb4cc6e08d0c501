"""Does what is due: what features have to do on boards whose time has come, and at each tick.

`do_due` runs inside the caller's transaction, does a bounded piece of the work and never commits. A
row only says when to check a board; whether anything is due is decided then."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sqlalchemy import case, func, select, update
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core import retention
from pbm.core.heartbeat import EVERY, record_heartbeat
from pbm.core.kernel.boards.clocks import find_next_check
from pbm.core.kernel.boards.storing import build_board
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.notices.held import build_summaries, has_summaries
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.secrets import Secrets
from pbm.store import reads
from pbm.store.tables import boards, inbound, seats
from pbm.store.transaction import Session

_MOST_BOARDS = 50
_POSTPONED_FOR = 600.0
"""Seconds until a board whose check failed is checked again."""
_OLDEST = select(func.min(inbound.c.received)).where(inbound.c.state == "waiting")


def do_due(
    session: Session,
    now: float,
    secrets: Secrets,
    config: Config,
    every: float = EVERY,
    failed: Callable[[str, int, Exception], object] = lambda kind, number, error: None,
    background: Any = None,
) -> list[Notice]:
    """Do what is due; the notices of it. Does nothing while another daemon is at it. The check of a
    board or event that fails is postponed, and reported to `failed` with its kind and number. What
    takes long to compute is asked of `background`, if there is one."""
    if not record_heartbeat(session, now, every):
        return []
    oldest = session.execute(_OLDEST).scalar()
    work = DueWork(
        Context(session, now, secrets, config),
        math.inf if oldest is None else oldest,
        failed,
        background,
    )
    notices = _check_boards(work, every)
    for do_more in find_hooks("due"):
        notices += do_more(work)
    notices += build_summaries(work.context)
    retention.clean_up(session, now, config.retention)
    return notices


def _check_boards(work: DueWork, every: float) -> list[Notice]:
    """Have features check a bounded number of the boards that are due."""
    session, now, notices = work.context.session, work.context.now, list[Notice]()
    query = select(boards.c.id).where(boards.c.look <= now).order_by(boards.c.look, boards.c.id)
    for number in session.execute(query.limit(_MOST_BOARDS)).scalars().all():
        try:
            with session.savepoint():
                notices += _check_board(work, number, every)
        except DBAPIError:
            raise
        except Exception as error:
            _postpone(session, number, now)
            work.failed("board", number, error)
    return notices


def _check_board(work: DueWork, number: int, every: float) -> list[Notice]:
    """Do what is due on one board, and schedule its next check."""
    session = work.context.session
    row = reads.try_lock_board(session, number)
    if row is None:
        return []
    board = build_board(session, row, reads.find_seats(session, number))
    notices: list[Notice] = []
    for check in find_hooks("on_board_due"):
        notices += check(work, board)
    look = find_next_check(board, session)
    if look is not None:
        look = max(look, work.context.now + every / 2)
    session.execute(update(boards).where(boards.c.id == board.id).values(look=look))
    return notices


def _postpone(session: Session, number: int, now: float) -> None:
    """Postpone the check of a board. Its clock stands still meanwhile, and its players are warned
    again before they lose anything."""
    stood = now - boards.c.look + _POSTPONED_FOR
    moved = boards.c.moved + case((boards.c.state == "running", stood), else_=0.0)
    values = {"look": now + _POSTPONED_FOR, "moved": moved}
    session.execute(update(boards).where(boards.c.id == number).values(**values))
    session.execute(update(seats).where(seats.c.board_id == number).values(due=None))


def has_more(session: Session, now: float, config: Config) -> bool:
    """Whether anything is due that the last tick left."""
    late = select(boards.c.id).where(boards.c.look <= now).limit(1)
    if session.execute(late).scalar() is not None or has_summaries(session, now):
        return True
    if any(is_due(session, now) for is_due in find_hooks("is_due")):
        return True
    return retention.has_more(session, now, config.retention)
