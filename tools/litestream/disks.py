"""A server on a disk that dies, the copy that Litestream made of it, and what the copy lacks."""

from __future__ import annotations

import random
import re
import shutil
import smtplib
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.harness.running import until
from tests.harness.statements import all_rows
from tools.faults.daemon_process import Served

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
