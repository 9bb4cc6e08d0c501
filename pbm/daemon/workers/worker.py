"""The worker executes mails, batch by batch: it prepares a batch without a lock, then has the
writer execute and commit it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbm.config import Config
from pbm.daemon.monitoring.mail_events import MailEvents
from pbm.daemon.workers.attempts import MOST, Slot
from pbm.logs import Outage, place
from pbm.mail.incoming.arrival import mask_text
from pbm.mail.incoming.desk import Desk
from pbm.mail.incoming.execute_mail import Outcome, execute_mail, post_outcome
from pbm.mail.incoming.failed_mail import apologise, find_writer, is_kept
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.prefetch_mails import claim_mails, prefetch_senders
from pbm.mail.incoming.read_mail import read_mail
from pbm.mail.incoming.verify_mail import is_costly, verify_mail
from pbm.store.database_files import DatabaseReplaced
from pbm.store.engine import NotFlushed, Store
from pbm.store.group_commit import Writer
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import SchemaError
from pbm.store.queues import inbound_queue
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session

T = TypeVar("T")
log = structlog.get_logger()


_IDLE = 1.0
_PREPARING = 0.02
"""Seconds after which a batch is executed as far as it is prepared."""
_PAUSE = 0.5
DRAIN = 20.0
"""Seconds that a stopping worker goes on executing what waits."""
_MOST_WAITING = 20_000
"""Waiting mails that are searched for cheap ones."""
_LATE = 5.0
"""Seconds after which any worker may take a mail."""
_LONG = 1.0
"""Seconds that mails wait for a worker that is behind."""
_CHEAP_SHARE = 3
"""Times as long as a costly mail took, cheap ones go first: while both wait, costly ones get a
quarter of the time."""
_MOST_STRANGERS = 8
"""Mails of strangers that are read at once: whoever comes meanwhile waits for them."""
_STARVED = 60.0
"""Seconds after which a stranger's mail is executed although others wait."""
_KNOWN_SHARE = 9
"""Times as long as such mails took, others go first: while both wait, strangers get a tenth of the
time."""

_Job = tuple[InboundRow, IncomingMail]
_Prepared = tuple[InboundRow, IncomingMail | None]
"""A row with its mail, or None when preparing it failed."""


class Worker:
    """The thread that executes mails.

    name           which mails are meant for it
    events         is told of each mail that was executed
    is_behind      whether the mails of its last batch had waited for long: not a costly one, which
                   waits for cheap ones, and would cost another worker as much again
    done           called after each batch, and once it has caught up
    out_of_memory  called on a MemoryError; a worker process ends itself here
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        writer: Writer,
        desk: Desk,
        slot: Slot,
        name: str,
        clock: Callable[[], float],
        events: MailEvents,
        done: Callable[[], object],
        out_of_memory: Callable[[], object] = lambda: None,
    ) -> None:
        self._config = config
        self._store = store
        self._writer = writer
        self._desk = desk
        self._slot = slot
        self._name = name
        self._clock = clock
        self._events = events
        self._began: dict[int, float] = {}
        self._left: dict[int, IncomingMail] = {}
        self._done = done
        self._out_of_memory = out_of_memory
        self.is_behind = False
        self._has_more = True
        self._costly: dict[int, None] = {}
        self._cheap_until = 0.0
        self._known_until = 0.0
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
        while True:
            self._wake.clear()
            try:
                worked = self.work()
                self._outage.end()
            except Exception as error:
                self._outage.report(error)
                worked = 0
                time.sleep(_PAUSE)
            if self._until is not None:
                if not worked or time.monotonic() > self._until:
                    return
            elif not (worked and self._has_more):
                self._wake.wait(_IDLE)

    def work(self) -> int:
        """Execute one batch of the mails that wait; its size, 0 when the database fails. It notes
        whether others may wait that nobody will call for: there were more than a batch, or a costly
        one went first, or a mail has to be executed again."""
        began = time.monotonic()
        self._has_more = False
        with self._store.looking() as session:
            jobs = self._take_next(session)
            is_strange = bool(jobs) and jobs[0][0].stranger
            later: list[_Prepared] = []
            late = time.monotonic() + _PREPARING
            for number, (mail, job) in enumerate(jobs):
                if job is not None:
                    verify = partial(self._verify, session, mail, job)
                    jobs[number] = mail, self._prepare(mail, verify, job)
                if time.monotonic() > late:
                    jobs, later = jobs[: number + 1], jobs[number + 1 :]
                    break
        self._left = {mail.id: job for mail, job in later if job is not None}
        is_costly = any(mail.id in self._costly for mail, _ in jobs)
        is_done = self._execute([(mail, job) for mail, job in jobs if job is not None])
        now = time.monotonic()
        if is_costly:
            self._cheap_until = now + _CHEAP_SHARE * (now - began)
        if is_strange:
            self._known_until = now + _KNOWN_SHARE * (now - began)
        was_behind, self.is_behind = self.is_behind, False
        if jobs and not (is_strange or is_costly):
            self.is_behind = self._clock() - jobs[0][0].received > _LONG
        self._has_more |= bool(later or self._costly) or is_costly or is_strange or self.is_behind
        if jobs or was_behind:
            self._done()
        return len(jobs) if is_done else 0

    def _execute(self, jobs: Sequence[_Job]) -> bool:
        """Execute these mails in one transaction, or each in one of its own when one fails; False
        when the database does."""
        if not jobs:
            return True
        numbers = [mail.id for mail, _ in jobs]
        failed: Exception | None = None
        self._began.clear()
        with self._slot.batch(numbers):
            future = self._begin(jobs)
            error = future.exception()
            is_whole = error is None or isinstance(error, NotFlushed | DatabaseReplaced)
            is_shared = len(jobs) == 1 or is_whole
            for each in jobs:
                if not is_shared:
                    future = self._begin([each])
                failed = self._finish(*each, future) or failed
        if failed is not None:
            mails = ",".join(map(str, numbers))
            log.error("database write failed, batch will be retried", mails=mails, exc_info=failed)
            time.sleep(_PAUSE)
        self._events.note_executed(numbers, self._began)
        return failed is None

    def _begin(self, jobs: Sequence[_Job]) -> Future[None]:
        """Submit these mails to the writer as one transaction."""
        return self._writer.submit(partial(self._execute_all, [job for _, job in jobs]))

    def _finish(
        self,
        mail: InboundRow,
        job: IncomingMail,
        future: Future[None],
    ) -> Exception | None:
        """Wait until the mail is executed and count a failure; the error of a database that failed,
        which is no mail's fault."""
        self._costly.pop(mail.id, None)
        try:
            future.result()
            if job.has_wrong_password:  # config/fail2ban reads it
                log.warning("wrong password", peer=mail.peer, via=mail.via, mail=mail.id)
        except (DataError, IntegrityError) as error:
            self._count_failure(mail, error, job)
        except (DBAPIError, SchemaError) as error:
            return error  # not the mail's fault: it is tried again
        except Exception as error:
            self._count_failure(mail, error, job)
        return None

    def _take_next(self, session: Session) -> list[_Prepared]:
        """Return the mails to execute next, read: those of strangers only when no others are found,
        or when they have waited for long and had less than their share of the time."""
        now = time.monotonic()
        if now >= self._known_until:
            jobs = self._take_strangers(session, self._clock() - _STARVED)
            if jobs:
                return jobs
        return self._take_known(session, now) or self._take_strangers(session)

    def _take_strangers(self, session: Session, since: float = math.inf) -> list[_Prepared]:
        """Return the oldest mails of strangers, read, if the first came by then: those before the
        first costly one, or that one alone."""
        late = self._clock() - _LATE
        mails = inbound_queue.peek(session, _MOST_STRANGERS, self._name, late, of_strangers=True)
        if not mails or mails[0].received > since:
            return []
        failed = next((at for at, mail in enumerate(mails) if mail.attempts), len(mails))
        jobs = self._read_all(mails[: failed or 1])
        self._prefetch(session, jobs)
        for at, (_, job) in enumerate(jobs):
            if job is not None and is_costly(self._desk, session, job):
                return jobs[: at or 1]
        return jobs

    def _take_known(self, session: Session, now: float) -> list[_Prepared]:
        """Return the mails of known senders to execute next, read: all cheap ones that are found,
        or the oldest costly one alone, when there is no cheap one or costly ones have had less than
        their share of the time. A mail that failed, or ended a worker, counts as costly: nothing is
        executed together with it."""
        if now >= self._cheap_until and (jobs := self._read_costly(session)):
            return jobs
        while time.monotonic() < now + _LATE:
            mails = self._peek(session, self._costly)
            if not mails:
                break
            self._costly.update((mail.id, None) for mail in mails if mail.attempts)
            jobs = self._read_all([mail for mail in mails if not mail.attempts])
            self._prefetch(session, jobs)
            cheap = []
            for mail, job in jobs:
                if job is not None and is_costly(self._desk, session, job):
                    self._costly[mail.id] = None
                else:
                    cheap.append((mail, job))
            if cheap:
                return cheap
        return self._read_costly(session)

    def _peek(self, session: Session, known: Collection[int]) -> Sequence[InboundRow]:
        """Return the mails that wait, without those that are known by these numbers."""
        before = self._clock() - _LATE
        if not known:
            mails = inbound_queue.peek(session, MOST, self._name, before)
            self._has_more |= len(mails) == MOST
            return mails
        most = min(len(known) + MOST, _MOST_WAITING)
        waiting = inbound_queue.find_waiting_numbers(session, most, self._name, before)
        fresh = [number for number in waiting if number not in known]
        self._has_more |= len(fresh) > MOST
        return inbound_queue.read_waiting(session, fresh[:MOST])

    def _read_costly(self, session: Session) -> list[_Prepared]:
        """Return the oldest costly mail that no other worker has had, read."""
        for number in list(self._costly):
            mails = inbound_queue.read_waiting(session, [number])
            if mails:
                jobs = self._read_all(mails)
                self._prefetch(session, jobs)
                return jobs
            self._costly.pop(number)
        return []

    def _prefetch(self, session: Session, jobs: Sequence[_Prepared]) -> None:
        """Prefetch what preparing these mails needs."""
        read = [job for _, job in jobs if job is not None]
        prefetch_senders(session, read)

    def _read_all(self, mails: Sequence[InboundRow]) -> list[_Prepared]:
        """Read these mails, as many as can be read in the time there is."""
        late, late_by_clock = time.thread_time() + _PREPARING, time.monotonic() + _PREPARING
        jobs: list[_Prepared] = []
        for mail in mails:
            jobs.append((mail, self._prepare(mail, partial(self._read, mail))))
            if time.monotonic() > late_by_clock and time.thread_time() > late:
                self._has_more = True
                break
        return jobs

    def _read(self, mail: InboundRow) -> IncomingMail:
        """Return the mail read; the batch before may have read it and had no time for it."""
        job = self._left.pop(mail.id, None)
        return read_mail(self._desk, mail) if job is None else job

    def _verify(self, session: Session, mail: InboundRow, job: IncomingMail) -> IncomingMail:
        """Return the mail verified. Of one that failed before, and is executed alone, it is noted
        who wrote it: that player is told when it is set aside."""
        job = verify_mail(self._desk, session, job)
        if mail.attempts:
            self._slot.note_writer(find_writer(self._desk, session, job, mail.received))
        return job

    def _prepare(
        self, mail: InboundRow, prepare: Callable[[], IncomingMail], job: IncomingMail | None = None
    ) -> IncomingMail | None:
        """Return the mail one step further, None when that failed; `job` is the mail before this
        step."""
        try:
            return self._attempt(mail.id, prepare)
        except DBAPIError:
            raise
        except Exception as error:
            self._count_failure(mail, error, job)
            return None

    def _attempt(self, mail: int, do: Callable[[], T]) -> T:
        """Return what `do` returns; it is noted that this mail is being executed meanwhile."""
        with self._slot.attempt(mail):
            try:
                return do()
            except MemoryError:
                self._out_of_memory()
                raise

    def _execute_all(self, jobs: Sequence[IncomingMail], session: Session) -> None:
        """Execute mails, with their rows prefetched. What they send is composed after the last one:
        the processor then has at hand what that takes."""
        claim_mails(session, jobs)
        done = [(job.number, self._execute_one(session, job)) for job in jobs]
        for number, outcome in done:
            if outcome is not None:
                post = partial(post_outcome, self._desk, session, outcome, self._clock())
                self._attempt(number, post)

    def _execute_one(self, session: Session, job: IncomingMail) -> Outcome | None:
        """Execute a mail; None when somebody else has executed it."""
        self._began[job.number] = time.time()
        if inbound_queue.claim(session, job.number) is None:
            return None
        execute = partial(execute_mail, self._desk, session, job, self._clock())
        return self._attempt(job.number, execute)

    def _count_failure(self, mail: InboundRow, error: Exception, job: IncomingMail | None) -> None:
        """Count a failed attempt. After the last one the mail is set aside, or, when nobody would
        miss it, done; its sender, if known, gets an apology the first time. `job` is the mail as
        far as it was read."""
        log.error("mail failed", mail=mail.id, error=type(error).__name__, at=place(error))
        self._has_more = True
        most = self._config.limits.attempts
        result = MailResult(MailOutcome.FAULT, f"failed: {type(error).__name__}")

        def count(session: Session) -> bool:
            if not most or mail.attempts + 1 < most:
                inbound_queue.count_failed_attempt(session, mail.id, result)
                return False
            is_kept = self._is_kept(session, mail, job)
            if is_kept:
                inbound_queue.set_aside(session, mail.id, result, self._clock(), is_fault=True)
            else:
                inbound_queue.give_up(session, mail.id, result, self._clock(), mask_text(mail.raw))
            if not mail.faults and job is not None:
                self._apologise(session, job, is_kept=is_kept)
            return is_kept

        if self._writer.submit(count).result():
            log.error("mail set aside", mail=mail.id, why=result.code.value)

    def _is_kept(self, session: Session, mail: InboundRow, job: IncomingMail | None) -> bool:
        """Whether a mail that failed is kept: not one of a stranger, nor one that was verified and
        proves nothing or changes nothing."""
        if mail.stranger or job is None or not job.is_verified:
            return not mail.stranger
        return is_kept(self._desk, session, job, mail.received)

    def _apologise(self, session: Session, job: IncomingMail, *, is_kept: bool) -> None:
        """Send an apology, unless that is what fails."""
        try:
            apologise(self._desk, session, job, self._clock(), is_kept=is_kept)
        except DBAPIError:
            raise
        except Exception as error:
            log.error("apology not sent", mail=job.number, exc_info=error)
