"""Migrations, run from code: `upgrade` brings a database to this program's schema.

Alembic is imported only when there is something to do, so that the daemon starts faster."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sqlalchemy import insert, inspect, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

import pbm
from pbm.store.engine import Store
from pbm.store.tables import settings
from pbm.store.transaction import NOT_AVAILABLE, Session

FIRST = "0100"
"""The schema of 0.2.0, the oldest that is upgraded."""

_LOCK = 0x70626D
_MOST_WAITED = 300
"""Milliseconds for which mails that are being sent are awaited."""
_PAUSE = 0.2
_ATTEMPTS = 300
_REVISION = select(text("version_num FROM alembic_version"))


class SchemaError(RuntimeError):
    """The database does not have this program's schema; the text says which, and what to do."""


class NoDatabase(SchemaError):
    """There is no database, or none with tables of this program; nobody makes one unasked."""


class NotEmpty(SchemaError):
    """There is a database already, of this program or of another; the text says which."""


class OldSchema(SchemaError):
    """The database is older than 0.2.0, or was made by a commit between releases."""


class NewerSchema(SchemaError):
    """The database was made by a newer version of this program: nothing but that one can use it."""


def find_folder() -> Path:
    """Return the folder of the migrations: inside the installed package, or beside it in a
    checkout."""
    package = Path(pbm.__file__).parent
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


@cache
def list_revisions() -> frozenset[str]:
    """Return the revisions from which this program can upgrade, its newest included."""
    return frozenset(path.name[:4] for path in (find_folder() / "versions").glob("[0-9]*.py"))


def find_head() -> str:
    """Return the newest revision of this program, such as "0001"."""
    return max(list_revisions())


def read_revision(store: Store) -> str | None:
    """Return the revision of the database; None when it is empty."""
    with store.engine.connect() as connection:
        return _read_revision(connection)


def check_revision(session: Session, newest: str = "") -> None:
    """Raise SchemaError when the database has been migrated meanwhile; `newest` is this program's
    schema, where its files are not to be read. Called first in a transaction, it makes migrations
    wait until that ends."""
    revision = str(session.value(_REVISION))
    if revision != (newest or find_head()):
        raise SchemaError(_describe_mismatch(revision, newest or find_head()))


def _describe_mismatch(revision: str | None, newest: str) -> str:
    """Return the schemas of a database and of this program, and what to do about it."""
    advice = "run: pbm admin db upgrade"
    if revision is not None and revision > newest:
        advice = "install the newer pbm"
    elif revision is not None and revision < FIRST:
        advice = "run, in a clone of pbm 0.2.0: python -m tools.bridge DATABASE_URL"
    elif revision is not None and revision not in list_revisions():
        advice = "no release has that schema; restore a backup of 0.2.0 or later"
    return f"the database is at schema {revision or 'none'}, pbm at {newest}: {advice}"


def _read_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.scalar(_REVISION)
    return None if revision is None else str(revision)


def exists(store: Store) -> bool:
    """Whether there is a database of this program, at any schema. Nothing is made by looking."""
    if store.path is not None and not store.path.exists():
        return False
    return read_revision(store) is not None


def require_database(store: Store) -> None:
    """Raise NoDatabase unless there is a database of this program, at any schema."""
    if not exists(store):
        raise NoDatabase(f"no database at {describe(store)}: pbm admin db create makes one")


def describe(store: Store) -> str:
    """Return where the database is: the file, or the URL without a password."""
    return str(store.path or store.url.render_as_string(hide_password=True))


def make_file(store: Store) -> None:
    """Make the SQLite file where it is missing: empty, and nobody else's to read."""
    if store.path is not None:
        store.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(store.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))


def create(store: Store) -> None:
    """Make a database where there is none, with this program's tables: an SQLite file that is
    missing, or a database without tables. NotEmpty when there is one."""
    make_file(store)
    names = inspect(store.engine).get_table_names()
    if "alembic_version" in names:
        raise NotEmpty(f"there is a database at {describe(store)} already")
    if names:
        raise NotEmpty(f"{describe(store)} is not empty: it has a table {min(names)}")
    upgrade(store)


def require(store: Store) -> None:
    """Raise SchemaError unless the database has exactly this program's schema."""
    revision = read_revision(store)
    if revision != find_head():
        raise SchemaError(_describe_mismatch(revision, find_head()))


def upgrade(
    store: Store,
    before: Callable[[str], None] | None = None,
    after: Callable[[Session], None] | None = None,
) -> None:
    """Bring the database to this program's schema, in one transaction. NewerSchema when it is newer
    than the program, OldSchema when it is of no release since 0.2.0. Several daemons may call it
    at once: one migrates, the others wait. The one that migrates a database with tables calls
    `before` with its revision and `after` with the transaction."""
    revision = read_revision(store)
    if revision == find_head():
        return
    check_upgradable(revision)
    for _ in range(_ATTEMPTS):
        try:
            _upgrade_at_once(store, before, after)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") != NOT_AVAILABLE:
                raise
            time.sleep(_PAUSE)
        else:
            return
    raise SchemaError("another server of this database is sending mails: stop it, then upgrade")


def _upgrade_at_once(
    store: Store, before: Callable[[str], None] | None, after: Callable[[Session], None] | None
) -> None:
    """Run the migrations, unless another daemon has. DBAPIError while one is sending mails."""
    with store.writing() as session:
        found = lock(session)
        if found == find_head():
            return
        if found is not None and before is not None:
            before(found)
        run(session.connection, find_folder())
        if found is not None and after is not None:
            after(session)


def check_upgradable(revision: str | None) -> None:
    """Raise NewerSchema or OldSchema for a revision that this program cannot upgrade."""
    if revision is not None and revision > find_head():
        raise NewerSchema(_describe_mismatch(revision, find_head()))
    if revision is not None and revision not in list_revisions():
        raise OldSchema(_describe_mismatch(revision, find_head()))


def lock(session: Session) -> str | None:
    """Return the revision of the database, which nobody else changes before the transaction ends.
    None when the database is empty. On PostgreSQL a daemon that runs and sends mails reads these in
    a transaction which ends only once it has noted, in another, what was sent: whoever waited here
    for the first would keep the second waiting for ever, and gives way instead."""
    connection = session.connection
    if connection.dialect.name != "sqlite":  # there the transaction itself excludes all others
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if _read_revision(connection) is not None:
            connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
            connection.execute(text(f"SET LOCAL lock_timeout = {_MOST_WAITED}"))
            connection.execute(text("LOCK TABLE outbound IN ACCESS EXCLUSIVE MODE"))
            connection.execute(text("SET LOCAL lock_timeout = 0"))
    return _read_revision(connection)


def run(connection: Connection, folder: Path, target: str = "head") -> None:
    """Run the migrations in a folder up to the target, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, target)


# The name of an installation, by which a server that reconnects knows its own database.

INSTALLATION = "installation"
_NAME = select(settings.c.value).where(settings.c.name == INSTALLATION)


def name_installation(store: Store) -> None:
    """Give the database a name of its own, unless it has one."""
    with store.reading() as session:
        if session.value(_NAME) is not None:
            return
    name = os.urandom(16).hex()
    with contextlib.suppress(IntegrityError), store.writing() as session:
        session.execute(insert(settings).values(name=INSTALLATION, value=name))
