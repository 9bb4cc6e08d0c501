"""INSERT statements that say what happens when the row exists; each dialect has its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table


def insert_into(table: Table, *, is_sqlite: bool) -> Any:
    """Return an INSERT with `on_conflict_do_nothing` and `on_conflict_do_update`. Only the dialect
    in use is imported."""
    if is_sqlite:
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
