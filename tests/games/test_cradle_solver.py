"""The solver of the smallest board of Cradle: what is known of the openings, and games by it."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game


def test_thirty_openings_lose_and_twelve_hold() -> None:
    """The first player does not win by force: each opening loses within 7 more, or holds."""
    solution = get_game("cradle").setup(2).solve()
    assert solution is not None
    assert (len(solution.wins), len(solution.loses), len(solution.holds)) == (0, 30, 12)
    assert max(solution.loses.values()) == 8
    assert "b1,c1,d1,d2" in solution.holds


@pytest.mark.parametrize("seed", range(6))
def test_what_is_won_is_won_in_time_against_any_defence(seed: int) -> None:
    dice = random.Random(seed)
    position = get_game("cradle").setup(2).play(0, "b1,b2,c2,d2")  # loses, says the solver
    solution = position.solve()
    assert solution is not None
    promised = min(solution.wins.values())
    turn = position.turn
    while position.outcome is None:
        seat = min(position.to_move)
        known = position.solve() if position.turn % 2 == turn % 2 else None
        moves = known.best if known is not None else position.legal_moves(seat)
        position = position.play(seat, dice.choice(moves))
    assert position.outcome.ranks == (2, 1)
    assert position.turn - turn <= promised


def test_other_boards_are_not_solved() -> None:
    cradle = get_game("cradle")
    assert cradle.setup(2, {"size": 3}).solve() is None
    assert cradle.setup(3).solve() is None
    assert cradle.setup(2, {"must_reduce": True}).solve() is None
    assert get_game("hex").setup(2).solve() is None
