"""What the opening book is worth: python -m tools.bots.try_book [GAME ...] [--count 40].

A search that plays from the book plays one that does not, with the same work for each turn, both
seats equally often. Prints the reader's share and its interval at 95 %."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pbm.bots.strengths import Strength
from pbm.bots.turns import load_book
from tools.bots.matches import Reader, compute_interval, play


def try_game(name: str, work: int, count: int) -> float:
    """Return the share of a reader in `count` games."""
    strength = Strength(work)
    total = 0.0
    for number in range(count):
        seed = f"{name}/book/{number}"
        if number % 2:
            total += 1 - play(name, (strength, Reader(strength)), seed)[0]
        else:
            total += play(name, (Reader(strength), strength), seed)[0]
    return total / count


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(prog="python -m tools.bots.try_book")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--work", type=int, default=200)
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args(arguments)
    for name in options.games or load_book().list_games():
        share = try_game(name, options.work, options.count)
        least, most = compute_interval(share, options.count)
        sys.stdout.write(f"{name:<22} {options.count} {share:6.1%} {least:6.1%}-{most:6.1%}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
