"""Write playthroughs: `python -m tools.playthroughs` makes every file in this folder anew,
`python -m tools.playthroughs GAME PLAYERS SEED [option=value ...]` adds one; among the options
`moves=60` makes it shorter than usual and `every=8` shows one state in eight, for large boards,
where else it is one in four."""

import sys

from pbm.rules.testing import PLAYED
from tools.playthroughs import EVERY, FOLDER, regenerate, title_of, write

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


main(sys.argv[1:])
