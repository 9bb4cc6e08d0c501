"""Domineering: one test for each sentence of the rules, and the conformance suite."""

import pytest
from pbm_domineering import GAME

from pbm.rules import IllegalMove, InvalidMove, Position
from pbm.rules.testing import check


def play(*moves: str, columns: int = 3, rows: int = 3) -> Position:
    """The position after these moves."""
    position: Position = GAME.setup(options={"columns": columns, "rows": rows})
    for move in moves:
        (seat,) = position.to_move
        position = position.play(seat, position.parse(move, seat)[0])
    return position


def test_it_conforms() -> None:
    assert check(GAME, games=6) > 50


def test_vertical_begins_with_an_upright_domino() -> None:
    assert play(columns=2, rows=2).legal_moves(0) == ["a1-a2", "b1-b2"]


def test_horizontal_lays_flat_ones() -> None:
    assert play("a1-a2").legal_moves(1) == ["b1-c1", "b2-c2", "a3-b3", "b3-c3"]


def test_the_squares_may_be_named_in_any_order_and_case() -> None:
    assert play().parse("B3b2", 0) == ("b2-b3", "")


def test_whoever_cannot_lay_a_domino_loses() -> None:
    end = play("a1-a2", columns=2, rows=2)
    assert end.outcome is not None
    assert end.outcome.winners == (0,)
    assert end.outcome.reason == "horizontal cannot move"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1-a2", "a1-a2: a1 is covered already"),
        ("b2-b3", "b2-b3: horizontal covers two squares side by side"),
    ],
)
def test_a_refusal_says_why(move: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        play("a1-a2").play(1, move)


def test_what_is_no_move_is_refused() -> None:
    with pytest.raises(InvalidMove, match="a move looks like a1-a2"):
        play().parse("hello", 0)
