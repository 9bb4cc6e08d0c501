"""The outbox sends the mails of the outgoing queue over several couriers, and retries.

Mails to one recipient go out in order. Several daemons on one PostgreSQL all send, each to other
recipients; on one SQLite database one daemon sends at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar
from zlib import crc32

import structlog
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.logs import Outage
from pbm.mail.paged_mail import Draw, NotYet, draw_at_once, finish_mail, has_page
from pbm.store import outbound_queue
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.tables import WEBHOOK, OutboundRow
from pbm.store.transaction import Session

# What a courier does with a mail, and what may come of it.


class Envelope(NamedTuple):
    """Sender and recipient of a mail for the next hop."""

    sender: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next hop has accepted the mail. `answer` is its answer: with most relays the number of
    the mail in their log."""

    answer: str = ""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Try again later. `relay_down`: neither the mail nor its recipient is the reason."""

    why: str
    relay_down: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The next hop has refused the mail for good."""

    why: str


Result = Delivered | Deferred | Failed
_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:[ \t]*(<[^<>\s]+>)")
_CODE = re.compile(r"[2-5]\d\d(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?=\s|$)")


class Courier(Protocol):
    """What delivers a mail; a seam that tests may fake."""

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Deliver one mail. `following` is the envelope of the one that most likely comes next: it
        may be announced already, but no mail is owed for it."""

    async def close(self) -> None:
        """Close connections."""


def name_result(result: Result, *, is_last: bool) -> str:
    """Name the result: delivered, deferred, failed or given up."""
    if is_last and isinstance(result, Deferred):
        return "given up"
    return type(result).__name__.lower()


def find_message_id(message: bytes) -> str:
    """Return the Message-ID of a mail, with its brackets; "" when it has none."""
    found = _MESSAGE_ID.search(message.partition(b"\r\n\r\n")[0])
    return found[1].decode("ascii", "replace") if found else ""


def find_answer(result: Result) -> str | None:
    """Return what may be logged of the relay's answer: all of it, unless it quotes an address."""
    if not isinstance(result, Delivered) or not result.answer:
        return None
    return find_code(result.answer) if "@" in result.answer else result.answer


def find_code(why: str) -> str:
    """Return what may be logged of a relay's words: its codes, or what this program says itself.
    The rest may quote an address."""
    code = _CODE.match(why)
    return code[0] if code else why if "@" not in why else "refused"


T = TypeVar("T")
_Note: TypeAlias = tuple[OutboundRow, Result]
log = structlog.get_logger()
_BATCH = 200
_IDLE = 1.0
_BUSY = (0.01, 0.02, 0.04, 0.08, 0.16)
"""Seconds between attempts to become the sender while another daemon is, longer each time."""
_MOST_NOTES = 20
"""Results that may pile up while others are being stored."""
_SOON = 0.005
"""Seconds after which a result is stored, with those that came meanwhile."""
_FEWEST = 12
"""Attempts before a mail is given up, however old: the server may have been down, or its clock set
forward."""
_PAUSE = 0.5
_LONGEST_REST = 30.0
_GRACE = 2.0
"""Seconds for which nothing is sent after the database was out of reach."""


class Outbox:
    """Sends until `stop`; `wake` tells it that there may be something to send. `refused` is called
    with recipient and reason for each mail that can never be delivered, `call_others` when there is
    more to send than this outbox can; `webhooks` delivers what clubs post to pages; `draw` draws
    the boards of mails, or has them drawn (`NotYet`) and wakes the outbox when they are; `sign`
    adds a signature; `noted` is called with each attempt: the mail, its result, whether that is the
    last one, and when it began and ended.

    trouble  why the relay cannot be used, "" while it can
    counts   attempts to deliver so far, by result
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        writer: Writer,
        couriers: Sequence[Courier],
        clock: Callable[[], float],
        refused: Callable[[Session, str, str, float], None],
        draw: Draw = draw_at_once,
        sign: Callable[[bytes], bytes] | None = None,
        noted: Callable[[OutboundRow, Result, bool, float, float], None] = lambda *_: None,
        webhooks: Courier | None = None,
    ) -> None:
        self._config = config
        self._noted = noted
        self._webhooks = webhooks
        self._refused = refused
        self._draw = draw
        self._sign = sign
        self._store = store
        self._writer = writer
        self._couriers = couriers
        self._clock = clock
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._rest = 0.0
        self._outage = Outage("outbox")
        self._down = ""
        self._is_drawing = False
        self.trouble = ""
        self.counts = {"delivered": 0, "deferred": 0, "failed": 0}

    def wake(self) -> None:
        """Look for mails to send at once; call it in the loop's thread."""
        self._wake.set()

    def stop(self) -> None:
        """Send what is due, then finish."""
        self._stop.set()
        self._wake.set()

    async def run(self) -> None:
        """Send batches until `stop`."""
        busy = 0
        while True:
            self._wake.clear()
            try:
                is_mine, count, is_up = await self._send_batch()
            except DBAPIError as error:
                self._outage.report(error)
                if not await self._await_database():
                    break
                continue
            except Exception as error:
                log.error("outbox", exc_info=error)
                is_mine, count, is_up = True, 0, False
            if is_mine and is_up:
                self.trouble = ""
            self._rest = 0.0 if is_up else min(max(2 * self._rest, _PAUSE), _LONGEST_REST)
            if is_up and count and (count == _BATCH or self._stop.is_set()):
                if self._is_drawing:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._wake.wait(), _PAUSE)
                continue
            if self._stop.is_set():
                break
            busy = 0 if is_mine else min(busy + 1, len(_BUSY))
            idle = _BUSY[busy - 1] if busy else _PAUSE if self._is_drawing else _IDLE
            await self._pause(self._rest or idle, is_mine=is_mine)
        for courier in self._couriers:
            await courier.close()

    async def _await_database(self) -> bool:
        """Wait until the database answers, and then some more: other daemons have to note first
        what they have sent. False when the outbox is stopped before."""
        is_back = False
        while not is_back and not self._stop.is_set():
            await self._pause(_IDLE, is_mine=False)
            with contextlib.suppress(DBAPIError):
                claim = outbound_queue.claiming_due(self._store, self._clock(), 1)
                async with _in_thread(claim):
                    is_back = True
                    self._outage.end()
        await self._pause(_GRACE, is_mine=False)
        return not self._stop.is_set()

    async def _send_batch(self) -> tuple[bool, int, bool]:
        """Send what is due and not being sent by another daemon. Returns whether this one may send,
        how many mails were due, and whether the relay is up."""
        claim = outbound_queue.claiming_due(self._store, self._clock(), _BATCH)
        async with _in_thread(claim) as claimed:
            if claimed is None:
                return False, 0, True
            count, rows = claimed
            rows = await self._keep_rates(rows)
            return True, count, await self._send(rows) if rows else True

    async def _keep_rates(self, rows: Sequence[OutboundRow]) -> Sequence[OutboundRow]:
        """Return those of these mails that the rates of their domains let go out now."""
        rates, now = self._config.relay.rates, self._clock()
        if not (rates and rows):
            return rows
        kept = self._writer.submit(lambda s: outbound_queue.keep_rates(s, rows, rates, now))
        return await asyncio.wrap_future(kept)

    async def _pause(self, seconds: float, *, is_mine: bool) -> None:
        """Wait for `wake`, or for the full time while the relay is down or another daemon sends."""
        if self._rest or not is_mine:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), seconds)
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    async def _send(self, rows: Sequence[OutboundRow]) -> bool:
        """Send a batch, split among the couriers; returns whether the relay is up."""
        self._is_drawing = False
        lanes: list[list[OutboundRow]] = [[] for _ in self._couriers]
        posts = [row for row in rows if _is_post(row)]
        for row in rows:
            if not _is_post(row):
                lanes[crc32(row.recipient.encode()) % len(lanes)].append(row)
        pairs = [*zip(self._couriers, lanes, strict=True)]
        if self._webhooks is not None:
            pairs.append((self._webhooks, posts))
        ups = await asyncio.gather(
            *(self._send_lane(courier, lane) for courier, lane in pairs if lane),
            return_exceptions=True,
        )
        for up in ups:
            if isinstance(up, BaseException):
                raise up
        return all(ups)

    async def _send_lane(self, courier: Courier, rows: Sequence[OutboundRow]) -> bool:
        """Send mails one after another until the relay is down; returns whether it is up. A
        deferred mail, and one whose picture is being drawn, holds back later ones of its board to
        the same recipient, so that they arrive in order.

        Results are stored while the next mails go out, and before anybody else may claim the mails.
        After a kill, those whose results were not yet committed go out again, at most
        `2 * _MOST_NOTES`."""
        notes = _Notes(self._store_results)
        try:
            is_up = await self._deliver(courier, rows, notes)
        except Exception:
            await notes.store_all()
            raise
        await notes.store_all()
        return is_up

    async def _deliver(self, courier: Courier, rows: Sequence[OutboundRow], notes: _Notes) -> bool:
        """Send these mails and note each result. Return whether the relay is up."""
        held: set[tuple[str, int | None]] = set()
        is_up = True
        waiting = deque((row, Envelope(row.envelope_from, row.recipient)) for row in rows)
        while waiting:
            row, envelope = waiting.popleft()
            if _thread(row) in held:
                continue
            await notes.wait_for_room()
            message = row.message
            if has_page(message):
                try:
                    message = finish_mail(message, self._draw)
                except NotYet:
                    self._is_drawing = True
                    held.add(_thread(row))
                    continue
            if self._sign is not None and not _is_post(row):
                message = await asyncio.to_thread(self._sign, message)
            later = (each for other, each in waiting if _thread(other) not in held)
            self._store.require_same()
            began = self._clock()
            result = await courier.deliver(envelope, message, next(later, None))
            ended = self._clock()
            self.counts[type(result).__name__.lower()] += 1
            self._noted(row, result, self._is_last(row, result, ended), began, ended)
            self._note_relay(row, result)
            if isinstance(result, Deferred):
                if result.relay_down:
                    is_up = False
                    break
                if row.board_id is not None:
                    held.add(_thread(row))
            notes.add(row, result)
        return is_up

    def _note_relay(self, row: OutboundRow, result: Result) -> None:
        """Log when the relay goes down, for which reason and with which mail, and when it is up
        again."""
        if _is_post(row):
            return
        if isinstance(result, Deferred) and result.relay_down:
            if self._down != result.why:
                why = find_code(result.why)
                log.warning("relay down", why=why, mail=row.inbound_id, out=row.id)
            self._down = self.trouble = result.why
        elif self._down:
            log.info("relay up", mail=row.inbound_id, out=row.id)
            self._down = ""

    async def _store_results(self, results: Sequence[tuple[OutboundRow, Result]]) -> None:
        """Commit the results, retrying until the database is back: what was delivered must not be
        sent again."""
        while True:
            try:
                note = self._writer.submit(lambda s: self._note(s, results), is_awaited=False)
                await asyncio.wrap_future(note)
            except DBAPIError as error:
                self._outage.report(error, unnoted=len(results))
            else:
                self._outage.end()
                self._log_results(results)
                return
            await asyncio.sleep(_PAUSE)

    def _log_results(self, results: Sequence[tuple[OutboundRow, Result]]) -> None:
        """Log each delivery with the number of the mail that it answers, or only those that will
        never be."""
        for row, result in results:
            is_last = self._is_last(row, result, self._clock())
            is_lost = is_last and not isinstance(result, Delivered)
            if is_lost or self._config.log.mails:
                log.log(
                    logging.WARNING if is_lost else logging.INFO,
                    "mail out",
                    mail=row.inbound_id,
                    out=row.id,
                    result=name_result(result, is_last=is_last),
                    message_id=find_message_id(row.message) or None,
                    answer=find_answer(result),
                    why=None if isinstance(result, Delivered) else find_code(result.why),
                    board=row.board_id,
                    attempt=row.attempts + 1,
                )

    def _note(self, session: Session, results: Sequence[tuple[OutboundRow, Result]]) -> None:
        now = self._clock()
        sent = [(row.id, result.answer) for row, result in results if isinstance(result, Delivered)]
        outbound_queue.mark_sent(session, sent, now)
        for row, result in results:
            if isinstance(result, Failed):
                outbound_queue.mark_failed(session, row.id, result.why, now)
                self._refused(session, row.recipient, result.why, now)
            elif isinstance(result, Deferred):
                if self._is_last(row, result, now):
                    days = self._config.limits.retry_days
                    outbound_queue.mark_failed(
                        session, row.id, f"given up after {days} days: {result.why}", now
                    )
                else:
                    outbound_queue.retry_later(
                        session, row.id, result.why, now + retry_delay(row.attempts)
                    )

    def _is_last(self, row: OutboundRow, result: Result, now: float) -> bool:
        """Whether there is no other attempt after one with that result: a mail that is deferred
        again and again is given up one day."""
        if not isinstance(result, Deferred):
            return True
        days = self._config.limits.retry_days
        is_old = bool(days) and now - row.created > days * 86400
        return is_old and not result.relay_down and row.attempts >= _FEWEST


class _Notes:
    """Results that `store` stores in the background: soon, those of a few milliseconds together."""

    def __init__(self, store: Callable[[Sequence[_Note]], Coroutine[Any, Any, None]]) -> None:
        self._store = store
        self._waiting: list[_Note] = []
        self._storing: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._failed: BaseException | None = None

    def add(self, row: OutboundRow, result: Result) -> None:
        """Note the result of a mail."""
        self._waiting.append((row, result))
        if len(self._waiting) >= _MOST_NOTES:
            self._begin()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self._begin)

    async def wait_for_room(self) -> None:
        """Wait while too many results wait that nobody stores yet."""
        while len(self._waiting) >= _MOST_NOTES and self._storing is not None:
            await self._storing

    async def store_all(self) -> None:
        """Store what waits, and wait until everything is stored."""
        self._begin()
        while self._storing is not None:
            await self._storing
        if self._failed is not None:
            raise self._failed

    def _begin(self, _stored: object = None) -> None:
        """Store what waits, unless some is being stored: then when that is done."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._storing is not None:
            if not self._storing.done() or self._storing.cancelled():
                return
            self._failed = self._failed or self._storing.exception()
            self._storing = None
        if self._waiting:
            self._storing = asyncio.create_task(self._store(self._waiting))
            self._storing.add_done_callback(self._begin)
            self._waiting = []


@contextlib.asynccontextmanager
async def _in_thread(manager: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Yield the context manager, entered and left in threads, where it may wait."""
    stack = contextlib.ExitStack()
    try:
        yield await asyncio.to_thread(stack.enter_context, manager)
    finally:
        await asyncio.to_thread(stack.close)


def _is_post(row: OutboundRow) -> bool:
    """Whether it is no mail, but posted to a page."""
    return row.recipient.startswith(WEBHOOK)


def _thread(row: OutboundRow) -> tuple[str, int | None]:
    """Return what goes out in order: the mails about one board to one recipient."""
    return row.recipient, row.board_id


def retry_delay(attempts: int) -> float:
    """Return seconds until the next attempt: 5 s, doubled each time up to 4 h, jittered by a
    quarter."""
    seconds = min(5.0 * 2 ** min(attempts, 12), 4 * 3600.0)
    return float(seconds * random.uniform(0.75, 1.25))  # noqa: S311 (jitter, not a secret)
