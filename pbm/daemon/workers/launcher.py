"""How worker processes start: the first ones are forked before the server has threads, and share
what it has in memory; one that replaces a dead one is a new program."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from pbm import games
from pbm.config import Config
from pbm.core.finding import help_pages
from pbm.core.kernel.secrets import Keys
from pbm.daemon import preload
from pbm.daemon.workers import worker_process
from pbm.daemon.workers.attempts import Attempts
from pbm.daemon.workers.worker_process import Assignment
from pbm.mail.incoming.desk import Desk
from pbm.mail.outgoing import rendering
from pbm.store import migrate
from pbm.store.engine import Identity, Store


@dataclass(frozen=True, slots=True)
class Process:
    """A worker process, as the front sees it: its id and our end of its link.

    program  what was started; None for a process that was forked
    """

    pid: int
    link: socket.socket
    program: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        """End it; one that is ending is not changed by it."""
        os.kill(self.pid, signal.SIGKILL)

    def reap(self) -> int:
        """Kill it if it still runs; its exit code, or minus the signal that ended it."""
        self.kill()
        if self.program is not None:
            return self.program.wait()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Launcher:
    """Starts the workers of a daemon, by their index."""

    def __init__(
        self,
        config: Config,
        identity: Identity | None,
        keys: Keys,
        attempts: Attempts,
        names: Sequence[str],
    ) -> None:
        self._config = config
        self._identity = identity
        self._keys = keys
        self._attempts = attempts
        self._names = names
        self._forked: dict[int, Process] = {}

    def fork(self, store: Store, desk: Desk) -> None:
        """Fork a worker for each name. Call it while this process has a single thread, and no
        connection to the database."""
        front = os.getpid()
        for index, name in enumerate(self._names):
            ours, theirs = socket.socketpair()
            pid = os.fork()
            if pid == 0:
                try:
                    ours.close()
                    for other in self._forked.values():
                        other.link.close()
                    worker_process.attach(front)
                    slot = self._attempts.slots[index]
                    self._attempts.leave()
                    worker_process.run(
                        self._config, store, desk, name, slot, theirs, migrate.find_head()
                    )
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
            theirs.close()
            ours.setblocking(False)
            self._forked[index] = Process(pid, ours)

    def start(self, index: int) -> Process:
        """Return the worker that was forked; after that, a new one. OSError when none can be
        started."""
        process = self._forked.pop(index, None)
        return self._spawn(index) if process is None else process

    def _spawn(self, index: int) -> Process:
        """Start a worker as a program that runs the modules that this one copied."""
        ours, theirs = socket.socketpair()
        attempts = self._attempts.file
        with theirs:
            program = preload.start(
                worker_process.__name__,
                stdout=None,
                pass_fds=(theirs.fileno(), attempts),
            )
            assignment = Assignment(
                front=os.getpid(),
                config=self._config,
                identity=self._identity,
                name=self._names[index],
                index=index,
                link=theirs.fileno(),
                attempts=attempts,
                keys=self._keys,
                games=games.list_expected_names(),
                schema=migrate.find_head(),
                pages=help_pages.load_pages(),
                templates=rendering.load_templates(),
            )
        if program.stdin is not None:
            with contextlib.suppress(OSError), program.stdin as pipe:  # it died: our end tells
                pickle.dump(assignment, pipe)
        ours.setblocking(False)
        return Process(program.pid, ours, program)
