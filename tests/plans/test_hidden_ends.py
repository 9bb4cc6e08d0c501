"""Where moves are hidden, a plan below a move must not tell what the move leads to."""

from __future__ import annotations

import pytest

from pbm.features.plans.rules import PlanRules, build_branch
from pbm.games import get_game


@pytest.mark.parametrize(("hides", "problems"), [(True, []), (False, ["the game is over there"])])
def test_not_even_that_the_game_would_be_over(hides: bool, problems: list[str]) -> None:
    position = get_game("tictactoe").setup(2, {})
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position = position.play(min(position.to_move), move)
    assert position.outcome is not None
    rules = PlanRules(1, str, hides=hides)
    tree = build_branch([(False, "any"), (True, "c3")])
    assert rules.settle(tree, position) == (tree if hides else ())
    assert [str(problem.reason) for problem in rules.problems] == problems
