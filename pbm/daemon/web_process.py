"""The web pages, in a process of their own: mail goes on whatever a page costs.

The front process starts it with the first visitor, hands it the listening socket, and reads a byte
from it whenever a click has changed something."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbm.config import Config
from pbm.daemon import processes
from pbm.daemon.sockets import find_fast_loop

if TYPE_CHECKING:  # the front process hands it over before anything else is imported
    from pbm.core.secrets import Keys
    from pbm.store.engine import Identity

CHANGED = b"."
"""What it writes when there is something to send."""
END = b"e"
"""What it is sent when it shall answer what it has begun, and end."""
_NICE = 10
"""Mail goes first."""
_MOST = 200
"""Connections at a time. Beyond them, those that wait for their visitor are ended."""
_THREADS = 8
"""How many make pages at once: fewer than the connections that a store can have, which a thread
beyond them would wait for in vain, since idle sessions keep theirs."""


def main() -> None:
    """Serve until standard input ends: it begins with the number of the socket, the configuration,
    which database it is, and the server's keys."""
    number, config, identity, keys = processes.take_over()
    asked = threading.Event()
    threading.Thread(target=_wait_for_end, args=(asked,), daemon=True).start()
    with asyncio.Runner(loop_factory=find_fast_loop()) as runner:
        runner.run(_serve(socket.socket(fileno=number), config, identity, keys, asked))


def _wait_for_end(asked: threading.Event) -> None:
    """Set the event when the front asks for the end. Exit at once when the front is gone, however
    far this process is: its successor needs the socket."""
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

    from pbm import logs
    from pbm.core.secrets import Secrets
    from pbm.daemon.startup import read_files
    from pbm.mail.postbox import build_service
    from pbm.store import migrate
    from pbm.store.engine import Store
    from pbm.store.group_commit import Writer
    from pbm.web.routes import build_app
    from pbm.web.site import PROXIES, ImpatientProtocol, Site

    logs.set_up(config.log.format)
    os.nice(_NICE)
    read_files((), ("pbm.web", "pbm.pictures"))
    current_default_thread_limiter().total_tokens = _THREADS
    store = Store(config.database.url, identity=identity)
    secrets = Secrets(keys, os.urandom)
    writer = Writer(store, migrate.check_revision)
    writer.start()
    service = build_service(config, secrets)
    site = Site(config, store, writer, secrets, service, time.time, _tell_front)

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Leave signals alone: the front process decides when this one ends."""
            yield

    class Protocol(ImpatientProtocol):
        per_address = config.limits.web_connections_per_address

    server = Server(
        uvicorn.Config(
            build_app(site),
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
    gc.freeze()  # nothing of what is there now is garbage
    await server.serve(sockets=[listener])
    writer.stop(5.0)
    store.close()


def _tell_front() -> None:
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), CHANGED)
