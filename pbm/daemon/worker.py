"""The worker is a loop: it claims the oldest mails that wait, reads and verifies them, and executes
them in one transaction.

Any number of workers share a queue of two lanes: mails of strangers, and those that failed before,
go last."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbm.daemon.attempts import MOST, WorkerSlot
from pbm.daemon.tracing import MailEvents
from pbm.logs import Outage, place
from pbm.mail.execute import count_failure, execute_mail, find_writer
from pbm.mail.read import IncomingMail, read_mail
from pbm.mail.services import MailServices
from pbm.mail.verify import claim_mails, prefetch_senders, verify_mail
from pbm.store import inbound_queue
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import SchemaError, check_revision
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session

log = structlog.get_logger()

_IDLE = 1.0
"""Seconds between looks into the queue when nobody wakes the worker."""
_PREPARING = 0.02
"""Seconds after which no more mails are added to a batch, and as many after which no more are
verified: a password takes 0.1."""
_PAUSE = 0.5
DRAIN = 20.0
"""Seconds for which a stopping worker goes on executing waiting mails."""
_STARVED = 60.0
"""Seconds after which a mail of the last lane is executed although others wait."""
_FIRST_SHARE = 9
"""While both lanes wait, the time that the first gets for each second of the last."""


class Worker:
    """The thread that executes mails.

    events         logs and traces executed mails
    done           called after each batch
    out_of_memory  called on a MemoryError; a worker process ends itself here
    """

    def __init__(
        self,
        store: Store,
        services: MailServices,
        slot: WorkerSlot,
        clock: Callable[[], float],
        events: MailEvents,
        done: Callable[[], object],
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
        """Make the worker look for mails now."""
        self._wake.set()

    def stop(self, seconds: float | None = None) -> None:
        """Execute what waits, then end; after `timeout` seconds the rest waits for the next
        start."""
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
        """Execute the next mails in one transaction. Return the number claimed: 0 when none waits
        or the database fails. When one of several fails, none is executed, and the next batch is
        one mail."""
        began = time.monotonic()
        rows: Sequence[InboundRow] = ()
        mails: list[IncomingMail] = []
        try:
            with self._slot.batch(), self._store.claiming() as session:
                check_revision(session)
                rows = self._claim(session)
                self._prepare(session, rows, mails)
                times = self._execute(session, mails)
        except Exception as error:
            if _is_outage(error):
                numbers = ",".join(str(row.id) for row in rows)
                log.error("database failed, mails are retried", mails=numbers, exc_info=error)
                time.sleep(_PAUSE)
                return 0
            if not rows:
                raise
            if len(rows) == 1:
                self._count_failure(rows[0], next(iter(mails), None), error)
            self._most = 1
        else:
            self._most = min(MOST, 2 * max(1, len(mails)))
            for row, mail in zip(rows, mails, strict=False):
                if mail.has_wrong_password:  # config/fail2ban reads it
                    log.warning("wrong password", peer=row.peer, via=row.via, mail=row.id)
            self._events.note_executed([mail.number for mail in mails], times)
        if rows:
            if rows[0].stranger or rows[0].attempts:
                now = time.monotonic()
                self._first_until = now + _FIRST_SHARE * (now - began)
            self._done()
        return len(rows)

    def _claim(self, session: Session) -> Sequence[InboundRow]:
        """Claim the mails to execute next. Those of the last lane come one by one, when there are
        no others, or when they have waited long and had less than their share of the time."""
        rows: Sequence[InboundRow] = ()
        if time.monotonic() >= self._first_until:
            rows = inbound_queue.claim_last(session, 1, self._clock() - _STARVED)
        rows = rows or inbound_queue.claim_first(session, self._most)
        return rows or inbound_queue.claim_last(session, 1)

    def _prepare(
        self, session: Session, rows: Sequence[InboundRow], mails: list[IncomingMail]
    ) -> None:
        """Read mails into that list and verify them, as many as the time allows. For one that
        failed before, its writer is noted, who is notified when it is set aside."""
        late = time.monotonic() + _PREPARING
        for row in rows:
            with self._attempt(row.id):
                mails.append(read_mail(self._services, row))
            if time.monotonic() > late:
                break
        prefetch_senders(session, mails)
        late = time.monotonic() + _PREPARING
        for at, mail in enumerate(mails):
            with self._attempt(mail.number):
                mails[at] = verify_mail(self._services, session, mail)
                if rows[at].attempts:
                    writer = find_writer(self._services, session, mails[at], mail.received)
                    self._slot.note_writer(writer)
            if time.monotonic() > late:
                del mails[at + 1 :]  # ends the loop

    def _execute(self, session: Session, mails: Sequence[IncomingMail]) -> dict[int, float]:
        """Execute mails, on PostgreSQL in the transaction that has claimed them. Return the start
        of each, by number."""
        times: dict[int, float] = {}
        self._slot.note_batch([mail.number for mail in mails])
        with contextlib.ExitStack() as stack:
            if mails and session.is_sqlite:  # the outbox flushes before it sends
                session = stack.enter_context(self._store.writing(flushes=False))
                check_revision(session)
            claim_mails(session, mails)
            for mail in mails:
                times[mail.number] = time.time()
                if inbound_queue.claim(session, mail.number) is not None:
                    with self._attempt(mail.number):
                        execute_mail(self._services, session, mail, self._clock())
        return times

    @contextlib.contextmanager
    def _attempt(self, number: int) -> Iterator[None]:
        """Note that this mail is being executed during the block."""
        with self._slot.attempt(number):
            try:
                yield
            except MemoryError:
                self._out_of_memory()
                raise

    def _count_failure(self, row: InboundRow, mail: IncomingMail | None, error: Exception) -> None:
        """Count a failed attempt at a mail, which was read as far as possible."""
        log.error("mail failed", mail=row.id, error=type(error).__name__, at=place(error))
        result = MailResult(MailOutcome.FAULT, f"failed: {type(error).__name__}")
        with self._store.writing(flushes=False) as session:
            check_revision(session)
            is_aside = count_failure(self._services, session, row, mail, result, self._clock())
        if is_aside:
            log.error("mail set aside", mail=row.id, why=result.code.value)


def _is_outage(error: Exception) -> bool:
    """Whether the database failed, as opposed to data that a mail would have written."""
    is_database = isinstance(error, DBAPIError | SchemaError)
    return is_database and not isinstance(error, DataError | IntegrityError)
