"""Small Cradle, as far as a few seconds allow; `python -m tools.games.small_cradle` checks all of
it."""

from tools.games.small_cradle import START, SYMMETRIES, openings


def test_the_board_lies_on_itself_in_twelve_ways() -> None:
    assert len(set(SYMMETRIES)) == 12


def test_eighteen_openings_lose_within_five_placements() -> None:
    losing = openings(START, 5)
    assert len(losing) == 42
    assert sum(losing.values()) == 18
    assert not losing["b1,c1,d1,d2"]
