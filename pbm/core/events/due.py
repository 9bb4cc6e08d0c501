"""Events at a tick of the scheduler: what is due, and what a system clock set back leaves."""

from __future__ import annotations

from sqlalchemy import update

from pbm.core.events.announcing import announce_waiting
from pbm.core.kernel.boards.clock import WARNED
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.notices.notice import Notice
from pbm.store.event_tables import events
from pbm.store.reads.event_rows import find_due_events
from pbm.store.transaction import Session


def do_due(work: DueWork) -> list[Notice]:
    """Run the events that are due, and announce those that wait for it."""
    call, notices = work.context, list[Notice]()
    if is_due(call.session, call.now):
        from pbm.core.events.running import run_due_events  # seldom needed

        notices += run_due_events(work)
    return notices + announce_waiting(call)


def is_due(session: Session, now: float) -> bool:
    """Whether an event is due."""
    return bool(find_due_events(session, now, 1))


def repair_times(session: Session, last: float, now: float) -> None:
    """Have events looked at now that wait for a time in the future, and warn again."""
    session.execute(update(events).where(events.c.look > now).values(look=now))
    if last - now > WARNED:
        session.execute(update(events).where(events.c.state == "running").values(warned=None))
