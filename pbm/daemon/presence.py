"""Which daemons of this machine serve a database file: each holds a locked file beside it.

The lock goes with the process, so that a file left by a crash is known as such. A PostgreSQL has
none: its daemons may run anywhere."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pbm.store.engine import FileIdentity, Store, require_places


class AlreadyServed(RuntimeError):
    """Another server has the database file."""


@contextlib.contextmanager
def serve_alone(store: Store) -> Iterator[None]:
    """Keep other processes of this machine from serving the SQLite file while the block runs.
    AlreadyServed when one does. The lock is that of this process alone: it ends with it, whatever
    becomes of the processes that it has started."""
    prefix = _build_prefix(store)
    path = prefix and prefix.with_name(prefix.name.rstrip("-"))
    if path is None or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        yield
        return
    others = find_daemons(store)
    file = None if others else _lock(path)
    if file is None:
        who = f"process {others[0]}" if others else "it is starting or ending"
        raise AlreadyServed(f"another server has {store.path} ({who}): stop it first")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _lock(path: Path) -> int | None:
    """Lock a file, made if need be, and return it open; None while another process has it."""
    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return None
        if os.fstat(file).st_nlink:
            return file
        os.close(file)  # its holder has just removed it


@contextlib.contextmanager
def announce(store: Store) -> Iterator[None]:
    """Announce that this process serves the database while the block runs."""
    prefix = _build_prefix(store)
    if prefix is None:
        yield
        return
    find_daemons(store)
    path = prefix.with_name(f"{prefix.name}{os.getpid()}")
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        files = {os.path.abspath(name): place for name, place in store.list_files().items()}
        os.write(file, json.dumps(files).encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def find_daemons(store: Store) -> list[int]:
    """Return the process ids of the daemons; what a crash has left is removed."""
    prefix = _build_prefix(store)
    if prefix is None:
        return []
    running = []
    for path in sorted(prefix.parent.glob(f"{prefix.name}[0-9]*")):
        with contextlib.suppress(FileNotFoundError, ValueError):
            number = int(path.name.removeprefix(prefix.name))
            if _is_held(path):
                running.append(number)
            else:
                path.unlink()
    return running


def require_files(store: Store) -> None:
    """Raise DatabaseReplaced when a daemon has other files open than those that are there now.
    `store` is not opened for that."""
    prefix = _build_prefix(store)
    for number in find_daemons(store):
        if prefix is not None:
            noted = prefix.with_name(f"{prefix.name}{number}").read_text() or "{}"
            require_places(
                {name: FileIdentity(*place) for name, place in json.loads(noted).items()}
            )


def _build_prefix(store: Store) -> Path | None:
    path = store.url.database
    if not store.is_sqlite or not path or path == ":memory:":
        return None
    return Path(f"{path}-serve-").absolute()


def _is_held(path: Path) -> bool:
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
