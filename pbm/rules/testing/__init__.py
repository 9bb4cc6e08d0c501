"""What a game's own tests use: the conformance suite, playthroughs, games to their end."""

from pbm.rules.testing.conformance import (
    PLAYED,
    Nonconforming,
    check,
    finished,
    playthrough,
    random_options,
)

__all__ = ["PLAYED", "Nonconforming", "check", "finished", "playthrough", "random_options"]
