"""What a running server takes: memory, open files, disk."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Sample:
    """A server at one moment of the fast clock.

    server   MiB of the front and its workers, shared memory counted once
    helpers  MiB of the processes in which bots think and pictures are drawn
    """

    day: float
    mails: int
    sent: int
    boards: int
    moves: int
    server: float
    helpers: float
    files: int
    database: float
    log: float
    free: float


def measure(pid: int, database: Path, day: float) -> Sample:
    """Return a sample."""
    server, helpers, files = 0.0, 0.0, 0
    for each in [pid, *_list_children(pid)]:
        try:
            command = Path(f"/proc/{each}/cmdline").read_text()
            memory = _read_memory(each)
            count = len(os.listdir(f"/proc/{each}/fd"))
        except OSError:
            continue
        if "_process" in command:
            helpers += memory
        else:
            server += memory
            files += count
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        value = {
            name: connection.execute(statement).fetchone()[0]
            for name, statement in {
                "mails": "SELECT count(*) FROM inbound",
                "sent": "SELECT count(*) FROM outbound",
                "boards": "SELECT count(*) FROM boards",
                "moves": "SELECT count(*) FROM moves",
                "pages": "PRAGMA page_count",
                "free": "PRAGMA freelist_count",
            }.items()
        }
    finally:
        connection.close()
    log = Path(f"{database}-wal")
    return Sample(
        day=round(day, 1),
        mails=value["mails"],
        sent=value["sent"],
        boards=value["boards"],
        moves=value["moves"],
        server=round(server, 1),
        helpers=round(helpers, 1),
        files=files,
        database=round(database.stat().st_size / 1e6, 1),
        log=round(log.stat().st_size / 1e6, 1) if log.exists() else 0.0,
        free=round(value["free"] / value["pages"], 3),
    )


def _list_children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _read_memory(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
