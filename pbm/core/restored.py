"""Keeps a database that was restored from a backup from repeating what was done since: the mails
that waited when the backup was made have been executed and sent by the database that is gone, and
dice that were rolled since are known.

A backup is marked with its time. Of an SQLite database only the copy is marked; a PostgreSQL is
marked while its backup is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import delete, insert, select, update

from pbm.core.heartbeat import EVERY, HEARTBEAT
from pbm.core.kernel.boards.storing import decode_former, encode_former
from pbm.core.kernel.secrets import compute_commitment
from pbm.games import get_game, list_game_names
from pbm.store import backlog, reads
from pbm.store.mail_outcome import MailOutcome
from pbm.store.tables import boards, inbound, outbound, settings
from pbm.store.transaction import Session

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
    """Return seconds since `pbm admin backup` last made one; None when it never has."""
    value = reads.read_setting(session, LAST)
    return None if value is None else max(0.0, round(now - float(value), 1))


def renew_dice(session: Session, entropy: Callable[[int], bytes]) -> int:
    """Give every open board of a game with dice another secret; how many there are. What was rolled
    there after the backup is known to its players, and would be rolled again."""
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
