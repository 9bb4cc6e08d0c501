"""The copy that is made beside an SQLite database before its schema is changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from pbm.core.due import MARK
from pbm.store.daily_counters import DAY

DAYS = 30
"""How long a copy is kept: it holds what players have since had erased."""
MOST = 3
"""How many copies are kept."""
_SPARE = 64 << 20
"""Bytes that must be free besides the copy."""


def copy_file(
    source: Path, target: Path, now: float, progress: Callable[[float], None] | None = None
) -> None:
    """Copy an SQLite database as of one moment, without blocking writers, and mark it as a backup.
    `progress` hears how much of it is done, from 0 to 1. OSError or sqlite3.Error when that fails;
    then there is no target."""
    partial = target.with_name(f"{target.name}.part")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _copy(source, partial, now, progress)
        os.replace(partial, target)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _copy(source: Path, target: Path, now: float, progress: Callable[[float], None] | None) -> None:
    with (
        contextlib.closing(sqlite3.connect(source, isolation_level=None)) as origin,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()  # this is the moment

        def report(_status: int, remaining: int, total: int) -> None:
            if progress is not None:
                progress(1 - remaining / max(total, 1))

        origin.backup(copy, pages=1024, progress=report, sleep=0)
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the copy is damaged")
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (MARK, repr(now))
        )
        copy.commit()


def name_copy(path: Path, schema: str) -> Path:
    """Return where the copy is made before an upgrade to a schema."""
    return path.with_name(f"{path.name}-before-{schema}")


def measure(path: Path) -> int:
    """Return the bytes of a database, with what is not yet written back into it."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def find_shortage(path: Path) -> str:
    """Return why there is no room for a copy beside a database; "" when there is."""
    needed = measure(path) + _SPARE
    free = shutil.disk_usage(path.parent).free
    if free >= needed:
        return ""
    return f"a copy needs {needed >> 20} MiB of {path.parent}, {free >> 20} MiB are free"


def remove_old_copies(path: Path, now: float) -> None:
    """Remove the copies of a database that are older than 30 days, and all but the newest three."""
    copies = sorted(
        path.parent.glob(f"{path.name}-before-[0-9][0-9][0-9][0-9]"),
        key=lambda copy: copy.stat().st_mtime,
        reverse=True,
    )
    for number, copy in enumerate(copies):
        if number >= MOST or copy.stat().st_mtime < now - DAYS * DAY:
            with contextlib.suppress(OSError):
                copy.unlink()
