"""Upgrades of the database with a net: a copy before, a row of the audit table after, and a trial
that changes nothing."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert, text

from pbm.daemon import safety_copy
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import audit
from pbm.store.transaction import Session
from pbm.version import find_version

_BYTES_A_SECOND = 20 << 20
"""How much of a database is written anew in a second, on a slow disk."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What was upgraded.

    before, after  the schemas
    copy           the copy of what was before
    why            why there is none
    """

    before: str
    after: str
    copy: Path | None
    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an upgrade will do.

    before, after  the schemas
    steps          each migration and its title
    size           the bytes of the database
    seconds        how long it may take
    is_tried       it took that long on a copy
    copy           where the copy of what was before will be
    why            why there will be none
    """

    before: str
    after: str
    steps: list[tuple[str, str]]
    size: int
    seconds: float
    is_tried: bool
    copy: Path | None
    why: str


def upgrade(store: Store, now: float, actor: str) -> Upgrade | None:
    """Bring the database to this program's schema, completely or not at all. None when it has it,
    or when another process has brought it there meanwhile."""
    made: list[Upgrade] = []

    def make_copy(before: str) -> None:
        copy, why = _copy(store, now)
        made.append(Upgrade(before, migrate.find_head(), copy, why))

    def record(session: Session) -> None:
        done = made[0]
        reason = f"schema {done.before} -> {done.after}, pbm {find_version()}"
        session.execute(insert(audit).values(at=now, actor=actor, action="upgrade", reason=reason))

    migrate.upgrade(store, before=make_copy, after=record)
    if store.path is not None:
        safety_copy.remove_old_copies(store.path, now)
    return made[0] if made else None


def _copy(store: Store, now: float) -> tuple[Path | None, str]:
    """Return the copy that was made, or why there is none."""
    if store.path is None:
        return None, _POSTGRESQL
    target = safety_copy.name_copy(store.path, migrate.find_head())
    if why := safety_copy.find_shortage(store.path):
        return None, why
    try:
        safety_copy.copy_file(store.path, target, now)
    except (OSError, sqlite3.Error) as error:
        return None, f"{target} cannot be written: {error}"
    return target, ""


_POSTGRESQL = "of PostgreSQL none is made: pbm admin backup FILE makes one"


def forecast(store: Store, now: float, clock: Callable[[], float]) -> Forecast | None:
    """Return what an upgrade would do; None when there is nothing to do. An SQLite database is
    upgraded in a copy, which is removed again; for PostgreSQL, the time is what it takes to write
    all of it anew."""
    before = migrate.read_revision(store)
    migrate.check_upgradable(before)
    after = migrate.find_head()
    if before is None or before == after:
        return None
    size, seconds, is_tried = _measure(store), 0.0, False
    copy, why = None, _POSTGRESQL
    if store.path is not None:
        why = safety_copy.find_shortage(store.path)
        if not why:
            copy, is_tried = safety_copy.name_copy(store.path, after), True
            seconds = _try(store, store.path, now, clock)
    if not is_tried:
        seconds = size / _BYTES_A_SECOND
    return Forecast(before, after, list(_list_steps(before)), size, seconds, is_tried, copy, why)


def _measure(store: Store) -> int:
    if store.path is not None:
        return safety_copy.measure(store.path)
    with store.engine.connect() as connection:
        return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _try(store: Store, path: Path, now: float, clock: Callable[[], float]) -> float:
    """Return the seconds that the upgrade of a copy takes."""
    with tempfile.TemporaryDirectory(prefix=f"{path.name}-trial-", dir=path.parent) as folder:
        copy = Path(folder) / path.name
        safety_copy.copy_file(path, copy, now)
        url = store.url.set(database=str(copy)).render_as_string(hide_password=False)
        with contextlib.closing(Store(url)) as trial:
            begun = clock()
            migrate.upgrade(trial)
            return clock() - begun


def _list_steps(before: str) -> Iterator[tuple[str, str]]:
    """Yield each migration that is missing, and the first sentence of its module."""
    for path in sorted((migrate.find_folder() / "versions").glob("[0-9]*.py")):
        if path.name[:4] > before:
            title = re.match(r'"""(.+?)(?:\.?"""|\.\s|\n\n)', path.read_text("utf-8"), re.DOTALL)
            yield path.name[:4], " ".join(title[1].split()) if title else path.stem
