"""`python -m tools.bench` measures the server beside the yardstick, then how it grows and what it
takes alone, prints the tables, and writes docs/figures.json, which pages quote; a quarter of an
hour on a machine that is quiet meanwhile.

    python -m tools.bench [--harness FOLDER] [--rounds 3] [--count 4000]
                          [--boards 1000000 --moves 10000000 --players 100000]

It needs the load harness: the folder `bench` in `shared` beside the checkout, unless told."""

import argparse
import tempfile
from pathlib import Path

from tools.bench import alone, compare, figures, growth
from tools.bench.server import ROOT

HARNESS = ROOT.parent / "shared" / "bench"
_WAITING = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, default=HARNESS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--moves", type=int, default=10_000_000)
    parser.add_argument("--players", type=int, default=100_000)
    given = parser.parse_args()
    if not (given.harness / "compare.py").exists():
        parser.error("the load harness is not there: name its folder with --harness")
    large = given.boards, given.moves, given.players
    with tempfile.TemporaryDirectory(prefix="pbm-bench-") as folder:
        parts = [Path(folder, name) for name in ("compare", "growth", "alone")]
        for part in parts:
            part.mkdir()
        counted = given.rounds, given.count
        rounds = compare.side_by_side(given.harness, parts[0], rounds=counted[0], count=counted[1])
        found = growth.growth(given.harness, parts[1], large, *counted)
        growth.tell(found, large)
        lonely = alone.alone(given.harness, parts[2], _WAITING)
        alone.tell(lonely, _WAITING)
        rates = dict(figures.list_rates(rounds))
        figures.write(rates | figures.list_growth(found) | figures.list_alone(lonely))


if __name__ == "__main__":
    main()
