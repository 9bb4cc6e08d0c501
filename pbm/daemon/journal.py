"""The journal stores mails as they arrive: those that come while others are being stored, or before
it is the journal's turn to write, go into the next transaction together, with one flush of the
disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbm.store import inbound_queue
from pbm.store.group_commit import Writer
from pbm.store.migrate import SchemaError
from pbm.store.transaction import Session

_MOST = 64
_Arrival: TypeAlias = tuple[dict[str, Any], asyncio.Future[int]]


class JournalWriter:
    """Stores the rows of mails that came in. `mark` marks those of strangers, in each transaction;
    `stored` is called after it, and `noted` with the number and the row of each mail that was
    stored, both in the loop's thread."""

    def __init__(
        self,
        writer: Writer,
        stored: Callable[[], object],
        noted: Callable[[int, Mapping[str, Any]], None] = lambda _number, _row: None,
        mark: Callable[[Session, Sequence[dict[str, Any]]], None] = lambda _session, _rows: None,
    ) -> None:
        self._writer = writer
        self._stored = stored
        self._noted = noted
        self._mark = mark
        self._waiting: deque[_Arrival] = deque()
        self._storing: asyncio.Task[None] | None = None
        self.accepted = 0

    async def store(self, row: dict[str, Any]) -> int:
        """Store the row; its number once it is durable. It is stored all the same when nobody waits
        for that any more."""
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
        """Store a mail whose batch could not be, so that nobody pays for another's error."""
        try:
            await self._take([one])
        except Exception as error:
            _fail(one, error)

    def _fill(self, batch: list[_Arrival]) -> None:
        """Move the mails that wait to a batch that has none yet."""
        if not batch:
            for _ in range(min(len(self._waiting), _MOST)):
                batch.append(self._waiting.popleft())

    async def _take(self, batch: list[_Arrival]) -> None:
        """Store these mails; without any, those that wait once the database may be written, which
        are then in the list."""

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
