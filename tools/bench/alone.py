"""What the server takes by itself: memory and readiness of an idle one, the command line's start,
and how fast waiting mails go out to a fast relay.

    python -m tools.bench.alone --harness FOLDER [--waiting 10000]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from pbm.store import outbound_queue
from pbm.store.engine import Store
from pbm.store.tables import outbound
from tools.bench.seed import seed
from tools.bench.server import ROOT, compile_modules, free_ports, running

_WAITING = select(func.count()).where(outbound.c.state == "waiting")
_SENT = select(func.count()).where(outbound.c.state == "sent")
_TRIES = 7
_LIBRARIES = "import aiosmtpd.smtp, sqlalchemy"
"""What tells how fast the machine is in these minutes."""
_BODY = b"Subject: [cradle 7] your move (3)\r\n\r\n" + b"." * 62 + b"\r\n" * 30


@dataclass(frozen=True, slots=True)
class Alone:
    """Seconds until a Python that imports two libraries, `pbm --help` and `pbm cradle show 1` have
    ended and until a daemon is ready, MiB of an idle daemon with all its processes (proportional
    set size), and seconds in which the waiting mails went out."""

    libraries: float
    help: float
    show: float
    ready: float
    memory: float
    drained: float


def alone(harness: Path, work: Path, waiting: int) -> Alone:
    """Measure a server whose database lies in `work`."""
    compile_modules(ROOT)
    url = f"sqlite:///{work}/pbm.db"
    seed(url, 100, 0, 100)
    imported, helped, shown, ready, memory = [], [], [], [], 0.0
    for _ in range(_TRIES):
        imported.append(_timed("-c", _LIBRARIES))
        helped.append(_timed("-m", "pbm", "--help"))
        with running(work, url) as server:
            ready.append(server.ready)
            time.sleep(1.0)
            memory = _memory(server.pid)
            configured = str(work / "pbm.toml")
            shown.append(_timed("-m", "pbm", "--config", configured, "cradle", "show", "1"))
    return Alone(
        statistics.median(imported),
        statistics.median(helped),
        statistics.median(shown),
        statistics.median(ready),
        memory,
        _drained(harness, work, url, waiting),
    )


def _timed(*arguments: str) -> float:
    """Return the seconds that Python takes for this."""
    began = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _memory(pid: int) -> float:
    """Return the MiB of a process and of all that it has started."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # it has just ended
    (pss,) = (line.split()[1] for line in lines if line.startswith("Pss:"))
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return int(pss) / 1024 + sum(_memory(int(child)) for child in children)


def _drained(harness: Path, work: Path, url: str, waiting: int) -> float:
    """Return the seconds from readiness until the last of so many waiting mails was taken by the
    sink."""
    store = Store(url)
    now = time.time()
    with store.writing() as session:
        outbound_queue.enqueue(
            session,
            [
                {
                    "id": number,
                    "inbound_id": None,
                    "board_id": number % 500,
                    "player_id": None,
                    "envelope_from": "pbm+d1@bench.invalid",
                    "recipient": f"p{number % 100}@bench.invalid",
                    "message": _BODY,
                    "state": "waiting",
                    "created": now,
                    "next_attempt": now,
                }
                for number in outbound_queue.reserve_numbers(session, waiting)
            ],
        )
    _, sink = free_ports(2)
    command = [sys.executable, str(harness / "loadgen.py"), "--sink-only", "--sink-port", str(sink)]
    relay = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        with running(work, url, relay=sink):
            began = time.perf_counter()
            while True:
                with store.reading() as session:
                    if not session.execute(_WAITING).scalar():
                        assert session.execute(_SENT).scalar() == waiting
                        return time.perf_counter() - began
                time.sleep(0.1)
    finally:
        relay.terminate()
        relay.wait(30)
        store.close()


def tell(found: Alone, waiting: int) -> None:
    """Print it."""
    print("\n| alone | |\n| --- | ---: |")
    print(f"| Python with aiosmtpd and SQLAlchemy, s | {found.libraries:.2f} |")
    print(f"| `pbm --help`, s | {found.help:.2f} |")
    print(f"| `pbm cradle show 1`, s | {found.show:.2f} |\n| daemon ready, s | {found.ready:.2f} |")
    print(f"| idle daemon, MiB | {found.memory:.0f} |")
    print(f"| {waiting} waiting mails sent, s | {found.drained:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--waiting", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-alone-") as folder:
        tell(alone(given.harness, Path(folder), given.waiting), given.waiting)


if __name__ == "__main__":
    main()
