"""Examples of moves: whole turns that can be played as they stand, in every game."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game
from pbm.rules import CHANCE_TO_MOVE
from pbm.rules.examples import find_example
from tests.rules.test_typed_moves import answer_chance, play_typed
from tools.games.sampling import list_sampled_names


@pytest.mark.parametrize("name", list_sampled_names())
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


@pytest.mark.parametrize(
    "name", [n for n in list_sampled_names() if get_game(n).setup().moves_once]
)
def test_an_example_of_one_move_is_what_the_game_suggests(name: str) -> None:
    position = get_game(name).setup()
    assert find_example(position, 0) == position.suggest(0)


def test_a_turn_is_ended_by_the_word_of_the_game() -> None:
    """Where more could be played, the example says how to stop."""
    fighters = get_game("spacefighters").setup()
    for _ in range(2):
        seat = min(fighters.to_move)
        fighters = answer_chance(
            fighters.play(seat, fighters.legal_moves(seat)[0]), random.Random(1)
        )
    assert find_example(fighters, min(fighters.to_move)).endswith(", end")
