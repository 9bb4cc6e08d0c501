"""Listens for visitors of the web pages, and starts the process that serves them with the first."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import subprocess
import time
from collections.abc import Callable

import structlog

from pbm.config import Config
from pbm.core.secrets import Keys
from pbm.daemon import processes
from pbm.daemon.sockets import SOCKET_MODE
from pbm.daemon.web_process import END
from pbm.store.engine import Identity

log = structlog.get_logger()
_BACKLOG = 256
_PATIENCE = 8.0
_TRIES, _PAUSE = 40, 0.05
_REST = 1.0
"""Seconds until a process that ended is replaced."""


class WebRunner:
    """The listening socket and, from the first visitor on, the process. `identity` says which
    database the server has opened, `keys` are its keys; `changed` is called in the loop when a
    click has changed something."""

    def __init__(
        self,
        config: Config,
        identity: Identity | None,
        keys: Keys,
        listener: socket.socket,
        changed: Callable[[], object],
    ) -> None:
        self._config = config
        self._identity = identity
        self._keys = keys
        self._listener = listener
        self._changed = changed
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Wait for the first visitor."""
        asyncio.get_running_loop().add_reader(self._listener, self._start_process)

    def _start_process(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listener)
        number = self._listener.fileno()
        process = processes.start("pbm.daemon.web_process", pass_fds=(number,))
        processes.hand_over(process, (number, self._config, self._identity, self._keys))
        if process.stdout is None:
            return
        os.set_blocking(process.stdout.fileno(), False)
        self._process = process
        loop.add_reader(process.stdout, self._read, process)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout is None:
            return
        if os.read(process.stdout.fileno(), 4096):
            self._changed()
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(process.stdout)
        if self._process is process:
            log.error("web process ended, the next visitor starts another")
            self._process = None
            loop.call_later(_REST, self._start_again)

    def _start_again(self) -> None:
        if self._listener.fileno() >= 0:
            self.start()

    def stop(self) -> None:
        """Close the listener and end the process, which answers what it has begun."""
        process, self._process = self._process, None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listener)
        self._listener.close()
        if process is None or process.stdin is None or process.stdout is None:
            return
        loop.remove_reader(process.stdout)
        with contextlib.suppress(OSError):
            process.stdin.write(END)
            process.stdin.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def open_listener(address: str) -> tuple[socket.socket, str]:
    """Return a listening socket at HOST:PORT or unix:PATH, and the address it is bound to.
    OSError."""
    if address.startswith("unix:"):
        path = address[5:]
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        os.chmod(path, SOCKET_MODE)
        bound = address
    else:
        host, _, port = address.rpartition(":")
        place = host.strip("[]"), int(port)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = _listen_soon(lambda: socket.create_server(place, family=family))
        bound = f"{host}:{listener.getsockname()[1]}"
    listener.listen(_BACKLOG)
    listener.setblocking(False)
    return listener, bound


def _listen_soon(create: Callable[[], socket.socket]) -> socket.socket:
    """Return a listening socket; the process of a server that was killed may hold its address a
    moment longer. OSError."""
    for _ in range(_TRIES):
        try:
            return create()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            time.sleep(_PAUSE)
    return create()
