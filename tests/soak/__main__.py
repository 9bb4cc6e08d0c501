"""A month in an hour: `python -m tests.soak [--days 30] [--players 200] [--minutes 60] [--seed 1]`.

A real server plays with so many people for so many days of a clock that runs fast, while their mail
servers fail as real ones do. It is measured every day, and started again at the end."""

import argparse
import sys
import tempfile
from dataclasses import astuple, fields
from pathlib import Path
from statistics import mean, median

from tests.soak.measure import Sample
from tests.soak.month import Month

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
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-soak-") as folder:
        month = Month(
            Path(folder),
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


def find_faults(samples: list[Sample], starts: list[float]) -> list[str]:
    """What grew: the last third of the time is held against the second."""
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
