"""Random games written out move by move, with some of their states. A rules change shows here as a
diff that a person can read; whoever makes one on purpose commits the result.

`python -m tools.playthroughs` makes every file in this folder anew, `python -m tools.playthroughs
GAME PLAYERS SEED [option=value ...]` adds one; among the options `moves=60` makes it shorter than
usual and `every=8` shows one state in eight, for large boards, where else it is one in four."""

from __future__ import annotations

import sys
from pathlib import Path

from pbm.games import get_game
from pbm.rules.testing import PLAYED, playthrough

FOLDER = Path(__file__).parents[1] / "tests" / "playthroughs"
EVERY = 4
"""One state in so many is written out, and every move."""


def title_of(game: str, players: int, options: dict[str, str]) -> str:
    """Return the file's name without its ending."""
    return "-".join([game, str(players), *(f"{k}={v}" if v else k for k, v in options.items())])


def write(
    game: str,
    players: int,
    seed: int,
    options: dict[str, str],
    moves: int = PLAYED,
    every: int = EVERY,
) -> str:
    """Return the text of one playthrough. Option values are text as a player types it."""
    kind = get_game(game)
    declared = {option.name: option for option in kind.info.options}
    given = {name: declared[name].read(value) for name, value in options.items()}
    return playthrough(kind, players=players, seed=seed, options=given, moves=moves, every=every)


def regenerate(text: str) -> str:
    """Return the playthrough made anew, from what its first lines say."""
    head = text.split("\n\n", 1)[0].splitlines()
    words = dict(line.split(" ", 1) for line in head if not line.startswith("option "))
    options = dict(line[7:].split(" = ", 1) for line in head if line.startswith("option "))
    moves, every = int(words.get("moves", PLAYED)), int(words.get("every", EVERY))
    game, players, seed = words["game"].split()[0], int(words["players"]), int(words["seed"])
    return write(game, players, seed, options, moves, every)


PLUGIN = FOLDER.parent / "plugin"
"""Where the game of the tests is, which is on the shelf by its entry point."""


def main(arguments: list[str]) -> None:
    sys.path.append(str(PLUGIN))
    if not arguments:
        for path in sorted(FOLDER.glob("*.txt")):
            path.write_text(regenerate(path.read_text()))
        return
    game, players, seed, *options = arguments
    given = dict(option.partition("=")[::2] for option in options)
    moves = int(given.pop("moves", PLAYED))
    every = int(given.pop("every", EVERY))
    path = FOLDER / f"{title_of(game, int(players), given)}.txt"
    path.write_text(write(game, int(players), int(seed), given, moves, every))
    sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
