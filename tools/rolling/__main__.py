"""Upgrades two daemons on PostgreSQL, one after the other, from a release to this tree, while
people play through both, and counts:

python -m tools.rolling --from 0.2.0"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.harness.postgresql import Cluster
from tools.release.upgrades import find_release
from tools.rolling.rolling_rig import RollingRig, unpack_release


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="release", default="0.2.0")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    commit = find_release(given.release)
    if not commit:
        sys.exit(f"no commit here is release {given.release}")
    cluster = Cluster()
    try:
        with tempfile.TemporaryDirectory(prefix="pbm-rolling-") as name:
            folder = Path(name)
            older = unpack_release(commit, folder)
            url = cluster.url(cluster.create())
            rig = RollingRig(folder, url, older, seed_number=given.seed)
            figures = asyncio.run(rig.run(1))
    finally:
        cluster.stop()
    print(figures)
    alone = "ended by itself" if rig.ended_alone else "went on until it was stopped"
    print(f"{rig.seconds_away} s until mail was accepted again; the other old daemon {alone}")
    sys.exit(bool(figures.wrong))


main()
