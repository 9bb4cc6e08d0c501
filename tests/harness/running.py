"""A whole daemon in this process, with its event loop in a thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any, TypeVar

from sqlalchemy import func, select

from pbm.config import Config
from pbm.daemon.app import Daemon
from pbm.daemon.presence import announce
from pbm.store.tables import InboundRow, OutboundRow, inbound, outbound, receipts
from tests.harness.databases import create_database
from tests.harness.statements import all_rows

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
