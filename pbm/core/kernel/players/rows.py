"""A player's rows in the tables of features: listed for the player, passed on, and deleted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, Table, delete, select, update

from pbm.core.kernel.players.player import Player
from pbm.rules.phrases import change_values, pack, unpack
from pbm.store.transaction import Session

_TIMES = frozenset(
    (
        *("at", "away", "begins", "bounced", "confirmed", "created", "digest_at", "due", "ended"),
        *("answered", "ends", "entered", "expires", "finished", "left", "received", "seen"),
        *("sent", "stopped", "updated", "used"),
    )
)


def pick(table: Table, names: str) -> list[Column[Any]]:
    """Return some columns of a table."""
    return [table.c[name] for name in names.split()]


def list_own(session: Session, player: int, table: Table, names: str) -> list[dict[str, Any]]:
    """Return the player's rows of a table, with these columns, for JSON."""
    query = select(*pick(table, names)).where(table.c.player_id == player)
    return read(session, query.order_by(*table.primary_key.columns))


def read(session: Session, query: Select[Any]) -> list[dict[str, Any]]:
    """Return the rows of a query by the names of their columns, with times as text in UTC."""
    names = [column.name for column in query.selected_columns]
    convert: list[Callable[[Any], Any]] = [
        _format_time if name in _TIMES else _identity for name in names
    ]
    return [
        {name: to(value) for name, to, value in zip(names, convert, row, strict=True)}
        for row in session.tuples(query)
    ]


def _identity(value: Any) -> Any:
    return value


def _format_time(seconds: float | None) -> str | None:
    return (
        None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat("T", "seconds")
    )


def pass_on(session: Session, tables: Iterable[Table], old: Player, new: Player) -> None:
    """Make all rows of one player those of another."""
    for table in tables:
        own = table.c.player_id == old.id
        session.execute(update(table).where(own).values(player_id=new.id))


def pass_on_pairs(
    session: Session, table: Table, player: str, other: str, old: Player, new: Player
) -> None:
    """Make rows of one player, named in column `player`, those of another, who keeps the own row
    where both have one with the same `other`."""
    own = table.c[player]
    has = select(table.c[other]).where(own == new.id)
    session.execute(delete(table).where(own == old.id, table.c[other].in_(has)))
    session.execute(update(table).where(own == old.id).values({player: new.id}))


def delete_own(session: Session, tables: Iterable[Table], player: int) -> None:
    """Delete all rows of a player."""
    for table in tables:
        session.execute(delete(table).where(table.c.player_id == player))


def rename_in(
    session: Session,
    table: Table,
    column: Column[str],
    chosen: ColumnElement[bool],
    old: str,
    new: str,
) -> None:
    """Replace a userid in the sentences of a column of the chosen rows."""
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    key = tuple(table.primary_key)
    holds = column.contains(old, autoescape=True)
    for text, *values in list(session.tuples(select(column, *key).where(chosen, holds))):
        is_row = [part == value for part, value in zip(key, values, strict=True)]
        changed = pack(change_values(unpack(str(text)), lambda part: word.sub(new, part)))
        session.execute(update(table).where(*is_row).values({column.name: changed}))
