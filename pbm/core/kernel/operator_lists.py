"""What the lists of the operator have in common."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column

from pbm.core.kernel.operator_rows import Asked


def narrow(query: Any, asked: Asked, at: Column[Any], number: Column[int] | None = None) -> Any:
    """Return the query with the rows of --since and --before only: those whose time or, where a
    number was given, whose number is in between; and no more than --limit."""
    since, before = asked["since"], asked["before"]
    if since is not None:
        query = query.where(at >= since)
    if isinstance(before, int) and number is not None:
        query = query.where(number < before)
    elif before is not None:
        query = query.where(at < before)
    return query.limit(asked["limit"])
