"""`python -m tools.games.endings [GAME ...] --games=10000` plays so many random games of each
classic (or, with `--long`, of draughts, mancala and chess) to the end and prints a line for each:
no position may be without a legal move unless the game is over, and every game must end. 20 games
each unless told.

Large boards are played on a smaller one (`SMALLER`), which the table says; `--usual` plays them all
with the usual options. `--seed=1` plays other games."""

import random
import sys
import time

from pbm.games import get_game
from pbm.rules import Value
from pbm.rules.testing import finished
from tests.games.classics import CLASSICS, LONG

GAMES = 20
SMALLER: dict[str, dict[str, Value]] = {
    "amazons": {"size": "6"},
    "atarigo": {"size": 7},
    "connect6": {"size": 9},
    "fivepairs": {"size": 9},
    "gameofy": {"side": 7},
    "go": {"size": 5},
    "gomoku": {"size": 9},
    "gonnect": {"size": 7},
    "halma": {"size": "8"},
    "havannah": {"side": 5},
    "hex": {"size": 7},
    "pegs": {"size": 10},
}
"""The boards on which random games of the slow ones are played."""


def play(name: str, options: dict[str, Value], games: int, seed: int = 0) -> str:
    """Play random games. Return the line of the table."""
    rng, game, began = random.Random(seed), get_game(name), time.process_time()
    lengths, results = list[int](), dict[tuple[int, ...], int]({(1, 2): 0, (2, 1): 0, (1, 1): 0})
    for _ in range(games):
        position, moves = finished(game.setup(2, options), rng)
        assert position.outcome is not None
        results[position.outcome.ranks] += 1
        lengths.append(moves)
    title = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
    first, second, drawn = results.values()
    seconds = time.process_time() - began
    return (
        f"{title:22} {games:6} {sum(lengths):9} {min(lengths):6} {max(lengths):6} "
        f"{first:6} {second:6} {drawn:6} {seconds:7.1f}"
    )


def main(arguments: list[str]) -> None:
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    wanted = [word for word in arguments if not word.startswith("--")]
    wanted = wanted or (LONG if "long" in given else CLASSICS)
    games, seed = int(given.get("games", GAMES)), int(given.get("seed", 0))
    sys.stdout.write(
        f"{'game':22} {'games':>6} {'moves':>9} {'least':>6} {'most':>6} "
        f"{'first':>6} {'second':>6} {'drawn':>6} {'seconds':>7}\n"
    )
    for name in wanted:
        options = {} if "usual" in given else SMALLER.get(name, {})
        sys.stdout.write(play(name, options, games, seed) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
