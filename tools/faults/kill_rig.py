"""Kills servers while a population plays, waits until everything is done, and counts."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import DBAPIError

from pbm.core.links import make_seat_link
from pbm.daemon.keys import load_secrets
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import addresses, boards, inbound, outbound
from tests.harness.databases import Cluster
from tests.harness.packages import require
from tools.bench.seed import seed
from tools.faults.count import (
    SEATS,
    DiplomacyPlayers,
    Figures,
    count,
    count_diplomacy_boards,
    seat_diplomacy_boards,
)
from tools.faults.population import Population, Relay

ROOT = Path(__file__).parents[2]
_CONFIG = """
[server]
address = "pbm@game.example"
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:{port}"
[relay]
url = "smtp://127.0.0.1:{relay}"
[limits]
open_boards = 0
mails_a_day = 0
[workers]
processes = {processes}
[web]
listen = "{web}"
"""
_FEWEST = 60
"""Mails and results that a run must have seen, however slow the machine is."""


class Strike(Protocol):
    """What is done to the servers, again and again; it repairs them afterwards."""

    async def __call__(self, rig: Rig) -> None: ...


class Rig:
    """So many `daemons` on one database; `run` plays for so many strikes. `jumps` are the days by
    which a daemon's clock is off at each start. The daemons take turns with `daemon_urls`, if there
    are any; each board rests for `pause` seconds after a move. The `tables` are of Cradle,
    or, with `diplomacy`, boards of it."""

    def __init__(
        self,
        folder: Path,
        url: str,
        strike: Strike,
        *,
        daemons: int = 1,
        processes: int = 1,
        seed_number: int = 1,
        tables: int = 12,
        people: int = 6,
        jumps: Sequence[float] = (),
        clicks: bool = False,
        daemon_urls: Sequence[str] = (),
        pause: float = 0.0,
        diplomacy: bool = False,
    ) -> None:
        self.random = random.Random(seed_number)
        self.figures = Figures()
        self.ports: list[int] = []
        self._folder = folder
        self._url = url
        self._strike = strike
        self._count = daemons
        self._processes = processes
        self._seed = seed_number
        self._tables, self._people = tables, people
        self._jumps = jumps
        self._clicks = clicks
        self._daemon_urls = daemon_urls or [url]
        self._pause = pause
        self._is_diplomacy = diplomacy
        self._web_ports: dict[int, int] = {}
        self._ill: set[int] = set()
        self._servers: dict[int, subprocess.Popen[bytes]] = {}

    async def run(self, strikes: int) -> Figures:
        """Play and strike, then run without faults until nothing waits, then count."""
        began = time.monotonic()
        figures = self.figures
        await self.fill()
        _own_addresses(self._url)
        if self._is_diplomacy:
            await asyncio.to_thread(seat_diplomacy_boards, self._url, self._tables)
        relay = Relay(self._seed)
        self._relay_port = await relay.start()
        self.ports = [await _free_port() for _ in range(self._count)]
        if self._clicks:
            self._web_ports = {port: await _free_port() for port in self.ports}
        for port in self.ports:
            await self.start(port, is_right=True)
        links = await asyncio.to_thread(_links, self._url) if self._clicks else {}
        pages = [*self._web_ports.values()], links
        people = (
            DiplomacyPlayers(self.ports, relay, self._tables, self._seed)
            if self._is_diplomacy
            else Population(
                self.ports,
                relay,
                self._tables,
                self._people,
                self._seed,
                pages=pages,
                pause=self._pause,
            )
        )
        self._population = people
        playing = asyncio.create_task(people.play())
        try:
            while figures.kills < strikes and not playing.done() and not figures.wrong:
                await self._strike(self)
            for port in self.ports:
                if self._jumps or self.is_ill(port):
                    await self.kill(port)
                    await self.start(port, is_right=True)
            await self.plays(max(0, _FEWEST - people.progress))
            people.stopping = True
            relay.faults = False
            await self._settle()
            people.over = True
            await playing
        finally:
            playing.cancel()
            await self._end()
            relay.stop()
        figures.accepted, figures.refused = people.accepted, people.refused
        figures.clicks = people.clicks
        self._count_all(people, relay)
        figures.seconds = round(time.monotonic() - began, 1)
        return figures

    async def fill(self) -> None:
        """Make the database and its boards."""
        cradle, people = (0, SEATS) if self._is_diplomacy else (self._tables, self._people)
        await asyncio.to_thread(seed, self._url, cradle, 0, people)

    def find_tree(self, _port: int) -> Path:
        """Return the tree whose program runs at a port; a rig for upgrades has two."""
        return ROOT

    def _count_all(self, people: Population, relay: Relay) -> None:
        """Count; a test overrides this."""
        if isinstance(people, DiplomacyPlayers):
            count_diplomacy_boards(self._url, people, relay, self.figures)
        else:
            count(self._url, people, relay, self.figures)

    async def _end(self) -> None:
        """Require that SIGTERM ends every server within half a minute."""
        for server in self._servers.values():
            server.send_signal(signal.SIGTERM)
        for port, server in self._servers.items():
            try:
                await asyncio.to_thread(server.wait, 40)
            except subprocess.TimeoutExpired:
                self.figures.wrong.append(f"the daemon at {port} did not end when it was told")
                server.kill()
                server.wait()
            if server.stdout is not None:
                server.stdout.close()

    async def accepts(self) -> None:
        """Wait until another mail is accepted."""
        enough = self._population.accepted + 1
        for _ in range(12000):
            if self._population.accepted >= enough:
                return
            await asyncio.sleep(0.02)
        self.figures.wrong.append("no mail is accepted any more")

    async def plays(self, much: int) -> None:
        """Wait until `much` more mails were accepted or results have arrived."""
        enough = self._population.progress + much
        for _ in range(12000):
            if self._population.progress >= enough:
                return
            await asyncio.sleep(0.02)
        self.figures.wrong.append("the game does not go on")

    def is_ill(self, port: int) -> bool:
        """Whether the daemon runs under a program that may end it, or has been ended by it."""
        return port in self._ill

    async def start(self, port: int, *, prefix: Sequence[str] = (), is_right: bool = False) -> None:
        """Start a daemon. `prefix` is a program that runs it and may end it, `is_right` gives it
        the right time."""
        began = time.monotonic()
        config = self._folder / f"{port}.toml"
        config.write_text(
            _CONFIG.format(
                url=self._daemon_urls[self.ports.index(port) % len(self._daemon_urls)],
                port=port,
                relay=self._relay_port,
                processes=self._processes,
                web=f"127.0.0.1:{self._web_ports[port]}" if self._clicks else "",
            )
        )
        days = self.random.choice(self._jumps) if self._jumps and not is_right else 0.0
        with (self._folder / f"{port}.log").open("ab") as log:
            server = await asyncio.to_thread(
                _serve, config, log, prefix, days, self.find_tree(port)
            )
        assert server.stdout is not None
        self._servers[port] = server
        (self._ill.add if prefix else self._ill.discard)(port)
        line = await asyncio.to_thread(server.stdout.readline)
        took = round(time.monotonic() - began, 2)
        if line.startswith(b"ready"):
            if not prefix:
                self.figures.longest_recovery = max(self.figures.longest_recovery, took)
            return
        code = await asyncio.to_thread(server.wait)
        if not prefix:
            said = (self._folder / f"{port}.log").read_text().splitlines()[-1:]
            self.figures.wrong.append(f"a daemon did not start: {line!r}, {code}, {said}")

    async def kill(self, port: int) -> None:
        """Send SIGKILL, or reap a daemon that is dead."""
        began = time.monotonic()
        server = self._servers[port]
        server.kill()
        await asyncio.to_thread(server.wait)
        if server.stdout is not None:
            server.stdout.close()
        self.struck(began)

    async def dies(self, port: int, seconds: float) -> bool:
        """Whether the daemon ends by itself within `seconds`."""
        try:
            await asyncio.to_thread(self._servers[port].wait, seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def struck(self, began: float) -> None:
        """Note that something was killed in that span."""
        self.figures.kills += 1
        self.figures.strikes.append((began, time.monotonic()))

    async def _settle(self) -> None:
        """Wait until no mail waits to be delivered, executed or sent."""
        store = Store(self._url)
        for _ in range(3000):
            with suppress(DBAPIError):  # the database may still be on its way to another host
                if not self._population.bringing and await asyncio.to_thread(_waiting, store) == 0:
                    break
            await asyncio.sleep(0.2)
        store.close()


def _serve(
    config: Path, log: BinaryIO, prefix: Sequence[str], days: float, tree: Path
) -> subprocess.Popen[bytes]:
    program = ["tools.faults.jumped", str(days)] if days else ["pbm"]
    return subprocess.Popen(
        [*prefix, sys.executable, "-m", *program, "--config", str(config), "serve"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=tree,
    )


def _own_addresses(url: str) -> None:
    """Have the seeded players live at game.example."""
    store = Store(url)
    with store.writing() as session:
        session.execute(
            update(addresses).values(
                address=func.replace(addresses.c.address, "bench.invalid", "game.example")
            )
        )
    store.close()


def _links(url: str) -> dict[tuple[int, int], str]:
    """Return the path of each seat's page, by board and seat."""
    store = Store(url)
    secrets = load_secrets(store)
    links = {}
    with store.reading() as session:
        for number in session.execute(select(boards.c.id)).scalars().all():
            for seat in reads.find_seats(session, number):
                addresses = reads.find_addresses(session, seat.player_id)
                link = make_seat_link(secrets, number, seat.seat, seat.password, addresses)
                links[number, seat.seat] = f"/s/{link}"
    store.close()
    return links


def _waiting(store: Store) -> int:
    with store.reading() as session:
        return sum(
            session.execute(
                select(func.count()).select_from(table).where(table.c.state == "waiting")
            ).scalar_one()
            for table in (inbound, outbound)
        )


async def _free_port() -> int:
    server = await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


# Strikes: daemons killed at any moment or at a chosen system call, a database killed and
# restarted or replaced by its standby.


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
