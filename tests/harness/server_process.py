"""`pbm serve` as a process of its own: started, ready, ended or killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pbm.config import load
from tests.harness.shell import environment

_PATIENCE = 60.0


class ServerProcess:
    """A server that is being started. It runs in the folder of its configuration, where it appends
    to the file `log`.

    prefix   a command that starts it, such as strace
    program  the module that is run, with its first arguments
    env      variables beside those of this process that are not for pbm
    """

    def __init__(
        self,
        config: Path,
        *,
        prefix: Sequence[str] = (),
        program: Sequence[str] = ("pbm",),
        **env: str,
    ) -> None:
        self._config = config
        self._log = config.parent / "log"
        command = [*prefix, sys.executable, "-m", *program, "--config", str(config), "serve"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=config.parent,
                env=environment(**env),
            )
        assert self.process.stdout is not None
        self._output = self.process.stdout
        self.places: dict[str, str] = {}

    @property
    def pid(self) -> int:
        """Its process."""
        return self.process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def is_closed(self) -> bool:
        """Whether it was ended or killed by this object."""
        return self._output.closed

    def await_ready(self) -> ServerProcess:
        """Wait until it has said where it listens; `places` has that by kind."""
        config = load(str(self._config), {})
        listening = (config.smtp.listen, config.lmtp.listen, config.http.listen, config.web.listen)
        while len(self.places) < sum(map(bool, (*listening, config.imap.url))):
            line = self._output.readline().decode()
            assert line.startswith("ready "), line + self.read_log()
            _, kind, where = line.split()
            self.places[kind] = where
        return self

    def port(self, kind: str = "smtp") -> int:
        """Return the port of a listener."""
        return int(self.places[kind].rpartition(":")[2])

    def read_log(self) -> str:
        """Return what the servers in this folder have logged."""
        return self._log.read_text(encoding="utf-8")

    def end(self) -> None:
        """SIGTERM; it has to end by itself, as asked."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(_PATIENCE)
        self._output.close()
        assert code == 0, (code, self.read_log()[-2000:])

    def kill(self) -> None:
        """kill -9, whatever state it is in."""
        self.process.kill()
        self.process.wait()
        self._output.close()
