"""A worker in a process of its own, from start to end."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import socket
import sys
import threading
import time
from dataclasses import dataclass

from pbm import games, logs
from pbm.config import Config, ConfigError, bring_variants
from pbm.core.secrets import Keys, Secrets
from pbm.daemon import processes
from pbm.daemon.attempts import WorkerSlot, map_slots
from pbm.daemon.sockets import limit_memory
from pbm.daemon.startup import FOR_MAILS, read_files, reload
from pbm.daemon.tracing import MailEvents
from pbm.daemon.worker import DRAIN, Worker
from pbm.mail.services import MailServices, open_services
from pbm.store.engine import Identity, Store

WAKE, RELOAD, END, DONE = b"w", b"r", b"e", b"d"
"""Requests of the front: there may be a mail; reload the configuration; finish what waits and end.
The worker's message: it has started, or a batch is done."""
OUT_OF_MEMORY = 71
"""The exit code of a worker that ran out of memory."""
YOUNG = 20_000
"""New objects after which garbage is collected: a batch of mails leaves hardly any, and searching
for it costs more than keeping it for a second."""
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Assignment:
    """The parameters of a worker.

    front      the pid of the front
    identity   the identity of the front's database
    link       the file descriptor of the worker's end of the link
    attempts   that of the file of attempts
    keys       the server's keys
    games      the names of the expected games
    """

    front: int
    config: Config
    identity: Identity | None
    name: str
    index: int
    link: int
    attempts: int
    keys: Keys
    games: frozenset[str]


def main() -> None:
    """Run a worker with the assignment on standard input."""
    assignment: Assignment = processes.take_over()
    config = assignment.config
    attach(assignment.front)
    logs.set_up(config.log.format)
    slot = map_slots(assignment.attempts)[assignment.index]
    os.close(assignment.attempts)
    games.expect(assignment.games)
    bring_variants(config.games.variants)
    read_files(FOR_MAILS)
    store = Store(config.database.url, identity=assignment.identity, flushes_unlocked=True)
    services = open_services(config, Secrets(assignment.keys, os.urandom))
    with socket.socket(fileno=assignment.link) as link:
        run(config, store, services, assignment.name, slot, link)
        os._exit(0)  # before the link is closed, which means that the worker died


def attach(front: int) -> None:
    """Leave signals to the front, and die with it."""
    for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    with contextlib.suppress(AttributeError):  # no Linux: the link says that the front has died
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != front:
        os._exit(1)


def end_with_any_thread() -> None:
    """If a thread dies of a bug, log it and end the worker: the front starts another one, and
    counts an attempt at its mails."""
    log_death = threading.excepthook

    def end(args: threading.ExceptHookArgs) -> None:
        log_death(args)
        os._exit(1)

    threading.excepthook = end


def run(
    config: Config,
    store: Store,
    services: MailServices,
    name: str,
    slot: WorkerSlot,
    link: socket.socket,
) -> None:
    """Execute mails until the front says END; end at once when the front is gone."""
    limit_memory(config.workers.memory_mib)
    end_with_any_thread()
    gc.set_threshold(YOUNG)

    def done() -> None:
        with contextlib.suppress(OSError):
            link.send(DONE)

    events = MailEvents(config, store, services.secrets.keys, name, time.time)
    events.open()
    worker = Worker(
        store,
        services,
        slot,
        time.time,
        events,
        done,
        lambda: os._exit(OUT_OF_MEMORY),
    )
    worker.start()
    done()
    while True:
        try:
            requests = link.recv(4096)
        except ConnectionError:
            requests = b""
        if not requests:
            os._exit(1)
        if RELOAD in requests:
            with contextlib.suppress(ConfigError):  # the front has logged it
                reload(config)
        worker.wake()
        if END in requests:
            break
    worker.stop(DRAIN)
    events.close()
    sys.stdout.flush()


def measure_processor_time(pid: int) -> float:
    """Return the seconds of processor time that a process has used (clock_getcpuclockid(3)).
    OSError when there is none."""
    return time.clock_gettime(~pid << 3 | 2)
