"""What a large club costs beside a small one, on both databases: `python -m tools.bench.large
[--moves 1000000]` fills two SQLite databases, copies each to a PostgreSQL of its own, and asks them
the same in turn.

Everything is seconds of a processor that the program takes, without those of PostgreSQL; partitions
and a failover are by the clock. Other work on the machine makes all of these longer, of both clubs
alike. They go into docs/figures.json, which pages quote."""

from __future__ import annotations

import argparse
import os
import shutil
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
_TRIES = 5
_SMALLER = 100
"""How many times as small the small club is."""
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
    folder.mkdir()
    store = Store(url)
    yield from _measure_mails(store, size)
    store.close()
    yield from list(large_daemons.measure_daemon(url, folder / "daemon"))
    for name, words in _QUESTIONS.items():
        yield name, _run(url, words.format(folder=folder).split())


def measure_queues(url: str, size: Size, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the same of what is asked of a large club alone: old mails go, a daemon is killed."""
    folder.mkdir()
    store = Store(url)
    yield from large_daemons.measure_retention(store)
    if not store.is_sqlite:
        yield from large_daemons.measure_partitions(store)
        yield from large_daemons.measure_two(store, url, folder, size)
    store.close()


def _measure_mails(store: Store, size: Size) -> Iterator[tuple[str, float]]:
    """Yield what mails by one player take, whose password was verified before: each several times,
    the moves on other boards."""
    boards, moves, people = size
    services = build_desk(store)
    own = range(_PLAYER + 1, boards, people)[:_TRIES]
    lines = {
        "mine": [f"mine p{_PLAYER} secret"] * _TRIES,
        "games": ["games"] * _TRIES,
        "show": [f"cradle show {board}" for board in own],
        "move": [
            f"cradle move {board} p{_PLAYER} secret {move_for(board, moves, boards)}"
            for board in own
        ],
    }
    journal(store, lines["mine"][0], "first")
    execute_next(services, store)
    for name, subjects in lines.items():
        for number, subject in enumerate(subjects):
            journal(store, subject, f"{name} {number}")
            began = time.process_time()
            execute_next(services, store)
            yield name, time.process_time() - began


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
    parser.add_argument("--prefix", default="", help="of the names of its figures")
    given = parser.parse_args()
    club = given.boards, given.moves, given.players
    boards, moves, people = (each // _SMALLER for each in club)
    sizes: dict[str, Size] = {"small": (boards, moves, people), "club": club}
    with tempfile.TemporaryDirectory(prefix="pbm-large-") as name:
        folder = Path(name)
        sqlite = {each: f"sqlite:///{folder}/{each}.db" for each in sizes}
        for each, size in sizes.items():
            if each == "club" and given.seeded:
                shutil.copy(given.seeded, folder / "club.db")
            else:
                seed(sqlite[each], *size, over=_OVER)
        cluster = Cluster()
        try:  # copied first, before anybody moves on the boards
            postgresql = {each: cluster.url(cluster.create()) for each in sizes}
            took = {each: _run(sqlite[each], ["copy", "--to", postgresql[each]]) for each in sizes}
            found = {"copy_seconds": took["club"]}
            for kind, urls in {"sqlite": sqlite, "postgresql": postgresql}.items():
                found |= _measure(kind, urls, sizes, folder / kind)
        finally:
            cluster.stop()
    figures.write({f"{given.prefix}{name}": value for name, value in found.items()})


def _measure(
    kind: str, urls: dict[str, str], sizes: dict[str, Size], folder: Path
) -> Iterator[tuple[str, float]]:
    """Yield what is measured with a kind of database, by the name of its figure, and print it: the
    small club and the large one in turn."""
    folder.mkdir()
    for what, seconds in measure_queues(urls["club"], sizes["club"], folder / "queues"):
        yield _tell(f"club_{kind}_{what}", seconds)
    each = [measure(urls[club], size, folder / club) for club, size in sizes.items()]
    took: dict[str, list[float]] = {}
    for both in zip(*each, strict=True):
        for club, (what, seconds) in zip(sizes, both, strict=True):
            took.setdefault(f"{club}_{kind}_{what}", []).append(seconds)
    for figure, several in took.items():
        yield _tell(figure, statistics.median(several))


def _tell(figure: str, seconds: float) -> tuple[str, float]:
    print(f"{figure}: {seconds:.4f} s", flush=True)
    return figure, seconds


if __name__ == "__main__":
    main()
