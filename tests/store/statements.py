"""Statements of SQL on a database of a test."""

from sqlalchemy import text

from pbm.store.engine import Store


def do(url: str, *statements: str) -> None:
    """Execute them in one transaction."""
    store = Store(url)
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))
    store.close()
