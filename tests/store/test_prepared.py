"""Queries that the driver runs return what SQLAlchemy's would, and deferred writes are written."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from pbm.store.engine import Store
from pbm.store.rows import Query
from pbm.store.tables import SettingRow, settings

_OF = Query(
    SettingRow, select(settings).where(settings.c.name.in_(bindparam("names", expanding=True)))
)
_INSERT = insert(settings)
_CHANGE = (
    update(settings)
    .where(settings.c.name == bindparam("of"), settings.c.value != "fixed")
    .values(value=bindparam("to"))
)


def _store_three(store: Store) -> None:
    with store.writing() as session:
        values = {"a": "x", "b": "%s :y", "c": "fixed"}
        session.defer(_INSERT, [{"name": name, "value": values[name]} for name in values])


def test_rows_have_their_columns_as_attributes(store: Store) -> None:
    _store_three(store)
    with store.reading() as session:
        for names in (["a"], ["a", "b"], ["a", "b", "c", "none"], []):
            rows = session.all(_OF, {"names": names})
            assert sorted(row.name for row in rows) == [name for name in names if name != "none"]
        assert session.one(_OF, {"names": ["b"]}).value == "%s :y"
        assert session.first(_OF, {"names": ["none"]}) is None
        with pytest.raises(ValueError, match="unpack"):
            session.one(_OF, {"names": ["a", "b"]})


def test_constants_of_a_statement_are_kept(store: Store) -> None:
    _store_three(store)
    with store.writing() as session:
        session.defer(_CHANGE, [{"of": name, "to": "new"} for name in "abc"])
    chosen = Query(
        SettingRow,
        select(settings).where(settings.c.value == "new", literal(1) == 1, settings.c.name > "a"),
    )
    with store.reading() as session:
        assert [row.name for row in session.all(chosen)] == ["b"]
        assert session.one(_OF, {"names": ["c"]}).value == "fixed"


def test_odd_texts_of_a_statement_are_compared_as_they_are(store: Store) -> None:
    _store_three(store)
    odd = "it's 100 %s of :y"
    with store.writing() as session:
        session.defer(_INSERT, [{"name": "d", "value": odd}])
    query = Query(
        SettingRow,
        select(settings).where(settings.c.value == odd, settings.c.name == bindparam("of")),
    )
    with store.reading() as session:
        assert [row.name for row in session.all(query, {"of": "d"})] == ["d"]
        assert session.first(query, {"of": "a"}) is None


def test_a_missing_parameter_is_an_error(store: Store) -> None:
    _store_three(store)
    query = Query(SettingRow, select(settings).where(settings.c.name == bindparam("name")))
    with store.reading() as session:
        assert session.one(query, {"name": "a"}).value == "x"
    with pytest.raises(Exception, match="name"), store.reading() as session:
        session.all(query)


def test_an_error_of_the_driver_is_one_of_sqlalchemy(store: Store) -> None:
    _store_three(store)
    with pytest.raises(IntegrityError), store.writing() as session:  # noqa: PT012
        session.defer(_INSERT, [{"name": "a", "value": "again"}])
        session.flush()
