"""Pig: one test for each sentence of the rules, and the conformance suite."""

import pytest
from pbm_pig import GAME

from pbm.rules import CHANCE, IllegalMove, Position
from pbm.rules.testing import check


def roll(position: Position, *rolls: int) -> Position:
    """The position after the seat to move has rolled these."""
    for number in rolls:
        (seat,) = position.to_move
        position = position.play(seat, "roll").play(CHANCE, str(number))
    return position


def test_it_conforms() -> None:
    assert check(GAME, games=6) > 50


def test_rolls_are_kept_by_holding() -> None:
    after = roll(GAME.setup(), 6, 4).play(0, "hold")
    assert after.to_move == {1}
    assert after.news == ("white keeps 10",)


def test_a_one_loses_the_turn() -> None:
    after = roll(GAME.setup(), 6, 1)
    assert after.to_move == {1}
    assert after.news == ("white loses 6",)


def test_a_turn_begins_with_a_roll() -> None:
    with pytest.raises(IllegalMove, match="a turn begins with a roll"):
        GAME.setup().play(0, "hold")


def test_the_first_with_enough_points_wins() -> None:
    end = roll(GAME.setup(options={"goal": 20}), 6, 6, 6, 6).play(0, "hold")
    assert end.outcome is not None
    assert (end.outcome.ranks, end.outcome.reason) == ((1, 2), "white has 24")


def test_the_others_play_on_when_one_resigns() -> None:
    after = GAME.setup(3).resign(0)
    assert after.to_move == {1}
    end = after.resign(2)
    assert end.outcome is not None
    assert end.outcome.ranks == (3, 1, 2)
