"""Strikes: daemons killed at any moment or at a chosen system call, a database killed and restarted
or replaced by its standby."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterable, Iterator

import pytest

from tests.harness.postgresql import Cluster
from tests.harness.programs import require
from tools.faults.kill_rig import Rig

WORDS = "sendto,write,writev"
"""System calls that say something to clients, relay and database: which one is up to the event
loop. What is heard comes by calls that read files as well, too many to choose from."""
CALLS = ("pwrite64", "fdatasync", WORDS)
"""System calls of interest: pages written and flushed, words."""


class Kill:
    """kill -9 of a daemon at a random moment, before or in the middle of its work."""

    async def __call__(self, rig: Rig) -> None:
        if rig.random.random() < 0.7:
            await rig.plays(rig.random.randint(1, 15))
        await asyncio.sleep(rig.random.uniform(0.0, 0.3))
        port = rig.random.choice(rig.ports)
        await rig.kill(port)
        await rig.start(port)


class Call:
    """Has a daemon die as it enters its Nth system call of a name, the next one at a later call or
    another; one that gets no further is killed after some seconds."""

    def __init__(self, calls: Iterable[tuple[str, int]], seconds: float = 4.0) -> None:
        self._calls: Iterator[tuple[str, int]] = iter(calls)
        self._seconds = seconds

    async def __call__(self, rig: Rig) -> None:
        port = rig.random.choice(rig.ports)
        if rig.is_ill(port):
            rig.figures.at_calls += await rig.dies(port, self._seconds)
        await rig.kill(port)
        name, number = next(self._calls)
        await rig.start(port, prefix=_strace(name, number))


def every(step: int = 1) -> Iterator[tuple[str, int]]:
    """Yield each `step`th call of each name, endlessly."""
    number = 1
    while True:
        for name in CALLS:
            yield name, number
        number += step


def require_strace() -> None:
    """Skip where strace is not installed, or not permitted."""
    require("strace")
    command = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "true"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("strace is not permitted here")


def _strace(name: str, number: int) -> list[str]:
    return [
        "strace",
        "-D",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        f"trace={name}",
        "-e",
        f"inject={name}:signal=KILL:when={number}",
    ]


class Restart:
    """kill -9 of the database server, which recovers; the daemons keep running."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def __call__(self, rig: Rig) -> None:
        await asyncio.sleep(rig.random.uniform(0.1, 4.0))
        began = time.monotonic()
        await asyncio.to_thread(self._cluster.kill)
        await asyncio.sleep(rig.random.uniform(0.0, 1.0))
        await asyncio.to_thread(self._cluster.start)
        rig.struck(began)


class Failover:
    """kill -9 of the primary for good; its synchronous standby is promoted and gets a standby of
    its own."""

    def __init__(self, primary: Cluster, standby: Cluster) -> None:
        self.primary, self.standby = primary, standby

    async def __call__(self, rig: Rig) -> None:
        await asyncio.sleep(rig.random.uniform(0.5, 4.0))
        await self.fail(rig)
        await asyncio.to_thread(self.rebuild)

    async def fail(self, rig: Rig) -> None:
        """Kill the primary and promote the standby."""
        began = time.monotonic()
        await asyncio.to_thread(self.primary.kill)
        await asyncio.to_thread(self.standby.promote)
        rig.struck(began)
        self.primary, self.standby = self.standby, self.primary

    def rebuild(self) -> None:
        """Bring the former primary back as a standby."""
        self.standby.follow(self.primary)
        self.primary.wait_for_standby()


def failover_url(one: Cluster, other: Cluster, name: str) -> str:
    """Return a URL with two hosts, of which the writable one is used."""
    hosts = f"127.0.0.1:{one.port},127.0.0.1:{other.port}"
    return f"postgresql://pbm@{hosts}/{name}?target_session_attrs=read-write"
