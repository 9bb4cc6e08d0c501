"""The worker is a loop: it claims the oldest mails that wait, reads and verifies them, and executes
them in one transaction.

Any number of workers share a queue. Mails of strangers, and those that failed before, go last."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbm.daemon.attempts import MOST, WorkerSlot
from pbm.daemon.mail_events import MailEvents
from pbm.logs import Outage, place
from pbm.mail.execute import count_failure, execute_mail, find_writer, post_outcome
from pbm.mail.incoming_mail import IncomingMail
from pbm.mail.read import read_mail
from pbm.mail.services import MailServices
from pbm.mail.verify import claim_mails, verify_mail
from pbm.store import inbound_queue
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import SchemaError, check_revision
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session

T = TypeVar("T")
log = structlog.get_logger()

_IDLE = 1.0
"""Seconds between looks into the queue when nobody wakes the worker."""
_PREPARING = 0.02
"""Seconds after which a batch is executed as far as it is prepared: a password takes 0.1."""
_PAUSE = 0.5
DRAIN = 20.0
"""Seconds that a stopping worker goes on executing what waits."""
_STARVED = 60.0
"""Seconds after which a mail that goes last is executed although others wait."""
_FIRST_SHARE = 9
"""Times as long as such mails took, others go first: while both wait, they get a tenth of the
time."""


class _Failure(NamedTuple):
    """A mail that failed, why, and the mail as far as it was read."""

    mail: InboundRow
    error: Exception
    job: IncomingMail | None


class Worker:
    """The thread that executes mails.

    events         is told of each mail that was executed
    done           called after each batch, with whether mails were left that others may have
    out_of_memory  called on a MemoryError; a worker process ends itself here
    """

    def __init__(
        self,
        store: Store,
        services: MailServices,
        slot: WorkerSlot,
        clock: Callable[[], float],
        events: MailEvents,
        done: Callable[[bool], object],
        out_of_memory: Callable[[], object] = lambda: None,
    ) -> None:
        self._store = store
        self._services = services
        self._slot = slot
        self._clock = clock
        self._events = events
        self._done = done
        self._out_of_memory = out_of_memory
        self._most = MOST
        self._alone = 0
        self._first_until = 0.0
        self._outage = Outage("worker failed")
        self._wake = threading.Event()
        self._until: float | None = None
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """Look for mails now."""
        self._wake.set()

    def stop(self, seconds: float | None = None) -> None:
        """Execute what waits, then end; after so many seconds the rest waits for the next start."""
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._wake.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        is_flushed = True
        while True:
            self._wake.clear()
            try:
                worked = self.work()
                self._outage.end()
            except Exception as error:
                self._outage.report(error)
                worked = 0
                time.sleep(_PAUSE)
            if self._until is not None and (not worked or time.monotonic() > self._until):
                return
            is_flushed = is_flushed and not worked
            if not (worked or self._until or self._wake.wait(_IDLE) or is_flushed):
                with contextlib.suppress(DBAPIError):
                    self._store.flush_commits()
                    self._store.checkpoint()
                    is_flushed = True

    def work(self) -> int:
        """Execute the next mails in one transaction; their number, 0 when none waits or the
        database fails. When one of several fails, none is executed, and then each is alone."""
        began = time.monotonic()
        mails: Sequence[InboundRow] = ()
        jobs: list[IncomingMail] = []
        failures: list[_Failure] = []
        times: dict[int, float] = {}
        try:
            with self._slot.batch(), self._store.claiming() as session:
                check_revision(session)
                mails = self._claim(session)
                self._alone = max(0, self._alone - 1)
                self._prepare(session, mails, jobs, failures)
                self._slot.note_batch([job.number for job in jobs])
                if jobs:
                    with self._writing(session) as writing:
                        self._execute(writing, jobs, times)
        except (DBAPIError, SchemaError) as error:
            if not isinstance(error, DataError | IntegrityError):
                numbers = ",".join(str(mail.id) for mail in mails)
                log.error("database failed, mails are retried", mails=numbers, exc_info=error)
                time.sleep(_PAUSE)
                return 0
            self._note_failure(mails, jobs, failures, error)
        except Exception as error:
            self._note_failure(mails, jobs, failures, error)
        else:
            self._report(mails, jobs, times)
        for failure in failures:
            self._count_failure(failure)
        if mails and _goes_last(mails[0]):
            now = time.monotonic()
            self._first_until = now + _FIRST_SHARE * (now - began)
        if mails:
            is_cut = len(jobs) < len(mails)
            self._most = min(MOST, 2 * max(1, len(jobs) if is_cut else self._most))
            self._done(is_cut)
        return len(jobs) or len(failures)

    def _claim(self, session: Session) -> Sequence[InboundRow]:
        """Claim the mails to execute next: those that go last only when there are no others, or
        when they have waited for long and had less than their share of the time, and one by one."""
        mails: Sequence[InboundRow] = ()
        if time.monotonic() >= self._first_until:
            mails = inbound_queue.claim_last(session, 1, self._clock() - _STARVED)
        mails = mails or inbound_queue.claim_first(session, 1 if self._alone else self._most)
        return mails or inbound_queue.claim_last(session, 1)

    def _prepare(
        self,
        session: Session,
        mails: Sequence[InboundRow],
        jobs: list[IncomingMail],
        failures: list[_Failure],
    ) -> None:
        """Read and verify mails, as many as can be in the time there is. Of one that failed before
        it is noted who wrote it: that player is told when it is set aside."""
        late = time.monotonic() + _PREPARING
        for mail in mails:
            job: IncomingMail | None = None
            try:
                job = self._attempt(mail.id, partial(read_mail, self._services, mail))
                job = self._attempt(mail.id, partial(verify_mail, self._services, session, job))
                if mail.attempts:
                    writer = partial(find_writer, self._services, session, job, mail.received)
                    self._slot.note_writer(self._attempt(mail.id, writer))
            except DBAPIError:
                raise
            except Exception as error:
                failures.append(_Failure(mail, error, job))
            else:
                jobs.append(job)
            if time.monotonic() > late:
                return

    @contextlib.contextmanager
    def _writing(self, session: Session) -> Iterator[Session]:
        """Open the transaction that executes mails: on PostgreSQL the one that has claimed them."""
        if not session.is_sqlite:
            session.prefetched = None
            yield session
            return
        with self._store.writing(flushes=False) as writing:  # the outbox flushes before it sends
            check_revision(writing)
            yield writing

    def _execute(
        self, session: Session, jobs: Sequence[IncomingMail], times: dict[int, float]
    ) -> None:
        """Execute mails, and note when each began. What they send is composed after the last one,
        which is faster: the processor then has at hand what that takes."""
        claim_mails(session, jobs)
        outcomes = []
        for job in jobs:
            times[job.number] = time.time()
            if inbound_queue.claim(session, job.number) is not None:
                execute = partial(execute_mail, self._services, session, job, self._clock())
                outcomes.append((job.number, self._attempt(job.number, execute)))
        for number, outcome in outcomes:
            post = partial(post_outcome, self._services, session, outcome, self._clock())
            self._attempt(number, post)

    def _attempt(self, mail: int, do: Callable[[], T]) -> T:
        """Return what `do` returns; it is noted that this mail is being executed meanwhile."""
        with self._slot.attempt(mail):
            try:
                return do()
            except MemoryError:
                self._out_of_memory()
                raise

    def _report(
        self,
        mails: Sequence[InboundRow],
        jobs: Sequence[IncomingMail],
        times: dict[int, float],
    ) -> None:
        """Tell of mails that were executed."""
        peers = {mail.id: (mail.peer, mail.via) for mail in mails}
        for job in jobs:
            if job.has_wrong_password:  # config/fail2ban reads it
                peer, via = peers[job.number]
                log.warning("wrong password", peer=peer, via=via, mail=job.number)
        self._events.note_executed([job.number for job in jobs], times)

    def _note_failure(
        self,
        mails: Sequence[InboundRow],
        jobs: Sequence[IncomingMail],
        failures: list[_Failure],
        error: Exception,
    ) -> None:
        """Note that a batch failed. Of several mails, each is executed alone next."""
        if not jobs:
            raise error
        if len(jobs) > 1:
            self._alone = len(jobs)
            return
        mail = next(mail for mail in mails if mail.id == jobs[0].number)
        failures.append(_Failure(mail, error, jobs[0]))

    def _count_failure(self, failure: _Failure) -> None:
        mail, error, job = failure
        log.error("mail failed", mail=mail.id, error=type(error).__name__, at=place(error))
        result = MailResult(MailOutcome.FAULT, f"failed: {type(error).__name__}")
        with self._store.writing(flushes=False) as session:
            check_revision(session)
            is_aside = count_failure(self._services, session, mail, job, result, self._clock())
        if is_aside:
            log.error("mail set aside", mail=mail.id, why=result.code.value)


def _goes_last(mail: InboundRow) -> bool:
    return mail.stranger or mail.attempts > 0
