"""Databases for servers that a test starts: a server with a configuration makes none itself."""

from __future__ import annotations

import contextlib

from pbm.store import migrate
from pbm.store.engine import Store


def create_database(url: str) -> None:
    """Make the database, as `pbm admin db create` does, unless it is there."""
    store = Store(url)
    with contextlib.suppress(migrate.NotEmpty):
        migrate.create(store)
    store.close()
