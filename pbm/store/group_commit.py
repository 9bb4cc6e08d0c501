"""Group commit: writes that wait at the same time share one transaction and one disk flush.

A batch runs in one thread, one job after another; jobs that come while it waits for other writers
of the database go with it. When a job fails, the batch is rolled back and
each job runs in a transaction of its own, so that none fails for another's error. A job that fails
for a lost connection, a deadlock or the like is retried once."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from sqlalchemy.exc import OperationalError

from pbm.store.engine import DatabaseReplaced, NotFlushed, Store
from pbm.store.transaction import Session

T = TypeVar("T")
_MOST = 64
_QUIET = 1.0
"""Idle seconds after which all is flushed and a checkpoint made."""


class _Job(NamedTuple):
    """A piece of work, its result, and whether it is done only once it is on the disk."""

    do: Callable[[Session], object]
    future: Future[Any]
    is_awaited: bool


class CommitThread:
    """The thread that commits; any thread may `submit`.

    commits      transactions so far
    failure      why the last transaction failed, when it was the database's fault
    guard        called first in each transaction; nothing is committed when it raises
    awaits_disk  whether jobs are done only once they are on the disk; else whoever tells the world
                 of them flushes before, or a second of quiet does
    """

    def __init__(
        self,
        store: Store,
        guard: Callable[[Session], object] = lambda _session: None,
        *,
        awaits_disk: bool = True,
    ) -> None:
        self._store = store
        self._guard = guard
        self._awaits_disk = awaits_disk
        self.commits = 0
        self.failure: OperationalError | None = None
        self._checkpointed = 0
        self._is_ending = False
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def stop(self, seconds: float | None = None) -> None:
        """Commit what has been submitted, then end; wait at most that many seconds."""
        self._jobs.put(None)
        self._thread.join(seconds)

    def submit(self, job: Callable[[Session], T], *, is_awaited: bool = True) -> Future[T]:
        """Run a job in a transaction. Its future is done once that is committed and, if
        `is_awaited`, on the disk. A job may run again after a rollback, and cannot be cancelled
        once it has begun."""
        submitted = _Job(job, Future(), is_awaited and self._awaits_disk)
        self._jobs.put(submitted)
        return submitted.future

    def _run(self) -> None:
        while not self._is_ending:
            batch = self._begin(self._take_next())
            if batch:
                self._commit(batch)

    def _begin(self, job: _Job | None) -> list[_Job]:
        """Return that job, unless it was cancelled; None is the end."""
        self._is_ending = job is None
        return [job] if job is not None and job.future.set_running_or_notify_cancel() else []

    def _take_waiting(self, batch: list[_Job]) -> None:
        """Add the jobs that wait to the batch."""
        with contextlib.suppress(queue.Empty):
            while len(batch) < _MOST and not self._is_ending:
                batch += self._begin(self._jobs.get_nowait())

    def _take_next(self) -> _Job | None:
        """Return the job that was submitted next. A pause after a commit is used to flush, until
        that works, and for one checkpoint."""
        while self.commits != self._checkpointed:
            try:
                return self._jobs.get(timeout=_QUIET)
            except queue.Empty:
                with contextlib.suppress(NotFlushed, DatabaseReplaced):
                    self._store.flush_commits()
                    self._store.checkpoint()
                    self._checkpointed = self.commits
        return self._jobs.get()

    def _commit(self, batch: list[_Job]) -> None:
        """Run these jobs, and those that came meanwhile, in one transaction; each in one of its own
        when one fails."""
        try:
            with self._store.writing(flushes=False) as session:
                self._take_waiting(batch)
                results = self._run_jobs(session, batch)
            self._flush(batch)
        except (NotFlushed, DatabaseReplaced) as error:
            for job in batch:
                self._fail(job, error)
        except Exception as error:
            if len(batch) == 1 and not self._store.is_transient(error):
                self._fail(batch[0], error)
                return
            for job in batch:
                self._commit_alone(job, again=len(batch) == 1)
        else:
            self._finish(batch, results)

    def _commit_alone(self, job: _Job, *, again: bool) -> None:
        try:
            with self._store.writing(flushes=False) as session:
                results = self._run_jobs(session, [job])
            self._flush([job])
        except Exception as error:
            if again or not self._store.is_transient(error):
                self._fail(job, error)
            else:
                self._commit_alone(job, again=True)
        else:
            self._finish([job], results)

    def _run_jobs(self, session: Session, batch: list[_Job]) -> list[object]:
        self._guard(session)
        return [job.do(session) for job in batch]

    def _flush(self, batch: list[_Job]) -> None:
        """Wait for the disk if any of these jobs does."""
        if any(job.is_awaited for job in batch):
            self._store.flush_commits()

    def _fail(self, job: _Job, error: Exception) -> None:
        if isinstance(error, OperationalError):
            self.failure = error
        job.future.set_exception(error)

    def _finish(self, batch: list[_Job], results: list[object]) -> None:
        self.commits += 1
        self.failure = None
        for job, result in zip(batch, results, strict=True):
            job.future.set_result(result)
