"""The solver of the smallest board of Cradle: what is known of the openings, and games by it."""

from __future__ import annotations

import random

import pytest

from pbm.bots.cradle_solver import find_best_moves, solve
from pbm.games import get_game


def test_thirty_openings_lose_and_twelve_hold() -> None:
    """The first player does not win by force: each opening loses within 7 more, or holds."""
    solution = solve(get_game("cradle").setup(2))
    assert solution is not None
    assert (len(solution.wins), len(solution.loses), len(solution.holds)) == (0, 30, 12)
    assert max(solution.loses.values()) == 8
    assert "b1,c1,d1,d2" in solution.holds


@pytest.mark.parametrize("seed", range(6))
def test_what_is_won_is_won_in_time_against_any_defence(seed: int) -> None:
    dice = random.Random(seed)
    position = get_game("cradle").setup(2).play(0, "b1,b2,c2,d2")  # loses, says the solver
    solution = solve(position)
    assert solution is not None
    promised = min(solution.wins.values())
    turn = position.turn
    while position.outcome is None:
        best = find_best_moves(position) if position.turn % 2 == turn % 2 else None
        seat = min(position.to_move)
        position = position.play(seat, dice.choice(best or position.legal_moves(seat)))
    assert position.outcome.ranks == (2, 1)
    assert position.turn - turn <= promised


def test_other_boards_are_not_solved() -> None:
    cradle = get_game("cradle")
    assert find_best_moves(cradle.setup(2, {"size": 3})) is None
    assert find_best_moves(cradle.setup(3)) is None
    assert find_best_moves(cradle.setup(2, {"must_reduce": True})) is None
    assert find_best_moves(get_game("hex").setup(2)) is None
