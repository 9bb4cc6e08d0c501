"""What is done to servers: killed at any moment or at a chosen system call; a database killed and
started again, or lost for good so that its standby takes over."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator

from tests.faults.kill_rig import Rig
from tests.postgresql import Cluster

WORDS = "sendto,write,writev"
"""System calls that say something to clients, relay and database: which one is up to the event
loop. What is heard comes by calls that read files as well, too many to choose from."""
CALLS = ("pwrite64", "fdatasync", WORDS)
"""System calls of interest: pages written and flushed, words."""


class Kill:
    """kill -9 of a daemon at any moment: before it had time to do anything, or in the middle of its
    work, however long that takes to come about."""

    async def __call__(self, rig: Rig) -> None:
        if rig.random.random() < 0.7:
            await rig.plays(rig.random.randint(1, 15))
        await asyncio.sleep(rig.random.uniform(0.0, 0.3))
        port = rig.random.choice(rig.ports)
        await rig.kill(port)
        await rig.start(port)


class Call:
    """A daemon dies in the moment it enters its Nth system call of a name; the next one at a later
    call, or another. One that does not come so far is killed after some seconds."""

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
    """Each `step`th call of each name, without end."""
    number = 1
    while True:
        for name in CALLS:
            yield name, number
        number += step


def may_trace() -> bool:
    """Whether there is strace, and it may do its work: a container may forbid it."""
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


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
    """kill -9 of the database server, which recovers and goes on; the daemons stay."""

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
    """kill -9 of the primary for good; its synchronous standby is promoted at the other of two
    addresses, and gets a standby of its own."""

    def __init__(self, primary: Cluster, standby: Cluster) -> None:
        self.primary, self.standby = primary, standby

    async def __call__(self, rig: Rig) -> None:
        await asyncio.sleep(rig.random.uniform(0.5, 4.0))
        await self.fail(rig)
        await asyncio.to_thread(self.rebuild)

    async def fail(self, rig: Rig) -> None:
        """The primary dies, the standby takes over."""
        began = time.monotonic()
        await asyncio.to_thread(self.primary.kill)
        await asyncio.to_thread(self.standby.promote)
        rig.struck(began)
        self.primary, self.standby = self.standby, self.primary

    def rebuild(self) -> None:
        """What was the primary comes back as a standby of the new one."""
        self.standby.follow(self.primary)
        self.primary.wait_for_standby()


def failover_url(one: Cluster, other: Cluster, name: str) -> str:
    """Two hosts, of which the one that can be written counts."""
    hosts = f"127.0.0.1:{one.port},127.0.0.1:{other.port}"
    return f"postgresql://pbm@{hosts}/{name}?target_session_attrs=read-write"
