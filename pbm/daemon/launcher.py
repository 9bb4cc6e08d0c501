"""Starts worker processes and ends them."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from pbm import games
from pbm.config import Config
from pbm.core.secrets import Keys
from pbm.daemon import processes, worker_process
from pbm.daemon.attempts import Attempts
from pbm.daemon.worker_process import Assignment
from pbm.store.engine import Identity


@dataclass(frozen=True, slots=True)
class Process:
    """A worker process, as the front sees it: its program and our end of its link."""

    program: subprocess.Popen[bytes]
    link: socket.socket

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self.program.pid

    def kill(self) -> None:
        """End it; one that is ending is not changed by it."""
        self.program.kill()

    def reap(self) -> int:
        """Kill it if it still runs; its exit code, or minus the signal that ended it."""
        self.program.kill()
        return self.program.wait()


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

    def start(self, index: int) -> Process:
        """Start a worker. OSError when that fails."""
        ours, theirs = socket.socketpair()
        with theirs:
            program = processes.start(
                worker_process.__name__,
                stdout=None,
                pass_fds=(theirs.fileno(), self._attempts.file),
            )
            assignment = Assignment(
                front=os.getpid(),
                config=self._config,
                identity=self._identity,
                name=self._names[index],
                index=index,
                link=theirs.fileno(),
                attempts=self._attempts.file,
                keys=self._keys,
                games=games.list_expected_names(),
            )
            processes.hand_over(program, assignment)
        if program.stdin is not None:
            program.stdin.close()
        ours.setblocking(False)
        return Process(program, ours)
