"""The front process: runs a daemon until a signal ends it, and notifies the supervisor."""

from __future__ import annotations

import asyncio
import gc
import os
import shlex
import shutil
import signal
import sys

import structlog

from pbm import games, logs
from pbm.config import Config
from pbm.daemon.app import Daemon
from pbm.daemon.presence import announce, serve_alone
from pbm.daemon.sockets import Supervisor, find_fast_loop, find_supervisor
from pbm.daemon.startup import FOR_MAILS, read_files
from pbm.daemon.worker_process import YOUNG
from pbm.store.engine import Store
from pbm.version import find_version

log = structlog.get_logger()
_TO_TRY = """To try it, type in another terminal, in this folder:
  {pbm} signup ann ann@example.org
  {pbm} hex challenge ann mcts
  {pbm} play --as ann
"""


def find_own_name() -> str:
    """Return how to start this program again: its name where the shell finds it, else how it was
    started."""
    started = sys.argv[0]
    if os.path.basename(started) == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m pbm"
    found = shutil.which(os.path.basename(started))
    if found and os.path.exists(started) and os.path.samefile(found, started):
        return os.path.basename(started)
    return shlex.quote(started)


async def _serve(daemon: Daemon, supervisor: Supervisor) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    loop.add_signal_handler(signal.SIGHUP, daemon.reload)
    await daemon.start()
    log.info("serving", version=find_version(), pid=os.getpid(), **_list_places(daemon))
    with announce(daemon.store):
        for port in daemon.ports:
            sys.stdout.write(f"ready {port}\n")
        sys.stdout.flush()
        if daemon.config.trial:
            sys.stderr.write(_TO_TRY.format(pbm=find_own_name()))
        pulse = asyncio.create_task(_notify_watchdog(daemon, supervisor, stopping))
        supervisor.tell("READY=1", f"STATUS=ready {', '.join(daemon.ports)}")
        watching = asyncio.create_task(daemon.watch(stopping))
        await stopping.wait()
    supervisor.tell("STOPPING=1", "STATUS=draining")
    await daemon.stop()
    pulse.cancel()
    watching.cancel()
    log.info("stopped")


async def _notify_watchdog(daemon: Daemon, supervisor: Supervisor, stopping: asyncio.Event) -> None:
    """Notify the watchdog while the server works, and until the end once it is stopping. Without
    that the supervisor restarts it."""
    while supervisor.pulse:
        if stopping.is_set() or daemon.is_alive():
            supervisor.tell("WATCHDOG=1")
        else:
            log.error("server part ended, no sign of life for the watchdog")
        await asyncio.sleep(supervisor.pulse)


def _list_places(daemon: Daemon) -> dict[str, str]:
    """Return where the state of this server is, without passwords."""
    url, scheme = daemon.store.url, daemon.config.relay.url.partition(":")
    is_file = daemon.store.is_sqlite
    return {
        "config": os.path.abspath(daemon.config.source) if daemon.config.source else "none",
        "database": os.path.abspath(str(url.database))
        if is_file
        else url.render_as_string(hide_password=True),
        "mail_out": os.path.abspath(scheme[2]) if scheme[0] == "maildir" else scheme[0],
    }


def serve(config: Config) -> None:
    """Run until SIGTERM or SIGINT, then drain. SchemaError when the database is not, or no longer,
    at the schema this program knows."""
    logs.set_up(config.log.format)
    if config.trial:
        sys.stderr.write(
            "trial server: no configuration; data under ./var, loopback only, "
            "addresses need no confirmation\n"
        )
    with serve_alone(Store(config.database.url)):
        _serve_alone(config)


def _serve_alone(config: Config) -> None:
    supervisor = find_supervisor(os.environ)
    daemon = Daemon(config, supervisor=supervisor)
    needed = ["pbm.daemon.engine_process"]
    if config.http.listen:
        needed.append("pbm.daemon.status")
    if daemon.workers:
        daemon.use_processes()
    else:
        needed.extend(FOR_MAILS)
    read_files(games.list_expected_names(), needed)
    gc.freeze()  # nothing of what is there now is garbage
    gc.set_threshold(YOUNG)
    gc.enable()
    with asyncio.Runner(loop_factory=find_fast_loop()) as runner:
        runner.run(_serve(daemon, supervisor))
    if daemon.outdated is not None:
        raise daemon.outdated
