"""Some hundred positions of every comparison; `python -m tools.oracles` does more."""

import pytest

from tools.oracles import Row, compare, rows

POSITIONS = 250


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.title} {row.oracle}")
def test_moves_and_results_are_those_of_the_oracle(row: Row) -> None:
    wanted = POSITIONS // row.slow
    assert compare(row, wanted, seed=1) >= wanted
