"""A store is one database, not whatever is found at its URL: it makes none, and notices when its
own is gone or another one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.exc import DBAPIError

from pbm.config import Config, Database
from pbm.daemon.startup import open_store
from pbm.store import migrate
from pbm.store.engine import _LATELY, DatabaseReplaced, Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import settings
from pbm.store.transaction import Session
from tests.harness.databases import Cluster


def _reads(store: Store) -> None:
    with store.reading() as session:
        session.execute(select(settings.c.name))


def _queries(store: Store) -> None:
    with store.reading() as session:
        session.column(select(settings.c.name))


def _writes(store: Store) -> None:
    with store.writing() as session:
        session.execute(delete(settings))


def _locks(store: Store) -> None:
    with store.lock_exclusively("sender"):
        pass


def _flushes(store: Store) -> None:
    store.flush()


_WAYS = [_reads, _queries, _writes, _locks, _flushes]


@pytest.mark.parametrize("gone", ["", "-wal", "-shm"])
def test_nothing_is_done_with_a_file_that_is_gone(sqlite_store: Store, gone: str) -> None:
    _reads(sqlite_store)
    path = Path(f"{sqlite_store.path}{gone}")
    path.unlink()
    time.sleep(2 * _LATELY)
    for way in _WAYS:
        with pytest.raises(DatabaseReplaced) as raised:
            way(sqlite_store)
        assert raised.value.what == f"{path} is missing"
    assert not path.exists()


def test_nothing_is_done_with_another_file(sqlite_store: Store, tmp_path: Path) -> None:
    _reads(sqlite_store)
    path = sqlite_store.path
    assert path is not None
    (tmp_path / "other").write_bytes(path.read_bytes())
    away = path.rename(tmp_path / "away")
    (tmp_path / "other").rename(path)
    time.sleep(2 * _LATELY)
    child = Store(str(sqlite_store.url), identity=sqlite_store.identity)
    for way in _WAYS[:3]:
        for store in (sqlite_store, child):
            with pytest.raises(DatabaseReplaced, match="is another file"):
                way(store)
    away.rename(path)
    for store in (sqlite_store, child):
        _reads(store)
    child.close()


def test_what_is_committed_to_a_file_that_goes_meanwhile_has_failed(sqlite_store: Store) -> None:
    """Nobody is told that it is done, and nobody does it again."""
    assert sqlite_store.path is not None
    tries = []

    def vanish(session: Session) -> None:
        tries.append(1)
        session.execute(delete(settings))
        os.rename(str(sqlite_store.path), f"{sqlite_store.path}-away")

    writer = CommitThread(sqlite_store)
    writer.start()
    with pytest.raises(DatabaseReplaced):
        writer.submit(vanish).result(60)
    writer.stop()
    assert tries == [1]


@pytest.mark.parametrize("gone", ["", "-wal"])
def test_what_is_on_the_disk_of_nobody_is_not_flushed(sqlite_url: str, gone: str) -> None:
    """A moment after the last look as well: a mail is accepted on the strength of this."""
    store = Store(sqlite_url, flushes_unlocked=True)
    _writes(store)
    Path(f"{store.path}{gone}").rename(f"{store.path}-away")
    for _ in range(2):
        with pytest.raises(DatabaseReplaced):
            _writes(store)
    store.close()


def test_a_log_that_goes_with_the_last_connection_is_no_loss(sqlite_store: Store) -> None:
    for _ in range(3):
        _writes(sqlite_store)
        sqlite_store.close()
        assert not Path(f"{sqlite_store.path}-wal").exists()
    with Store(str(sqlite_store.url)).engine.connect() as other:
        other.execute(text("SELECT 1"))
        _writes(sqlite_store)


def test_opening_makes_no_file(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/folder/100%.db?timeout=1")
    for way in _WAYS[:3]:
        with pytest.raises(DBAPIError):
            way(store)
    assert not migrate.exists(store)
    assert list(tmp_path.iterdir()) == []
    migrate.create(store)
    _reads(store)
    assert [path.name for path in tmp_path.glob("*/*.db")] == ["100%.db"]
    store.close()


def test_only_the_trial_server_makes_a_database(empty_url: str) -> None:
    with pytest.raises(migrate.NoDatabase, match="pbm admin db create"):
        open_store(Config(database=Database(empty_url)))
    open_store(Config(database=Database(empty_url), makes_database=True)).close()
    open_store(Config(database=Database(empty_url))).close()


@pytest.mark.parametrize("made", [False, True], ids=["dropped", "made anew"])
def test_postgresql_knows_its_installation(
    cluster: Cluster, postgresql_template: str, made: bool
) -> None:
    name = cluster.create(postgresql_template)
    store = open_store(Config(database=Database(cluster.url(name))))
    child = Store(cluster.url(name), identity=store.identity)
    _reads(store)
    _reads(child)
    cluster.drop(name)
    if made:
        cluster.create_named(name, postgresql_template)
    ways: list[Callable[[Store], None]] = [_reads, _queries, _writes]
    for _ in range(2):  # the first may find that the connection is lost
        for way in ways:
            for each in (store, child):
                with pytest.raises(DBAPIError) as raised:
                    way(each)
    assert isinstance(raised.value, DatabaseReplaced)
    for each in (store, child):
        each.close()
    if made:
        cluster.drop(name)
