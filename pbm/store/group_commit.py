"""Group commit: writes that wait at the same time share one transaction and one disk flush.

A batch runs in one thread, one job after another. When a job fails, the batch is rolled back and
each job runs in a transaction of its own, so that none fails for another's error. A job that fails
for a lost connection, a deadlock or the like is retried once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, TypeAlias, TypeVar

from sqlalchemy.exc import OperationalError

from pbm.store.engine import Store
from pbm.store.transaction import Session

T = TypeVar("T")
_Job: TypeAlias = tuple[Callable[[Session], Any], Future[Any]]
_MOST = 64
_QUIET = 1.0
"""Idle seconds after which a checkpoint is made."""


class Writer:
    """The thread that commits; any thread may `submit`.

    commits  transactions so far
    failure  why the last transaction failed, when it was the database's fault
    guard    called first in each transaction; nothing is committed when it raises
    """

    def __init__(
        self, store: Store, guard: Callable[[Session], object] = lambda _session: None
    ) -> None:
        self._store = store
        self._guard = guard
        self.commits = 0
        self.failure: OperationalError | None = None
        self._checkpointed = 0
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
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

    def submit(self, job: Callable[[Session], T]) -> Future[T]:
        """Run a job in a transaction. Its future is done once that is committed. A job may run
        again after a rollback, and cannot be cancelled once it has begun."""
        return self.submit_all((job,))[0]

    def submit_all(self, jobs: Iterable[Callable[[Session], T]]) -> list[Future[T]]:
        """Run these jobs in order, and in one transaction unless one fails."""
        batch: list[tuple[Callable[[Session], T], Future[T]]] = [(job, Future()) for job in jobs]
        if batch:
            self._jobs.put(batch)
        return [future for _, future in batch]

    def _run(self) -> None:
        while True:
            item = self._take_next()
            batch: list[_Job] = []
            while item is not None:
                batch += [job for job in item if job[1].set_running_or_notify_cancel()]
                if len(batch) >= _MOST or self._jobs.empty():
                    break
                item = self._jobs.get()
            if batch:
                self._commit(batch)
            if item is None:
                return

    def _take_next(self) -> list[_Job] | None:
        """The jobs that were submitted next. A pause after a commit is used for one checkpoint."""
        if self.commits != self._checkpointed:
            try:
                return self._jobs.get(timeout=_QUIET)
            except queue.Empty:
                self._store.checkpoint()
                self._checkpointed = self.commits
        return self._jobs.get()

    def _commit(self, batch: list[_Job], *, again: bool = False) -> None:
        results = []
        try:
            with self._store.writing() as session:
                self._guard(session)
                results = [job(session) for job, _ in batch]
        except Exception as error:
            if len(batch) == 1 and (again or not self._store.is_transient(error)):
                if isinstance(error, OperationalError):
                    self.failure = error
                batch[0][1].set_exception(error)
                return
            for one in batch:
                self._commit([one], again=len(batch) == 1)
            return
        self.commits += 1
        self.failure = None
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)
