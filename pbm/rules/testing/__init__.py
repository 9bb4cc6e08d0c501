"""Tools for the tests of a game: the conformance suite, playthroughs, random games to the end."""

from pbm.rules.testing.conformance import check, find_faults
from pbm.rules.testing.nonconforming import Finding, Nonconforming
from pbm.rules.testing.playthroughs import PLAYED, choose, finished, playthrough, random_options
from pbm.rules.testing.whole_games import find_warnings

__all__ = [
    "PLAYED",
    "Finding",
    "Nonconforming",
    "check",
    "choose",
    "find_faults",
    "find_warnings",
    "finished",
    "playthrough",
    "random_options",
]
