"""Migrations: they make exactly the tables of the code, whole or not at all, and only forwards."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, Table, delete, event, insert, inspect, select, text

from pbm.core.log import join_news, split_news
from pbm.store import migrate, tables
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from tests.harness.databases import Cluster, all_rows


@pytest.fixture
def empty(empty_url: str) -> Iterator[Store]:
    store = Store(empty_url)
    yield store
    store.close()


def assert_schema(store: Store) -> None:
    """The database has exactly the tables of the code. Alembic's comparison ignores the conditions
    of partial indexes."""
    with store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "compare_server_default": not store.is_sqlite},
        )
        assert compare_metadata(context, tables.metadata) == []
    assert _read_conditions(store) == _expect_conditions(store)


def _read_conditions(store: Store) -> dict[str, str]:
    """The condition of each partial index in the database."""
    if store.is_sqlite:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'"
    else:
        query = "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%WHERE%'"
    with store.engine.connect() as connection:
        rows = connection.execute(text(query)).all()
    return {name: _condition(sql.partition(" WHERE ")[2]) for name, sql in rows}


def _expect_conditions(store: Store) -> dict[str, str]:
    """The condition of each partial index in the code."""
    indexes = [index for table in tables.metadata.tables.values() for index in table.indexes]
    noted = {
        str(index.name): _condition(
            index.info["where"].compile(
                store.engine, compile_kwargs={"literal_binds": True, "include_table": False}
            )
        )
        for index in indexes
        if "where" in index.info
    }
    assert len(noted) > 5
    return noted


def _condition(sql: object) -> str:
    """A condition without what only one of the databases writes."""
    plain = re.sub(r"::(double precision|\w+)|[() ]", "", str(sql))
    return plain.lower().replace("<>", "!=")


def test_the_migrations_make_the_tables_of_the_code(empty: Store) -> None:
    migrate.upgrade(empty)
    assert_schema(empty)


def test_an_empty_database_has_no_schema(empty: Store) -> None:
    assert migrate.read_revision(empty) is None
    with pytest.raises(migrate.SchemaError, match=r"schema none.*pbm admin db upgrade"):
        migrate.require(empty)


def test_upgrading_twice_changes_nothing(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("INSERT INTO settings (name, value) VALUES ('a', 'b')"))
    migrate.upgrade(store)
    migrate.require(store)
    assert migrate.read_revision(store) == migrate.find_head()
    with store.reading() as session:
        assert session.execute(text("SELECT value FROM settings")).scalars().all() == ["b"]


def test_four_daemons_may_upgrade_at_once(empty_url: str) -> None:
    stores = [Store(empty_url) for _ in range(4)]
    errors: list[BaseException] = []
    gate = threading.Barrier(len(stores))

    def upgrade(store: Store) -> None:
        gate.wait()
        try:
            migrate.upgrade(store)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=upgrade, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [migrate.read_revision(store) for store in stores] == [migrate.find_head()] * 4
    with stores[0].reading() as session:
        rows = session.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert rows == [migrate.find_head()]
    for store in stores:
        store.close()


def test_a_database_of_0_2_0_is_upgraded_with_all_that_is_in_it(empty: Store) -> None:
    """Each table of that version holds rows before it; the sentences that a game adds to a move,
    which a semicolon divided, stand on a line each after it, and no mail is left to a worker."""
    metadata, upgraded = MetaData(), MetaData()
    with empty.writing() as session:
        migrate.run(session.connection, migrate.find_folder(), migrate.FIRST)
        metadata.reflect(session.connection)
        for table in metadata.sorted_tables:
            if table.name != "alembic_version":
                session.execute(table.insert().values(_make_values(table)))
        moves = metadata.tables["moves"]
        for at, news in enumerate(("", "red skips", "red skips; blue skips"), 2):
            values = {**_make_values(moves), "number": at, "news": news}
            session.execute(moves.insert().values(values))
    before = _read_all(empty, metadata)
    assert len(before["moves"]) == 4
    assert all(before[name] for name in metadata.tables)
    migrate.upgrade(empty)
    assert_schema(empty)
    with empty.reading() as session:
        upgraded.reflect(session.connection)
    after = {
        name: [{column: row[column] for column in before[name][0] if column in row} for row in rows]
        for name, rows in _read_all(empty, upgraded).items()
        if name in before
    }
    sentences_after = [row.pop("news") for row in after["moves"]]
    for row in before["moves"]:
        del row["news"]
    assert before["inbound"][0].pop("worker") == "1"
    assert after.pop("alembic_version") == [{"version_num": migrate.find_head()}]
    del before["alembic_version"]
    assert after == before
    assert list(map(split_news, sentences_after[1:])) == [
        (),
        ("red skips",),
        ("red skips", "blue skips"),
    ]
    sentences = ("red skips; it cannot move", "blue skips")
    assert split_news(join_news(sentences)) == sentences


def _make_values(table: Table) -> dict[str, Any]:
    """A value for each column: of numbers 1, so that all references meet."""
    values: dict[object, object] = {str: "1", bytes: b"1"}
    return {column.name: values.get(column.type.python_type, 1) for column in table.columns}


def _read_all(store: Store, metadata: MetaData) -> dict[str, list[dict[str, Any]]]:
    """All rows, in the columns of these tables."""
    with store.engine.connect() as connection:
        return {
            table.name: [
                dict(row._mapping)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in metadata.sorted_tables
        }


@pytest.mark.parametrize("revision", ["0033", "0115"])
@pytest.mark.parametrize("act", [migrate.upgrade, migrate.require])
def test_a_schema_of_no_release_is_refused_and_left_alone(
    store: Store, act: Callable[[Store], object], revision: str
) -> None:
    """Those from before 0.2.0, and those of commits between releases."""
    advice = "in a clone of pbm 0.2.0" if revision < migrate.FIRST else "no release has that schema"
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    with pytest.raises(migrate.SchemaError, match=f"at schema {revision}, pbm at .*{advice}"):
        act(store)
    assert migrate.read_revision(store) == revision


@pytest.mark.parametrize("act", [migrate.upgrade, migrate.require])
def test_a_newer_schema_is_refused_and_left_alone(
    store: Store, act: Callable[[Store], object]
) -> None:
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(migrate.SchemaError, match=r"schema 9999.*install the newer pbm"):
        act(store)
    assert migrate.read_revision(store) == "9999"


def test_a_migration_that_fails_leaves_nothing(empty: Store) -> None:
    """A table of ours is in the way: the upgrade fails, and no other table is there after it."""
    with empty.writing() as session:
        session.execute(text("CREATE TABLE watchers (odd INTEGER)"))
    with pytest.raises(Exception, match="watchers"):
        migrate.upgrade(empty)
    assert inspect(empty.engine).get_table_names() == ["watchers"]


def test_a_writer_touches_no_other_schema(store: Store) -> None:
    writer = CommitThread(store, migrate.check_revision)
    writer.start()
    job = insert(tables.settings).values(name="a", value="b")
    writer.submit(lambda session: session.execute(delete(tables.settings)) and None).result(30)
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(migrate.SchemaError):
        writer.submit(lambda session: session.execute(job) and None).result(30)
    writer.stop()
    with store.reading() as session:
        assert all_rows(session, select(tables.settings)) == []


def kill_at(url: str, number: int, act: Callable[[Store], object]) -> int:
    """Do it in a process that is killed when it has sent so many statements; its status."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    store = Store(url)
    sent = 0

    @event.listens_for(store.engine, "after_cursor_execute")
    def execute(*_: object) -> None:
        nonlocal sent
        sent += 1
        if sent == number:
            os.kill(os.getpid(), signal.SIGKILL)

    act(store)
    os._exit(0)


def survive(url: str, act: Callable[[Store], object], steps: Iterable[int]) -> None:
    """Do it, killed at one step after another, until it gets through: the schema is always the old
    one or the newest."""
    store = Store(url)
    old = migrate.read_revision(store)
    store.close()
    for number in steps:
        status = kill_at(url, number, act)
        store = Store(url)
        found = migrate.read_revision(store)
        store.close()
        assert found == (old if status else migrate.find_head())
        if not status:
            return
    raise AssertionError("it never got through")


def test_a_migration_killed_at_any_step_leaves_the_old_or_the_new(empty_url: str) -> None:
    """From nothing, at every 37th statement."""
    survive(empty_url, migrate.upgrade, range(2, 1000, 37))


def test_a_migration_waits_for_a_daemon_that_is_sending_and_keeps_it_from_nothing(
    cluster: Cluster,
) -> None:
    """The sender's transaction is open until another one has noted what was sent."""
    name = cluster.create()
    store, other = Store(cluster.url(name)), Store(cluster.url(name))
    with store.writing() as session:
        migrate.run(session.connection, migrate.find_folder(), migrate.FIRST)
    upgrading = threading.Thread(target=migrate.upgrade, args=(other,))
    with store.reading() as sender:
        sender.column(select(tables.outbound.c.id))
        upgrading.start()
        for _ in range(5):  # each waits for the migration to give way
            with store.writing() as session:
                migrate.check_revision(session, migrate.FIRST)
                session.execute(text("UPDATE outbound SET attempts = 1"))
    upgrading.join(120)
    assert not upgrading.is_alive()
    assert_schema(store)
    store.close()
    other.close()
    cluster.drop(name)
