"""The scheduler: every minute it does what is due, and stores the mails of that."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import structlog

from pbm.core import due
from pbm.core.due import EVERY
from pbm.core.due import record_heartbeat as record_beat
from pbm.core.notices import Notice
from pbm.core.retention import send_digest
from pbm.core.storing import Unplayable
from pbm.core.submit import CommandService, Submission
from pbm.features.events.running import LargeRounds
from pbm.logs import place
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.transaction import Session

log = structlog.get_logger()
_MOST_IN_A_ROW = 20


def record_heartbeat(store: Store, now: float) -> None:
    """Note that a server runs again, before anything is executed; clocks stood still meanwhile."""
    with store.writing() as session:
        record_beat(session, now)


class Scheduler:
    """Ticks in the loop of a daemon until `stop`. `done` is called when mails were posted, `noted`
    at each tick, in a transaction, and `find_troubles` for the daily mail to the operator."""

    def __init__(
        self,
        service: CommandService,
        writer: CommitThread,
        clock: Callable[[], float],
        done: Callable[[], object],
        every: float = EVERY,
        noted: Callable[[Session], object] = lambda session: None,
        find_troubles: Callable[[], Sequence[str]] = list,
    ) -> None:
        self._service = service
        self._writer = writer
        self._clock = clock
        self._done = done
        self._every = every
        self._noted = noted
        self._find_troubles = find_troubles
        self._resting: set[int] = set()
        self._rounds = LargeRounds()
        self._stop = asyncio.Event()

    async def run(self) -> None:
        """Tick until stopped."""
        while not self._stop.is_set():
            try:
                await self.run_once()
            except Exception as error:
                log.error("scheduler failed", exc_info=error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), self._every)

    def stop(self) -> None:
        """Stop ticking."""
        self._stop.set()

    async def run_once(self) -> int:
        """Do what is due now, piece by piece. Return the number of mails posted."""
        posted = 0
        await asyncio.wrap_future(self._writer.submit(self._noted, is_awaited=False))
        for _ in range(_MOST_IN_A_ROW):
            count, has_more = await asyncio.wrap_future(self._writer.submit(self._run_piece))
            posted += count
            if count:
                self._done()
            if self._rounds.is_asked:
                await asyncio.to_thread(self._rounds.pair, self._clock())
            if not has_more:
                break
        return posted

    def _run_piece(self, session: Session) -> tuple[int, bool]:
        now, service = self._clock(), self._service

        def do_due(session: Session) -> list[Notice]:
            return due.do_due(
                session,
                now,
                service.secrets,
                service.config,
                self._every,
                self._report_failure,
                self._rounds,
            )

        def tell_operator(session: Session) -> list[Notice]:
            return send_digest(session, now, service.config.house, self._find_troubles)

        result = service.submit(session, Submission((do_due, tell_operator), now), now)
        return len(result.mails), due.has_more(session, now, service.config)

    def _report_failure(self, kind: str, number: int, error: Exception) -> None:
        """Log that a board or an event failed, which is tried again in ten minutes; a board only
        once."""
        if kind == "board" and number in self._resting:
            return
        why = error.text if isinstance(error, Unplayable) else place(error)
        event = "board cannot be played" if kind == "board" else f"{kind} failed"
        log.error(event, **{kind: number}, error=type(error).__name__, why=why)
        if kind == "board":
            self._resting.add(number)
