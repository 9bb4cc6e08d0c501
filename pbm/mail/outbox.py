"""The outbox sends the mails of the outgoing queue over several couriers, and retries. A courier
delivers one mail to a Maildir, a relay or a program, and reports what came of it.

Mails to one recipient go out in order. Several daemons on one PostgreSQL all send, each to other
recipients; on one SQLite database one daemon sends at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import random
import re
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast
from urllib.parse import unquote, urlsplit
from zlib import crc32

import aiosmtplib
import structlog
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.logs import Outage, describe_cause
from pbm.mail.paged_mail import Draw, NotYet, draw_at_once, finish_mail, has_page
from pbm.store import outbound_queue
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
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
        writer: CommitThread,
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


# The couriers: to a Maildir, to a program, to a relay.


class MaildirCourier:
    """Delivers to a Maildir for each recipient, FOLDER/ADDRESS/new. Files appear atomically."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._host = socket.gethostname().replace("/", "_").replace(":", "_")
        self._numbers = count()

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Write the file under tmp, flush it to disk and rename it into new."""
        try:
            await asyncio.to_thread(self._write, envelope.recipient, message)
        except OSError as error:
            return Deferred(f"maildir: {error.strerror}", relay_down=True)
        return Delivered()

    def _write(self, recipient: str, message: bytes) -> None:
        box = self._folder / _build_file_name(recipient)
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, exist_ok=True)
        name = f"{time.time():.6f}.P{os.getpid()}Q{next(self._numbers)}.{self._host}"
        with open(box / "tmp" / name, "wb") as file:
            file.write(message.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        os.rename(box / "tmp" / name, box / "new" / name)

    async def close(self) -> None:
        """Do nothing: nothing is kept open."""


def _build_file_name(recipient: str) -> str:
    """Return the address as the name of a folder."""
    plain = recipient.replace("/", "_").replace("\0", "_")
    return plain if plain not in (".", "..") else "_"


class SendmailCourier:
    """Delivers through a local program that reads a mail on standard input, as sendmail does."""

    def __init__(self, program: str) -> None:
        self._program = program

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Run the program. Exit codes 65, 67 and 68 fail the mail; others but 0 defer it."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                "-i",
                "-f",
                envelope.sender,
                "--",
                envelope.recipient,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await process.communicate(message.replace(b"\r\n", b"\n"))
        except OSError as error:
            return Deferred(f"{self._program}: {error.strerror}", relay_down=True)
        if process.returncode == 0:
            return Delivered()
        why = f"{self._program} ended with {process.returncode}"
        return Failed(why) if process.returncode in (65, 67, 68) else Deferred(why)

    async def close(self) -> None:
        """Do nothing: nothing is kept open."""


def build_courier(url: str) -> Courier:
    """Return the courier for a relay URL; raise a ValueError that names the valid forms."""
    scheme, _, rest = url.partition(":")
    if scheme == "maildir":
        return MaildirCourier(rest)
    if scheme == "sendmail":
        return SendmailCourier(rest)
    if scheme in ("smtp", "smtps", "smtp+starttls"):
        return SmtpCourier(url)
    raise ValueError(
        "[relay] url is maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM"
    )


# The courier that delivers to a relay by SMTP.

_LONGEST = 300
"""Letters that are kept of what a relay says."""


class SmtpCourier:
    """Delivers to a relay over one kept SMTP session; reconnects at once when that was closed."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        implicit = parts.scheme == "smtps"
        self._host = parts.hostname or "localhost"
        self._port = parts.port or (465 if implicit else 25)
        self._place = f"{self._host}:{self._port}"
        self._implicit, self._starttls = implicit, parts.scheme == "smtp+starttls"
        self._relay: RelaySession | None = None

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Send the mail over the kept session, or over a new one when that is lost."""
        for fresh in (False, True):
            try:
                relay = self._relay
                if relay is None or fresh or not relay.is_ready_for(envelope):
                    relay = await self._open_session()
                answer = await relay.send(envelope, message, following)
            except RelayReply as reply:
                if reply.code == 421 and not fresh:
                    continue
                return _classify_refusal(reply.code, reply.text)
            except aiosmtplib.SMTPResponseException as error:
                return _classify_refusal(error.code, error.message, opening=True)
            except (aiosmtplib.SMTPException, OSError, EOFError) as error:
                await self.close()
                if fresh:
                    return Deferred(f"{self._place}: {_describe(error)}", relay_down=True)
            else:
                return Delivered(" ".join(answer.split())[:_LONGEST])
        return Deferred(f"{self._place}: closed", relay_down=True)

    async def _open_session(self) -> RelaySession:
        """Return a new session, in place of the kept one."""
        await self.close()
        client = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            use_tls=self._implicit,
            start_tls=self._starttls,
            username=self._user,
            password=self._password,
            timeout=60,
        )
        await client.connect()
        if client.last_ehlo_response is None:
            await client.ehlo()
        self._relay = RelaySession(client)
        return self._relay

    async def close(self) -> None:
        """Close the session."""
        relay, self._relay = self._relay, None
        if relay is not None:
            relay.close()


def _describe(error: Exception) -> str:
    """Return why the session failed. The library wraps errors of the system and of TLS."""
    if isinstance(error, aiosmtplib.SMTPServerDisconnected | EOFError):
        return "it closed the session"
    return describe_cause(error.__cause__ or error) or type(error).__name__


def _classify_refusal(code: int, message: str, *, opening: bool = False) -> Result:
    """Return what the relay's refusal means; while a session is `opening` the mail is not at
    fault."""
    why = f"{code} {' '.join(message.split())}"[:_LONGEST]
    if code == 421 or opening:
        return Deferred(why, relay_down=True)
    return Failed(why) if 500 <= code < 600 else Deferred(why)


# A kept SMTP session with the relay. aiosmtplib opens it (connection, TLS, login); mails then go
# out with pipelined commands (RFC 2920), which aiosmtplib lacks: the text of a mail and the
# commands of the next one travel together, so that a mail takes one round trip instead of four.

_SECONDS = 60.0
_MOST_KEPT = 65536
_DATA = b"DATA"


class RelayReply(Exception):
    """The relay's reply to a command that it refused."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code} {text}")
        self.code = code
        self.text = text


class RelaySession(asyncio.Protocol):
    """An open SMTP session. OSError, TimeoutError and EOFError mean that the connection is lost."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        if client.transport is None:
            raise ConnectionError("not connected")
        self._pipelining = client.supports_extension("pipelining")
        self._client = client
        self._transport = cast(asyncio.Transport, client.transport)  # uvloop's only looks like one
        self._transport.set_protocol(self)
        self._dirty = False
        self._announced: Envelope | None = None
        self._announcement: list[bytes] = []
        self._received = b""
        self._lost: Exception | None = None
        self._reading: asyncio.Future[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._until = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        return self._lost is None and not self._transport.is_closing()

    def is_ready_for(self, envelope: Envelope) -> bool:
        """Whether the connection is open and no other mail was announced, which the relay waits
        for."""
        return self.is_open and self._announced in (None, envelope)

    async def send(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> str:
        """Send one mail and return what the relay answers; raise Reply when it refuses it. The one
        that is `following` is announced where the relay can take that."""
        is_announced, self._announced = self._announced is not None, None
        commands = self._announcement if is_announced else _build_commands(envelope)
        if self._dirty:
            commands.insert(0, b"RSET")
        self._dirty = True
        self._until = self._loop.time() + _SECONDS
        if self._timer is None:
            self._check_time()
        try:
            if self._pipelining:
                if not is_announced:
                    self._transport.write(_join(commands))
                await self._read_pipelined(commands)
            else:
                for command in commands:
                    self._transport.write(_join([command]))
                    _expect(await self._read_reply(), b"3" if command == _DATA else b"2")
            body = message.replace(b"\r\n.", b"\r\n..")
            end = b".\r\n" if body.endswith(b"\r\n") else b"\r\n.\r\n"
            self._transport.write(body + end + self._announce(following))
            self._dirty = False  # whatever the reply is (RFC 5321 4.1.1.4)
            reply = await self._read_reply()
            _expect(reply, b"2")
            return f"{reply[:3].decode()} {_join_words(reply)}"
        finally:
            self._until = math.inf

    def _announce(self, following: Envelope | None) -> bytes:
        """Return the commands that announce the next mail; none when they have to wait for a
        reply."""
        if following is None or not self._pipelining:
            return b""
        try:
            self._announcement = _build_commands(following)
        except RelayReply:
            return b""
        self._announced = following
        return _join(self._announcement)

    async def _read_pipelined(self, commands: list[bytes]) -> None:
        """Read the replies to commands that were sent together."""
        refusal: RelayReply | None = None
        for command in commands:
            reply = self._take_reply() or await self._read_reply()
            try:
                _expect(reply, b"3" if command == _DATA else b"2")
            except RelayReply as error:
                refusal = refusal or error
            else:
                if command == _DATA and refusal is not None:
                    # RFC 2920 3.1: DATA was accepted without a recipient; an empty text ends it.
                    self._transport.write(b".\r\n")
                    await self._read_reply()
        if refusal is not None:
            raise refusal

    async def _read_reply(self) -> bytes:
        """Return the next reply, as soon as all of it is here."""
        while True:
            reply = self._take_reply()
            if reply:
                return reply
            if self._is_late:
                raise TimeoutError
            if self._lost is not None:
                raise self._lost
            self._reading = self._loop.create_future()
            await self._reading

    def _take_reply(self) -> bytes:
        """Return the next reply of what was received, its lines as they came; b"" when it is not
        whole."""
        start = 0
        while end := self._received.find(b"\n", start) + 1:
            if not self._received[start : start + 3].isdigit():
                raise EOFError("the relay sent no reply")
            if self._received[start + 3 : start + 4] != b"-":
                reply, self._received = self._received[:end], self._received[end:]
                return reply
            start = end
        return b""

    def data_received(self, data: bytes) -> None:
        """Keep what the relay says until it is read; one that says too much is not heard out."""
        self._received += data
        if len(self._received) > _MOST_KEPT:
            self._transport.abort()
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection is lost, or was closed."""
        self._lost = error or EOFError("the relay closed the session")
        self._wake()

    def _wake(self) -> None:
        """Let the waiting code continue with what came, or did not."""
        if self._reading is not None and not self._reading.done():
            self._reading.set_result(None)

    def _check_time(self) -> None:
        """Break the connection when the time for a mail is up, else come back when it may be: one
        timer for many mails."""
        if self._until == math.inf:
            self._timer = None
        elif self._until > self._loop.time():
            self._timer = self._loop.call_at(self._until, self._check_time)
        else:
            self._is_late = True
            self._transport.abort()

    def close(self) -> None:
        """Send QUIT and close the connection."""
        if self._timer is not None:
            self._timer.cancel()
        if self.is_open:
            self._transport.write(b"QUIT\r\n")
        self._transport.close()


def _build_commands(envelope: Envelope) -> list[bytes]:
    """Return the commands that come before a mail's text; raise Reply for an address that is
    none."""
    return [
        f"MAIL FROM:<{_check_address(envelope.sender)}>".encode(),
        f"RCPT TO:<{_check_address(envelope.recipient)}>".encode(),
        _DATA,
    ]


def _join(commands: list[bytes]) -> bytes:
    return b"\r\n".join([*commands, b""])


def _check_address(address: str) -> str:
    """Return the address for a command; raise Reply when it could end the command."""
    if "<" in address or ">" in address or not address.isprintable():
        raise RelayReply(553, "not an address")
    return address


def _expect(reply: bytes, kind: bytes) -> None:
    """Raise a reply that does not begin with that digit."""
    if not reply.startswith(kind):
        raise RelayReply(int(reply[:3]), _join_words(reply))


def _join_words(reply: bytes) -> str:
    """Return the words of a reply, without its code."""
    words = [line[4:].strip().decode("utf-8", "replace") for line in reply.splitlines()]
    return " ".join(words)
