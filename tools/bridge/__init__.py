"""Upgrades databases older than 0.2.0, with the migrations that the package no longer has."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from pbm.store import migrate
from pbm.store.engine import Store

FOLDER = Path(__file__).parent
LAST = "0033"


def cross(store: Store) -> str:
    """Bring an old database to this program's schema in one transaction, and return the schema at
    which it was. NoDatabase when there is none, SchemaError when it is not an old one."""
    migrate.require_database(store)
    with store.writing() as session:
        revision = migrate.lock(session) or ""
        if not "0001" <= revision <= LAST:
            raise migrate.SchemaError(f"the database is at schema {revision}: nothing to bridge")
        connection = session.connection
        migrate.run(connection, FOLDER, LAST)
        statement = text("UPDATE alembic_version SET version_num = :revision")
        connection.execute(statement, {"revision": migrate.FIRST})
        migrate.run(connection, migrate.find_folder())
    return revision
