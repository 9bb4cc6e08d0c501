"""The writer: jobs that wait together share a commit, and nobody pays for another's error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest
from sqlalchemy import insert, select, text

from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import settings
from pbm.store.transaction import Session


class Committing:
    """A writer that is held at a gate until `go`, so that jobs pile up behind it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.writer = CommitThread(store)
        self._gate = threading.Event()
        self._begun = threading.Event()
        self.writer.start()
        self.first = self.writer.submit(self._wait)
        self._begun.wait()

    def _wait(self, _session: Session) -> str:
        self._begun.set()
        self._gate.wait()
        return "first"

    def go(self) -> None:
        self._gate.set()


@pytest.fixture
def committing(store: Store) -> Iterator[Committing]:
    made = Committing(store)
    yield made
    made.go()
    made.writer.stop()


def adding(name: str) -> Callable[[Session], str]:
    def job(session: Session) -> str:
        session.execute(insert(settings).values(name=name, value="x"))
        return name

    return job


def stored(store: Store) -> set[str]:
    with store.reading() as session:
        return set(session.execute(select(settings.c.name)).scalars())


def test_jobs_that_wait_together_share_one_commit(committing: Committing) -> None:
    waiting = [committing.writer.submit(adding(f"job {number}")) for number in range(20)]
    committing.go()
    assert [future.result(30) for future in waiting] == [f"job {n}" for n in range(20)]
    assert committing.first.result(30) == "first"
    assert committing.writer.commits == 2  # the first job, then all that waited behind it
    assert len(stored(committing.store)) == 20


def test_jobs_that_come_while_another_process_writes_share_one_commit(sqlite_url: str) -> None:
    store, other = Store(sqlite_url), Store(sqlite_url)
    writer = CommitThread(store)
    writer.start()
    with other.writing():
        first = writer.submit(adding("first"))
        while not first.running():
            time.sleep(0.001)
        second = writer.submit(adding("second"))
    assert (first.result(30), second.result(30)) == ("first", "second")
    assert writer.commits == 1
    writer.stop()
    for each in (store, other):
        each.close()


def test_a_job_that_fails_hurts_nobody_else(committing: Committing) -> None:
    def broken(session: Session) -> None:
        adding("half done")(session)
        raise ValueError("broken")

    before = committing.writer.submit(adding("before"))
    failing: Future[None] = committing.writer.submit(broken)
    after = committing.writer.submit(adding("after"))
    clash = committing.writer.submit(adding("before"))
    committing.go()
    assert (before.result(30), after.result(30)) == ("before", "after")
    with pytest.raises(ValueError, match="broken"):
        failing.result(30)
    assert clash.exception(30) is not None
    assert stored(committing.store) == {"before", "after"}


def test_a_result_is_there_only_after_the_commit(committing: Committing) -> None:
    seen: list[set[str]] = []
    future = committing.writer.submit(adding("a"))
    future.add_done_callback(lambda _: seen.append(stored(committing.store)))
    committing.go()
    future.result(30)
    committing.writer.stop()
    assert seen == [{"a"}]
    committing.writer = CommitThread(committing.store)
    committing.writer.start()


def test_stopping_commits_what_was_submitted(store: Store) -> None:
    writer = CommitThread(store)
    writer.start()
    waiting = [writer.submit(adding(f"job {number}")) for number in range(200)]
    writer.stop()
    assert all(future.done() for future in waiting)
    assert len(stored(store)) == 200


def test_a_lost_connection_costs_no_job(postgresql_url: str) -> None:
    """As after a restart of the database: the connections that were kept are dead."""
    store = Store(postgresql_url)
    writer = CommitThread(store)
    writer.start()
    assert writer.submit(adding("before")).result(30) == "before"
    other = Store(postgresql_url)
    with other.reading() as session:
        session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid != pg_backend_pid() AND datname = current_database()"
            )
        )
    assert writer.submit(adding("after")).result(30) == "after"
    assert stored(store) == {"before", "after"}
    writer.stop()
    for each in (store, other):
        each.close()


def test_who_waits_no_longer_stops_nobody_else(committing: Committing) -> None:
    """A job that is cancelled before its turn is left out; one that has begun goes on."""
    left = committing.writer.submit(adding("left"))
    kept = committing.writer.submit(adding("kept"))
    assert left.cancel()
    assert not committing.first.cancel()
    committing.go()
    assert (committing.first.result(), kept.result()) == ("first", "kept")
    assert stored(committing.store) == {"kept"}
