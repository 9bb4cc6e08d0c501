"""Examples of moves: whole turns that can be played as they stand, in every game."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE_TO_MOVE
from pbm.rules.examples import find_example
from tests.rules.test_typed_moves import answer_chance, play_typed


@pytest.mark.parametrize("name", list_game_names())
def test_an_example_is_a_whole_turn(name: str) -> None:
    dice = random.Random(name)
    position = get_game(name).setup()
    is_open = not position.game.info.features & {"hidden", "sealed"}
    for _ in range(4):
        position = answer_chance(position, dice)
        if position.outcome is not None:
            break
        seat, turn = min(position.to_move), position.turn
        moves = play_typed(position, seat, find_example(position, seat))
        assert moves
        for move in moves:
            position = position.play(seat, move)
        if is_open and position.to_move != CHANCE_TO_MOVE:
            assert position.turn != turn or seat not in position.to_move


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("fourinarow", "d"),
        ("tictactoe", "b2"),
        ("hex", "f6"),
    ],
)
def test_the_first_example_is_sensible(name: str, example: str) -> None:
    assert find_example(get_game(name).setup(), 0) == example


def test_an_open_turn_is_ended() -> None:
    """The rest of a turn is an example too."""
    cyclone = answer_chance(get_game("cyclone").setup(), random.Random(4))
    seat = min(cyclone.to_move)
    assert find_example(cyclone, seat).endswith(", pass")
