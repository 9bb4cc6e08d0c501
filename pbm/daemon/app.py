"""The composition root: wires the listeners, journal, workers, scheduler and outbox of one server,
and ends them in order."""

from __future__ import annotations

import asyncio
import functools
import gc
import os
import shlex
import shutil
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbm import logs
from pbm.config import Config, ConfigError
from pbm.daemon import presence
from pbm.daemon.attempts import Attempts
from pbm.daemon.bot_runner import BotRunner
from pbm.daemon.keys import load_secrets
from pbm.daemon.picture_queue import PictureQueue
from pbm.daemon.presence import announce, serve_alone
from pbm.daemon.scheduler import Scheduler, record_heartbeat
from pbm.daemon.sockets import (
    Certificate,
    Supervisor,
    find_fast_loop,
    find_supervisor,
    listen,
    load_certificate,
)
from pbm.daemon.startup import (
    FOR_MAILS,
    adopt_names,
    count_interrupted,
    hold_restored,
    load_games,
    open_store,
    read_files,
    reload,
    retry_failed,
)
from pbm.daemon.status import Status
from pbm.daemon.tracing import MailEvents
from pbm.daemon.vital_signs import VitalSigns, list_troubles
from pbm.daemon.web_runner import WebRunner, open_listener
from pbm.daemon.worker import DRAIN, Worker
from pbm.daemon.worker_pool import WorkerPool
from pbm.daemon.worker_process import YOUNG
from pbm.mail.bounces import submit_refusal
from pbm.mail.execute import report_set_aside
from pbm.mail.imap import Fetcher
from pbm.mail.outbox import Outbox, build_courier
from pbm.mail.receive import Precedence
from pbm.mail.services import open_services
from pbm.mail.signer import Signers
from pbm.mail.smtp import ConnectionLimiter, SmtpHandler, build_protocol
from pbm.mail.webhooks import WebhookCourier
from pbm.store import inbound_queue, migrate
from pbm.store.engine import DatabaseReplaced, Store
from pbm.store.group_commit import CommitThread
from pbm.store.migrate import SchemaError
from pbm.store.transaction import Session
from pbm.version import find_version

log = structlog.get_logger()
_DRAIN = 25.0
_WATCH = 1.0
"""Seconds between looks at the schema."""
_ENDING = b"421 4.3.2 the server is being restarted, come back later\r\n"
_OUTDATED = b"421 4.3.2 the server is being upgraded, come back later\r\n"
_PUT_BACK = "put it back as it was, or restart on the right one: pbm doctor"
_NOBODY = Supervisor()


class Daemon:
    """One server: listeners, journal, scheduler and outbox in this process; the workers as
    processes of their own after `use_processes`, else as one thread."""

    def __init__(
        self,
        config: Config,
        clock: Callable[[], float] = time.time,
        supervisor: Supervisor = _NOBODY,
    ) -> None:
        self.config = config
        self.clock = clock
        self._supervisor = supervisor
        self.store = open_store(config)
        self.secrets = load_secrets(self.store)
        load_games(self.store)
        adopt_names(self.store, self.secrets, config, clock())
        hold_restored(self.store, clock())
        processors = len(os.sched_getaffinity(0))
        self.workers = config.workers.count(processors, is_sqlite=self.store.is_sqlite)
        has_workers = bool(self.workers)
        count_interrupted(self.store, clock(), has_workers=has_workers)
        retry_failed(self.store)
        record_heartbeat(self.store, clock())
        self.services = open_services(config, self.secrets)
        self._name = f"{socket.gethostname()} {config.smtp.listen or config.lmtp.listen}"
        self._note = presence.introduce(self._name, clock())
        self.events = MailEvents(config, self.store, self.secrets.keys, self._name, clock)
        self.writer = CommitThread(self.store, migrate.check_revision)
        self.journal = JournalWriter(
            self.writer,
            self._wake,
            self.events.note_arrival,
            Precedence(config, self.secrets).mark,
        )
        self.limiter = ConnectionLimiter(config)
        self.attempts = Attempts(self.store, self.workers or 1)
        self._couriers = [
            build_courier(config.relay.url) for _ in range(config.relay.sessions or 1)
        ]
        self.pictures = PictureQueue(config, self._is_drawn)
        self.pool: WorkerPool | None = None
        self.fetcher: Fetcher | None = None
        self.web: WebRunner | None = None
        self.outdated: SchemaError | None = None
        self.replaced: DatabaseReplaced | None = None
        self.tls: Certificate | None = None
        self.ports: list[str] = []
        self._servers: list[asyncio.AbstractServer] = []

    def use_processes(self) -> None:
        """Have mails executed by worker processes, which `start` starts."""
        count = len(self.attempts.slots)
        self.pool = WorkerPool(
            self.config,
            self.store.identity,
            self.secrets.bundle,
            self.attempts,
            [f"{self._name}-{number}" for number in range(1, count + 1)],
            self.writer,
            self.clock,
            self._is_done,
            functools.partial(report_set_aside, self.services),
            lambda mails: self.events.note_executed(mails, {}),
        )

    async def start(self) -> None:
        """Start everything, the listeners last."""
        doubts = self.store.find_durability_warning()
        if doubts:
            log.warning(doubts)
        self.events.open()
        loop = self._loop = asyncio.get_running_loop()
        self.outbox = Outbox(
            self.config,
            self.store,
            self.writer,
            self._couriers,
            self.clock,
            functools.partial(submit_refusal, self.services.service),
            self.pictures.find,
            self._load_signer(),
            self.events.note_delivery,
            WebhookCourier(self.config, self.store),
        )
        self.worker = Worker(
            self.store,
            self.services,
            self.attempts.slots[0],
            self.clock,
            self.events,
            lambda: loop.call_soon_threadsafe(self._is_done),
        )
        self.bots = BotRunner(
            self.config,
            self.store,
            self.writer,
            self.services.service,
            self.clock,
            lambda: loop.call_soon_threadsafe(self.outbox.wake),
        )
        self.scheduler = Scheduler(
            self.services.service,
            self.writer,
            self.clock,
            self.outbox.wake,
            noted=self._note_presence,
            find_troubles=self._find_troubles,
        )
        self.writer.start()
        if self.config.bots.enabled:
            self.bots.start()
        if self.pool is not None:
            self.pool.start()
        else:
            self.worker.start()
        self._sending = asyncio.create_task(self.outbox.run())
        self._ticking = asyncio.create_task(self.scheduler.run())
        await self._listen(loop)

    async def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Open the listeners, and start fetching mail where configured."""
        if self.config.imap.url:
            self.fetcher = Fetcher(self.config, self._store_from_thread(loop), self.clock)
            self.fetcher.start()
        http = await self._listen_http() if self.config.http.listen else ""
        handler = SmtpHandler(self.config, self.journal.store, self.clock)
        self.tls = load_certificate(self.config)
        tls = self.tls.context if self.tls is not None else None
        configured = {"smtp": self.config.smtp.listen, "lmtp": self.config.lmtp.listen}
        handed = self._supervisor.sort_listeners(
            [kind for kind, address in configured.items() if address]
        )
        for kind, address in configured.items():
            session = functools.partial(
                build_protocol, self.config, handler, self.limiter, lmtp=kind == "lmtp", tls=tls
            )
            places: list[str | socket.socket] = [*handed[kind]]
            for place in places or ([address] if address else []):
                server, bound = await listen(place, session)
                self._servers.append(server)
                self.ports.append(f"{kind} {bound}")
        if self.fetcher is not None:
            self.ports.append(f"imap {self.fetcher.host}")
        self.ports += [http] if http else []
        if self.config.web.listen or handed["web"]:
            self._listen_web(handed["web"])

    def _listen_web(self, handed: Sequence[socket.socket]) -> None:
        if handed:
            listener, bound = handed[0], str(handed[0].getsockname())
        else:
            listener, bound = open_listener(self.config.web.listen)
        identity, keys = self.store.identity, self.secrets.bundle
        self.web = WebRunner(self.config, identity, keys, listener, self._is_done)
        self.web.start()
        self.ports.append(f"web {bound}")

    async def _listen_http(self) -> str:
        """Serve /health and /metrics. Return the line that says where."""
        signs = VitalSigns(
            self.store,
            self.writer,
            self.outbox,
            self.fetcher,
            self._is_working,
            lambda: self.journal.accepted,
            lambda: self.tls.expires if self.tls is not None else None,
            lambda: self.pictures.late,
            self.clock,
        )
        status = Status(self.store, self.limiter, self.clock, signs)
        host, _, port = self.config.http.listen.rpartition(":")
        server = await asyncio.start_server(status.answer, host.strip("[]"), int(port))
        self._servers.append(server)
        return f"http {host}:{server.sockets[0].getsockname()[1]}"

    def _load_signer(self) -> Callable[[bytes], bytes] | None:
        """Return the signer of outgoing mails, if there is a key."""
        if not any(view.dkim.key for view in self.config.list_senders()):
            return None

        return Signers(self.config).sign

    def is_alive(self) -> bool:
        """Whether mails are accepted, executed and sent, for the watchdog."""
        ended = self._sending.done() or self._ticking.done()
        return self._is_working() and self.writer.is_alive and not ended

    def _is_working(self) -> bool:
        """Whether mails are being executed."""
        return self.worker.is_alive or (self.pool is not None and self.pool.is_working)

    def reload(self) -> None:
        """Read the configuration again: limits, players' rights, and the log change at once. An
        invalid file changes nothing; its text may be secret and is not logged."""
        if not self.config.source:
            log.warning("reload failed: no configuration file")
            return
        try:
            later = reload(self.config)
        except ConfigError as error:
            wrong = error.key or "the file"
            log.error("reload failed", wrong=wrong, do="pbm doctor says what it must be")
        else:
            wrong = ""
            if self.pool is not None:
                self.pool.reload()
            if self.web is not None:
                self.web.reload()
            log.info("reloaded", needs_restart=",".join(later) or "nothing")
        self._note = replace(self._note, reloaded=self.clock(), wrong=wrong)
        self.writer.submit(self._note_presence, is_awaited=False)

    def _note_presence(self, session: Session) -> None:
        """Note in the list of daemons that this one is running."""
        presence.note(session, self._note, self.clock())

    def _find_troubles(self) -> list[str]:
        """Return the server's troubles for the daily mail to the operator."""
        with self.store.reading() as session:
            expires = self.tls.expires if self.tls is not None else None
            return list_troubles(session, self.store, expires, self.clock())

    def _leave(self, session: Session) -> None:
        """Remove this daemon from the list."""
        presence.leave(session, self._note)

    def _store_from_thread(
        self, loop: asyncio.AbstractEventLoop
    ) -> Callable[[dict[str, object]], int]:
        """Return a function that stores a mail, for other threads than the loop's."""
        return lambda row: asyncio.run_coroutine_threadsafe(self.journal.store(row), loop).result()

    def _wake(self) -> None:
        """Wake the workers: a mail has come."""
        if self.pool is None:
            self.worker.wake()
        else:
            self.pool.wake()

    def _is_done(self) -> None:
        """After a batch, wake the courier and the bots: there may be mails to send, and a bot's
        turn."""
        self.outbox.wake()
        self.bots.wake()

    def _is_drawn(self) -> None:
        """Send the mails whose picture has been drawn."""
        self._loop.call_soon_threadsafe(self.outbox.wake)

    async def watch(self, stopping: asyncio.Event) -> None:
        """Set the event when the database has a schema that this program does not know. Log when
        the database is missing or replaced, in which case no mail is accepted, and when it is
        back."""
        while self.outdated is None:
            await asyncio.sleep(_WATCH)
            try:
                await asyncio.to_thread(self._look)
            except SchemaError as error:
                self.outdated = error
                stopping.set()
            except DatabaseReplaced as error:
                if self.replaced is None:
                    log.error("database replaced", what=error.what, do=_PUT_BACK)
                self.replaced = error
            except DBAPIError:
                continue
            else:
                if self.replaced is not None:
                    log.info("database is back")
                self.replaced = None

    def _look(self) -> None:
        if self.tls is not None:
            self.tls.refresh()
        with self.store.reading() as session:
            migrate.check_revision(session)

    async def stop(self) -> None:
        """Close the listeners, execute and send what waits, then end. What is unfinished after half
        a minute waits for the next start, and so does everything when the schema has changed or the
        database is missing."""
        until = time.monotonic() + _DRAIN
        for server in self._servers:
            server.close()
        if self.web is not None:
            self.web.stop()
        if self.fetcher is not None:
            await asyncio.to_thread(self.fetcher.stop)
        self.scheduler.stop()
        if self.outdated is not None or self.replaced is not None:
            self.limiter.close(_ENDING if self.outdated is None else _OUTDATED)
            self._abandon()
            return
        await asyncio.wait({self._ticking}, timeout=_DRAIN)
        if self.pool is not None:
            await self.pool.stop(until - time.monotonic())
        if self.worker.is_alive:
            await asyncio.to_thread(self.worker.stop, min(DRAIN, until - time.monotonic()))
        self.attempts.close()
        await asyncio.to_thread(self.bots.stop)
        self.outbox.stop()
        try:
            await asyncio.wait_for(self._sending, max(1.0, until - time.monotonic()))
        except TimeoutError:
            log.warning("outbox not drained")
        self.writer.submit(self._leave, is_awaited=False)
        await asyncio.to_thread(self.pictures.stop)
        await asyncio.to_thread(self.events.close)
        self.limiter.close(_ENDING)
        await asyncio.to_thread(self.writer.stop, max(1.0, until - time.monotonic()))
        if not self.writer.is_alive:
            self.store.close()

    def _abandon(self) -> None:
        """Stop executing and sending; every transaction is complete or undone."""
        self._sending.cancel()
        self.bots.stop()
        self.pictures.stop()
        if self.pool is not None:
            self.pool.kill()
        self.attempts.close(discard=True)
        if self.replaced is not None:
            self.store.close()  # a log that was deleted is merged into the file that is left


# The journal stores mails as they arrive: those that come while others are being stored, or
# before it is the journal's turn to write, go into the next transaction together, with one flush
# of the disk.

_MOST = 64
_Arrival: TypeAlias = tuple[dict[str, object], asyncio.Future[int]]


class JournalWriter:
    """Stores rows of incoming mails. `mark` marks those of strangers, in each transaction.
    Afterwards `stored` is called, and `noted` with number and row of each stored mail, both in the
    loop's thread."""

    def __init__(
        self,
        writer: CommitThread,
        stored: Callable[[], object],
        noted: Callable[[int, Mapping[str, object]], None] = lambda _number, _row: None,
        mark: Callable[[Session, Sequence[dict[str, object]]], None] = lambda _session, _rows: None,
    ) -> None:
        self._writer = writer
        self._stored = stored
        self._noted = noted
        self._mark = mark
        self._waiting: deque[_Arrival] = deque()
        self._storing: asyncio.Task[None] | None = None
        self.accepted = 0

    async def store(self, row: dict[str, object]) -> int:
        """Store the row, and return its number once it is durable. The row is stored even when the
        caller no longer waits."""
        loop = asyncio.get_running_loop()
        number: asyncio.Future[int] = loop.create_future()
        self._waiting.append((row, number))
        if self._storing is None:
            self._storing = loop.create_task(self._run())
        return await number

    async def _run(self) -> None:
        while self._waiting:
            batch: list[_Arrival] = []
            try:
                await self._take(batch)
            except Exception as error:
                self._fill(batch)
                is_its_own = isinstance(error, DataError | IntegrityError)
                for one in batch:
                    if isinstance(error, DBAPIError | SchemaError) and not is_its_own:
                        _fail(one, error)
                    else:
                        await self._store_alone(one)
        self._storing = None

    async def _store_alone(self, one: _Arrival) -> None:
        """Store a mail alone whose batch failed, so that one mail's error does not affect the
        others."""
        try:
            await self._take([one])
        except Exception as error:
            _fail(one, error)

    def _fill(self, batch: list[_Arrival]) -> None:
        """Move waiting mails to a batch that has none yet."""
        if not batch:
            for _ in range(min(len(self._waiting), _MOST)):
                batch.append(self._waiting.popleft())

    async def _take(self, batch: list[_Arrival]) -> None:
        """Store these mails; without any, the mails that wait by the time the database can be
        written, which the list then contains."""

        def journal(session: Session) -> list[int]:
            self._fill(batch)
            rows = [row for row, _ in batch]
            self._mark(session, rows)
            return inbound_queue.journal(session, rows)

        numbers = await asyncio.wrap_future(self._writer.submit(journal))
        rows = [row for row, _ in batch]
        self.accepted += len(batch)
        for (_, future), number in zip(batch, numbers, strict=True):
            if not future.done():
                future.set_result(number)
        # Later, and whatever becomes of it: these mails are stored.
        loop = asyncio.get_running_loop()
        for number, row in zip(numbers, rows, strict=True):
            loop.call_soon(self._noted, number, row)
        loop.call_soon(self._stored)


def _fail(arrival: _Arrival, error: Exception) -> None:
    if not arrival[1].done():
        arrival[1].set_exception(error)


# The front process: runs a daemon until a signal ends it, and notifies the supervisor.

_TO_TRY = """To try it, type in another terminal, in this folder:
  {pbm} signup ann ann@example.org
  {pbm} hex challenge ann mcts
  {pbm} play --as ann
"""


def find_own_name() -> str:
    """Return the command that starts this program again: its name where the shell finds it, else
    how it was started."""
    started = sys.argv[0]
    if os.path.basename(started) == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m pbm"
    found = shutil.which(os.path.basename(started))
    if found and os.path.exists(started) and os.path.samefile(found, started):
        return os.path.basename(started)
    return shlex.quote(started)


async def _serve(daemon: Daemon, supervisor: Supervisor) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    loop.add_signal_handler(signal.SIGHUP, daemon.reload)
    await daemon.start()
    log.info("serving", version=find_version(), pid=os.getpid(), **_list_places(daemon))
    with announce(daemon.store):
        for port in daemon.ports:
            sys.stdout.write(f"ready {port}\n")
        sys.stdout.flush()
        if daemon.config.trial:
            sys.stderr.write(_TO_TRY.format(pbm=find_own_name()))
        pulse = asyncio.create_task(_notify_watchdog(daemon, supervisor, stopping))
        supervisor.tell("READY=1", f"STATUS=ready {', '.join(daemon.ports)}")
        watching = asyncio.create_task(daemon.watch(stopping))
        await stopping.wait()
    supervisor.tell("STOPPING=1", "STATUS=draining")
    await daemon.stop()
    pulse.cancel()
    watching.cancel()
    log.info("stopped")


async def _notify_watchdog(daemon: Daemon, supervisor: Supervisor, stopping: asyncio.Event) -> None:
    """Notify the watchdog while the server works, and until the end once it is stopping; otherwise
    the supervisor restarts it."""
    while supervisor.pulse:
        if stopping.is_set() or daemon.is_alive():
            supervisor.tell("WATCHDOG=1")
        else:
            log.error("server part ended, no sign of life for the watchdog")
        await asyncio.sleep(supervisor.pulse)


def _list_places(daemon: Daemon) -> dict[str, str]:
    """Return the places of this server's state, without passwords."""
    url, scheme = daemon.store.url, daemon.config.relay.url.partition(":")
    is_file = daemon.store.is_sqlite
    return {
        "config": os.path.abspath(daemon.config.source) if daemon.config.source else "none",
        "database": os.path.abspath(str(url.database))
        if is_file
        else url.render_as_string(hide_password=True),
        "mail_out": os.path.abspath(scheme[2]) if scheme[0] == "maildir" else scheme[0],
    }


def serve(config: Config) -> None:
    """Run until SIGTERM or SIGINT, then drain. SchemaError when the database does not have, or no
    longer has, this program's schema."""
    logs.set_up(config.log.format)
    if config.trial:
        sys.stderr.write(
            "trial server: no configuration; data under ./var, loopback only, "
            "addresses need no confirmation\n"
        )
    with serve_alone(Store(config.database.url)):
        _serve_alone(config)


def _serve_alone(config: Config) -> None:
    supervisor = find_supervisor(os.environ)
    daemon = Daemon(config, supervisor=supervisor)
    needed = ["pbm.daemon.engine_process"]
    if config.http.listen:
        needed.append("pbm.daemon.status")
    if daemon.workers:
        daemon.use_processes()
    else:
        needed.extend(FOR_MAILS)
    read_files(needed)
    gc.freeze()  # nothing of what is there now is garbage
    gc.set_threshold(YOUNG)
    gc.enable()
    with asyncio.Runner(loop_factory=find_fast_loop()) as runner:
        runner.run(_serve(daemon, supervisor))
    if daemon.outdated is not None:
        raise daemon.outdated
