"""The names of the seats of a board that hides who plays, from its row alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from pbm.games import UnknownGame, get_game
from pbm.rules import OptionError


@lru_cache(maxsize=256)
def name_anonymous(game: str, players: int, options: str) -> Sequence[str]:
    """Return what others read in place of the userids, by the board's options as JSON; numbers
    where the game can no longer be set up so."""
    try:
        return get_game(game).setup(players, json.loads(options)).seat_names
    except (UnknownGame, OptionError, ValueError):
        return [f"seat {number}" for number in range(1, players + 1)]
