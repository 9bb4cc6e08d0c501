"""The names of seats as readers are told them, also of a board that hides who plays, from its row
alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from pbm.games import UnknownGame, get_game
from pbm.rules import OptionError, Position
from pbm.rules.phrases import Phrase, phrase


def say_seat_names(position: Position) -> Sequence[str]:
    """Return the names of the seats, which each reader reads in their language; those by which
    orders are given stay as they are."""
    names = position.seat_names
    return names if position.takes_orders else [Phrase(name) for name in names]


@lru_cache(maxsize=256)
def name_anonymous(game: str, players: int, options: str) -> Sequence[str]:
    """Return what others read in place of the userids, by the board's options as JSON; numbers
    where the game can no longer be set up so."""
    try:
        return say_seat_names(get_game(game).setup(players, json.loads(options)))
    except (UnknownGame, OptionError, ValueError):
        return [phrase("seat {number}", number=number) for number in range(1, players + 1)]
