"""How a server starts the processes beside its front: workers, bots, pictures and pages.

Each is this Python with one module, which imports what it needs when it starts, so that no process
has modules of two versions when an upgrade replaces the files."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from pbm.version import find_version

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
    file descriptors. OSError. What is `handed` to it, it gets with `take_over`; a process that has
    died gets nothing."""
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
