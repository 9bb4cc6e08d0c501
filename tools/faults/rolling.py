"""Upgrades two daemons on PostgreSQL, one after the other, from a release to this tree, while
people play through both, and counts:

python -m tools.faults.rolling --from 0.2.0"""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.harness.databases import Cluster
from tools.faults.kill_rig import ROOT, Rig
from tools.release.upgrades import find_release

# Upgrades daemons one after the other while people play, and counts.


_PATIENCE = 60.0


def unpack_release(commit: str, folder: Path) -> Path:
    """Return the tree of a commit, unpacked below the folder."""
    tree, archive = folder / "older", folder / "older.tar"
    tree.mkdir()
    subprocess.run(["git", "archive", "-o", str(archive), commit], check=True, cwd=ROOT)
    subprocess.run(["tar", "-xf", str(archive), "-C", str(tree)], check=True)
    return tree


class RollingRig(Rig):
    """Two daemons of an `older` program, in whose tree the database is made and filled.

    seconds_away  how long no mail was accepted while the daemons were upgraded
    ended_alone   whether the older daemon that was left ended by itself once the other had migrated
    """

    def __init__(self, folder: Path, url: str, older: Path, *, seed_number: int = 1) -> None:
        super().__init__(folder, url, Upgrade(), daemons=2, seed_number=seed_number, tables=40)
        self._older = older
        self._upgraded: set[int] = set()
        self.seconds_away = 0.0
        self.ended_alone = False

    async def fill(self) -> None:
        """Make the database as the older program does."""
        program = (
            "import sys; from tools.bench.seed import seed; "
            "seed(sys.argv[1], int(sys.argv[2]), 0, int(sys.argv[3]))"
        )
        words = [sys.executable, "-c", program, self._url, str(self._tables), str(self._people)]
        await asyncio.to_thread(subprocess.run, words, check=True, cwd=self._older)

    def find_tree(self, port: int) -> Path:
        """Return the tree whose program runs at a port."""
        return ROOT if port in self._upgraded else self._older

    async def upgrade(self, port: int) -> None:
        """Start this program in the place of the daemon at a port, which has ended."""
        self._upgraded.add(port)
        await self.start(port)

    async def stop_daemon(self, port: int) -> None:
        """Have a daemon end in order, as systemd does, or reap one that has ended."""
        server = self._servers[port]
        server.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.wait, _PATIENCE)
        if server.stdout is not None:
            server.stdout.close()


class Upgrade:
    """Stops one daemon and starts this program in its place, which migrates the database while the
    other one runs; then does the same with that, which may have ended by itself."""

    async def __call__(self, rig: Rig) -> None:
        assert isinstance(rig, RollingRig)
        first, second = rig.ports
        await rig.plays(40)
        began = time.monotonic()
        await rig.stop_daemon(first)
        await rig.upgrade(first)
        await rig.accepts()
        rig.seconds_away = round(time.monotonic() - began, 1)
        rig.ended_alone = await rig.dies(second, _PATIENCE)
        await rig.stop_daemon(second)
        await rig.upgrade(second)
        rig.struck(began)
        await rig.plays(40)


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


if __name__ == "__main__":
    main()
