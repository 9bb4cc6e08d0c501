"""The order in which tests run."""

from __future__ import annotations

import pytest

from tests.harness.shares import begin_with_slow


def test_each_worker_begins_with_its_part_of_the_slow_tests() -> None:
    tests = [*"abcdeSfgTUhVi"]
    ordered = begin_with_slow(tests, 3, str.isupper)
    assert "".join(ordered) == "UabcTdefSVghi"
    shares = ordered[:4], ordered[4:8], ordered[8:]
    assert [share[0].isupper() for share in shares] == [True] * 3
    assert [each for each in ordered if each.islower()] == [*"abcdefghi"]


@pytest.mark.parametrize("workers", range(1, 5))
@pytest.mark.parametrize("tests", ["", "S", "ab", "ST", "aSTUV", "abcdefS"])
def test_every_test_runs_once(tests: str, workers: int) -> None:
    assert sorted(begin_with_slow(tests, workers, str.isupper)) == sorted(tests)
