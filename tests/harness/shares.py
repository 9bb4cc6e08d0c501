"""In which order tests run, so that no worker is waited for long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def begin_with_slow(
    tests: Sequence[T], workers: int, is_slow: Callable[[T], object | None]
) -> list[T]:
    """Return the tests so that each worker begins with its part of the slow ones: those that began
    last would run alone. xdist gives every worker as many tests, in this order."""
    slow = [each for each in tests if is_slow(each)]
    rest = (each for each in tests if not is_slow(each))
    ordered = list[T]()
    for left in range(workers, 0, -1):
        own = slow[left - 1 :: workers]
        share = (len(tests) - len(ordered)) // left
        ordered += [*own, *islice(rest, max(0, share - len(own)))]
    return [*ordered, *rest]
