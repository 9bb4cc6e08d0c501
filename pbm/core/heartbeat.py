"""The heartbeat: by it the server knows when it was down, or its clock was set."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert, select, text, update

from pbm.core.kernel.boards.clock import WARNED
from pbm.core.kernel.feature import find_hooks
from pbm.games import list_missing_names
from pbm.store import reads
from pbm.store.tables import boards, inbound, outbound, pauses, seats, settings
from pbm.store.transaction import Session

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
    """Record that the server runs; whether it is this daemon's turn to tick. Time in which no
    server ran, or by which the system clock was set forward, counts on no player's clock. When the
    system clock was set back, no pause and no mail is left in the future."""
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
    """Shift the clocks of boards whose game is missing: they stood still for so long."""
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
    for repair in find_hooks("on_clock_back"):
        repair(session, last, now)
