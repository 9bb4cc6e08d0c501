"""The games that a test of every game goes through: all, but of the variants that are rows of data
only some, which between them use every rule."""

from pbm.games import list_game_names, load_games

VARIANTS = frozenset(game.info.name for game in load_games() if game.info.variant_of)
SAMPLE = (
    "atomic",
    "bughouse",
    "cambodian",
    "crazyhouse",
    "janggi",
    "kyotoshogi",
    "seirawan",
    "spartan",
    "threecheck",
)


def list_sampled_names() -> list[str]:
    """Return the names of the games to go through."""
    return [name for name in list_game_names() if name not in VARIANTS or name in SAMPLE]
