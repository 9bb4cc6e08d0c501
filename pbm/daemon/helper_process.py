"""Processes that help a server: bots think in one, pictures are made in another. Each answers a
line of JSON with a line of JSON, and is started when it is needed."""

from __future__ import annotations

import json
import select
import subprocess
from typing import Any

from pbm.daemon import processes


class HelperProcess:
    """The process of a module whose `main` reads and writes such lines until its input ends."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the answer of the process; None when there is none in that time, after which it is
        killed."""
        if self._process is not None and self._process.poll() is not None:
            self.end()
        try:
            process = self._process = self._process or processes.start(self._module)
            if process.stdin is None or process.stdout is None:
                return None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], seconds)
            answer = process.stdout.readline() if ready else b""
        except OSError:
            answer = b""
        if not answer:
            self.end(kill=True)
            return None
        found: dict[str, Any] = json.loads(answer)
        return found

    def interrupt(self) -> None:
        """End the process from another thread; its request stays unanswered."""
        process = self._process
        if process is not None:
            process.kill()

    def end(self, *, kill: bool = False) -> None:
        """End the process."""
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
