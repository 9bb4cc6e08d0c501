"""Which daemon of this machine serves a database file: it holds a locked file beside it, in which
it notes its process and the files it has opened.

The lock goes with the process, so that a file left by a crash is known as such. A PostgreSQL has
none: its daemons may run anywhere."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import msgspec
from sqlalchemy import delete, select

from pbm.store.engine import FileIdentity, Store, require_places
from pbm.store.rows import Query
from pbm.store.tables import SettingRow, settings
from pbm.store.transaction import Session, insert_into
from pbm.version import find_version

_PATIENCE, _PAUSE = 0.5, 0.05
"""Seconds for which a lock is tried, and between two tries."""


class _Served(msgspec.Struct):
    """What a daemon notes in the file: its process, and the files of the database by path."""

    pid: int
    files: dict[str, FileIdentity]


class AlreadyServed(RuntimeError):
    """Another server uses the database file."""


@contextlib.contextmanager
def serve_alone(store: Store) -> Iterator[None]:
    """Keep other processes of this machine from serving the SQLite file during the block.
    AlreadyServed when one does."""
    path = _find_path(store)
    if path is None or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        yield
        return
    file = _lock(path)
    if file is None:
        others = find_daemons(store)
        who = f"process {others[0]}" if others else "it is starting or ending"
        raise AlreadyServed(f"another server has {store.path} ({who}): stop it first")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _lock(path: Path) -> int | None:
    """Lock a file, made if need be and emptied, and return it open; None while another process
    holds the lock. Checking for a daemon also locks it for a moment."""
    until = time.monotonic() + _PATIENCE
    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            if time.monotonic() > until:
                return None
            time.sleep(_PAUSE)
            continue
        if os.fstat(file).st_nlink:
            os.ftruncate(file, 0)
            return file
        os.close(file)  # its holder has just removed it


@contextlib.contextmanager
def announce(store: Store) -> Iterator[None]:
    """Note during the block that this process is ready, with its open files. AlreadyServed when
    another one is, which `serve_alone` cannot prevent if the folder did not exist before."""
    path = _find_path(store)
    with contextlib.ExitStack() as stack:
        if path is not None and not path.exists():
            stack.enter_context(serve_alone(store))
        if path is not None and path.exists():
            files = {os.path.abspath(name): place for name, place in store.list_files().items()}
            path.write_bytes(msgspec.json.encode(_Served(os.getpid(), files)))
        yield


def find_daemons(store: Store) -> list[int]:
    """Return the process id of the daemon, or no id when none is ready."""
    note = _read_note(store)
    return [note.pid] if note is not None else []


def require_files(store: Store) -> None:
    """Raise DatabaseReplaced when a daemon has other files open than the present ones. `store` is
    not opened for that."""
    note = _read_note(store)
    require_places(note.files if note is not None else {})


def _find_path(store: Store) -> Path | None:
    return Path(f"{store.path}-serve").absolute() if store.path is not None else None


def _read_note(store: Store) -> _Served | None:
    """Return the daemon's note; None when there is none, or not yet."""
    path = _find_path(store)
    if path is None or not path.exists():
        return None
    with contextlib.suppress(FileNotFoundError), path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            written = file.read()
            return msgspec.json.decode(written, type=_Served) if written else None
        path.unlink(missing_ok=True)  # a crash has left it
    return None


# The daemons of a database, on whichever hosts: each notes every minute that it is there.

_PREFIX = "daemon "
_SILENT = 180.0
"""Seconds without a note after which a daemon counts as silent; it notes each minute."""
FORGOTTEN = 7 * 86400.0
"""Seconds after which a silent daemon is removed from the list."""


@dataclass(frozen=True, slots=True)
class DaemonNote:
    """A daemon's note about itself.

    name     its host and listening addresses
    pid      its process
    version  its version
    since    when it started
    seen     when it noted this
    reloaded when it last reloaded its configuration, 0.0 for never
    wrong    the key of the file at which the reload failed, or ""
    """

    name: str
    pid: int
    version: str
    since: float
    seen: float
    reloaded: float = 0.0
    wrong: str = ""

    def is_silent(self, now: float) -> bool:
        """Whether it has noted nothing for minutes: it was killed, or its host is unreachable."""
        return now - self.seen > _SILENT


def introduce(name: str, now: float) -> DaemonNote:
    """Return the first note of this process."""
    return DaemonNote(name or socket.gethostname(), os.getpid(), find_version(), now, now)


def note(session: Session, daemon: DaemonNote, now: float) -> None:
    """Note that a daemon is running, and remove those that have been silent for a week."""
    value = json.dumps(asdict(replace(daemon, seen=now)))
    values = {"name": f"{_PREFIX}{daemon.name}", "value": value}
    row = insert_into(settings, is_sqlite=session.is_sqlite).values(**values)
    session.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
    for other in list_daemons(session):
        if now - other.seen > FORGOTTEN:
            leave(session, other)


def leave(session: Session, daemon: DaemonNote) -> None:
    """Remove a daemon that ends from the list."""
    session.execute(delete(settings).where(settings.c.name == f"{_PREFIX}{daemon.name}"))


def list_daemons(session: Session) -> list[DaemonNote]:
    """Return the daemons by name, including silent ones."""
    query = select(settings).where(settings.c.name.startswith(_PREFIX)).order_by(settings.c.name)
    return [DaemonNote(**json.loads(row.value)) for row in session.all(Query(SettingRow, query))]
