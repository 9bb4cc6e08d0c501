"""What a second and a fourth daemon on one PostgreSQL bring:

    python -m tools.bench.daemons [--rounds 3] [--mails 400] [--share 0.1]

Each daemon may use a share of one processor, as if it had a small machine of its own; what is left
is for the database and the load, so that the daemons are the limit. So many mails for each of them
are brought to all of them, or all to the first. Figures are medians of rounds; the last two columns
say how many times as much as one so many do, by the clock and by the processor time of a mail. It
needs root and control groups (version 1)."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.harness.databases import Cluster, create_database
from tests.harness.servers import ServerProcess
from tools.bench.seed import move_for, seed
from tools.bench.server import CONFIG, free_ports
from tools.faults.population import NotAccepted, Relay, submit

_LIMITS = Path("/sys/fs/cgroup/cpu")
_TIMES = Path("/sys/fs/cgroup/cpuacct")
_PERIOD = 20_000
_PEOPLE = 10
_AT_ONCE = 32
_CASES = ((1, False), (2, False), (2, True), (4, False), (4, True))
"""How many daemons, and whether the mails are all brought to the first."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Mails a second, and milliseconds of processor time a mail."""

    rate: float
    daemons: float
    database: float


class Group:
    """A control group, which counts the processor time of what runs in it."""

    def __init__(self, name: str, share: float = 0.0) -> None:
        self._limits, self._times = (top / f"pbm-bench-{name}" for top in (_LIMITS, _TIMES))
        for folder in {self._limits.resolve(), self._times.resolve()}:
            folder.mkdir()
        self._share = share

    def take(self, pid: int) -> None:
        """Put a process in, with all that it has started."""
        pids = [pid]
        for task in Path(f"/proc/{pid}/task").iterdir():
            pids += map(int, (task / "children").read_text().split())
        for folder in (self._limits, self._times):
            for each in pids:
                with suppress(ProcessLookupError):
                    (folder / "cgroup.procs").write_text(str(each))

    def limit(self) -> None:
        """Give it its share and no more from now on."""
        (self._limits / "cpu.cfs_period_us").write_text(str(_PERIOD))
        (self._limits / "cpu.cfs_quota_us").write_text(str(int(_PERIOD * self._share)))

    def read_seconds(self) -> float:
        """Return the processor time so far."""
        return int((self._times / "cpuacct.usage").read_text()) / 1e9

    def remove(self) -> None:
        """Remove it; what runs in it goes on outside."""
        for folder, top in ((self._limits, _LIMITS), (self._times, _TIMES)):
            if folder.exists():
                for pid in (folder / "cgroup.procs").read_text().split():
                    (top / "cgroup.procs").write_text(pid)
                folder.rmdir()


@contextmanager
def serving(folder: Path, url: str, port: int, relay: int) -> Iterator[int]:
    """Run a daemon; yield its process."""
    config = folder / f"{port}.toml"
    text = CONFIG.format(url=url, port=port, sink=relay, processes="1")
    text += "[limits]\nsessions_per_address = 0\n"
    config.write_text(text.replace("pbm@bench.invalid", "pbm@game.example"))
    create_database(url)
    server = ServerProcess(config)
    try:
        yield server.await_ready().pid
    finally:
        server.end()


async def play(
    ports: Sequence[int], relay: Relay, boards: range, in_all: int, at_once: int
) -> float:
    """Play one move on each of these boards. Return the seconds until all results have arrived."""
    goal = len(relay.taken) + 2 * len(boards)
    waiting, dice = iter(boards), random.Random(1)
    began = time.monotonic()

    async def bring() -> None:
        for board in waiting:
            name = f"p{(board - 1) % _PEOPLE}"
            text = (
                f"From: {name}@bench.invalid\r\nTo: pbm@game.example\r\n"
                f"Subject: cradle move {board} {name} secret {move_for(board, 0, in_all)}\r\n"
                f"Message-ID: <{board}@bench.invalid>\r\n\r\n"
            )
            while True:
                try:
                    await submit(dice.choice(ports), f"{name}@bench.invalid", text.encode())
                    break
                except NotAccepted:
                    await asyncio.sleep(0.1)

    await asyncio.gather(*(bring() for _ in range(at_once)))
    while len(relay.taken) < goal:
        assert time.monotonic() < began + 300, "not all results arrive"
        await asyncio.sleep(0.01)
    return time.monotonic() - began


async def measure(
    folder: Path, cluster: Cluster, count: int, mails: int, share: float, *, all_to_first: bool
) -> Measured:
    """Measure `count` daemons."""
    relay = Relay(1, faults=False)
    relay_port = await relay.start()
    warm = 60 * count
    name = cluster.create()
    await asyncio.to_thread(seed, cluster.url(name), warm + mails, 0, _PEOPLE)
    ports = free_ports(count)
    with ExitStack() as stack:
        groups = [Group(str(number), share) for number in range(count)]
        database = Group("database")
        for group in (*groups, database):
            stack.callback(group.remove)
        database.take(cluster.pid)
        for port, group in zip(ports, groups, strict=True):
            serving_one = serving(folder, cluster.url(name), port, relay_port)
            group.take(await asyncio.to_thread(stack.enter_context, serving_one))
        await play(ports, relay, range(1, warm + 1), warm + mails, _AT_ONCE)
        for group in groups:
            group.limit()
        before = [sum(each.read_seconds() for each in groups), database.read_seconds()]
        rest = range(warm + 1, warm + mails + 1)
        used = ports[:1] if all_to_first else ports
        seconds = await play(used, relay, rest, warm + mails, count * _AT_ONCE)
        after = [sum(each.read_seconds() for each in groups), database.read_seconds()]
    relay.stop()
    await asyncio.sleep(0.2)  # its sessions end
    daemons, postgresql = (1000 * (b - a) / mails for a, b in zip(before, after, strict=True))
    return Measured(mails / seconds, daemons, postgresql)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mails", type=int, default=400)
    parser.add_argument("--share", type=float, default=0.1)
    given = parser.parse_args()
    found: dict[tuple[int, bool], list[Measured]] = {case: [] for case in _CASES}
    cluster = Cluster()
    try:
        with tempfile.TemporaryDirectory(prefix="pbm-bench-") as folder:
            for case in _CASES * given.rounds:
                count, all_to_first = case
                mails = count * given.mails
                working = measure(
                    Path(folder), cluster, count, mails, given.share, all_to_first=all_to_first
                )
                found[case].append(asyncio.run(working))
                print(*case, found[case][-1], file=sys.stderr, flush=True)
    finally:
        cluster.stop()
    print("| daemons | mails come to | mails a second | CPU ms a mail | database | ", end="")
    print("times one by the clock | by CPU |\n| ---: | --- |" + 5 * " ---: |")
    figures = {case: take_medians(rounds) for case, rounds in found.items()}
    one = figures[_CASES[0]]
    for (count, all_to_first), each in figures.items():
        where = "the first" if all_to_first else "all"
        print(
            f"| {count} | {where} | {each.rate:.0f} | {each.daemons:.2f} | {each.database:.2f} "
            f"| {each.rate / one.rate:.2f} | {count * one.daemons / each.daemons:.2f} |"
        )


def take_medians(rounds: Sequence[Measured]) -> Measured:
    """Return each figure by itself."""
    return Measured(
        median(each.rate for each in rounds),
        median(each.daemons for each in rounds),
        median(each.database for each in rounds),
    )


if __name__ == "__main__":
    main()
