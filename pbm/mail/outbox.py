"""The outbox: sends what the outgoing queue holds, over several couriers at once, and retries.

Mails to one recipient stay in one lane, in order. It decides when to try again, nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from zlib import crc32

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbm.config import Config
from pbm.mail.courier import Courier, Deferred, Delivered, Failed, Result
from pbm.store import queues
from pbm.store.commit import Writer
from pbm.store.engine import Store
from pbm.store.tables import AnyRow

log = structlog.get_logger()
_BATCH = 200
_IDLE = 1.0
_LONGEST_REST = 30.0


class Outbox:
    """Runs until `stop`; `wake` says that there may be something to send. `refused` hears of each
    mail that will never be delivered: recipient and why."""

    def __init__(
        self, config: Config, store: Store, writer: Writer, couriers: Sequence[Courier],
        clock: Callable[[], float], refused: Callable[[Session, str, str, float], None],
    ) -> None:  # fmt: skip
        self._config = config
        self._refused = refused
        self._store = store
        self._writer = writer
        self._couriers = couriers
        self._clock = clock
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._rest = 0.0

    def wake(self) -> None:
        """There may be something to send; call it in the loop's thread."""
        self._wake.set()

    def stop(self) -> None:
        """Send what is due, then end."""
        self._stop.set()
        self._wake.set()

    async def run(self) -> None:
        """Send batch after batch."""
        while True:
            self._wake.clear()
            try:
                rows = await asyncio.to_thread(self._due)
                is_up = await self._send(rows) if rows else True
            except DBAPIError as error:
                log.error("outbox", error=type(error).__name__)
                rows, is_up = [], False
            if rows or not is_up:
                self._rest = 0.0 if is_up else min(max(2 * self._rest, 0.5), _LONGEST_REST)
                if is_up:
                    continue
            if self._stop.is_set():
                break
            await self._pause(self._rest or _IDLE)
        for courier in self._couriers:
            await courier.close()

    async def _pause(self, seconds: float) -> None:
        """Wait for work; while the relay is down, new work is no reason to try again earlier."""
        if self._rest:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), seconds)
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    def _due(self) -> Sequence[AnyRow]:
        with self._store.reading() as session:
            return queues.due(session, self._clock(), _BATCH)

    async def _send(self, rows: Sequence[AnyRow]) -> bool:
        """Send a batch, a lane for each courier; whether the relay took part."""
        lanes: list[list[AnyRow]] = [[] for _ in self._couriers]
        for row in rows:
            lanes[crc32(row.recipient.encode()) % len(lanes)].append(row)
        pairs = zip(self._couriers, lanes, strict=True)
        ups = await asyncio.gather(*(self._lane(courier, lane) for courier, lane in pairs if lane))
        return all(ups)

    async def _lane(self, courier: Courier, rows: Sequence[AnyRow]) -> bool:
        """Send mails one after another until the relay is down. A mail that is deferred holds back
        the later ones of its board to the same person, so that they arrive in order."""
        results: list[tuple[AnyRow, Result]] = []
        held: set[tuple[str, int]] = set()
        is_up = True
        for row in rows:
            if (row.recipient, row.board_id) in held:
                continue
            result = await courier.deliver(row.envelope_from, row.recipient, row.message)
            if isinstance(result, Deferred):
                if result.relay_down:
                    is_up = False
                    break
                if row.board_id is not None:
                    held.add((row.recipient, row.board_id))
            results.append((row, result))
        if results:
            await asyncio.wrap_future(
                self._writer.submit(lambda session: self._note(session, results))
            )
        return is_up

    def _note(self, session: Session, results: Sequence[tuple[AnyRow, Result]]) -> None:
        now = self._clock()
        queues.sent(session, [row.id for row, result in results if result == Delivered()], now)
        for row, result in results:
            if isinstance(result, Failed):
                queues.failed(session, row.id, result.why, now)
                self._refused(session, row.recipient, result.why, now)
            elif isinstance(result, Deferred):
                days = self._config.limits.retry_days
                if days and now - row.created > days * 86400:
                    queues.failed(session, row.id, f"given up after {days} days: {result.why}", now)
                else:
                    queues.later(session, row.id, result.why, now + pause(row.attempts))


def pause(attempts: int) -> float:
    """Seconds until the next attempt: 5 s, 10 s, 20 s, and so on to 4 h, jittered by a quarter."""
    seconds = min(5.0 * 2 ** min(attempts, 12), 4 * 3600.0)
    return float(seconds * random.uniform(0.75, 1.25))  # noqa: S311 (jitter, not a secret)
