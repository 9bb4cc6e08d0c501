"""Who is ahead where pieces alone do not tell."""

import pytest

from pbm.bots.evaluations import Marbles
from pbm.games import get_game


def test_marbles_count_more_the_farther_they_stand_from_the_rim() -> None:
    start, marbles = get_game("sumito").setup(2), Marbles()
    inside = start.play(0, "a1-b2")
    assert marbles.judge(start, 0) == pytest.approx(0)
    assert marbles.judge(inside, 0) == -marbles.judge(inside, 1) > 0.1
