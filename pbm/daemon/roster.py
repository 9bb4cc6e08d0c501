"""The daemons of a database, on whichever hosts: each notes every minute that it is there."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass, replace

from sqlalchemy import delete, select

from pbm.store.rows import Query
from pbm.store.tables import SettingRow, settings
from pbm.store.transaction import Session, insert_into
from pbm.version import find_version

_PREFIX = "daemon "
_SILENT = 180.0
"""Seconds without a note after which a daemon counts as silent: it notes each minute."""
FORGOTTEN = 7 * 86400.0
"""Seconds after which one that was silent is taken off the list."""


@dataclass(frozen=True, slots=True)
class DaemonNote:
    """What a daemon says of itself.

    name     its host, and where it listens
    pid      its process
    version  what it runs
    since    when it started
    seen     when it noted this
    reloaded when it last read its configuration again, 0.0 for never
    wrong    the key of the file that kept it from that, "" if nothing did
    """

    name: str
    pid: int
    version: str
    since: float
    seen: float
    reloaded: float = 0.0
    wrong: str = ""

    def is_silent(self, now: float) -> bool:
        """Whether it has said nothing for minutes: it was killed, or its host is out of reach."""
        return now - self.seen > _SILENT


def introduce(name: str, now: float) -> DaemonNote:
    """Return the first note of this process."""
    return DaemonNote(name or socket.gethostname(), os.getpid(), find_version(), now, now)


def note(session: Session, daemon: DaemonNote, now: float) -> None:
    """Note that a daemon is there, and forget those that have been silent for a week."""
    value = json.dumps(asdict(replace(daemon, seen=now)))
    values = {"name": f"{_PREFIX}{daemon.name}", "value": value}
    row = insert_into(settings, is_sqlite=session.is_sqlite).values(**values)
    session.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
    for other in list_daemons(session):
        if now - other.seen > FORGOTTEN:
            leave(session, other)


def leave(session: Session, daemon: DaemonNote) -> None:
    """Take a daemon that ends off the list."""
    session.execute(delete(settings).where(settings.c.name == f"{_PREFIX}{daemon.name}"))


def list_daemons(session: Session) -> list[DaemonNote]:
    """Return the daemons by name, those included that were killed and have not come back."""
    query = select(settings).where(settings.c.name.startswith(_PREFIX)).order_by(settings.c.name)
    return [DaemonNote(**json.loads(row.value)) for row in session.all(Query(SettingRow, query))]
