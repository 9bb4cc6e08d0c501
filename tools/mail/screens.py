"""Screens for mail programs, which press keys and keep what is shown: a terminal, an X display."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

_SIZE = (1200, 900)
_DISPLAY = ":78"


class Terminal:
    """A program in tmux. `do` takes its keys by their names in tmux, and `type WORD`."""

    ends = ".txt"

    def __init__(self, home: Path, command: str) -> None:
        self._socket = str(home / "tmux")
        size = ["-x", "100", "-y", "48"]
        self._tmux("new-session", "-d", "-s", "screen", "-c", str(home), *size, command, home=home)

    def _tmux(self, *words: str, home: Path | None = None) -> str:
        env = os.environ | ({"HOME": str(home), "LC_ALL": "C.UTF-8"} if home else {})
        command = ["tmux", "-f", "/dev/null", "-S", self._socket, *words]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def do(self, kind: str, words: Sequence[str]) -> None:
        """Press keys."""
        self._tmux("send-keys", "-t", "screen", *(["-l"] if kind == "type" else []), *words)

    def read(self) -> str:
        """Return what is on the screen."""
        return self._tmux("capture-pane", "-p", "-t", "screen")

    def has(self, words: str) -> bool:
        """Whether the screen has these words."""
        return words in self.read()

    def show(self, path: Path) -> None:
        """Keep what is on the screen."""
        path.write_text(self.read(), encoding="utf-8")

    def close(self) -> None:
        """End the program."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._tmux("kill-server")


class Desktop:
    """A program on an X display. `do` takes `key NAME...`, `click X Y` and `type WORD`."""

    ends = ".png"

    def __init__(self, home: Path, command: str) -> None:
        runtime = home / "run"
        runtime.mkdir(mode=0o700)
        self._env = os.environ | {
            "HOME": str(home),
            "DISPLAY": _DISPLAY,
            "XDG_RUNTIME_DIR": str(runtime),
            "LC_ALL": "C.UTF-8",
            "GTK_THEME": "Adwaita",
        }
        width, height = _SIZE
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("Xvfb", _DISPLAY, "-screen", "0", f"{width}x{height}x24")
        time.sleep(2)
        self._start("openbox", "--config-file", str(write(home / "openbox.xml", _OPENBOX)))
        self._start("dbus-run-session", "--", "sh", "-c", f"cd {home}; {command}")

    def _start(self, *command: str) -> None:
        with (Path(self._env["HOME"]) / "output").open("ab") as out:
            self._processes.append(
                subprocess.Popen(
                    command, env=self._env, stdout=out, stderr=out, start_new_session=True
                )
            )

    def do(self, kind: str, words: Sequence[str]) -> None:
        """Press keys, or click."""
        match kind:
            case "click":
                command = ["mousemove", *words[:2], "sleep", "0.2", "click", "1"]
            case "type":
                command = ["type", "--delay", "80", " ".join(words)]
            case _:
                command = ["key", "--delay", "150", *words]
        subprocess.run(["xdotool", *command], env=self._env, check=True)

    def has(self, words: str) -> bool:
        """Whether the title of a window has these words."""
        command = ["xdotool", "search", "--onlyvisible", "--name", words]
        return subprocess.run(command, env=self._env, capture_output=True).returncode == 0

    def show(self, path: Path) -> None:
        """Keep what is on the screen."""
        subprocess.run(["import", "-window", "root", str(path)], env=self._env, check=True)

    def close(self) -> None:
        """End the program and its display."""
        for process in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


_OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <applications>
    <application class="*" type="normal"><maximized>yes</maximized></application>
  </applications>
</openbox_config>
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
