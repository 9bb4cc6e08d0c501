"""Outrank: one test for each sentence of the rules, and the conformance suite."""

from pbm_outrank import GAME

from pbm.rules import Position
from pbm.rules.testing import check


def march(*moves: str) -> Position:
    """The position after the usual set-up and these moves."""
    position = GAME.setup()
    for move in ("a1", "a6", "b1", "b6", "c1", "c6", "d1", "d6", *moves):
        (seat,) = position.to_move
        position = position.play(seat, move)
    return position


def test_it_conforms() -> None:
    assert check(GAME, games=6) > 50


def test_the_weakest_is_set_up_first() -> None:
    assert march().scene().pieces[0].label == "1"


def test_a_man_takes_nobody_who_is_stronger() -> None:
    facing = march("a1-a2", "d6-d5", "a2-a3", "d5-d4", "b1-b2", "d4-c3", "b2-b3", "a6-a5")
    assert "b3-c4" in facing.legal_moves(0)
    assert "d1-d2" in facing.legal_moves(0)
    near = march("b1-b2", "d6-c5", "b2-b3", "c5-c4")
    assert "b3-c4" not in near.legal_moves(0)


def test_the_last_row_wins() -> None:
    end = march("a1-a2", "d6-d5", "a2-a3", "d5-d4", "a3-b4", "d4-d3", "b4-b5", "d3-d2", "b5-a6")
    assert end.outcome is not None
    assert end.outcome.reason == "south has reached the last row"
