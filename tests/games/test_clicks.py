"""Moves of every game take few clicks; `python -m tools.games.clicks` counts more of them."""

import random
from statistics import median

import pytest

from pbm.games import get_game
from tools.games.clicks import play_by_clicks


@pytest.mark.parametrize("name", ["cradle", "hex", "chess"])
def test_a_move_takes_four_clicks_or_fewer(name: str) -> None:
    clicks = play_by_clicks(get_game(name), random.Random(1), compare=True)
    assert clicks
    assert median(clicks) <= 4
