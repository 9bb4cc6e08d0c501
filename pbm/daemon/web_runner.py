"""Listens for visitors of the web pages, and starts the process that serves them with the first."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import structlog

from pbm import logs
from pbm.config import Config, bring_variants
from pbm.core.secrets import Keys, Secrets
from pbm.daemon import processes
from pbm.daemon.sockets import SOCKET_MODE, find_fast_loop
from pbm.daemon.startup import read_files
from pbm.mail.compose import build_service
from pbm.store import migrate
from pbm.store.engine import Identity, Store
from pbm.store.group_commit import CommitThread

log = structlog.get_logger()
_BACKLOG = 256
_PATIENCE = 8.0
_TRIES, _PAUSE = 40, 0.05
_REST = 1.0
"""Seconds until a process that ended is replaced."""


class WebRunner:
    """The listening socket and, from the first visitor on, the process. `identity` says which
    database the server has opened, `keys` are its keys; `changed` is called in the loop after a
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
        handed = (number, self._config, self._identity, self._keys)
        process = processes.start("pbm.daemon.web_runner", handed, pass_fds=(number,))
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

    def reload(self) -> None:
        """Have the next visitor start a process with the present configuration. This one ends after
        its current requests."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(END)
                process.stdin.close()
            self.start()

    def stop(self) -> None:
        """Close the listener and end the process after its current requests."""
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
    """Return a listening socket. It tries for a moment, since the process of a killed server may
    still hold the address. OSError."""
    for _ in range(_TRIES):
        try:
            return create()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            time.sleep(_PAUSE)
    return create()


# The web pages, in a process of their own: mail goes on whatever a page costs.
#
# The front process starts it with the first visitor, hands it the listening socket, and reads a
# byte from it whenever a click has changed something.

CHANGED = b"."
"""What the process writes when there is mail to send."""
END = b"e"
"""What the process is sent to make it end after its current requests."""
_NICE = 10
"""The niceness of the process: mail goes first."""
_MOST = 200
"""The most connections at a time. Beyond them, idle ones are closed."""
_THREADS = 8
"""The threads that make pages: fewer than the connections of a store, since idle sessions keep
theirs and a further thread would wait in vain."""


def main() -> None:
    """Serve until standard input ends. The input begins with the number of the socket, the
    configuration, the identity of the database, and the server's keys."""
    number, config, identity, keys = processes.take_over()
    asked = threading.Event()
    threading.Thread(target=_wait_for_end, args=(asked,), daemon=True).start()
    with asyncio.Runner(loop_factory=find_fast_loop()) as runner:
        runner.run(_serve(socket.socket(fileno=number), config, identity, keys, asked))


def _wait_for_end(asked: threading.Event) -> None:
    """Set the event when the front asks for the end. Exit at once when the front is gone: its
    successor needs the socket."""
    if sys.stdin.buffer.read(1) != END:
        os._exit(1)
    asked.set()


async def _serve(
    listener: socket.socket,
    config: Config,
    identity: Identity | None,
    keys: Keys,
    asked: threading.Event,
) -> None:
    import uvicorn
    from anyio.to_thread import current_default_thread_limiter

    from pbm.web.board_pictures import GAME_SHEET
    from pbm.web.routes import build_app
    from pbm.web.site import PROXIES, Site, TimeoutProtocol

    logs.set_up(config.log.format)
    os.nice(_NICE)
    bring_variants(config.games.variants)
    read_files(("pbm.web", "pbm.pictures"))
    current_default_thread_limiter().total_tokens = _THREADS
    store = Store(config.database.url, identity=identity)
    secrets = Secrets(keys, os.urandom)
    writer = CommitThread(store, migrate.check_revision)
    writer.start()
    service = build_service(config, secrets)
    site = Site(config, store, writer, secrets, service, time.time, _tell_front)

    app = build_app(site)

    class PageServer(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Ignore signals: the front process decides when this one ends."""
            yield

    class Protocol(TimeoutProtocol):
        per_address = config.limits.web_connections_per_address

    server = PageServer(
        uvicorn.Config(
            app,
            http=Protocol,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=_MOST,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=5,
            proxy_headers=True,
            forwarded_allow_ips=list(PROXIES),
        )
    )

    def exit_when_asked() -> None:
        asked.wait()
        server.should_exit = True

    threading.Thread(target=exit_when_asked, daemon=True).start()
    if config.web.public:
        threading.Thread(target=GAME_SHEET.draw, args=(app.wait_for_quiet,), daemon=True).start()
    gc.freeze()  # nothing of what is there now is garbage
    await server.serve(sockets=[listener])
    writer.stop(5.0)
    store.close()


def _tell_front() -> None:
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), CHANGED)
