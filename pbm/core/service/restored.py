"""Keeps a database that was restored from a backup from repeating what was done since: the mails
that waited when the backup was made have been executed and sent by the database that is gone.

A backup is marked with its time. Of an SQLite database only the copy is marked; a PostgreSQL is
marked while its backup is written."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, insert, update

from pbm.core.service.due import EVERY, HEARTBEAT
from pbm.store import reads
from pbm.store.mail_outcome import MailOutcome
from pbm.store.queues import backlog
from pbm.store.tables import inbound, outbound, settings
from pbm.store.transaction import Session

MARK = "backup"


def mark_backup(session: Session, now: float) -> None:
    """Mark this database as a backup."""
    unmark_backup(session)
    session.execute(insert(settings).values(name=MARK, value=repr(now)))


def unmark_backup(session: Session) -> None:
    """Remove the mark of a backup."""
    session.execute(delete(settings).where(settings.c.name == MARK))


def hold_queues(session: Session, now: float) -> tuple[str, int, int] | None:
    """Set aside the incoming and drop the outgoing mails that wait in a restored database; the time
    of the backup and how many of each. None when the database was not restored. `pbm admin release`
    and `pbm admin retry` undo it, mail by mail."""
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
        .where(inbound.c.state == backlog.WAITING)
        .values(state=backlog.ASIDE, finished=now, code=MailOutcome.RESTORED.value, outcome=why)
        .returning(inbound.c.id)
    ).scalars()
    session.execute(update(inbound).where(inbound.c.faults > 0).values(faults=0))
    went = session.execute(
        update(outbound)
        .where(outbound.c.state == backlog.WAITING)
        .values(state=backlog.DROPPED, finished=now, why=why)
        .returning(outbound.c.id)
    ).scalars()
    return when, len(came.all()), len(went.all())
