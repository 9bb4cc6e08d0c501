"""What a large club costs, on both databases: `python -m tools.bench.large [--moves 1000000]` fills
an SQLite database, copies it to a PostgreSQL of its own, and asks each the same.

Everything is seconds of a processor that the program takes, without those of PostgreSQL, so that
other work on the machine says little; partitions and a failover are by the clock. They go into
docs/figures.json, which pages quote."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pbm.store.engine import Store
from tests.harness.databases import Cluster
from tools.bench import figures, large_daemons
from tools.bench.growth import build_desk, execute_next, journal
from tools.bench.seed import move_for, seed
from tools.bench.server import Size

_OVER = 0.5
_TRIES = 7
_PLAYER = 7
"""Who writes each mail, see `journal`."""
_QUESTIONS = {
    "stats": "stats",
    "player": f"player p{_PLAYER}",
    "overdue": "boards --overdue",
    "busiest": "sql busiest_players",
    "backup": "backup {folder}/backup",
    "check": "check",
}
"""Commands of the operator."""


def measure(url: str, size: Size, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the name of each thing that is asked, and the seconds of a processor that it takes."""
    store = Store(url)
    yield from large_daemons.measure_retention(store)
    if not store.is_sqlite:
        yield from large_daemons.measure_partitions(store)
    yield from _measure_mails(store, size)
    yield from large_daemons.measure_daemon(url, folder / "one")
    if not store.is_sqlite:
        yield from large_daemons.measure_two(store, url, folder, size)
    store.close()
    for name, words in _QUESTIONS.items():
        yield name, _run(url, words.format(folder=folder).split())


def _measure_mails(store: Store, size: Size) -> Iterator[tuple[str, float]]:
    """Yield the medians of mails by one player, whose password was verified before."""
    boards, moves, people = size
    services = build_desk(store)
    own = range(_PLAYER + 1, boards, people)
    lines = {
        "mine": [f"mine p{_PLAYER} secret"] * _TRIES,
        "games": ["games"] * _TRIES,
        "show": [f"cradle show {board}" for board in own[:_TRIES]],
        "move": [
            f"cradle move {board} p{_PLAYER} secret {move_for(board, moves, boards)}"
            for board in own[: min(_TRIES, int(len(own) * (1 - _OVER)))]
        ],
    }
    journal(store, lines["mine"][0], "first")
    execute_next(services, store)
    for name, subjects in lines.items():
        took = []
        for number, subject in enumerate(subjects):
            journal(store, subject, f"{name} {number}")
            began = time.process_time()
            execute_next(services, store)
            took.append(time.process_time() - began)
        yield name, statistics.median(took)


def _run(url: str, words: list[str]) -> float:
    """Return the processor time of a command of the operator."""
    before = os.times()
    command = [sys.executable, "-m", "pbm", "admin", *words]
    environment = {**os.environ, "PBM_DATABASE_URL": url}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd="/"
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100_000)
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--seeded", type=Path, help="an SQLite database of that size")
    given = parser.parse_args()
    size = given.boards, given.moves, given.players
    with tempfile.TemporaryDirectory(prefix="pbm-large-") as name:
        folder = Path(name)
        path = given.seeded or folder / "large.db"
        sqlite = f"sqlite:///{path}"
        if not given.seeded:
            seed(sqlite, *size, over=_OVER)
        found = dict(_measure("sqlite", sqlite, size, folder))
        cluster = Cluster()
        try:
            postgresql = cluster.url(cluster.create())
            found["copy_seconds"] = _run(sqlite, ["copy", "--to", postgresql])
            found |= _measure("postgresql", postgresql, size, folder)
        finally:
            cluster.stop()
    figures.write(found)


def _measure(kind: str, url: str, size: Size, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield what is measured with a kind of database, by the name of its figure, and print it."""
    own = folder / kind
    own.mkdir()
    for what, seconds in measure(url, size, own):
        print(f"{kind} {what}: {seconds:.4f} s", flush=True)
        yield f"club_{kind}_{what}", seconds


if __name__ == "__main__":
    main()
