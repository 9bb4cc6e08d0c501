"""The other daemons on a PostgreSQL: which workers they have, and calls from one to another.

Each daemon listens on a connection of its own, whose application name says which workers it has:
the list of the server's connections is that of the daemons, and one that dies leaves it. A call
only saves waiting: what it is about is in the database, and everybody looks there once a second."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from typing import Any
from zlib import crc32

import structlog
from sqlalchemy import bindparam, func, select
from sqlalchemy.exc import DBAPIError

from pbm.store.engine import Store
from pbm.store.transaction import Session

log = structlog.get_logger()
_LONGEST = 48
"""Letters of a daemon's name: PostgreSQL keeps 63 of an application name."""
_MARK = "pbm serve"
_SET_NAME = "SELECT set_config('application_name', %s, false)"
_LISTEN = "LISTEN pbm"
_LIST = """
    SELECT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND application_name LIKE 'pbm serve %'"""
_NOTIFY = "SELECT pg_notify('pbm', %s)"
_CALL = select(func.pg_notify("pbm", bindparam("words")))
_SEND, _ROLL = "*send", "*roll"
"""Calls that name no worker: there is more to send than one sender can, and the list of daemons has
changed."""
_LATELY = 5.0
"""Seconds for which a sender is remembered at least: as long as a mail waits for one worker."""
_TURN = 1.0
"""Seconds between looks at the list."""
_PAUSE = 0.2
"""Seconds before the next attempt to connect."""


def shorten_name(name: str) -> str:
    """Return the name of a daemon, short and plain enough for PostgreSQL, and still its own."""
    if len(name) <= _LONGEST and name.isascii() and name.isprintable():
        return name
    plain = "".join(letter for letter in name if " " <= letter <= "~")
    return f"{plain[: _LONGEST - 9]} {crc32(name.encode()):08x}"


def list_workers(name: str, processes: int) -> list[str]:
    """Return the names of a daemon's workers; without processes, the daemon executes as its own
    worker."""
    return [f"{name}-{number}" for number in range(1, processes + 1)] or [name]


def choose_worker(names: Sequence[str], sender: str) -> str:
    """Choose the worker to which a sender's mails are left: the same one for as long as it is
    there, since it has verified the sender's password, which takes a tenth of a second. A worker
    that joins them gets its share of the senders, and all others stay where they are."""
    if len(names) == 1:
        return names[0]
    return max(names, key=lambda name: blake2b(f"{name}\0{sender}".encode()).digest())


class Choices:
    """Which worker each sender's mails are left to. One whose last mail may still wait is not
    parted from its worker, or the later mail might be executed first."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def choose(self, sender: str, preferred: Sequence[str], others: Sequence[str]) -> str:
        """Return the worker for a sender's next mail: the last one if it is among these, else one
        of the preferred."""
        if (passed := self._clock() - self._began) > _LATELY:
            self._old = self._new if passed < 2 * _LATELY else {}
            self._new = {}
            self._began = self._clock()
        worker = self._new.get(sender) or self._old.get(sender)
        if worker is None or (worker not in preferred and worker not in others):
            worker = choose_worker(preferred, sender)
        self._new[sender] = worker
        return worker


class Colleagues:
    """The daemons beside the one of that name, which has these workers.

    workers  the names of their workers, empty while nothing is known
    """

    def __init__(
        self,
        store: Store,
        name: str,
        own: Sequence[str],
        wake_workers: Callable[[Collection[str]], object],
        wake_sender: Callable[[], object],
    ) -> None:
        self._store = store
        self._title = f"{_MARK} {0 if name in own else len(own)} {name}"
        self._own = frozenset(own)
        self._wake_workers = wake_workers
        self._wake_sender = wake_sender
        self.workers: tuple[str, ...] = ()
        self._lost = (DBAPIError, store.engine.dialect.loaded_dbapi.Error)
        self._words: set[str] = set()
        self._speaking: Any = None
        self._calling: asyncio.Task[None] | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="colleagues", daemon=True)

    def start(self) -> None:
        """Listen from now on; call it in the loop's thread."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def leave(self) -> None:
        """Leave the list, so that nobody leaves mails to this daemon any more."""
        self.workers = ()
        self._stopping.set()
        self._call(_ROLL)

    def join(self, seconds: float) -> None:
        """Wait until the connections are closed, at most so many seconds."""
        self._thread.join(seconds)
        if self._speaking is not None:
            self._speaking.close()

    def call_workers(self, session: Session, names: Collection[str]) -> None:
        """Tell other daemons that there will be mails for these workers of theirs, once this
        transaction is committed."""
        session.value(_CALL, {"words": "\t".join(sorted(names))})

    def call_senders(self) -> None:
        """Tell other daemons that there are mails which this one cannot send now."""
        if self.workers:
            self._call(_SEND)

    def _call(self, *words: str) -> None:
        """Pass words on, together with those that come while others are on their way."""
        self._words.update(words)
        if self._calling is None:
            self._calling = asyncio.create_task(self._pass_words_on())

    async def _pass_words_on(self) -> None:
        while self._words:
            words, self._words = "\t".join(sorted(self._words)), set()
            try:
                await asyncio.to_thread(self._notify, words)
            except self._lost as error:
                log.warning("colleagues not called", exc_info=error)
        self._calling = None

    def _notify(self, words: str) -> None:
        try:
            if self._speaking is None:
                self._speaking = self._connect()
            self._speaking.execute(_NOTIFY, (words,))
        except self._lost:
            speaking, self._speaking = self._speaking, None
            if speaking is not None:
                speaking.close()
            raise

    def _connect(self) -> Any:
        """Return a connection of the driver's own, without transactions."""
        connection = self._store.engine.raw_connection()
        driver: Any = connection.driver_connection
        connection.detach()
        driver.autocommit = True
        return driver

    def _run(self) -> None:
        is_lost = False
        while not self._stopping.is_set():
            try:
                self._listen()
            except self._lost as error:
                if self.workers or not is_lost:
                    log.warning("colleagues out of hearing", exc_info=error)
                self.workers, is_lost = (), True
                self._stopping.wait(_PAUSE)

    def _listen(self) -> None:
        """Hear calls until the daemon stops."""
        driver = self._connect()
        try:
            driver.execute(_SET_NAME, (self._title,))
            driver.execute(_LISTEN)
            driver.execute(_NOTIFY, (_ROLL,))
            while not self._stopping.is_set():
                self._call_the_roll(driver)
                for call in driver.notifies(timeout=_TURN, stop_after=1):
                    if not self._stopping.is_set():
                        self._loop.call_soon_threadsafe(self._hear, call.payload)
        finally:
            driver.close()

    def _call_the_roll(self, driver: Any) -> None:
        """Look at who is there."""
        workers = set[str]()
        for (title,) in driver.execute(_LIST).fetchall():
            processes, _, name = title.removeprefix(f"{_MARK} ").partition(" ")
            if processes.isdecimal():
                workers.update(list_workers(name, int(processes)))
        self.workers = tuple(sorted(workers - self._own))

    def _hear(self, words: str) -> None:
        """Do what a call asks for, in the loop's thread."""
        heard = {*words.split("\t")}
        if _SEND in heard:
            self._wake_sender()
        if own := heard & self._own:
            self._wake_workers(own)
