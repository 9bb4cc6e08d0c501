"""A worker in a process of its own: what happens between its fork and its end."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pbm.config import Config
from pbm.daemon.workers.attempts import Slot
from pbm.daemon.workers.worker import DRAIN, Worker
from pbm.mail.incoming.handle import MailHandler
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.migrate import check_revision

WAKE, RELOAD, END, DONE = b"w", b"r", b"e", b"d"
"""What the front sends: there may be a mail; read the configuration again; finish what waits and
end. What a worker sends: a batch is done."""
OUT_OF_MEMORY = 71
"""The exit code of a worker that could get no more memory."""
_MIB = 1 << 20


def run_process(
    config: Config,
    name: str,
    handler: MailHandler,
    slot: Slot,
    link: socket.socket,
    reload: Callable[[], object],
) -> None:
    """Execute mails until the front says END; end at once when the front is gone."""
    limit_memory(config.workers.memory_mib)
    store = Store(config.database.url)
    writer = Writer(store, check_revision)

    def done() -> None:
        with contextlib.suppress(OSError):
            link.send(DONE)

    worker = Worker(
        config, store, writer, handler, slot, name, time.time, done, lambda: os._exit(OUT_OF_MEMORY)
    )
    writer.start()
    worker.start()
    while True:
        requests = link.recv(4096)
        if not requests:
            os._exit(1)
        if RELOAD in requests:
            reload()
        worker.wake()
        if END in requests:
            break
    worker.stop(DRAIN)
    writer.stop(1.0)
    sys.stdout.flush()


def limit_memory(mib: int) -> None:
    """Refuse this process more than so many MiB of memory, beside what it has; 0 = no limit."""
    if not mib:
        return
    with contextlib.suppress(OSError, ValueError):  # no Linux, or a lower limit holds already
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + mib * _MIB
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def measure_memory(pid: int) -> int:
    """The MiB that a process has in memory; 0 when that cannot be known."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * resource.getpagesize() // _MIB


def measure_processor_time(pid: int) -> float:
    """The seconds of processor time that a process has used (clock_getcpuclockid(3)). OSError when
    there is none."""
    return time.clock_gettime(~pid << 3 | 2)
