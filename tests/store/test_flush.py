"""When SQLite's log is on the disk: before anybody is told of a commit, but after the next writer
was let in."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, text

from pbm.store import outbound_queue
from pbm.store.engine import NotFlushed, Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import outbound, settings
from tests.harness.servers import until
from tests.store.test_engine import names
from tests.store.test_group_commit import adding
from tests.store.test_queues import outgoing


class Disk:
    """A disk whose flushes wait at a gate, or fail; it notes the files that were flushed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()
        self.is_broken = False
        self.flushed: list[str] = []
        self._flush = os.fdatasync
        monkeypatch.setattr(os, "fdatasync", self._wait)

    def _wait(self, file: int) -> None:
        self.asked.set()
        self.gate.wait()
        if self.is_broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._flush(file)
        self.flushed.append(Path(f"/proc/self/fd/{file}").readlink().name)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def unlocked(sqlite_url: str) -> Iterator[Store]:
    """A store as the daemon opens it."""
    store = Store(sqlite_url, flushes_unlocked=True)
    yield store
    store.close()


@pytest.fixture
def writer(unlocked: Store) -> Iterator[CommitThread]:
    writer = CommitThread(unlocked)
    writer.start()
    yield writer
    writer.stop()


def test_a_commit_is_flushed_before_its_block_ends(unlocked: Store, disk: Disk) -> None:
    with unlocked.reading() as session:
        assert session.execute(text("PRAGMA synchronous")).scalar() == 1  # NORMAL
    with unlocked.writing() as session:
        session.execute(insert(settings).values(name="a", value="x"))
    assert disk.flushed == ["pbm.db-wal"]


def test_others_write_while_a_commit_waits_for_the_disk(
    unlocked: Store, writer: CommitThread, sqlite_url: str, disk: Disk
) -> None:
    disk.gate.clear()
    done = writer.submit(adding("a"))
    assert disk.asked.wait(60)
    other = Store(sqlite_url)
    with other.writing() as session:
        session.execute(insert(settings).values(name="b", value="x"))
    assert names(other) == ["a", "b"]
    assert not done.done()
    disk.gate.set()
    assert done.result(60) == "a"
    other.close()


def test_what_was_committed_and_not_flushed_fails_but_is_not_repeated(
    unlocked: Store, writer: CommitThread, disk: Disk
) -> None:
    disk.is_broken = True
    runs: list[str] = []
    jobs = [lambda session, name=name: runs.append(adding(name)(session)) for name in "ab"]
    for future in [writer.submit(job) for job in jobs]:
        assert isinstance(future.exception(60), NotFlushed)
    assert runs == ["a", "b"]
    assert writer.failure is not None
    disk.is_broken = False
    writer.submit(adding("c")).result(60)
    assert names(unlocked) == ["a", "b", "c"]
    assert writer.failure is None


def test_a_job_that_nobody_awaits_on_the_disk_is_done_before(
    unlocked: Store, writer: CommitThread, disk: Disk
) -> None:
    assert writer.submit(adding("a"), is_awaited=False).result(60) == "a"
    assert names(unlocked) == ["a"]
    assert not disk.flushed
    writer.submit(adding("b")).result(60)
    assert disk.flushed == ["pbm.db-wal"]


def test_what_a_worker_commits_is_on_the_disk_once_all_is_quiet(
    unlocked: Store, disk: Disk
) -> None:
    """The outbox flushes before it sends; where there is nothing to send, a pause does."""
    writer = CommitThread(unlocked, awaits_disk=False)
    writer.start()
    writer.submit(adding("a")).result(60)
    assert not disk.flushed
    disk.is_broken = True
    disk.asked.clear()
    assert disk.asked.wait(60)
    disk.is_broken = False
    until(lambda: disk.flushed, "it is not flushed")
    writer.stop()


def test_nothing_is_sent_that_is_not_on_the_disk(unlocked: Store, disk: Disk) -> None:
    """A mail that a worker has committed is seen by the outbox before it is flushed."""
    with unlocked.writing() as session:
        session.execute(insert(outbound), [outgoing(1)])
    disk.flushed.clear()
    disk.is_broken = True
    with (
        pytest.raises(NotFlushed),
        outbound_queue.claiming_due(unlocked, 2000.0, 9),
    ):
        pytest.fail("it was about to be sent")
    disk.is_broken = False
    with outbound_queue.claiming_due(unlocked, 2000.0, 9) as claimed:
        assert disk.flushed == ["pbm.db-wal"]
        assert claimed is not None
        assert [row.id for row in claimed[1]] == [1]


def test_with_nothing_to_flush_nothing_fails(sqlite_url: str) -> None:
    store = Store(sqlite_url, flushes_unlocked=True)
    store.flush()
    store.close()
    Path(f"{store.url.database}-wal").unlink(missing_ok=True)
    store.flush()
