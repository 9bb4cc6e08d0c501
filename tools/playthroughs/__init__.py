"""Random games written out move by move, with some of their states. A rules change shows here as a
diff that a person can read; whoever makes one on purpose runs `python -m tools.playthroughs` and
commits the result."""

from pathlib import Path

from pbm.games import get_game
from pbm.rules.testing import PLAYED, playthrough

FOLDER = Path(__file__).parents[2] / "tests" / "playthroughs"
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
    """Return the same playthrough made anew, from what its own first lines say."""
    head = text.split("\n\n", 1)[0].splitlines()
    words = dict(line.split(" ", 1) for line in head if not line.startswith("option "))
    options = dict(line[7:].split(" = ", 1) for line in head if line.startswith("option "))
    moves, every = int(words.get("moves", PLAYED)), int(words.get("every", EVERY))
    game, players, seed = words["game"].split()[0], int(words["players"]), int(words["seed"])
    return write(game, players, seed, options, moves, every)
