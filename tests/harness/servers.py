"""The server under a conversation, in two ways: the daemon's worker and scheduler called in this
thread, or a whole daemon behind real sockets."""

from __future__ import annotations

import asyncio
import mmap
import os
import smtplib
import threading
import time
from collections.abc import Callable
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec.structs import replace
from sqlalchemy import func, select

from pbm.config import Config, Relay, Smtp
from pbm.core.secrets import Secrets
from pbm.daemon.analyst import Analyst
from pbm.daemon.app import Daemon
from pbm.daemon.attempts import WorkerSlot
from pbm.daemon.keys import load_secrets
from pbm.daemon.processes import HelperProcess
from pbm.daemon.scheduler import Scheduler
from pbm.daemon.startup import open_store
from pbm.daemon.tracing import MailEvents
from pbm.daemon.worker import Worker
from pbm.mail.pictured_mail import draw_at_once, finish_mail, has_picture
from pbm.mail.receive import Precedence, build_journal_row
from pbm.mail.services import open_services
from pbm.store import inbound_queue, outbound_queue
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.tables import inbound
from tests.harness.conversation import Clock
from tests.harness.databases import create_database
from tests.harness.mail import draw_nothing

_PATIENCE = 60.0


def build_private_slot() -> WorkerSlot:
    """Return a slot that no other process can read."""
    return WorkerSlot(mmap.mmap(-1, mmap.PAGESIZE), 0)


def await_rest(store: Store, clock: Callable[[], float]) -> None:
    """Wait until a running server is idle. A mail is committed before its 250, and its effects with
    its done mark, so it is idle when no row waits."""
    deadline, pause = time.monotonic() + _PATIENCE, 0.002
    while is_busy(store, clock):
        assert time.monotonic() < deadline, "the server does not come to rest"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)


def is_busy(store: Store, clock: Callable[[], float]) -> bool:
    """Whether a mail waits to be executed, or is due to be sent. The clock is read after the mails:
    answers that are committed meanwhile are due later than a time read before."""
    with store.reading() as session:
        mails = session.execute(
            select(func.count()).select_from(inbound).where(inbound.c.state == "waiting")
        ).scalar_one()
        return bool(mails or outbound_queue.find_due(session, clock(), 1))


class InProcess:
    """The product's worker and scheduler, run on demand; mails go in and out as rows."""

    def __init__(
        self, config: Config, clock: Clock, entropy: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._config = config
        self.clock = clock
        self.peer = ""
        create_database(config.database.url)
        self.store = open_store(config)
        self.secrets = load_secrets(self.store, entropy)
        self.services = open_services(config, self.secrets)
        self._precedence = Precedence(config, self.secrets)
        self._writer = Writer(self.store)
        self._writer.start()
        self._worker = Worker(
            self.store,
            self.services,
            build_private_slot(),
            clock,
            MailEvents(config, self.store, self.secrets.keys, "", clock),
            lambda _is_left: None,
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
                finish_mail(row.message, draw) if has_picture(row.message) else row.message,
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
