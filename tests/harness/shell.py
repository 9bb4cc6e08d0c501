"""A shell in a folder of its own that runs commands in this process or as processes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import IO, Any

from click.testing import CliRunner, Result

import pbm
from pbm.cli import cli
from tests.games.cradles import FINISHED

SERVER = "pbm@games.example"
PASSWORDS = {
    "ann": "orchard7",
    "bob": "kettle42",
    "cat": "saucer99",
    "ida": "pelican5",
    "uma": "walnut31",
}
MOVES = FINISHED


class Shell:
    """Runs commands of one server; everything printed is appended to `seen`."""

    def __init__(self, folder: Path, url: str, listen: str = "127.0.0.1:0") -> None:
        self.folder = folder
        self.config = folder / "pbm.toml"
        self.url = url
        self.seen = ""
        self.argv: list[str] = []
        self.write(url, listen)

    def write(self, url: str, listen: str, *, confirm: bool = False) -> None:
        """Write the configuration."""
        self.config.write_text(
            f'[server]\naddress = "{SERVER}"\n[database]\nurl = "{url}"\n'
            f'[smtp]\nlisten = "{listen}"\n[relay]\nurl = "maildir:{self.folder / "mail"}"\n'
            f"[players]\nconfirm_addresses = {str(confirm).lower()}\n"
            "[trust]\nnewcomer = 0\n",
            encoding="utf-8",
        )

    def run(self, *words: str, who: str = "", stdin: str | None = None, **env: str) -> Result:
        """Run a command in this process; `who` puts that player's password into PBM_PASSWORD. An
        answer to `send` has a minute, since other tests load the machine."""
        if words[0] == "send" and "--wait" not in words:
            words = (*words, "--wait", "60")
        self.argv += words
        password = {"PBM_PASSWORD": PASSWORDS[who]} if who else {"PBM_PASSWORD": None}
        result = CliRunner().invoke(
            cli,
            ["--config", str(self.config), *words],
            input=stdin,
            env={"PBM_DATABASE_URL": None, "PBM_CONFIG": None, **password, **env},
            catch_exceptions=False,
            prog_name="pbm",
        )
        self.seen += result.output
        return result

    def ok(self, *words: str, who: str = "", stdin: str | None = None, **env: str) -> str:
        """Run a command that must succeed; its standard output."""
        result = self.run(*words, who=who, stdin=stdin, **env)
        assert result.exit_code == 0, (words, result.exit_code, result.output)
        return result.stdout

    def json(self, *words: str, who: str = "", code: int = 0) -> Any:
        """Run a command with --json. Return the parsed output."""
        result = self.run(*words, "--json", who=who)
        assert result.exit_code == code, (words, result.exit_code, result.output)
        return json.loads(result.stdout)

    def signup(self, *names: str) -> None:
        """Open accounts at name@example.org."""
        for name in names:
            self.ok("signup", name, f"{name}@example.org", who=name)

    def begins(self, game: str, *people: str) -> None:
        """Start board 1 and have everybody accept."""
        self.ok("challenge", game, *people)
        for who in people:
            self.ok("accept", game, "1", who, who=who)

    def start(
        self, *words: str, stderr: int | IO[str] = subprocess.PIPE, **env: str
    ) -> subprocess.Popen[str]:
        """Start a command as a process."""
        return subprocess.Popen(
            [sys.executable, "-m", "pbm", "--config", str(self.config), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=environment(**env),
            cwd=self.folder,
        )


def environment(**more: str) -> dict[str, str]:
    """This process's environment without PBM_ variables, with its modules on the path."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PBM_")}
    source = str(Path(pbm.__file__).parent.parent)
    kept["PYTHONPATH"] = os.pathsep.join([source, kept.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return kept | more


# A command at a pseudo-terminal: keys go in, the screen comes out.

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
        """Wait for the end. Return the exit code."""
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
