"""A few seasons of each kind with silent and withdrawing players; `python -m tools.pairing
--seasons 1000` plays many."""

import pytest

from tools.pairing.whole_seasons import KINDS, play_season


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_seasons_end_on_their_day_and_their_tables_can_be_computed_again(seed: int) -> None:
    record = play_season(seed)
    assert record.ended is not None
    assert record.ends is not None
    assert record.ended <= record.ends
