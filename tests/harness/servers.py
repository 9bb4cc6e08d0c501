"""Ways to run a server: in this process, in a thread, and as `pbm serve`."""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec.structs import replace
from sqlalchemy import func, select

from pbm.config import Config, Relay, Smtp, load
from pbm.core.secrets import Secrets
from pbm.daemon.analyst import Analyst
from pbm.daemon.app import Daemon
from pbm.daemon.attempts import WorkerSlot
from pbm.daemon.keys import load_secrets
from pbm.daemon.presence import announce
from pbm.daemon.processes import HelperProcess
from pbm.daemon.scheduler import Scheduler
from pbm.daemon.startup import open_store
from pbm.daemon.tracing import MailEvents
from pbm.daemon.worker import Worker
from pbm.mail.paged_mail import draw_at_once, finish_mail, has_page
from pbm.mail.receive import Precedence, build_journal_row
from pbm.mail.services import open_services
from pbm.store import inbound_queue, outbound_queue
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import WAITING, InboundRow, OutboundRow, inbound, outbound, receipts
from tests.harness.conversation import Clock
from tests.harness.databases import all_rows, create_database
from tests.harness.mail import draw_nothing
from tests.harness.shell import environment

T = TypeVar("T")
PATIENCE = 60.0


class Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="loop")
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop; its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def close(self) -> None:
        """End what still runs, then the loop."""
        self.call(self._end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


class Running:
    """A started daemon; `with` stops it."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.time) -> None:
        create_database(config.database.url)
        self._loop = Loop()
        self._loop.call(self._start(config, clock))
        self._present = ExitStack()
        self._present.enter_context(announce(self.daemon.store))

    async def _start(self, config: Config, clock: Callable[[], float]) -> None:
        self.daemon = Daemon(config, clock)
        await self.daemon.start()

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The daemon's event loop."""
        return self._loop.loop

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self._present.close()
        self._loop.call(self.daemon.stop())
        self._loop.close()

    def port(self, kind: str) -> int:
        """The port of a listener."""
        found = next(port for port in self.daemon.ports if port.startswith(kind))
        return int(found.rpartition(":")[2])

    def mails(self) -> list[InboundRow]:
        """The inbound mails in order, once none waits."""
        self.rests()
        with self.daemon.store.reading() as session:
            return list(all_rows(session, select(inbound).order_by(inbound.c.id)))

    def sent(self) -> list[OutboundRow]:
        """The outbound mails in order, once no inbound mail waits."""
        self.rests()
        with self.daemon.store.reading() as session:
            return list(all_rows(session, select(outbound).order_by(outbound.c.id)))

    def receipts(self) -> dict[int, str]:
        """What the next server said of each outgoing mail that it took, by number."""
        with self.daemon.store.reading() as session:
            rows = all_rows(session, select(receipts))
            return {row.outbound_id: row.answer for row in rows}

    def rests(self) -> None:
        """Wait until no inbound mail waits."""
        until(lambda: self._waiting() == 0, "the server does not come to rest")

    def _waiting(self) -> int:
        with self.daemon.store.reading() as session:
            query = select(func.count()).select_from(inbound).where(inbound.c.state == "waiting")
            return int(session.execute(query).scalar_one())


def until(holds: Callable[[], object], complaint: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.01)


# `pbm serve` as a process of its own: started, ready, ended or killed.

_PATIENCE = 60.0


class ServerProcess:
    """A server that is being started. It runs in the folder of its configuration, where it appends
    to the file `log`.

    prefix   a command that starts it, such as strace
    program  the module that is run, with its first arguments
    env      variables beside those of this process that are not for pbm
    """

    def __init__(
        self,
        config: Path,
        *,
        prefix: Sequence[str] = (),
        program: Sequence[str] = ("pbm",),
        **env: str,
    ) -> None:
        self._config = config
        self._log = config.parent / "log"
        command = [*prefix, sys.executable, "-m", *program, "--config", str(config), "serve"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=config.parent,
                env=environment(**env),
            )
        assert self.process.stdout is not None
        self._output = self.process.stdout
        self.places: dict[str, str] = {}

    @property
    def pid(self) -> int:
        """Its process."""
        return self.process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def is_closed(self) -> bool:
        """Whether it was ended or killed by this object."""
        return self._output.closed

    def await_ready(self) -> ServerProcess:
        """Wait until it has said where it listens; `places` has that by kind."""
        config = load(str(self._config), {})
        listening = (config.smtp.listen, config.lmtp.listen, config.http.listen, config.web.listen)
        while len(self.places) < sum(map(bool, (*listening, config.imap.url))):
            line = self._output.readline().decode()
            assert line.startswith("ready "), line + self.read_log()
            _, kind, where = line.split()
            self.places[kind] = where
        return self

    def port(self, kind: str = "smtp") -> int:
        """Return the port of a listener."""
        return int(self.places[kind].rpartition(":")[2])

    def read_log(self) -> str:
        """Return what the servers in this folder have logged."""
        return self._log.read_text(encoding="utf-8")

    def end(self) -> None:
        """SIGTERM; it has to end by itself, as asked."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(_PATIENCE)
        self._output.close()
        assert code == 0, (code, self.read_log()[-2000:])

    def kill(self) -> None:
        """kill -9, whatever state it is in."""
        self.process.kill()
        self.process.wait()
        self._output.close()


# The server under a conversation, in two ways: the daemon's worker and scheduler called in this
# thread, or a whole daemon behind real sockets.


def build_private_slot() -> WorkerSlot:
    """Return a slot that no other process can read."""
    return WorkerSlot(mmap.mmap(-1, mmap.PAGESIZE), 0)


def await_rest(store: Store, clock: Callable[[], float]) -> None:
    """Wait until a running server is idle. A mail is committed before its 250, and its effects with
    its done mark, so it is idle when no row waits."""
    deadline, pause = time.monotonic() + _PATIENCE, 0.01
    while is_busy(store, clock):
        assert time.monotonic() < deadline, "the server does not come to rest"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)


_WAITING = select(inbound.c.id).where(inbound.c.state == "waiting").limit(1)


_DEFERRED = select(outbound.c.why).where(outbound.c.state == WAITING, outbound.c.attempts > 0)


def is_busy(store: Store, clock: Callable[[], float]) -> bool:
    """Whether a mail waits to be executed, or is due to be sent. The clock is read after the mails:
    answers that are committed meanwhile are due later than a time read before."""
    with store.reading() as session:
        return bool(session.column(_WAITING) or outbound_queue.find_due(session, clock(), 1))


class InProcess:
    """The product's worker and scheduler, run on demand; mails go in and out as rows."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        entropy: Callable[[int], bytes] = os.urandom,
        opens: Callable[[Config], Store] = open_store,
    ) -> None:
        self._config = config
        self.clock = clock
        self.peer = ""
        create_database(config.database.url)
        self.store = opens(config)
        self.secrets = load_secrets(self.store, entropy)
        self.services = open_services(config, self.secrets)
        self._precedence = Precedence(config, self.secrets)
        self._writer = CommitThread(self.store)
        self._writer.start()
        self._worker = Worker(
            self.store,
            self.services,
            build_private_slot(),
            clock,
            MailEvents(config, self.store, self.secrets.keys, "", clock),
            lambda: None,
        )

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        row = build_journal_row(
            raw,
            via="smtp",
            envelope_from=envelope_from,
            recipient=recipient,
            now=self.clock(),
            peer=self.peer or "127.0.0.1",
        )
        with self.store.writing() as session:
            self._precedence.mark(session, [row])
            inbound_queue.journal(session, [row])

    def settle(self) -> list[tuple[str, bytes]]:
        self._execute()
        with self.store.writing() as session:
            rows = outbound_queue.find_due(session, self.clock(), 1000)
            outbound_queue.mark_sent(session, [(row.id, "") for row in rows], self.clock())
        draw = draw_at_once if self._config.players.pictures else draw_nothing
        return [
            (
                row.recipient,
                finish_mail(row.message, draw) if has_page(row.message) else row.message,
            )
            for row in rows
        ]

    def work(self) -> int:
        """Have the worker execute one batch; its size."""
        return self._worker.work()

    def _execute(self) -> None:
        while self.work():
            pass

    def tick(self, every: float) -> None:
        self._execute()
        scheduler = Scheduler(self.services.service, self._writer, self.clock, lambda: None, every)
        asyncio.run(scheduler.run_once())

    def build_analyst(self) -> Analyst:
        """What analyses boards that are over, which a running server does by itself."""
        return Analyst(
            self._config,
            self.store,
            self._writer,
            self.services.service,
            self.clock,
            lambda: None,
            HelperProcess("pbm.daemon.bot_process"),
            threading.Event(),
        )

    def close(self) -> None:
        self._writer.stop()
        self.store.close()


class Sink:
    """The daemon's relay: an SMTP server that accepts every mail."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Accept the mail."""
        content = envelope.content
        assert isinstance(content, bytes)
        with self._lock:
            self.mails += [(recipient, content) for recipient in envelope.rcpt_tos]
        return "250 OK"

    def taken(self) -> list[tuple[str, bytes]]:
        """The mails since the last call."""
        with self._lock:
            mails, self.mails = self.mails, []
        return mails


class Sockets:
    """A daemon on free loopback ports, its event loop in a thread; mails travel by SMTP."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self._clock = clock
        self._sink = Sink()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loop", daemon=True)
        self._thread.start()
        self._call(self._start(config))
        self._client = smtplib.SMTP("127.0.0.1", self.port, timeout=_PATIENCE)

    def _call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _start(self, config: Config) -> None:
        self._relay = await self._loop.create_server(
            lambda: SMTP(self._sink, hostname="relay.example.net", loop=self._loop), "127.0.0.1", 0
        )
        port = self._relay.sockets[0].getsockname()[1]
        create_database(config.database.url)
        self._daemon = Daemon(
            replace(
                config,
                smtp=Smtp(listen="127.0.0.1:0"),
                relay=Relay(url=f"smtp://127.0.0.1:{port}", sessions=2),
            ),
            self._clock,
        )
        # Pictures are awaited, however busy the machine is; late ones are for tests/pictures.
        self._daemon.pictures._clock = lambda: 0.0
        await self._daemon.start()
        self.port = int(self._daemon.ports[0].rpartition(":")[2])

    @property
    def store(self) -> Store:
        """Its database."""
        return self._daemon.store

    @property
    def secrets(self) -> Secrets:
        """Its keys and its memory of verified passwords."""
        return self._daemon.secrets

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        self._client.sendmail(envelope_from, [recipient], raw)

    def settle(self) -> list[tuple[str, bytes]]:
        await_rest(self.store, self._clock)
        with self.store.reading() as session:
            deferred = session.column(_DEFERRED)
        assert not deferred, f"the relay, which takes every mail, did not get one: {deferred}"
        return self._sink.taken()

    def tick(self, every: float) -> None:
        daemon = self._daemon
        self._call(
            Scheduler(
                daemon.services.service,
                daemon.writer,
                self._clock,
                daemon.outbox.wake,
                every,
            ).run_once()
        )

    def close(self) -> None:
        self._client.quit()
        self._call(self._daemon.stop())
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._relay.close()
        await self._relay.wait_closed()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
