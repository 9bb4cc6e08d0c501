"""Kills parts of a cluster of three nodes while people play through several daemons, and counts:

python -m tools.faults.patroni --kills 100

It needs four packages of Debian: etcd-server, haproxy, patroni and postgresql-15."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from tools.faults.kill_rig import Rig

# The cluster of config/patroni on loopback: three nodes, each with etcd, Patroni and PostgreSQL
# at an address of its own, and HAProxy. Everything ends with this process.


CONFIG = Path(__file__).parents[2] / "config" / "patroni"
NET = "127.0.26"
NODES = (1, 2, 3)
_PROXY = 5026
_PATIENCE = 120.0


class Process:
    """A program that may be killed and started again."""

    def __init__(self, command: Sequence[str], log: Path, env: dict[str, str], user: str) -> None:
        self._command = ["setpriv", "--pdeathsig", "KILL", *command]
        self._log, self._env, self._user = log, env, user
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self._running is not None and self._running.poll() is None:
            return
        account = pwd.getpwnam(self._user) if os.getuid() == 0 else None
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env={"PATH": f"{os.environ.get('PATH', '')}:/usr/sbin", "LC_ALL": "C.UTF-8"}
                | self._env,
                user=account and account.pw_uid,
                group=account and account.pw_gid,
                extra_groups=[] if account else None,
            )

    def kill(self) -> None:
        """Send SIGKILL."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()


class Node:
    """A host with etcd, Patroni and PostgreSQL."""

    def __init__(self, number: int, folder: Path) -> None:
        self.number = number
        self.address = f"{NET}.{number}"
        self._folder = folder
        user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        config = folder / "patroni.yml"
        config.write_text(self._localise((CONFIG / "patroni.yml").read_text()))
        self.etcd = Process(["etcd"], folder / "etcd.log", self._read_environment(), user)
        self.patroni = Process(["patroni", str(config)], folder / "patroni.log", {}, user)

    def _localise(self, text: str) -> str:
        """Return the configuration of db1 as that of this node, in this folder, on loopback."""
        own = re.compile(r"^(?!.*(hosts|CLUSTER=)).*", re.M)
        text = own.sub(lambda line: re.sub(r"10\.0\.0\.1\b", self.address, line[0]), text)
        text = text.replace("10.0.0.0/24", "127.0.0.0/8")
        text = re.sub(r"\b10\.0\.0\.", f"{NET}.", text)
        text = re.sub(r'^(name: |ETCD_NAME=")db1', rf"\g<1>db{self.number}", text, flags=re.M)
        text = re.sub(r"/var/lib/(postgresql/15|etcd)", str(self._folder), text)
        sockets = f"  parameters:\n    unix_socket_directories: {self._folder}\n  pg_hba:"
        text = text.replace("  pg_hba:", sockets)
        return text.replace("local all postgres peer", "local all postgres trust")

    def _read_environment(self) -> dict[str, str]:
        lines = self._localise((CONFIG / "etcd").read_text()).splitlines()
        pairs = [line.split("=", 1) for line in lines if line.startswith("ETCD_")]
        return {name: value.strip('"') for name, value in pairs}

    def start(self) -> None:
        """Start what does not run."""
        self.etcd.start()
        self.patroni.start()

    def find_server(self) -> int | None:
        """Return the process of its PostgreSQL."""
        try:
            number = int((self._folder / "patroni" / "postmaster.pid").read_text().split()[0])
            name = Path(f"/proc/{number}/comm").read_text().strip()
        except (OSError, ValueError, IndexError):
            return None
        return number if name == "postgres" else None

    def kill_server(self) -> None:
        """Send SIGKILL to PostgreSQL with all that it has started."""
        number = self.find_server()
        if number is None:
            return
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        for each in (number, *map(int, children)):
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def kill(self) -> None:
        """Kill the host."""
        self.patroni.kill()
        self.kill_server()
        self.etcd.kill()


class PatroniCluster:
    """The nodes, and the proxy in front of them."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pbm-patroni-"))
        self.folder.chmod(0o755)
        account = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        self.nodes = []
        for number in NODES:
            folder = self.folder / f"db{number}"
            folder.mkdir()
            self.nodes.append(Node(number, folder))
            if account is not None:
                os.chown(folder, account.pw_uid, account.pw_gid)
        proxy = self.folder / "haproxy.cfg"
        text = (CONFIG / "haproxy.cfg").read_text().replace("10.0.0.", f"{NET}.")
        proxy.write_text(text.replace("127.0.0.1:5000", f"127.0.0.1:{_PROXY}"))
        user = pwd.getpwuid(os.getuid()).pw_name
        command = ["haproxy", "-db", "-f", str(proxy)]
        self.proxy = Process(command, self.folder / "haproxy.log", {}, user)

    def start(self) -> None:
        """Start everything, and make the database of pbm."""
        for node in self.nodes:
            node.etcd.start()
        for node in self.nodes:
            node.patroni.start()
            if node.number == 1:
                self.await_health(1)
        self.proxy.start()
        self.await_health(len(self.nodes))
        dsn = f"host={self.find_primary().address} user=postgres password=SUPERUSER-PASSWORD"
        with psycopg.connect(dsn, dbname="postgres", autocommit=True) as connection:
            connection.execute("CREATE ROLE pbm LOGIN PASSWORD 'PASSWORD'")
            connection.execute("CREATE DATABASE pbm OWNER pbm")

    def stop(self) -> None:
        """End everything, and remove it."""
        self.proxy.kill()
        for node in self.nodes:
            node.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def proxied_url(self) -> str:
        """The URL that config/patroni/pbm.toml has."""
        return f"postgresql://pbm:PASSWORD@127.0.0.1:{_PROXY}/pbm"

    @property
    def direct_url(self) -> str:
        """The URL with all hosts."""
        hosts = ",".join(f"{node.address}:5432" for node in self.nodes)
        return f"postgresql://pbm:PASSWORD@{hosts}/pbm?target_session_attrs=read-write&connect_timeout=3"

    def list_members(self) -> list[dict[str, Any]]:
        """Return the members as the first Patroni that answers sees them."""
        for node in self.nodes:
            try:
                url = f"http://{node.address}:8008/cluster"
                with urllib.request.urlopen(url, timeout=2) as answer:
                    members: list[dict[str, Any]] = json.load(answer)["members"]
                    return members
            except (OSError, ValueError, KeyError):
                continue
        return []

    def find_primary(self) -> Node:
        """Return the node that is the primary."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            for member in self.list_members():
                if member["role"] == "leader" and member["state"] == "running":
                    return self.nodes[int(member["name"].removeprefix("db")) - 1]
            time.sleep(0.2)
        raise AssertionError("there is no primary")

    def is_healthy(self, count: int) -> bool:
        """Whether so many members run, one of them as the primary, and a standby has it all."""
        members = [
            each for each in self.list_members() if each["state"] in ("running", "streaming")
        ]
        roles = [each["role"] for each in members]
        return len(roles) >= count and "leader" in roles and (count < 2 or "sync_standby" in roles)

    def await_health(self, count: int = len(NODES), patience: float = _PATIENCE) -> None:
        """Wait until `count` members are there."""
        deadline = time.monotonic() + patience
        while not self.is_healthy(count):
            assert time.monotonic() < deadline, f"{self.list_members()} in {self.folder}"
            time.sleep(0.3)


# What is killed: PostgreSQL, Patroni, whole hosts, members of etcd, daemons.


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

    def __init__(self, cluster: PatroniCluster) -> None:
        self._cluster = cluster
        self.gaps: dict[str, list[float]] = defaultdict(list)

    async def __call__(self, rig: Rig) -> None:
        await asyncio.to_thread(self._cluster.await_health)
        await rig.plays(rig.random.randint(1, 15))
        await asyncio.sleep(rig.random.uniform(0.0, 0.5))
        kind = rig.random.choice(KINDS)
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--daemons", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cluster = PatroniCluster()
    try:
        cluster.start()
        strike = NodeStrike(cluster)
        with tempfile.TemporaryDirectory(prefix="pbm-patroni-rig-") as folder:
            rig = Rig(
                Path(folder),
                cluster.proxied_url,
                strike,
                daemons=given.daemons,
                seed_number=given.seed,
                tables=40 * given.kills,
                people=10,
                daemon_urls=[cluster.proxied_url, cluster.proxied_url, cluster.direct_url],
                pause=1.0,
            )
            figures = asyncio.run(rig.run(given.kills))
    finally:
        cluster.stop()
    print(figures)
    print(strike.describe())
    sys.exit(bool(figures.wrong))


if __name__ == "__main__":
    main()
