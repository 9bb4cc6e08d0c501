"""Row classes: what mypy believes of a row is what the database returns."""

from __future__ import annotations

import pytest
from sqlalchemy import func, insert, select

from pbm.store.engine import Store
from pbm.store.rows import Query, Row
from pbm.store.tables import SettingRow, metadata, players, settings


class NamedRow(Row):
    name: str


class AwayRow(Row):
    away: float | None


class DayRow(Row):
    away: float


class NumberRow(Row):
    name: int


def test_a_table_has_the_columns_of_its_row_class() -> None:
    assert players.c.away.nullable
    assert not players.c.name.nullable
    assert players.c.id.primary_key
    assert len(metadata.tables) > 10


def test_a_query_returns_the_rows_of_its_class(store: Store) -> None:
    query = Query(SettingRow, select(settings).where(settings.c.name == "colour"))
    with store.writing() as session:
        assert session.first(query) is None
        session.execute(insert(settings), {"name": "colour", "value": "red"})
        row = session.one(query)
        assert (row.name, row.value) == ("colour", "red")
        assert [each.value for each in session.all(query)] == ["red"]


def test_a_query_with_other_columns_than_its_class_is_refused() -> None:
    with pytest.raises(ValueError, match="NamedRow and its query differ in value"):
        Query(NamedRow, select(settings.c.name, settings.c.value))
    with pytest.raises(ValueError, match="differ in name, value"):
        Query(NamedRow, select(settings.c.value))


def test_a_column_that_may_be_null_is_optional() -> None:
    Query(AwayRow, select(players.c.away))
    with pytest.raises(ValueError, match=r"DayRow\.away may be None"):
        Query(DayRow, select(players.c.away))


def test_a_column_has_the_type_of_its_class() -> None:
    Query(NumberRow, select(func.count().label("name")))
    with pytest.raises(ValueError, match=r"NumberRow\.name is of .*str"):
        Query(NumberRow, select(settings.c.name))
