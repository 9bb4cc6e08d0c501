"""Tools for the tests of a game: the conformance suite, playthroughs, random games to the end."""

from pbm.rules.testing.conformance import (
    PLAYED,
    check,
    finished,
    playthrough,
    random_options,
)
from pbm.rules.testing.nonconforming import Nonconforming

__all__ = ["PLAYED", "Nonconforming", "check", "finished", "playthrough", "random_options"]
