"""Sprint: one test for each sentence of the rules, and the conformance suite."""

import pytest
from pbm_sprint import GAME

from pbm.rules import CHANCE, IllegalMove
from pbm.rules.testing import check


def test_it_conforms() -> None:
    assert check(GAME, games=6) > 50


def test_a_man_goes_as_far_as_the_die_says() -> None:
    rolled = GAME.setup().play(CHANCE, "2")
    assert rolled.legal_moves(0) == ["a1-a3", "b1-b3", "c1-c3"]
    with pytest.raises(IllegalMove, match="2 squares straight ahead"):
        rolled.play(0, "a1-a2")


def test_the_first_to_arrive_wins() -> None:
    position = GAME.setup()
    for move in ("a1-a4", "b8-b5", "a4-a7", "b5-b2", "a7-a8"):
        position = position.play(CHANCE, "3")
        (seat,) = position.to_move
        position = position.play(seat, move)
    assert position.outcome is not None
    assert position.outcome.winners == (0,)
