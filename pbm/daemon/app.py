"""The composition root: listeners, writer, workers and outbox of one server.

It wires rooms together and ends them in order; what a mail means is decided elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import DBAPIError

import pbm
from pbm import games, logs, ratings
from pbm.config import Config, ConfigError, adopt, load
from pbm.core.service import restored
from pbm.core.views import help_pages
from pbm.daemon import preload
from pbm.daemon.bot_runner import BotRunner
from pbm.daemon.http import Status
from pbm.daemon.journal import JournalWriter
from pbm.daemon.keys import load_secrets
from pbm.daemon.presence import announced
from pbm.daemon.scheduler import Scheduler, beat
from pbm.daemon.sockets import listen, tls_of
from pbm.daemon.systemd import Supervisor, supervisor_of
from pbm.daemon.worker import DRAIN, Worker, run_process
from pbm.mail.incoming.handle import MailHandler
from pbm.mail.incoming.smtp import ConnectionLimiter, SmtpHandler, protocol
from pbm.mail.outgoing import rendering
from pbm.mail.outgoing.couriers import build_courier
from pbm.mail.outgoing.outbox import Outbox
from pbm.store import migrate, queues, reads
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.migrate import SchemaError

if TYPE_CHECKING:
    from pbm.mail.incoming.imap import Fetcher

log = structlog.get_logger()
_IMPORTED_LATE = (
    "jinja2",
    "markupsafe",
    "flufl.bounce",
    "public",
    "email_validator",
    "idna",
    "imap_tools",
)
_DRAIN = 25.0
_WATCH = 1.0
"""Seconds between looks at the schema."""
_ENDING = b"421 4.3.2 the server is being restarted, come back later\r\n"
_OUTDATED = b"421 4.3.2 the server is being upgraded, come back later\r\n"
_NOBODY = Supervisor()


def open_store(config: Config) -> Store:
    """The database, brought to the schema this program knows."""
    store = Store(config.database.url)
    migrate.upgrade(store)
    return store


class Daemon:
    """One server: listeners, writer and outbox in this process, and the workers, one as a thread
    or some as processes."""

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
        self._learn_games()
        self._hold()
        self._revive()
        beat(self.store, clock())
        self.desk = MailHandler(config, self.secrets)
        self.writer = Writer(self.store, migrate.guard)
        self.intake = JournalWriter(self.writer, self._turn, self._arrived)
        self.gate = ConnectionLimiter(config)
        self.outdated: SchemaError | None = None
        self.fetcher: Fetcher | None = None
        self.ports: list[str] = []
        self._name = f"{socket.gethostname()} {config.smtp.listen or config.lmtp.listen}"
        self._servers: list[asyncio.AbstractServer] = []
        self._links: dict[str, socket.socket] = {}
        self._children: dict[str, int] = {}
        self._turns = itertools.count()

    def _learn_games(self) -> None:
        """Load the games; of those that cannot be, and of those that are gone but have boards, the
        operator is told here."""
        with self.store.reading() as session:
            games.expect(reads.games_with_boards(session))
        for fault in games.faults():
            log.error(
                "a game is left out", game=fault.name, package=fault.package, cause=fault.cause
            )
        for name in games.missing_names():
            log.error("boards of a missing game wait", game=name, do="see pbm doctor")

    def _hold(self) -> None:
        """Keep what waits in a restored database from going out; a backup that is being written
        looks like one, but is locked."""
        with self.store.exclusive("backup") as is_alone:
            if not is_alone:
                return
            with self.store.writing() as session:
                held = restored.hold(session, self.clock())
        if held is not None:
            when, came, went = held
            log.warning(
                "restored from a backup: nothing old is executed or sent",
                made=when,
                set_aside=came,
                dropped=went,
            )

    def _revive(self) -> None:
        """Try mails again that were set aside for a fault of the server's own: it may be mended."""
        with self.store.writing() as session:
            count = queues.retry_faults(session)
        if count:
            log.info("mails that were set aside are tried again", mails=count)

    def fork(self) -> None:
        """Start the worker processes; call it before there is any thread or event loop."""
        self.store.close()
        for number in range(1, self.config.workers.processes):
            name = f"{self._name}-{number}"
            ours, theirs = socket.socketpair()
            child = os.fork()
            if child == 0:
                ours.close()
                for link in self._links.values():
                    link.close()
                run_process(
                    self.config, name, self.desk, theirs, functools.partial(_reread, self.config)
                )
                os._exit(0)
            theirs.close()
            self._links[name], self._children[name] = ours, child

    async def start(self) -> None:
        """Open the listeners and start to work."""
        doubts = self.store.durability_warning()
        if doubts:
            log.warning(doubts)
        loop = asyncio.get_running_loop()
        couriers = [
            build_courier(self.config.relay.url) for _ in range(self.config.relay.sessions or 1)
        ]
        self.outbox = Outbox(
            self.config, self.store, self.writer, couriers, self.clock, self.desk.refused
        )
        self.worker = Worker(
            self.config,
            self.store,
            self.writer,
            self.desk,
            self._name,
            self.clock,
            lambda: loop.call_soon_threadsafe(self._worked),
        )
        self.house = BotRunner(
            self.config,
            self.store,
            self.writer,
            self.desk.service,
            self.clock,
            lambda: loop.call_soon_threadsafe(self.outbox.wake),
        )
        self.clockwork = Scheduler(
            self.desk.service,
            self.writer,
            self.clock,
            self.outbox.wake,
        )
        self.writer.start()
        if self.config.bots.enabled:
            self.house.start()
        for name, link in self._links.items():
            loop.add_reader(link, self._heard, name, link)
        if not self._links:
            self.worker.start()
        self._sending = asyncio.create_task(self.outbox.run())
        self._ticking = asyncio.create_task(self.clockwork.run())
        if self.config.imap.url:
            from pbm.mail.incoming.imap import Fetcher

            self.fetcher = Fetcher(self.config, self._journal_in(loop), self.clock)
            self.fetcher.start()
        door = SmtpHandler(self.config, self.intake.store, self.clock)
        tls = tls_of(self.config)
        if self.config.http.listen:
            status = Status(self.store, self.gate, self.clock, self._is_working)
            host, _, port = self.config.http.listen.rpartition(":")
            http = await asyncio.start_server(status.answer, host.strip("[]"), int(port))
            self._servers.append(http)
            watched = f"http {host}:{http.sockets[0].getsockname()[1]}"
        else:
            watched = ""
        configured = {"smtp": self.config.smtp.listen, "lmtp": self.config.lmtp.listen}
        handed = self._supervisor.listeners([kind for kind, where in configured.items() if where])
        for kind, where in configured.items():
            session = functools.partial(
                protocol, self.config, door, self.gate, lmtp=kind == "lmtp", tls=tls
            )
            places: list[str | socket.socket] = [*handed[kind]]
            for place in places or ([where] if where else []):
                server, bound = await listen(place, session)
                self._servers.append(server)
                self.ports.append(f"{kind} {bound}")
        if self.fetcher is not None:
            self.ports.append(f"imap {self.fetcher.host}")
        self.ports += [watched] if watched else []

    def lives(self) -> bool:
        """Whether all that must run for mails to be taken, executed and sent does."""
        ended = self._sending.done() or self._ticking.done()
        return self._is_working() and self.writer.is_alive and not ended

    def _is_working(self) -> bool:
        """Whether somebody executes mails."""
        return bool(self._links) or self.worker.is_alive

    def reload(self) -> None:
        """Read the configuration again: limits, what players may, and the log change at once. A
        file that is wrong changes nothing; what it says may be secret and is not logged."""
        if not self.config.source:
            log.warning("reload: there is no configuration file")
            return
        try:
            later = _reread(self.config)
        except ConfigError:
            log.error("reload: the configuration is wrong, see pbm doctor")
            return
        for link in self._links.values():
            with contextlib.suppress(OSError):
                link.send(b"r")
        log.info("reloaded", needs_restart=",".join(later) or "nothing")

    def _journal_in(self, loop: asyncio.AbstractEventLoop) -> Callable[[dict[str, Any]], int]:
        """What stores a mail for other threads than the loop's."""
        return lambda row: asyncio.run_coroutine_threadsafe(self.intake.store(row), loop).result()

    def _turn(self) -> str:
        """The worker that is to execute the next mail."""
        names = list(self._links) or [self._name]
        return names[next(self._turns) % len(names)]

    def _arrived(self, names: Collection[str]) -> None:
        """Mails for these workers are committed."""
        for name in names:
            if name in self._links:
                with contextlib.suppress(OSError):
                    self._links[name].send(b"w")
            else:
                self.worker.wake()

    def _heard(self, name: str, link: socket.socket) -> None:
        """A worker process finished a batch, or has died: then a thread of this one steps in."""
        if link.recv(4096):
            self._worked()
            return
        asyncio.get_running_loop().remove_reader(link)
        link.close()
        if self._links.pop(name, None) is None:
            return
        log.error("a worker process has ended", worker=name)
        if not self._links:
            self.worker.start()

    def _worked(self) -> None:
        """A batch is done: there may be something to send, and a house player's turn."""
        self.outbox.wake()
        self.house.wake()

    async def watch(self, stopping: asyncio.Event) -> None:
        """Set the event when the database has another schema than this program knows."""
        while self.outdated is None:
            await asyncio.sleep(_WATCH)
            try:
                await asyncio.to_thread(self._look)
            except SchemaError as error:
                self.outdated = error
                stopping.set()
            except DBAPIError:
                continue

    def _look(self) -> None:
        with self.store.reading() as session:
            migrate.guard(session)

    async def stop(self) -> None:
        """Close the doors, execute and send what is there, then end. What is not done in half a
        minute waits for the next start, and so does everything when the schema is not ours."""
        until = time.monotonic() + _DRAIN
        for server in self._servers:
            server.close()
        if self.fetcher is not None:
            await asyncio.to_thread(self.fetcher.stop)
        self.clockwork.stop()
        if self.outdated is not None:
            self.gate.close(_OUTDATED)
            self._abandon()
            return
        await asyncio.wait({self._ticking}, timeout=_DRAIN)
        await asyncio.to_thread(self._end_workers, until)
        await asyncio.to_thread(self.house.stop)
        self.outbox.stop()
        try:
            await asyncio.wait_for(self._sending, max(1.0, until - time.monotonic()))
        except TimeoutError:
            log.warning("outbox not drained")
        self.gate.close(_ENDING)
        await asyncio.to_thread(self.writer.stop, max(1.0, until - time.monotonic()))
        if not self.writer.is_alive:
            self.store.close()

    def _abandon(self) -> None:
        """Execute and send no more; every transaction is whole or was never there."""
        self._sending.cancel()
        self.house.stop()
        for child in self._children.values():
            os.kill(child, signal.SIGKILL)

    def _end_workers(self, until: float) -> None:
        links, self._links = self._links, {}
        for link in links.values():
            link.shutdown(socket.SHUT_WR)
        for name in links:
            os.waitpid(self._children[name], 0)
        if not links:
            self.worker.stop(min(DRAIN, until - time.monotonic()))


def _read_files() -> None:
    """Have in memory what this process and those that it starts need later: an upgrade replaces
    the files under a server that runs."""
    preload.read(["pbm", *games.packages(), *_IMPORTED_LATE])
    help_pages.load_pages()
    rendering.load_templates()
    ratings.model()


def _reread(config: Config) -> list[str]:
    """Take over what may change from the file; the sections that need a restart. ConfigError."""
    later = adopt(config, load(config.source))
    logs.set_up(config.log.format)
    return later


async def _serve(daemon: Daemon, supervisor: Supervisor) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    loop.add_signal_handler(signal.SIGHUP, daemon.reload)
    await daemon.start()
    log.info("serving", version=pbm.__version__, pid=os.getpid(), **_places(daemon))
    with announced(daemon.store):
        for port in daemon.ports:
            sys.stdout.write(f"ready {port}\n")
        sys.stdout.flush()
        pulse = asyncio.create_task(_pulse(daemon, supervisor, stopping))
        supervisor.tell("READY=1", f"STATUS=ready {', '.join(daemon.ports)}")
        watching = asyncio.create_task(daemon.watch(stopping))
        await stopping.wait()
    supervisor.tell("STOPPING=1", "STATUS=doing what has been taken")
    await daemon.stop()
    pulse.cancel()
    watching.cancel()
    log.info("ended")


async def _pulse(daemon: Daemon, supervisor: Supervisor, stopping: asyncio.Event) -> None:
    """Give signs of life as long as mails are taken, executed and sent, and until the end once
    the server is stopping. When they stay out the supervisor starts it anew."""
    while supervisor.pulse:
        if stopping.is_set() or daemon.lives():
            supervisor.tell("WATCHDOG=1")
        else:
            log.error("a part of the server has ended: no sign of life for the watchdog")
        await asyncio.sleep(supervisor.pulse)


def _places(daemon: Daemon) -> dict[str, str]:
    """Where the state of this server lies, without passwords."""
    url, scheme = daemon.store.url, daemon.config.relay.url.partition(":")
    is_file = daemon.store.is_sqlite
    return {
        "config": os.path.abspath(daemon.config.source) if daemon.config.source else "none",
        "database": os.path.abspath(str(url.database))
        if is_file
        else url.render_as_string(hide_password=True),
        "mail_out": os.path.abspath(scheme[2]) if scheme[0] == "maildir" else scheme[0],
    }


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes uvloop's event loops, where that is installed: they cost less."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def serve(config: Config) -> None:
    """Run until SIGTERM or SIGINT, then drain. SchemaError when the database is not, or no longer,
    at the schema this program knows."""
    logs.set_up(config.log.format)
    _read_files()
    if config.trial:
        sys.stderr.write(
            "trial server: no configuration; data under ./var, loopback only, "
            "addresses need no confirmation\n"
        )
    supervisor = supervisor_of(os.environ)
    daemon = Daemon(config, supervisor=supervisor)
    daemon.fork()
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        runner.run(_serve(daemon, supervisor))
    if daemon.outdated is not None:
        raise daemon.outdated
