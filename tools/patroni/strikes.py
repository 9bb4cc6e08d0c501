"""What is killed: PostgreSQL, Patroni, whole hosts, members of etcd, daemons."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from tools.faults.kill_rig import Rig
from tools.patroni.nodes import Node, PatroniCluster

SERVER = "PostgreSQL of the primary"
HOST = "host of the primary"
SUPERVISOR = "Patroni of the primary"
ETCD = "a member of etcd"
DAEMON = "a daemon"
KINDS = (SERVER, SERVER, SERVER, HOST, HOST, HOST, SUPERVISOR, ETCD, DAEMON)
_AWAY = 3.0
"""Seconds after which what was killed is started again, at most."""


class NodeStrike:
    """Kills one thing at a time, once the cluster has recovered from the last time.

    gaps  seconds from a kill until the next mail was accepted, by what was killed
    """

    def __init__(self, cluster: PatroniCluster, kinds: Sequence[str] = KINDS) -> None:
        self._cluster = cluster
        self._kinds = kinds
        self.gaps: dict[str, list[float]] = defaultdict(list)

    async def __call__(self, rig: Rig) -> None:
        await asyncio.to_thread(self._cluster.await_health)
        await rig.plays(rig.random.randint(1, 15))
        await asyncio.sleep(rig.random.uniform(0.0, 0.5))
        kind = rig.random.choice(self._kinds)
        began = time.monotonic()
        if kind == DAEMON:
            port = rig.random.choice(rig.ports)
            await rig.kill(port)
            await rig.accepts()
            self.gaps[kind].append(time.monotonic() - began)
            await rig.start(port)
            return
        node = await asyncio.to_thread(self._cluster.find_primary)
        if kind == ETCD:
            node = rig.random.choice(self._cluster.nodes)
        began = time.monotonic()
        await asyncio.to_thread(_kill, node, kind)
        back = asyncio.create_task(self._bring_back(rig, node))
        await asyncio.sleep(0.05)
        await rig.accepts()
        self.gaps[kind].append(time.monotonic() - began)
        await back
        rig.struck(began)

    async def _bring_back(self, rig: Rig, node: Node) -> None:
        await asyncio.sleep(rig.random.uniform(0.5, _AWAY))
        node.start()

    def describe(self) -> str:
        """Return the gaps as rows of a table."""
        rows = [
            f"| {kind} | {len(gaps)} | {median(gaps):.1f} | {max(gaps):.1f} |"
            for kind, gaps in self.gaps.items()
        ]
        everything = [gap for gaps in self.gaps.values() for gap in gaps]
        rows.append(
            f"| all | {len(everything)} | {median(everything):.1f} | {max(everything):.1f} |"
        )
        return "\n".join(
            ["| killed | times | median gap, s | longest |", "| --- |" + 3 * " ---: |", *rows]
        )


def _kill(node: Node, kind: str) -> None:
    if kind == SERVER:
        node.kill_server()
    elif kind == SUPERVISOR:
        node.patroni.kill()
    elif kind == ETCD:
        node.etcd.kill()
    else:
        node.kill()
