"""`python -m tools.oracles [GAME ...]` prints the tables of docs/oracles.md: the classics
(`--classics`) and the games with long histories (`--long`), or those named.

Columns: game, options that were compared, oracles, positions compared, moves a second of ours in
random play with the usual options (processor time, legal moves listed), lines of the game's module
with its help page. `--positions=20000` compares so many for each set of options and oracle."""

import inspect
import random
import sys
import time
from itertools import groupby
from pathlib import Path
from statistics import median

from pbm.games import get_game
from pbm.rules import CHANCE
from tests.games.classics import CLASSICS, LONG
from tools.oracles import Row, compare, rows

POSITIONS = 2000
OWN = "own"
"""How the table calls a second implementation in this folder."""


def rate(name: str, seconds: float = 0.5) -> float:
    """Return the moves a second of processor time in random play, listing the legal moves
    included."""
    rng, game = random.Random(1), get_game(name)
    position = game.setup()
    moves, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(50):
            if not position.to_move:
                position = game.setup()
            (seat,) = position.to_move
            position = position.play(seat, rng.choice(position.legal_moves(seat)))
            moves += seat != CHANCE
    return moves / (time.process_time() - began)


def lines(name: str) -> int:
    """Return the lines of the game's module."""
    source = inspect.getsourcefile(type(get_game(name)))
    return len(Path(str(source)).read_text().splitlines())


def words(found: list[Row]) -> tuple[str, str]:
    """Return the options and the oracles of a game's comparisons, in their order."""
    options = [row.title.partition(" ")[2] or "usual" for row in found]
    oracles = [OWN if row.oracle.startswith("second") else row.oracle for row in found]
    return "; ".join(dict.fromkeys(options)), ", ".join(dict.fromkeys(oracles))


def main(arguments: list[str]) -> None:
    wanted = [word for word in arguments if not word.startswith("--")]
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    for option, names in (("classics", CLASSICS), ("long", LONG)):
        wanted += names if option in given else []
    positions = int(given.get("positions", POSITIONS))
    sys.stdout.write("| game | options | oracles | positions | moves/s | lines |\n")
    sys.stdout.write("| --- | --- | --- | ---: | ---: | ---: |\n")
    total, rates, sizes = 0, list[float](), list[int]()
    for name, group in groupby(rows(), lambda row: row.game):
        if wanted and name not in wanted:
            continue
        found = list(group)
        compared = sum(compare(row, positions // row.slow) for row in found)
        total += compared
        rates.append(rate(name))
        sizes.append(lines(name))
        options, oracles = words(found)
        sys.stdout.write(
            f"| {name} | {options} | {oracles} | {compared:,} | {rates[-1]:,.0f} | {sizes[-1]} |\n"
        )
        sys.stdout.flush()
    sys.stdout.write(
        f"\n{len(sizes)} games, {total:,} positions; in the median {median(rates):,.0f} moves a "
        f"second and {median(sizes):.0f} lines\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
