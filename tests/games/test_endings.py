"""A few random games of the classics, draughts, mancala and chess played to the end; `pbm try NAME
--random 10000` plays more."""

import random

import pytest

from pbm.games import get_game
from pbm.rules import Value
from pbm.rules.testing import finished
from tests.games.classics import CLASSICS, LONG

SMALLER: dict[str, dict[str, Value]] = {
    "amazons": {"size": "6"},
    "atarigo": {"size": 7},
    "connect6": {"size": 9},
    "fivepairs": {"size": 9},
    "gameofy": {"side": 7},
    "go": {"size": 5},
    "gomoku": {"size": 9},
    "gonnect": {"size": 7},
    "halma": {"size": "8"},
    "havannah": {"side": 5},
    "hex": {"size": 7},
    "pegs": {"size": 10},
}
"""The boards on which random games of the slow ones are played."""


@pytest.mark.parametrize("name", CLASSICS + LONG)
def test_random_games_end_and_somebody_can_always_move(name: str) -> None:
    dice = random.Random(0)
    for _ in range(2):
        position, moves = finished(get_game(name).setup(2, SMALLER.get(name, {})), dice)
        assert position.outcome is not None
        assert moves
