"""Measures the variants of the shelf: moves a second in random play on 8 x 8 squares, and what they
add to a start.

python -m tools.games.variant_speed"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from pbm.games.variants import GAMES
from tools.oracles.__main__ import rate

_START = """
import time
began = time.process_time()
import pbm.games
pbm.games.get_game("chess")
without = time.process_time()
import pbm.games.variants
print(without - began, time.process_time() - without)
"""
_RUNS = 5


def main() -> None:
    """Print what is measured."""
    rates = {
        game.info.name: rate(game.info.name)
        for game in GAMES
        if (game.rules.rows, game.rules.columns) == (8, 8)
    }
    slowest = min(rates, key=rates.__getitem__)
    print(f"{len(rates)} variants on 8 x 8: {median(rates.values()):,.0f} moves a second in the ")
    print(f"median, {rates[slowest]:,.0f} in the slowest ({slowest})")
    runs = [
        subprocess.run(
            [sys.executable, "-c", _START], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(_RUNS)
    ]
    without, more = (median(float(run[at]) for run in runs) for at in (0, 1))
    print(f"start: the games with one of them {without:.3f} s, all variants {more:.3f} s more")


if __name__ == "__main__":
    main()
