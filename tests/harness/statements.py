"""Statements of SQL on a database of a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import event, text

from pbm.store.engine import Store
from pbm.store.transaction import Session


def do(url: str, *statements: str) -> None:
    """Execute them in one transaction."""
    store = Store(url)
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))
    store.close()


def record(store: Store) -> list[str]:
    """The list to which all statements are added, with their values, from now on; for SQLite."""
    sent: list[str] = []
    store.close()  # the next connections are new

    @event.listens_for(store.engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.set_trace_callback(sent.append)

    return sent


def all_rows(session: Session, statement: Any) -> Sequence[Any]:
    """The rows of a statement; a test that names a column that is not there fails."""
    return session.tuples(statement)


def one_row(session: Session, statement: Any) -> Any:
    """The only row of a statement."""
    (row,) = session.tuples(statement)
    return row
