"""A server to measure: its configuration, its process, and the load that the harness gives it."""

from __future__ import annotations

import compileall
import contextlib
import json
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from pbm.games import get_game
from pbm.rules import Position
from tests.harness.databases import create_database
from tests.harness.servers import ServerProcess
from tools.bench.seed import choose_size, move_for

ROOT = Path(__file__).parents[2]
MATCH = r"regex:^Message-ID: <b(\d+)-\d+-(\d+)-"
CONFIG = """
[server]
address = "pbm@bench.invalid"
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:{port}"
[relay]
url = "smtp://127.0.0.1:{sink}"
sessions = 2
[workers]
processes = {processes}
"""
AUTO = '"auto"'
"""The default of `[workers] processes`."""
Size = tuple[int, int, int]
"""Boards, moves and players of a database."""


def compile_modules(checkout: Path) -> None:
    """Compile the modules of a checkout, as they are where it is installed: a server that compiles
    them itself starts half as fast, and keeps what that took of its memory."""
    compileall.compile_dir(checkout / "pbm", quiet=1)


def write_mails(path: Path, boards: Iterable[int], size: Size) -> None:
    """Write one move on each of these boards by the seat on the move."""
    in_all, moves_in_all, people = size
    ply = moves_in_all // in_all
    with path.open("w") as file:
        for board in boards:
            player = (board - 1 + ply % 2) % people
            move = move_for(board, moves_in_all, in_all)
            file.write(_build_mail(board, player, ply + 1, move))


def write_games(path: Path, parts: Iterable[int], boards: int, people: int) -> None:
    """Write random games, in parts of as many moves as `parts` says, each part on boards of its
    own, a move on each in turn. No game ends. Whoever leaves out a part can play the next one."""
    rng = random.Random(3)
    with path.open("w") as file:
        for part, count in enumerate(parts):
            first = part * boards + 1
            start = get_game("cradle").setup(2, {"size": choose_size(0)})
            games = {board: start for board in range(first, first + boards)}
            for board in islice(cycle(range(first, first + boards)), count):
                (seat,) = games[board].to_move
                move, games[board] = _play_on(games[board], seat, rng)
                player = (board - 1 + seat) % people
                file.write(_build_mail(board, player, games[board].turn, move))


def _play_on(position: Position, seat: int, rng: random.Random) -> tuple[str, Position]:
    """Return a random move that does not end the game, and where it leads."""
    moves = list(position.legal_moves(seat))
    rng.shuffle(moves)
    for move in moves:
        after = position.play(seat, move)
        if after.outcome is None:
            return move, after
    raise ValueError("a game can only end here: play fewer moves, or on more boards")


def _build_mail(board: int, player: int, ply: int, move: str) -> str:
    """Return a line for the harness. The next mail on a board is sent when this one is answered."""
    mail = {
        "from": f"p{player}@bench.invalid",
        "to": "pbm@bench.invalid",
        "subject": f"cradle move {board} p{player} secret {move}",
        "body": "",
        "expect": 2,
        "key": f"{board}/{ply + 1}",
        "chain": str(board),
    }
    return json.dumps(mail) + "\n"


def free_ports(count: int) -> list[int]:
    """Return ports of this machine that nobody listens at."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in found]


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs: its pid, the ports it listens at and sends to, and after how many
    seconds it was ready."""

    pid: int
    port: int
    sink: int
    ready: float


@contextlib.contextmanager
def running(work: Path, url: str, processes: str = AUTO, relay: int = 0) -> Iterator[Running]:
    """Run a server on that database until the end of the block; it sends to the port of that relay,
    or to a free one."""
    port, sink = free_ports(2)
    sink = relay or sink
    path = work / "pbm.toml"
    path.write_text(CONFIG.format(url=url, port=port, sink=sink, processes=processes))
    create_database(url)
    began = time.monotonic()
    server = ServerProcess(path)
    try:
        server.await_ready()
        yield Running(server.pid, port, sink, time.monotonic() - began)
    finally:
        server.end()


def load(
    harness: Path, server: Running, work: Path, warm: int, count: int, *, rate: int = 0
) -> dict[str, Any]:
    """Return what the harness measured of `count` mails, `rate` a second or as fast as they are
    taken. First it sends `warm` others, one of each player, so that each password was verified
    once."""
    command = [
        sys.executable,
        str(harness / "loadgen.py"),
        "--target",
        f"127.0.0.1:{server.port}",
        "--sink-port",
        str(server.sink),
        "--mails",
        str(work / "mails.jsonl"),
        "--match",
        MATCH,
        "--quiet",
    ]
    subprocess.run([*command, "--sessions", "4", "--count", str(warm)], check=True)
    out = work / "out.json"
    command += ["--skip", str(warm), "--count", str(count), "--sessions", "16"]
    command += ["--rate", str(rate)] if rate else ["--window", "64"]
    subprocess.run([*command, "--pid", str(server.pid), "--json", str(out)], check=True)
    measured: dict[str, Any] = json.loads(out.read_text())
    return measured
