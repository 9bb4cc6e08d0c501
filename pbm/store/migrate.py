"""Migrations run from code: `upgrade` brings a database to the schema this program knows.

Alembic is imported only when there is something to do: a daemon starts faster without it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import inspect, select, text
from sqlalchemy.engine import Connection

import pbm
from pbm.store.engine import Store
from pbm.store.transaction import Session

_LOCK = 0x70626D
_REVISION = select(text("version_num FROM alembic_version"))


class SchemaError(RuntimeError):
    """The database has a schema this program cannot work with; the text says which and why."""


def folder() -> Path:
    """Where the migrations lie: inside the installed package, or beside it in a checkout."""
    package = Path(pbm.__file__).parent
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


@cache
def head() -> str:
    """The newest revision this program knows, such as "0001"."""
    return max(path.name[:4] for path in (folder() / "versions").glob("[0-9]*.py"))


def current(store: Store) -> str | None:
    """The revision of the database; None when it is empty."""
    with store.engine.connect() as connection:
        return _current(connection)


def guard(session: Session) -> None:
    """SchemaError when another program has changed the schema under this one. It comes first in a
    transaction; a migration waits until that has ended."""
    found, known = str(session.execute(_REVISION).scalar()), head()
    if found != known:
        raise SchemaError(_differs(found, known))


def _differs(found: str | None, known: str) -> str:
    is_newer = found is not None and found > known
    advice = "install the newer pbm" if is_newer else "run: pbm admin db upgrade"
    return f"the database is at schema {found or 'none'}, pbm at {known}: {advice}"


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.scalar(_REVISION)
    return None if revision is None else str(revision)


def require(store: Store) -> None:
    """SchemaError unless the database has exactly the schema this program knows."""
    found, known = current(store), head()
    if found != known:
        raise SchemaError(_differs(found, known))


def upgrade(store: Store) -> None:
    """Bring the database to the newest schema, whole or not at all. SchemaError when it is newer
    than this program. Several daemons may call it at once: one works, the others wait."""
    found, known = current(store), head()
    if found == known:
        return
    if found is not None and found > known:
        raise SchemaError(_differs(found, known))
    from alembic import command
    from alembic.config import Config

    with store.writing() as session:
        connection = session.connection
        if not store.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if _current(connection) is not None:
                connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
        if _current(connection) == known:
            return
        config = Config()
        config.set_main_option("script_location", str(folder()).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
