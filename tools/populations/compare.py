"""The same population without and with plans, as the table in docs/plans.md:
`python -m tools.populations.compare WITHOUT.json WITH.json`, what the year printed of each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def build_table(runs: dict[str, dict[str, Any]]) -> str:
    """Return a row for each run: games that ended, moves, mails of the players, days and mails a
    game."""
    lines = [
        "| | games ended | moves | mails of the players | days a game | mails a game |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, run in runs.items():
        counts = (run["boards"]["over"], run["log"]["move"], run["mails_in"])
        cells = [*(f"{count:,}" for count in counts), run["days_a_game"], run["mails_a_game"]]
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    files = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
    names = ("without plans", "with plans")
    print(build_table(dict(zip(names, map(json.loads, files), strict=True))))


if __name__ == "__main__":
    main()
