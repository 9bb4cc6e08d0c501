"""A long run: `python -m tests.faults [--kills N] [--postgresql] [--daemons 2] [--processes 2]`."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.faults.rig import Figures, Rig
from tests.postgresql import Cluster


def run(given: argparse.Namespace, url: str, folder: Path) -> Figures:
    rig = Rig(
        folder, url, daemons=given.daemons, processes=given.processes, seed_number=given.seed,
        tables=given.tables, people=10,
    )  # fmt: skip
    return asyncio.run(rig.run(given.kills))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--daemons", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-faults-") as name:
        folder = Path(name)
        if given.postgresql:
            cluster = Cluster()
            try:
                figures = run(given, cluster.url(cluster.create()), folder)
            finally:
                cluster.stop()
        else:
            figures = run(given, f"sqlite:///{folder / 'pbm.db'}", folder)
    print(figures)
    sys.exit(bool(figures.wrong))


main()
