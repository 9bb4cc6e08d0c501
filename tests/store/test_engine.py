"""How the two databases are opened: what is committed stays, what is not leaves nothing, and who
reads waits for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from pbm.store import migrate, reads
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import addresses, settings

ADD = insert(settings)


def names(store: Store) -> list[str]:
    with store.reading() as session:
        return sorted(session.execute(select(settings.c.name)).scalars())


def test_sqlite_keeps_what_it_confirmed(sqlite_store: Store) -> None:
    """WAL, a flush of the disk at each commit (FULL is 2), and foreign keys that count."""
    for mode in (sqlite_store.reading, sqlite_store.writing):
        with mode() as session:
            found = {
                name: session.execute(text(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            }
        assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_postgresql_waits_for_the_disk_and_speaks_utc(postgresql_url: str) -> None:
    store = Store(postgresql_url)
    assert store.url.drivername == "postgresql+psycopg"
    with store.writing() as session:
        assert session.execute(text("SHOW synchronous_commit")).scalar() == "on"
        assert session.execute(text("SHOW timezone")).scalar() == "UTC"
    store.close()


def test_a_connection_to_a_server_that_became_a_standby_is_given_up(postgresql_url: str) -> None:
    """What was begun there is done again on a connection of its own."""
    store = Store(postgresql_url)
    name = store.url.database
    writer = CommitThread(store)
    writer.start()
    _do(store, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    store.close()
    with store.reading() as session:
        assert session.execute(text("SHOW transaction_read_only")).scalar() == "on"
    demoted = Store(postgresql_url)
    _do(
        demoted,
        "SET default_transaction_read_only = off",
        f'ALTER DATABASE "{name}" RESET default_transaction_read_only',
    )
    demoted.close()
    writer.submit(lambda session: session.execute(ADD, {"name": "x", "value": "1"})).result()
    assert "x" in names(store)
    writer.stop()
    store.close()


def test_postgresql_keeps_the_statements_that_it_has_prepared(postgresql_url: str) -> None:
    """A reader's rollback does not cost the next one that they are parsed and planned again."""
    store = Store(postgresql_url)
    for _ in range(9):
        names(store)
    with store.reading() as session:
        kept = session.execute(text("SELECT statement FROM pg_prepared_statements")).scalars()
        assert any("FROM settings" in statement for statement in kept)
    store.close()


def _do(store: Store, *statements: str) -> None:
    with store.engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
            connection.commit()


def test_an_error_leaves_nothing(store: Store) -> None:
    with pytest.raises(IntegrityError), store.writing() as session:
        session.execute(ADD, [{"name": name, "value": "1"} for name in ("a", "b", "a")])
    assert names(store) == []


def test_a_savepoint_is_rolled_back_alone(store: Store) -> None:
    with store.writing() as session:
        session.execute(ADD, {"name": "a", "value": "1"})
        with pytest.raises(IntegrityError), session.savepoint():
            session.execute(ADD, [{"name": name, "value": "2"} for name in ("b", "a")])
        session.execute(ADD, {"name": "c", "value": "1"})
    assert names(store) == ["a", "c"]


def test_a_reader_neither_waits_for_a_writer_nor_sees_half_of_its_work(store: Store) -> None:
    with store.writing() as session:
        session.execute(ADD, {"name": "a", "value": "1"})
        assert names(store) == []
    assert names(store) == ["a"]


def test_a_writer_does_not_wait_for_a_reader(store: Store) -> None:
    with store.reading() as session:
        assert reads.read_setting(session, "a") is None
        with store.writing() as writer:
            writer.execute(ADD, {"name": "a", "value": "1"})
    assert names(store) == ["a"]


def test_a_reader_on_sqlite_sees_one_snapshot(sqlite_store: Store) -> None:
    with sqlite_store.reading() as session:
        assert reads.read_setting(session, "a") is None
        with sqlite_store.writing() as writer:
            writer.execute(ADD, {"name": "a", "value": "1"})
        assert reads.read_setting(session, "a") is None


def test_a_row_that_points_nowhere_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError), store.writing() as session:
        session.execute(insert(addresses).values(player_id=99, address="ann@example.org"))


def test_the_folder_of_a_new_database_is_made(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/var/deep/pbm.db")
    migrate.create(store)
    store.close()
    assert (tmp_path / "var/deep/pbm.db").is_file()
