"""A few random games of the classics, draughts, mancala and chess played to the end; `python -m
tools.games.endings` plays more."""

import pytest

from tests.games.classics import CLASSICS, LONG
from tools.games.endings import SMALLER, play


@pytest.mark.parametrize("name", CLASSICS + LONG)
def test_random_games_end_and_somebody_can_always_move(name: str) -> None:
    assert play(name, SMALLER.get(name, {}), games=2)
