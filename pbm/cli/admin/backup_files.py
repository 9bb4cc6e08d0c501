"""Checks the file of a backup, whichever version made it, without touching it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from pbm.cli import REFUSED, TRY_AGAIN, CommandFailed
from pbm.store import migrate
from pbm.store.engine import Store

_SQLITE, _PG_DUMP = b"SQLite format 3\0", b"PGDMP"


def check(file: Path, find_problems: Callable[[Store], list[str]]) -> tuple[list[str], list[str]]:
    """Check a backup; what is to be known of it, and what is wrong. Failed for a file that is no
    backup, that cannot be read or that a newer version made."""
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_SQLITE))
        if head == _SQLITE:
            return _check_sqlite(file, find_problems)
    except (OSError, sqlite3.Error) as error:
        raise CommandFailed(f"{file} cannot be checked: {error}", TRY_AGAIN) from None
    if head.startswith(_PG_DUMP):
        return _check_dump(file)
    raise CommandFailed(f"{file} is no backup: neither SQLite's nor pg_dump's", REFUSED)


def _check_sqlite(
    file: Path, find_problems: Callable[[Store], list[str]]
) -> tuple[list[str], list[str]]:
    """Check a copy in this program's schema. What SQLite itself finds is checked first, since a
    damaged file cannot be upgraded."""
    with tempfile.TemporaryDirectory(prefix="pbm-check-") as folder:
        copy = Path(folder) / "pbm.db"
        shutil.copyfile(file, copy)
        wal = file.with_name(f"{file.name}-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name("pbm.db-wal"))
        damage = _find_damage(copy)
        if damage:
            return [], [f"SQLite finds: {damage}"]
        with contextlib.closing(Store(f"sqlite:///{copy}")) as store:
            revision = migrate.read_revision(store)
            if revision is None:
                raise CommandFailed(f"{file} is no database of pbm", REFUSED)
            remarks = []
            if revision != migrate.find_head():
                try:
                    migrate.upgrade(store)
                except migrate.SchemaError as error:
                    says = f"SQLite finds no damage; no board was replayed: {error}"
                    raise CommandFailed(f"{file}: {says}", REFUSED) from None
                remarks = [f"schema {revision}, checked as {migrate.find_head()} in a copy"]
            return remarks, find_problems(store)


def _find_damage(copy: Path) -> str:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        try:
            (result,) = connection.execute("PRAGMA quick_check").fetchone()
        except sqlite3.DatabaseError as error:
            return str(error)
    return "" if result == "ok" else str(result)


def _check_dump(file: Path) -> tuple[list[str], list[str]]:
    """Have pg_restore read all of it."""
    program = shutil.which("pg_restore")
    if program is None:
        raise CommandFailed("pg_restore is not installed (Debian: postgresql-client)", TRY_AGAIN)
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, "--file=/dev/null", str(file)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        return [], [f"pg_restore finds: {last[0]}"]
    remark = "pg_restore can read all of it; to replay its boards, restore it and check that"
    return [remark], []
