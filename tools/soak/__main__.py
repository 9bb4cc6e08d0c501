"""A month in an hour: `python -m tools.soak [--days 30] [--players 200] [--minutes 60] [--seed 1]`.

A real server plays with so many people for so many days of a clock that runs fast, while their mail
servers fail as real ones do. It is measured every day, and started again at the end. Its files stay
in --folder if that is given; when they are there already, the server is only started again."""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import astuple, fields
from pathlib import Path
from statistics import mean, median

from tests.harness.conversation import DAY
from tools.soak.measure import Sample
from tools.soak.month import Clock, Month, Process

_MOST_GROWTH = 1.05
_MOST_FILES = 1.02
_MOST_FREE = 0.2
"""The share of a compact file that is free."""
_LONGEST_START = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=float, default=30)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.folder and (given.folder / "pbm.db").exists():
        starts = start_again(given.folder, given.days)
        print(f"starts: {[round(start, 2) for start in starts]}")
        sys.exit(median(starts) > _LONGEST_START)
    with ExitStack() as stack:
        folder = given.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbm-soak-")))
        folder.mkdir(parents=True, exist_ok=True)
        month = Month(
            folder,
            players=given.players,
            days=given.days,
            minutes=given.minutes,
            seed=given.seed,
        )
        try:
            month.live()
            failed = month.stop()
            events = month.count_events()
        finally:
            month.close()
    names = [field.name for field in fields(Sample)]
    print(f"| {' | '.join(names)} |\n| {' | '.join('---:' for _ in names)} |")
    for sample in month.samples:
        print(f"| {' | '.join(map(str, astuple(sample)))} |")
    print(f"players did: {dict(month.did)}\nmail servers did: {dict(month.servers.did)}")
    print(f"log: {dict(events)}\nstarts: {[round(start, 2) for start in month.starts]}")
    wrong = find_faults(month.samples, month.starts[1:])
    wrong += [f"{failed} ends with an error"] if failed else []
    print("\n".join(wrong) or "all as it should be")
    sys.exit(bool(wrong))


def start_again(folder: Path, days: float, count: int = 3) -> list[float]:
    """Return the seconds that so many starts take on what so many days left behind."""
    clock = Clock(1.0, folder / "stopped-clock")
    clock.as_if += days * DAY
    process = Process(folder, clock)
    starts = []
    for _ in range(count):
        starts.append(process.start())
        process.end()
    return starts


def find_faults(samples: list[Sample], starts: list[float]) -> list[str]:
    """Return what grew: the last third of the time is held against the second."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    wrong = []
    for name, most in (("server", _MOST_GROWTH), ("files", _MOST_FILES)):
        before, after = (
            median(getattr(sample, name) for sample in part) for part in (middle, last)
        )
        if after > before * most:
            wrong.append(f"{name} grew from {before} to {after}")
    if (free := mean(sample.free for sample in last)) > _MOST_FREE:
        wrong.append(f"{free:.0%} of the database is free")
    if median(starts) > _LONGEST_START:
        wrong.append(f"a start takes {median(starts):.2f} s")
    return wrong


main()
