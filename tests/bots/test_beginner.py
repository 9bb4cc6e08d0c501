"""A beginner who has read the help."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game
from tools.bots.beginner import MOST_LOOKS, choose_move


@pytest.mark.parametrize(("name", "size"), [("amazons", {"size": "6"}), ("clobber", {})])
def test_where_who_cannot_move_loses_a_beginner_leaves_few_answers(
    name: str, size: dict[str, str]
) -> None:
    first = get_game(name).setup(2, size)
    answers = {move: len(first.play(0, move).legal_moves(1)) for move in first.legal_moves(0)}
    fewer = sum(answers.values()) / len(answers)
    chosen = [answers[choose_move(first, 0, random.Random(seed))] for seed in range(10)]
    assert len(answers) > MOST_LOOKS
    assert sum(chosen) / len(chosen) < fewer
    assert max(chosen) <= fewer
