"""`python -m tests.oracles [GAME ...]` prints the table of the games that are held against oracles:
game and options, oracle, positions compared, moves a second of ours in random play, lines of the
game's module. `--positions=20000` compares so many in each line."""

import inspect
import random
import sys
import time
from pathlib import Path
from statistics import median

from pbm.games import get_game
from pbm.rules import CHANCE
from tests.oracles import Row, compare, rows

POSITIONS = 2000


def rate(row: Row, seconds: float = 0.5) -> float:
    """The moves a second of processor time in random play, listing the legal moves included."""
    rng, game = random.Random(1), get_game(row.game)
    position = game.setup(row.players, row.options)
    moves, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(50):
            if not position.to_move:
                position = game.setup(row.players, row.options)
            (seat,) = position.to_move
            position = position.play(seat, rng.choice(position.legal_moves(seat)))
            moves += seat != CHANCE
    return moves / (time.process_time() - began)


def lines(row: Row) -> int:
    """The lines of the game's module."""
    source = inspect.getsourcefile(type(get_game(row.game)))
    return len(Path(str(source)).read_text().splitlines())


def main(arguments: list[str]) -> None:
    wanted = [word for word in arguments if not word.startswith("--")]
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    positions = int(given.get("positions", POSITIONS))
    sys.stdout.write(f"{'game':40} {'oracle':14} {'positions':>9} {'moves/s':>8} {'lines':>5}\n")
    total, rates, sizes = 0, list[float](), dict[str, int]()
    for row in rows():
        if wanted and row.game not in wanted:
            continue
        compared, speed, size = compare(row, positions // row.slow), rate(row), lines(row)
        total, sizes[row.game] = total + compared, size
        rates.append(speed)
        sys.stdout.write(f"{row.title:40} {row.oracle:14} {compared:9} {speed:8.0f} {size:5}\n")
        sys.stdout.flush()
    if rates:
        sys.stdout.write(
            f"{len(sizes)} games, {total} positions; median {median(rates):.0f} moves a second, "
            f"{median(sizes.values()):.0f} lines\n"
        )


main(sys.argv[1:])
