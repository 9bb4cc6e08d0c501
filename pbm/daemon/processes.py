"""How a server starts the processes beside its front: workers, bots, pictures and pages.

Each is this Python with one module, which imports what it needs when it starts, so that no process
has modules of two versions when an upgrade replaces the files."""

from __future__ import annotations

import contextlib
import pickle
import select
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from pbm.version import find_version

A = TypeVar("A")
_START = """
import sys
module, *sys.path[:] = sys.argv[1:]
from importlib import import_module
import_module(module).main()
"""


def start(
    module: str,
    handed: object = None,
    *,
    stdout: int | None = subprocess.PIPE,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a process that calls `main` of a module, with a pipe for its standard input and these
    file descriptors. OSError. It gets `handed` with `take_over`."""
    process = subprocess.Popen(  # noqa: S603 (this Python, with the lines above)
        [sys.executable, "-c", _START, module, *sys.path],
        stdin=subprocess.PIPE,
        stdout=stdout,
        pass_fds=pass_fds,
    )
    if handed is not None and process.stdin is not None:
        with contextlib.suppress(OSError):
            pickle.dump(find_version(), process.stdin)
            pickle.dump(handed, process.stdin)
            process.stdin.flush()
    return process


def take_over() -> Any:
    """Return the value that the server wrote to standard input. The process ends when the server
    runs another version, whose values may differ."""
    version, here = pickle.load(sys.stdin.buffer), find_version()  # noqa: S301 (our server wrote it)
    if version != here:
        sys.exit(f"pbm: the server runs {version}, but {here} is installed: restart the server")
    return pickle.load(sys.stdin.buffer)  # noqa: S301


class HelperProcess:
    """The process of a module whose `main` answers each line of JSON with one, until its input
    ends. It is started when needed."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._has_answered = False

    @property
    def is_warm(self) -> bool:
        """Whether the process has started, and answered."""
        process = self._process
        return self._has_answered and process is not None and process.poll() is None

    def ask(self, request: msgspec.Struct, kind: type[A], seconds: float) -> A | None:
        """Return the answer of the process, as that type; None when there is none in time, after
        which the process is killed."""
        if self._process is not None and self._process.poll() is not None:
            self.end()
        try:
            process = self._process = self._process or start(self._module)
            if process.stdin is None or process.stdout is None:
                return None
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], seconds)
            answer = process.stdout.readline() if ready else b""
        except OSError:
            answer = b""
        if not answer:
            self.end(kill=True)
            return None
        self._has_answered = True
        return msgspec.json.decode(answer, type=kind)

    def interrupt(self) -> None:
        """End the process from another thread. Its request stays unanswered."""
        process = self._process
        if process is not None:
            process.kill()

    def end(self, *, kill: bool = False) -> None:
        """End the process."""
        self._has_answered = False
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if kill:
            process.kill()
        else:
            process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
