"""A command at a pseudo-terminal: keys go in, the screen comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

from tests.harness.shell import Shell, environment

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\x07]")
_PATIENCE = 120.0


class Terminal:
    """A process of the command line at a pseudo-terminal; everything it prints is in `screen`."""

    def __init__(self, shell: Shell, *words: str, lines: int = 60, **env: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 100, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pbm", "--config", str(shell.config), *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=shell.folder,
            start_new_session=True,
            env=environment(TERM="dumb", INPUTRC=os.devnull, **env),
        )
        os.close(slave)
        self._read = 0
        self.screen = ""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def until(self, text: str) -> str:
        """Wait for a text; what appeared since the last call."""
        end = time.monotonic() + _PATIENCE
        while text not in self.screen[self._read :]:
            more = self._more(end)
            assert more is not None, f"no {text!r} in\n{self.screen}"
            self.screen += more
        start = self._read
        self._read = self.screen.index(text, start) + len(text)
        return self.screen[start : self._read]

    def _more(self, end: float) -> str | None:
        """The next output; None at the end of the process or of the time."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        try:
            output = os.read(self._master, 65536) if ready else b""
        except OSError:  # Linux says EIO once nobody has the other side
            return None
        return _CONTROL.sub("", output.decode()) if output else None

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + _PATIENCE
        while (more := self._more(end)) is not None:
            self.screen += more
        return self._process.wait(_PATIENCE)

    def close(self) -> None:
        """End the process if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
