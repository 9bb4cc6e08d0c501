"""The games that a test of every game goes through, the rarer ones in the long form."""

from __future__ import annotations

import pytest

from pbm.games import list_game_names
from tools.games.sampling import list_sampled_names


def list_every_game() -> list[object]:
    """Return the parameters: the names of all games; variants that no sample needs run in the long
    form alone."""
    sampled = list_sampled_names()
    return [
        pytest.param(name, marks=() if name in sampled else pytest.mark.long)
        for name in list_game_names()
    ]
