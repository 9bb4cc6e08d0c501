"""Upgrades databases older than 0.2.0, with the migrations that the package no longer has."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select, text, update

from pbm.config import Config
from pbm.core.kernel.language.own_links import remove_own_links
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.event_tables import events
from pbm.store.tables import chats, moves, offers
from pbm.store.transaction import Session

FOLDER = Path(__file__).parent
LAST = "0033"
_WRITTEN = (
    (moves, moves.c.comment),
    (chats, chats.c.text),
    (offers, offers.c.comment),
    (events, events.c.name),
    (events, events.c.about),
)
"""What players have written and others may read."""


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
        _remove_links(session)
    return revision


def _remove_links(session: Session) -> None:
    """Take secret links and reply addresses out of what was written before texts were cleaned. By
    their keys: which addresses the server has had nobody knows."""
    for table, column in _WRITTEN:
        key = tuple(table.primary_key)
        rows = session.tuples(select(column, *key).where(column.contains("-")))
        for written, *values in list(rows):
            cleaned = remove_own_links(str(written), Config())
            if cleaned != written:
                is_row = [part == value for part, value in zip(key, values, strict=True)]
                session.execute(update(table).where(*is_row).values({column.name: cleaned}))
