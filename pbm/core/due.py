"""Does what is due: what features have to do on boards whose time has come, and at each tick.

`do_due` runs inside the caller's transaction, does a bounded piece of the work and never commits. A
row only says when to check a board; whether anything is due is decided then."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import bindparam, case, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core import retention
from pbm.core.board import find_next_check
from pbm.core.clock import WARNED
from pbm.core.context import Context, DueWork
from pbm.core.feature import list_hooks
from pbm.core.notices import Notice
from pbm.core.outgoing import build_summaries, has_summaries
from pbm.core.secrets import Secrets, compute_commitment
from pbm.core.storing import build_board, decode_former, encode_former
from pbm.games import get_game, list_game_names, list_missing_names
from pbm.store import reads
from pbm.store.mail_outcome import MailOutcome
from pbm.store.tables import (
    ASIDE,
    DROPPED,
    WAITING,
    boards,
    inbound,
    outbound,
    pauses,
    seats,
    settings,
)
from pbm.store.transaction import Session

# The heartbeat: by it the server knows when it was down, or its clock was set.

EVERY = 60.0
"""Seconds from one tick to the next."""
HEARTBEAT = "heartbeat"
_MISSED_TICKS = 3
"""Ticks without a heartbeat after which the server counts as having been down."""
_FIRST_BEAT = text(
    "INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
)
_LAST_BEAT = (
    select(settings.c.value).where(settings.c.name == HEARTBEAT).with_for_update(skip_locked=True)
)
_OUT_LATE = update(outbound).where(
    outbound.c.state == "waiting", outbound.c.next_attempt > bindparam("now")
)
_IN_LATE = update(inbound).where(
    inbound.c.state == "waiting", inbound.c.received > bindparam("now")
)


def record_heartbeat(session: Session, now: float, every: float = EVERY) -> bool:
    """Record that the server runs, and return whether it is this daemon's turn to tick. Time in
    which no server ran, or by which the system clock was set forward, counts on no player's clock.
    When the system clock was set back, no pause and no mail is left in the future."""
    value = session.execute(_LAST_BEAT).scalar()
    if value is None and reads.read_setting(session, HEARTBEAT) is not None:
        return False
    if value is None:
        session.execute(_FIRST_BEAT, {"name": HEARTBEAT, "value": repr(now)})
        value = repr(now)
    last = float(value)
    if now - last > _MISSED_TICKS * every:
        session.execute(insert(pauses).values(begins=last, ends=now, kind="down", created=now))
        later = seats.c.due + (now - last)
        session.execute(update(seats).where(seats.c.due > last).values(due=later))
    elif now > last:
        _hold_clocks(session, now - last)
    if now < last:
        down = pauses.c.kind == "down"
        session.execute(delete(pauses).where(down, pauses.c.begins >= now))
        session.execute(update(pauses).where(down, pauses.c.ends > now).values(ends=now))
    if last - now > _MISSED_TICKS * every:
        _repair_times(session, last, now)
    session.execute(update(settings).where(settings.c.name == HEARTBEAT).values(value=repr(now)))
    return True


def _hold_clocks(session: Session, seconds: float) -> None:
    """Shift the clocks of boards whose game is missing by the seconds for which they stood
    still."""
    names = list_missing_names()
    if not names:
        return
    waits = (boards.c.state == "running") & boards.c.game.in_(names)
    numbers = select(boards.c.id).where(waits)
    session.execute(
        update(seats).where(seats.c.board_id.in_(numbers)).values(due=seats.c.due + seconds)
    )
    later = {"moved": boards.c.moved + seconds, "look": boards.c.look + seconds}
    session.execute(update(boards).where(waits).values(**later))


def _repair_times(session: Session, last: float, now: float) -> None:
    """Repair what was stored while the system clock was fast: check everything anew, and repeat
    warnings of times in the future."""
    session.execute(update(boards).where(boards.c.look > now).values(look=now))
    session.execute(update(boards).where(boards.c.moved > now).values(moved=now))
    waiting = boards.c.state.in_(("sleeping", "invited"))
    session.execute(update(boards).where(waiting, boards.c.created > now).values(created=now))
    session.execute(_OUT_LATE.values(next_attempt=now), {"now": now})
    session.execute(_IN_LATE.values(received=now), {"now": now})
    if last - now > WARNED:
        session.execute(update(seats).where(seats.c.due > last).values(due=None))
    for repair in list_hooks(lambda each: each.on_clock_back):
        repair(session, last, now)


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
    background: object = None,
) -> list[Notice]:
    """Do what is due, and return the notices of it. Nothing is done while another daemon does it.
    The check of a board or event that fails is postponed, and reported to `failed` with its kind
    and number. `background`, if there is one, computes what takes long."""
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
    for do_more in list_hooks(lambda each: each.due):
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
    for check in list_hooks(lambda each: each.on_board_due):
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
    if any(is_due(session, now) for is_due in list_hooks(lambda each: each.is_due)):
        return True
    return retention.has_more(session, now, config.retention)


# Keeps a database that was restored from a backup from repeating what was done since: the mails
# that waited when the backup was made have been executed and sent by the database that is gone,
# and dice that were rolled since are known.
#
# A backup is marked with its time. Of an SQLite database only the copy is marked; a PostgreSQL
# is marked while its backup is written.

MARK = "backup"
LAST = "last backup"


def mark_backup(session: Session, now: float) -> None:
    """Mark this database as a backup."""
    unmark_backup(session)
    session.execute(insert(settings).values(name=MARK, value=repr(now)))


def unmark_backup(session: Session) -> None:
    """Remove the mark of a backup."""
    session.execute(delete(settings).where(settings.c.name == MARK))


def note_backup(session: Session, now: float) -> None:
    """Note in a database that a backup of it was made."""
    session.execute(delete(settings).where(settings.c.name == LAST))
    session.execute(insert(settings).values(name=LAST, value=repr(now)))


def measure_backup_age(session: Session, now: float) -> float | None:
    """Return the seconds since the last `pbm admin backup`; None if there was none."""
    value = reads.read_setting(session, LAST)
    return None if value is None else max(0.0, round(now - float(value), 1))


def renew_dice(session: Session, entropy: Callable[[int], bytes]) -> int:
    """Give every open board of a game with dice another secret, and return how many there are. What
    was rolled there after the backup is known to its players, and would be rolled again."""
    names = [name for name in list_game_names() if "chance" in get_game(name).info.features]
    is_open = boards.c.state.in_(("sleeping", "invited", "running")) & boards.c.game.in_(names)
    numbers = session.execute(select(boards.c.id).where(is_open)).scalars().all()
    for number in numbers:
        row = reads.find_board(session, number, lock=True)
        if row is None:
            continue
        former = [*decode_former(row.former), (row.number, row.secret)]
        secret = entropy(32)
        session.execute(
            update(boards)
            .where(boards.c.id == number)
            .values(
                secret=secret,
                commitment=compute_commitment(secret),
                former=encode_former(former),
            )
        )
    return len(numbers)


def hold_queues(session: Session, now: float) -> tuple[str, int, int] | None:
    """Set aside the incoming and drop the outgoing mails that wait in a restored database. Return
    the time of the backup and how many of each; None when the database was not restored. `pbm admin
    release` and `pbm admin retry` undo it, mail by mail."""
    value = reads.read_setting(session, MARK)
    if value is None:
        return None
    unmark_backup(session)
    copied_at = float(value)
    beat = reads.read_setting(session, HEARTBEAT)
    if beat is not None and float(beat) > copied_at + EVERY:
        return None  # a backup that was killed, of a server that went on
    when = f"{datetime.fromtimestamp(copied_at, UTC):%Y-%m-%d %H:%M} UTC"
    why = f"waited when the backup of {when} was made"
    came = session.execute(
        update(inbound)
        .where(inbound.c.state == WAITING)
        .values(state=ASIDE, finished=now, code=MailOutcome.RESTORED.value, outcome=why)
        .returning(inbound.c.id)
    ).scalars()
    session.execute(update(inbound).where(inbound.c.faults > 0).values(faults=0))
    went = session.execute(
        update(outbound)
        .where(outbound.c.state == WAITING)
        .values(state=DROPPED, finished=now, why=why)
        .returning(outbound.c.id)
    ).scalars()
    return when, len(came.all()), len(went.all())
