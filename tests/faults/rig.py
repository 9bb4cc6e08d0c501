"""Kills daemons while a population plays, then waits until all is done and counts."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import func, select

from pbm.server.consistency import differences
from pbm.store.engine import Store
from pbm.store.tables import boards, inbound, moves, outbound
from tests.bench.seed import seed
from tests.faults.population import Population
from tests.faults.relay import Relay

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
"""


@dataclass
class Figures:
    """What a run counted. `wrong` holds a sentence for every promise that was broken."""

    kills: int = 0
    accepted: int = 0
    refused: int = 0
    moves: int = 0
    results: int = 0
    doubled_results: int = 0
    boards_replayed: int = 0
    longest_recovery: float = 0.0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return json.dumps(asdict(self), indent=1)


class Rig:
    """`daemons` servers on one database; `run` plays for so many kills."""

    def __init__(
        self, folder: Path, url: str, *, daemons: int = 1, processes: int = 1, seed_number: int = 1,
        tables: int = 12, people: int = 6,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._url = url
        self._count = daemons
        self._processes = processes
        self._random = random.Random(seed_number)
        self._seed = seed_number
        self._tables, self._people = tables, people
        self._servers: dict[int, subprocess.Popen[bytes]] = {}

    async def run(self, kills: int) -> Figures:
        """Play, kill, start again; then without faults until nothing waits; then count."""
        began = time.monotonic()
        figures = Figures()
        await asyncio.to_thread(seed, self._url, self._tables, 0, self._people)
        _own_addresses(self._url)
        relay = Relay(self._seed)
        self._relay_port = await relay.start()
        ports = [await _free_port() for _ in range(self._count)]
        for port in ports:
            await self._start(port, figures)
        people = Population(ports, relay, self._tables, self._people, self._seed)
        playing = asyncio.create_task(people.play())
        try:
            for _ in range(kills):
                longest = self._random.choice((0.5, 4.0))
                await asyncio.sleep(self._random.uniform(0.05, longest))
                await self._kill(self._random.choice(ports), figures)
                if playing.done():
                    break
            people.stopping = True
            relay.faults = False
            await asyncio.wait_for(playing, 400)
            await self._settle()
        finally:
            playing.cancel()
            for server in self._servers.values():
                server.send_signal(signal.SIGTERM)
            for server in self._servers.values():
                await asyncio.to_thread(server.wait, 40)
                if server.stdout is not None:
                    server.stdout.close()
            relay.stop()
        figures.accepted, figures.refused = people.accepted, people.refused
        self._count_all(people, relay, figures)
        figures.seconds = round(time.monotonic() - began, 1)
        return figures

    def _count_all(self, people: Population, relay: Relay, figures: Figures) -> None:
        """Count; a test looks over its shoulder here."""
        count(self._url, people, relay, figures)

    async def _start(self, port: int, figures: Figures) -> None:
        began = time.monotonic()
        config = self._folder / f"{port}.toml"
        config.write_text(
            _CONFIG.format(
                url=self._url, port=port, relay=self._relay_port, processes=self._processes
            )
        )
        with (self._folder / f"{port}.log").open("ab") as log:
            server = await asyncio.to_thread(_serve, config, log)
        assert server.stdout is not None
        line = await asyncio.to_thread(server.stdout.readline)
        if not line.startswith(b"ready"):
            figures.wrong.append(f"a daemon did not start: {line!r}")
        self._servers[port] = server
        figures.longest_recovery = max(figures.longest_recovery, round(time.monotonic() - began, 2))

    async def _kill(self, port: int, figures: Figures) -> None:
        server = self._servers[port]
        server.kill()
        await asyncio.to_thread(server.wait)
        if server.stdout is not None:
            server.stdout.close()
        figures.kills += 1
        await self._start(port, figures)

    async def _settle(self) -> None:
        """Wait until no mail waits to be executed or sent."""
        store = Store(self._url)
        for _ in range(600):
            if await asyncio.to_thread(_waiting, store) == 0:
                break
            await asyncio.sleep(0.2)
        store.close()


def _serve(config: Path, log: BinaryIO) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pbm", "--config", str(config), "serve"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, cwd=ROOT,
    )  # fmt: skip


def _own_addresses(url: str) -> None:
    """The seeded players live at game.example."""
    from sqlalchemy import update

    from pbm.store.tables import addresses

    store = Store(url)
    with store.writing() as session:
        session.execute(
            update(addresses).values(
                address=func.replace(addresses.c.address, "bench.invalid", "game.example")
            )
        )
    store.close()


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


def count(url: str, people: Population, relay: Relay, figures: Figures) -> None:
    """Hold the database, what was accepted and what the relay got against each other."""
    store = Store(url)
    wrong = figures.wrong
    with store.reading() as session:
        mails = session.execute(select(inbound.c.state, inbound.c.outcome, inbound.c.raw)).all()
        sent = session.execute(select(outbound.c.id, outbound.c.state, outbound.c.message)).all()
        played = session.execute(
            select(moves.c.board_id, moves.c.move, moves.c.kind).order_by(
                moves.c.board_id, moves.c.number
            )
        ).all()
        figures.boards_replayed = session.execute(
            select(func.count()).select_from(boards)
        ).scalar_one()
        wrong += differences(session)
    store.close()
    wrong += [f"no result ever came of {what}" for what in people.unanswered]
    wrong += _lost_mails(mails, people)
    wrong += _wrong_moves(played, people)
    wrong += _lost_results(sent, relay)
    figures.moves = len(played)
    figures.results = len(sent)
    figures.doubled_results = sum(number - 1 for number in relay.taken.values())
    wrong += [f"{key!r} came with two texts" for key in relay.different]


def _lost_mails(mails: Sequence[object], people: Population) -> list[str]:
    ids = set()
    wrong = []
    for state, outcome, raw in mails:  # type: ignore[misc]
        if state != "done" or not outcome:
            wrong.append(f"a mail is {state} with the outcome {outcome!r}")
        for line in bytes(raw).split(b"\r\n"):
            if line.lower().startswith(b"message-id:"):
                ids.add(line.split(b":", 1)[1].strip().decode())
    return [*wrong, *(f"{key} was accepted and is gone" for key in people.ids - ids)]


def _wrong_moves(played: Sequence[object], people: Population) -> list[str]:
    logs: dict[int, list[str]] = {}
    for board, move, _kind in played:  # type: ignore[misc]
        logs.setdefault(board, []).append(move)
    return [
        f"board {table.number} has the moves {logs.get(table.number, [])}, not {table.moves}"
        for table in people.tables
        if logs.get(table.number, []) != table.moves
    ]


def _lost_results(sent: Sequence[object], relay: Relay) -> list[str]:
    wrong = []
    known = set()
    for number, state, message in sent:  # type: ignore[misc]
        key = bytes(message).split(b"Message-ID: ", 1)[1].split(b"\r\n", 1)[0]
        known.add(key)
        if state != "sent":
            wrong.append(f"outgoing mail {number} is {state}")
        elif not relay.taken[key]:
            wrong.append(f"outgoing mail {number} counts as sent and never arrived")
    return [*wrong, *(f"{key!r} arrived and is not known" for key in relay.taken.keys() - known)]
