"""What runs too long is interrupted inside its block, and nothing after it."""

import threading

import pytest

from pbm.daemon.time_limit import TimeLimit, TookTooLong


def test_an_endless_loop_is_interrupted() -> None:
    def endless() -> None:
        with TimeLimit(0.3).spend():
            while True:
                pass

    with pytest.raises(TookTooLong):
        endless()


def test_what_comes_after_the_block_is_not_interrupted() -> None:
    budget = TimeLimit(0.3)
    for _ in range(3):
        with budget.spend():
            sum(range(1000))
    threading.Event().wait(0.8)
    sum(range(1000))


def test_a_budget_of_nought_is_no_limit() -> None:
    with TimeLimit(0).spend():
        threading.Event().wait(0.3)
