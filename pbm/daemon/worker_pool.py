"""The worker processes of a daemon. The pool starts them, ends one whose mail takes too long or too
much memory, counts the attempt at that mail, and starts the worker again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog
from sqlalchemy.exc import DBAPIError

from pbm import games
from pbm.config import Config
from pbm.core.secrets import Keys
from pbm.daemon import processes, worker_process
from pbm.daemon.attempts import Attempt, Attempts, WorkerSlot
from pbm.daemon.sockets import measure_memory
from pbm.daemon.worker_process import (
    END,
    OUT_OF_MEMORY,
    RELOAD,
    WAKE,
    Assignment,
    measure_processor_time,
)
from pbm.store import inbound_queue
from pbm.store.engine import Identity
from pbm.store.group_commit import CommitThread
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import SchemaError
from pbm.store.transaction import Session

log = structlog.get_logger()
_TICK = 0.25
"""Seconds between looks at the workers."""
_WALL = 12
"""A mail may take this many times its limit by the clock, however little of that is processor
time: on a busy machine no mail is to be blamed for others."""
_DEADLY = 2
"""The number of workers that a mail may end before it is set aside."""
_PAUSE = 0.5
"""Seconds before a worker is started again that ended through no mail's fault, or is blamed again
while the database fails. The pause doubles each time that the worker does not even start."""
_LONGEST_PAUSE = 30.0
_HOPELESS = 2
"""Failed starts in a row after which the pool counts as not working."""

_TIMED_OUT = MailResult(MailOutcome.TIMED_OUT, "failed: it took too long")
_OUT_OF_MEMORY = MailResult(MailOutcome.OUT_OF_MEMORY, "failed: it took too much memory")


@dataclass(frozen=True, slots=True)
class _Process:
    """The program of a worker and the pool's end of its link."""

    program: subprocess.Popen[bytes]
    link: socket.socket

    def kill(self) -> None:
        """Kill the process. Nothing happens to one that is ending already."""
        self.program.kill()

    def reap(self) -> int:
        """Kill it if it still runs. Return its exit code, or minus the signal that ended it."""
        self.program.kill()
        return self.program.wait()


@dataclass(slots=True)
class _Worker:
    """A worker, whether its process runs or is about to be started.

    seen      the attempt last seen, and the processor time used by then
    verdict   why the pool has ended it; None if it has not
    failures  the number of ends in a row before it had started
    """

    index: int
    name: str
    slot: WorkerSlot
    process: _Process | None = None
    seen: tuple[Attempt, float] | None = None
    verdict: MailResult | None = None
    failures: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, request: bytes) -> None:
        """Send a request. One that does not get through is not missed: the worker then has others
        to read, or will be started again."""
        if self.process is not None:
            with contextlib.suppress(OSError):
                self.process.link.send(request)


class WorkerPool:
    """Workers of these names, as many as `attempts` has slots.

    done    called after each batch
    report  called with a mail that is set aside, the player who wrote it, and the time
    ended   called with the mails that were set aside, once they are
    """

    def __init__(
        self,
        config: Config,
        identity: Identity | None,
        keys: Keys,
        attempts: Attempts,
        names: Sequence[str],
        writer: CommitThread,
        clock: Callable[[], float],
        done: Callable[[], object],
        report: Callable[[Session, int, int, float], None],
        ended: Callable[[Sequence[int]], object] = lambda _mails: None,
    ) -> None:
        self._config = config
        self._identity = identity
        self._keys = keys
        self._attempts = attempts
        self._writer = writer
        self._clock = clock
        self._done = done
        self._report = report
        self._ended = ended
        self._ending = asyncio.Event()
        self._workers = {
            name: _Worker(index, name, slot)
            for index, (name, slot) in enumerate(zip(names, attempts.slots, strict=True))
        }
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def names(self) -> list[str]:
        """The names of the workers, running or about to be started."""
        return list(self._workers)

    @property
    def is_working(self) -> bool:
        """Whether each worker runs or is about to."""
        return bool(self._tasks) and not (
            any(task.done() for task in self._tasks)
            or any(worker.failures >= _HOPELESS for worker in self._workers.values())
        )

    def start(self) -> None:
        """Start the workers and watch over them."""
        self._tasks = [asyncio.create_task(self._keep(each)) for each in self._workers.values()]
        self._watching = asyncio.create_task(self._watch())

    def wake(self) -> None:
        """Make all workers look for mails."""
        for worker in self._workers.values():
            worker.send(WAKE)

    def reload(self) -> None:
        """Make all workers reload the configuration; later ones get the present one."""
        for worker in self._workers.values():
            worker.send(RELOAD)

    async def stop(self, seconds: float) -> None:
        """Have the workers finish what waits, then end. Those that still run after `timeout`
        seconds are killed, and their current mails count an attempt at the next start."""
        self._ending.set()
        for worker in self._workers.values():
            worker.send(END)
        await asyncio.wait(self._tasks, timeout=max(0.0, seconds))
        self.kill()

    def kill(self) -> None:
        """End all workers at once."""
        for task in (*self._tasks, self._watching):
            task.cancel()
        for worker in self._workers.values():
            if worker.process is not None:
                self._unlink(worker.process)
                worker.process.reap()
                worker.process = None

    async def _keep(self, worker: _Worker) -> None:
        """Start the worker, and again whenever it has died, until the pool ends."""
        while not self._ending.is_set():
            try:
                process = await asyncio.to_thread(self._launch, worker)
            except OSError as error:
                log.error("worker not started", worker=worker.name, exc_info=error)
                worker.failures += 1
                await self._pause(worker)
                continue
            self._adopt(worker, process)
            await worker.ended.wait()
            worker.process = None
            code = await asyncio.to_thread(process.reap)
            if code or not self._ending.is_set():
                await self._account_for_death(worker, code)

    def _launch(self, worker: _Worker) -> _Process:
        """Start the process of a worker. OSError when that fails."""
        ours, theirs = socket.socketpair()
        with theirs:
            assignment = Assignment(
                front=os.getpid(),
                config=self._config,
                identity=self._identity,
                name=worker.name,
                index=worker.index,
                link=theirs.fileno(),
                attempts=self._attempts.file,
                keys=self._keys,
                games=games.list_expected_names(),
            )
            program = processes.start(
                worker_process.__name__,
                assignment,
                stdout=None,
                pass_fds=(theirs.fileno(), self._attempts.file),
            )
        if program.stdin is not None:
            program.stdin.close()
        ours.setblocking(False)
        return _Process(program, ours)

    def _adopt(self, worker: _Worker, process: _Process) -> None:
        worker.ended.clear()
        worker.verdict = None
        worker.failures += 1  # until it says that it has started
        worker.process = process
        asyncio.get_running_loop().add_reader(process.link, self._read, worker, process)
        if self._ending.is_set():
            worker.send(END)

    def _read(self, worker: _Worker, process: _Process) -> None:
        """Note that the worker has started, has done a batch, or has ended."""
        with contextlib.suppress(BlockingIOError):
            if self._hear(process):
                worker.failures = 0
                self._done()
            else:
                self._unlink(process)
                worker.ended.set()

    @staticmethod
    def _hear(process: _Process) -> bytes:
        """Return what the process sent, or b"" once it has ended."""
        try:
            return process.link.recv(4096)
        except ConnectionError:
            return b""

    @staticmethod
    def _unlink(process: _Process) -> None:
        if process.link.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(process.link)
            process.link.close()

    async def _watch(self) -> None:
        """End the workers that exceed a limit."""
        while True:
            await asyncio.sleep(_TICK)
            for worker in self._workers.values():
                if worker.process is not None and worker.verdict is None:
                    worker.verdict = self._find_excess(worker, worker.process.program.pid)
                    if worker.verdict is not None:
                        worker.process.kill()

    def _find_excess(self, worker: _Worker, pid: int) -> MailResult | None:
        """Return the limit that the worker exceeds, or None."""
        memory, seconds = self._config.workers.memory_mib, self._config.limits.seconds_a_mail
        if memory and measure_memory(pid) > memory:
            return _OUT_OF_MEMORY
        attempt = worker.slot.get_current()
        if attempt is None or not seconds:
            return None
        try:
            used = measure_processor_time(pid)
        except OSError:
            return None
        # Counted from the first look at a mail: the worker would have to ask the kernel each time.
        if worker.seen is None or worker.seen[0] != attempt:
            worker.seen = attempt, used
        passed, used = time.monotonic() - attempt.began, used - worker.seen[1]
        if passed <= seconds:
            return None
        return _TIMED_OUT if used > seconds or passed > seconds * _WALL else None

    async def _account_for_death(self, worker: _Worker, code: int) -> None:
        """Log the death of a worker, and count an attempt at its current mail."""
        result = worker.verdict or _build_result(code)
        mails = worker.slot.find_suspects()
        log.error(
            "worker died",
            worker=worker.name,
            why=result.code.value,
            exit=code,
            mails=",".join(map(str, mails)) or "none",
        )
        await self._blame(worker, result)
        if not mails:
            await self._pause(worker)

    async def _pause(self, worker: _Worker) -> None:
        """Wait before the next start, but not once the pool ends."""
        pause = min(_PAUSE * 2 ** max(0, worker.failures - 1), _LONGEST_PAUSE)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), pause)

    async def _blame(self, worker: _Worker, result: MailResult) -> None:
        """Count an attempt at the worker's current mail, or at all of its batch."""
        mails, player = worker.slot.find_suspects(), worker.slot.get_writer()

        def blame(session: Session) -> list[int]:
            now = self._clock()
            aside = inbound_queue.blame(session, mails, result, now, most=_DEADLY)
            if player and aside == mails:
                self._tell_writer(session, aside[0], player, now)
            return aside

        while mails:
            try:
                aside = await asyncio.wrap_future(self._writer.submit(blame))
            except (DBAPIError, SchemaError) as error:
                log.error("database write failed, attempt will be counted again", exc_info=error)
                await asyncio.sleep(_PAUSE)
            else:
                for mail in mails:
                    event = "mail set aside" if mail in aside else "mail failed"
                    log.error(event, mail=mail, why=result.code.value)
                await asyncio.to_thread(self._ended, aside)
                break
        worker.slot.clear()

    def _tell_writer(self, session: Session, mail: int, player: int, now: float) -> None:
        """Notify the player that the mail was set aside, unless that is what fails."""
        try:
            self._report(session, mail, player, now)
        except (DBAPIError, SchemaError):
            raise
        except Exception as error:
            log.error("writer not told", mail=mail, exc_info=error)


def _build_result(code: int) -> MailResult:
    """Return the result for a mail whose worker ended by itself with that exit code."""
    if code == OUT_OF_MEMORY:
        return _OUT_OF_MEMORY
    if code < 0 and -code in signal.valid_signals():
        return MailResult(MailOutcome.CRASHED, f"failed: {signal.Signals(-code).name}")
    return MailResult(MailOutcome.CRASHED, f"failed: its worker ended with exit code {code}")
