"""What a supervisor hands over and hears: a real datagram socket, and servers as real processes."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbm.config import Bots, Config, Database, Smtp
from pbm.daemon.app import _notify_watchdog
from pbm.daemon.sockets import Supervisor, find_supervisor
from tests.harness.databases import create_database
from tests.harness.servers import Running, until
from tests.harness.shell import environment

_STARTED_BY_SYSTEMD = """
import os, sys
from tests.harness.databases import create_database
for number, file in enumerate(map(int, sys.argv[1].split(","))):
    os.dup2(file, 3 + number)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.executable, [sys.executable, "-m", "pbm", *sys.argv[2:]])
"""


class Listener:
    """The supervisor's end of the socket."""

    def __init__(self, name: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name[1:] if name.startswith("@") else name)
        self.socket.settimeout(60)

    def hears(self) -> list[str]:
        return self.socket.recv(4096).decode().splitlines()

    def hears_until(self, line: str) -> list[str]:
        """All lines up to the message with that one."""
        heard: list[str] = []
        while line not in heard:
            heard += self.hears()
        return heard

    def is_silent(self) -> bool:
        self.socket.setblocking(False)
        try:
            self.socket.recv(4096)
        except BlockingIOError:
            return True
        finally:
            self.socket.settimeout(60)
        return False


@pytest.fixture
def name(tmp_path: Path) -> str:
    """Where it listens."""
    return str(tmp_path / "notify")


@pytest.fixture
def listener(name: str) -> Iterator[Listener]:
    opened = Listener(name)
    yield opened
    opened.socket.close()


def _serve(folder: Path, text: str, *sockets: socket.socket, **more: str) -> subprocess.Popen[str]:
    """The server as systemd starts it, with these sockets from file 3 on."""
    (folder / "pbm.toml").write_text(f"[bots]\nenabled = false\n{text}")
    create_database(f"sqlite:///{folder}/var/pbm.db")
    high = [fcntl.fcntl(one, fcntl.F_DUPFD, 50) for one in sockets] or [0]
    try:
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                _STARTED_BY_SYSTEMD,
                ",".join(map(str, high)),
                "--config",
                "pbm.toml",
                "serve",
            ],
            cwd=folder,
            env=environment(LISTEN_FDS=str(len(sockets)), **more),
            pass_fds=high,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        for file in high[: len(sockets)]:
            os.close(file)


def _ends(server: subprocess.Popen[str]) -> str:
    server.send_signal(signal.SIGTERM)
    said, events = server.communicate(timeout=60)
    assert server.returncode == 0, events
    return said


def test_ready_then_signs_of_life_then_stopping(
    tmp_path: Path, name: str, listener: Listener
) -> None:
    server = _serve(
        tmp_path, '[smtp]\nlisten = "127.0.0.1:0"\n', NOTIFY_SOCKET=name, WATCHDOG_USEC="200000"
    )
    before = listener.hears_until("READY=1")
    assert "WATCHDOG=1" not in before
    assert any(
        line.startswith("STATUS=ready smtp 127.0.0.1:")
        for line in before[before.index("READY=1") :]
    )
    assert listener.hears_until("WATCHDOG=1")
    assert listener.hears_until("WATCHDOG=1")
    server.send_signal(signal.SIGTERM)
    listener.hears_until("STOPPING=1")
    said, events = server.communicate(timeout=60)
    assert server.returncode == 0, events
    assert said.startswith("ready smtp 127.0.0.1:")


def test_no_sign_of_life_once_no_worker_lives(
    tmp_path: Path, name: str, listener: Listener
) -> None:
    config = Config(
        database=Database(f"sqlite:///{tmp_path / 'pbm.db'}"),
        smtp=Smtp("127.0.0.1:0"),
        bots=Bots(enabled=False),
    )
    with Running(config) as running, capture_logs() as events:
        daemon = running.daemon

        def complaints() -> list[Any]:
            return [event for event in events if "no sign of life" in event["event"]]

        stopping = asyncio.Event()
        pulse = asyncio.run_coroutine_threadsafe(
            _notify_watchdog(daemon, Supervisor(name, 0.01), stopping), running.loop
        )
        assert listener.hears() == ["WATCHDOG=1"]
        assert not complaints()
        daemon.worker.stop()
        until(complaints, "a server without a worker says that it lives")
        while not listener.is_silent():
            pass
        count = len(complaints())
        until(lambda: len(complaints()) > count + 3, "no pulse")
        assert listener.is_silent()
        running.loop.call_soon_threadsafe(stopping.set)
        assert listener.hears() == ["WATCHDOG=1"]  # while it drains, the time to stop is the bound
        pulse.cancel()


def test_a_listener_by_order_in_the_place_of_the_configured_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as handed:
        server = _serve(
            tmp_path, '[smtp]\nlisten = "127.0.0.1:1"\n', handed, LISTEN_FDNAMES="pbm.socket"
        )
        port = handed.getsockname()[1]
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
            assert client.docmd("EHLO", "here")[0] == 250
    assert _ends(server) == f"ready smtp 127.0.0.1:{port}\n"


def test_listeners_by_name(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with (
        socket.socket(socket.AF_UNIX) as lmtp,
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as other,
    ):
        lmtp.bind(str(path))
        lmtp.listen()
        server = _serve(
            tmp_path, '[smtp]\nlisten = ""\n', lmtp, one, other, LISTEN_FDNAMES="lmtp:smtp:smtp"
        )
        for socket_ in (one, other):
            with smtplib.SMTP("127.0.0.1", socket_.getsockname()[1], timeout=60) as client:
                assert client.docmd("EHLO", "here")[0] == 250
        with smtplib.LMTP(str(path), timeout=60) as session:
            assert session.docmd("LHLO", "here")[0] == 250
        ports = [each.getsockname()[1] for each in (one, other)]
    assert _ends(server).splitlines() == [
        *(f"ready smtp 127.0.0.1:{port}" for port in ports),
        f"ready lmtp unix:{path}",
    ]


def test_a_socket_without_a_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as handed:
        server = _serve(tmp_path, '[smtp]\nlisten = ""\n', handed, LISTEN_FDNAMES="tap")
        said = server.communicate(timeout=60)
    assert server.returncode == 2
    assert said[1] == (
        "pbm: the configuration cannot be used: the socket 'tap' has no use: "
        "name it smtp, lmtp or web\n"
    )


@pytest.mark.parametrize(
    ("given", "address", "pulse"),
    [
        ({}, "", 0.0),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "3000000"}, "/run/n", 1.5),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}, "@n", 0.0),
        ({"NOTIFY_SOCKET": "vsock:2:1", "WATCHDOG_USEC": "x"}, "", 0.0),
        ({"LISTEN_FDS": "1", "LISTEN_PID": "1"}, "", 0.0),
    ],
)
def test_the_variables_are_for_this_process_alone(
    given: dict[str, str], address: str, pulse: float
) -> None:
    left = given | {"HOME": "/"}
    assert find_supervisor(left) == Supervisor(address, pulse)
    assert left == {"HOME": "/"}


def test_an_abstract_address() -> None:
    name = f"@pbm-test-{os.getpid()}"
    listener = Listener(name)
    Supervisor(name).tell("READY=1", "STATUS=ready")
    assert listener.hears() == ["READY=1", "STATUS=ready"]
    listener.socket.close()


def test_nobody_listens(tmp_path: Path, listener: Listener) -> None:
    """A supervisor that is gone stops nothing."""
    Supervisor(str(tmp_path / "gone")).tell("WATCHDOG=1")
    Supervisor().tell("READY=1")
    assert listener.is_silent()
