"""How much memory a process may have, and has."""

from __future__ import annotations

import contextlib
import resource
from pathlib import Path

_MIB = 1 << 20


def limit_memory(mib: int, *, for_good: bool = True) -> None:
    """Refuse this process more than so many MiB of memory, beside what it has; 0 = no limit. Not
    `for_good`: `lift_limit` of a process that it starts takes the limit away."""
    if not mib:
        return
    with contextlib.suppress(OSError, ValueError):  # no Linux, or a lower limit holds already
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + mib * _MIB
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most if for_good else hard))


def lift_limit() -> None:
    """Take away a limit that is not for good."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def measure_memory(pid: int) -> int:
    """Return the MiB that a process has in memory; 0 when that cannot be known."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * resource.getpagesize() // _MIB
