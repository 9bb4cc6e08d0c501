"""The figures that pages quote: `python -m tools.bench.figures` puts them there anew.

The benchmarks write them into docs/figures.json. A page that quotes one names it behind the number,
in a comment: 774<!-- sqlite_moves_a_second -->."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from tools.bench.alone import Alone
from tools.bench.growth import Growth
from tools.bench.server import ROOT

FILE = ROOT / "docs" / "figures.json"
QUOTED = re.compile(r"(\d[\d,]*(?:\.\d+)?)(\**<!-- (\w+) -->)")
_PEERS = {
    "ref-core": "yardstick",
    "ref-built": "built_once",
    "pbm": "sqlite",
    "pbm-slow": "slow_disk",
    "ref-built-pg": "built_once_postgresql",
    "pbm-pg-2": "two_daemons",
}
_MEASURED = {
    "moves_a_second": ("max", "completed_per_s"),
    "cpu_ms": ("max", "server_cpu_ms_per_mail", "total"),
    "p50_ms": ("max", "ms_send_to_last", "p50"),
    "p95_ms": ("max", "ms_send_to_last", "p95"),
    "p99_ms": ("max", "ms_send_to_last", "p99"),
    "flushes": ("max", "flushes_per_mail"),
    "calm_p99_ms": ("calm", "ms_send_to_last", "p99"),
    "idle_mib": ("idle_memory", "pss_mib"),
}


def read() -> dict[str, float]:
    """Return the figures by name."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def write(found: Mapping[str, float]) -> None:
    """Put these in place of those of the same names, here and in the pages."""
    figures = {name: round(value, 3) for name, value in found.items()}
    shown = json.dumps(read() | figures, indent=1, sort_keys=True)
    FILE.write_text(f"{shown}\n", encoding="utf-8")
    quote()


def quote() -> None:
    """Write the figures into each page that quotes one."""
    figures = read()
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        newer = QUOTED.sub(lambda each: f"{format_as(each[1], figures[each[3]])}{each[2]}", text)
        if newer != text:
            page.write_text(newer, encoding="utf-8")


def format_as(shown: str, value: float) -> str:
    """Return the value with as many decimals as the number that stands there."""
    return f"{value:,.{len(shown.partition('.')[2])}f}"


def list_rates(results: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield what rounds of the load harness found of each server: the medians."""
    for peer, name in _PEERS.items():
        for what, path in _MEASURED.items():
            found = [value for each in results.get(peer, ()) if (value := _look_up(each, path))]
            if found:
                yield f"{name}_{what}", statistics.median(found)


def _look_up(found: Any, path: tuple[str, ...]) -> float | None:
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return None if found is None else float(found)


def list_growth(found: Growth) -> dict[str, float]:
    """Return what a large database was measured to do, beside an almost empty one."""
    figures = {
        "empty_moves_a_second": found.small,
        "large_moves_a_second": found.large,
        "bytes_a_move": found.bytes_a_move,
    }
    for page, (small, large) in found.pages.items():
        name = "_".join(re.findall(r"\w+", page))
        figures |= {f"empty_{name}_ms": small, f"large_{name}_ms": large}
    return figures


def list_alone(found: Alone) -> dict[str, float]:
    """Return what the server takes alone."""
    return {
        "libraries_seconds": found.libraries,
        "help_seconds": found.help,
        "show_seconds": found.show,
        "ready_seconds": found.ready,
        "daemon_idle_mib": found.memory,
        "drained_seconds": found.drained,
    }


if __name__ == "__main__":
    quote()
