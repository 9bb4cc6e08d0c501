"""Oware and Kalah: sowing, captures, feeding, moving again, endings, accepted notations."""

from dataclasses import replace

import pytest

from pbm.games.mancala import Kalah, Oware
from pbm.rules.families.sowing import SowingPosition
from tests.games.classics import after, begun, moves, perft, refusal, unplayable_examples

Row = tuple[int, ...]


def at(
    game: str, south: Row, north: Row, stores: tuple[int, int], side: int = 0, **options: bool
) -> SowingPosition:
    """A position with those seeds, each row from its owner's left."""
    position = begun(game, **options)
    assert isinstance(position, SowingPosition)
    return replace(position, houses=(*south, *north), stores=stores, side=side)


def rows(position: object) -> tuple[Row, Row, tuple[int, ...]]:
    assert isinstance(position, SowingPosition)
    return position.row(0), position.row(1), position.stores


def reason(position: SowingPosition) -> tuple[tuple[int, ...], str]:
    assert position.outcome is not None
    return position.outcome.ranks, position.outcome.reason


@pytest.mark.parametrize("game", ["oware", "kalah"])
def test_examples_of_the_help_can_be_played(game: str) -> None:
    assert not unplayable_examples(game)


def test_letters_and_numbers_mean_the_same_and_nothing_else_is_a_house() -> None:
    position = begun("kalah", pits=8)
    for text in ("c", "C", "3", " c."):
        assert position.parse(text, 0) == ("c", "")
    assert "not a house; yours are a to h" in refusal(position, "i")
    assert "not a house" in refusal(position, "0")
    assert "not a house" in refusal(position, "ab")
    gone = after(begun("oware"), "c a")
    assert "that house is empty" in refusal(gone, "c")


# Oware


def test_the_house_that_is_sown_from_is_passed_over() -> None:
    position = at("oware", (13, 0, 0, 0, 0, 0), (4, 4, 4, 4, 4, 4), (0, 0))
    assert rows(after(position, "a")) == ((0, 2, 2, 1, 1, 1), (5, 5, 5, 5, 5, 5), (0, 0))


def test_twos_and_threes_are_captured_backward() -> None:
    position = at("oware", (1, 1, 1, 1, 1, 4), (1, 2, 3, 1, 4, 4), (0, 0))
    # f sows 1 each into north's a to d: 2, 3, 4, 2; only d counts, as c holds four.
    assert rows(after(position, "f")) == ((1, 1, 1, 1, 1, 0), (2, 3, 4, 0, 4, 4), (2, 0))
    position = at("oware", (1, 1, 1, 1, 1, 3), (1, 2, 2, 7, 4, 4), (0, 0))
    assert rows(after(position, "f")) == ((1, 1, 1, 1, 1, 0), (0, 0, 0, 7, 4, 4), (8, 0))
    own = at("oware", (1, 1, 2, 1, 1, 1), (4, 4, 4, 4, 4, 4), (0, 0))
    assert after(own, "b").row(0)[2] == 3  # nothing is captured in one's own houses


def test_a_grand_slam_captures_nothing() -> None:
    position = at("oware", (1, 0, 0, 0, 0, 2), (1, 1, 0, 0, 0, 0), (20, 20))
    assert rows(after(position, "f")) == ((1, 0, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0), (20, 20))


def test_who_has_no_seed_must_be_fed() -> None:
    position = at("oware", (1, 5, 0, 0, 2, 1), (0, 0, 0, 0, 0, 0), (20, 19))
    assert moves(position) == ["b", "e", "f"]
    assert "so you must give some: b or e or f" in refusal(position, "a")
    over = after(at("oware", (3, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (22, 22), side=1), "f")
    assert reason(over) == ((1, 2), "south cannot give the other side a seed, 26 seeds to 22")
    starved = after(at("oware", (0, 0, 0, 0, 1, 0), (2, 1, 0, 0, 0, 1), (22, 21)), "e")
    assert moves(starved) == ["a", "b", "f"]
    assert after(starved, "a").outcome is None


def test_oware_ends_with_more_than_half() -> None:
    over = after(at("oware", (1, 0, 0, 0, 0, 1), (1, 3, 4, 4, 4, 5), (24, 1)), "f")
    assert reason(over) == ((1, 2), "26 seeds to 1")
    even = after(at("oware", (0, 0, 0, 0, 1, 1), (1, 0, 0, 0, 2, 0), (22, 21)), "f")
    assert even.outcome is None


def test_a_position_for_the_third_time_ends_oware() -> None:
    position = at("oware", (1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (23, 23))
    assert isinstance(position, Oware)
    line = "a a b b c c d d e e f f"
    once = after(position, line)
    twice = after(once, line)
    assert (once.outcome, twice.outcome) == (None, None)
    assert isinstance(twice, Oware)
    assert twice.houses == position.houses
    over = after(twice, "a")
    assert reason(over) == ((1, 1), "the position occurred for the third time, 24 seeds to 24")


# Kalah


def test_the_first_moves_of_kalah() -> None:
    # Five of six leave the other six moves; c moves again, with five houses left.
    assert [perft(begun("kalah"), depth) for depth in (1, 2)] == [6, 35]


def test_a_last_seed_in_the_store_moves_again() -> None:
    position = begun("kalah")
    assert position.parse("c, f b", 0) == ("c", "f b")
    again = after(position, "c")
    assert (again.side, again.turn, again.news) == (
        0,
        0,
        ("south drops the last seed in the store and moves again",),
    )
    other = after(again, "f")
    assert (other.side, other.turn) == (1, 1)
    assert rows(other) == ((4, 4, 0, 5, 5, 0), (5, 5, 5, 5, 4, 4), (2, 0))


def test_the_store_of_the_other_is_passed_over() -> None:
    position = at("kalah", (1, 0, 0, 0, 0, 9), (0, 0, 0, 0, 0, 1), (10, 10))
    assert rows(after(position, "f")) == ((2, 0, 0, 0, 0, 0), (1, 1, 1, 1, 0, 2), (13, 10))


def test_a_last_seed_in_an_own_empty_house_captures() -> None:
    position = at("kalah", (1, 0, 0, 4, 0, 0), (3, 3, 3, 3, 5, 3), (0, 0))
    assert rows(after(position, "a")) == ((0, 0, 0, 4, 0, 0), (3, 3, 3, 3, 0, 3), (6, 0))
    bare = at("kalah", (1, 0, 0, 4, 0, 0), (3, 3, 3, 3, 0, 3), (0, 0))
    assert rows(after(bare, "a")) == ((0, 1, 0, 4, 0, 0), (3, 3, 3, 3, 0, 3), (0, 0))
    bare = at("kalah", (1, 0, 0, 4, 0, 0), (3, 3, 3, 3, 0, 3), (0, 0), empty=True)
    assert rows(after(bare, "a")) == ((0, 0, 0, 4, 0, 0), (3, 3, 3, 3, 0, 3), (1, 0))
    round_ = at("kalah", (13, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0))
    assert rows(after(round_, "a")) == ((0, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 0), (3, 0))


def test_kalah_ends_when_a_side_is_empty() -> None:
    over = after(at("kalah", (0, 0, 0, 0, 0, 1), (4, 0, 0, 0, 0, 6), (20, 17)), "f")
    assert reason(over) == ((2, 1), "south has no seed left to sow, 27 seeds to 21")
    assert rows(over) == ((0,) * 6, (0,) * 6, (21, 27))
    over = after(at("kalah", (1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (22, 23), side=1), "f")
    assert reason(over) == ((1, 1), "north has no seed left to sow, 24 seeds to 24")


def test_the_second_player_may_swap() -> None:
    position = after(begun("kalah", swap=True), "c f")
    assert moves(position)[-1] == "swap"
    swapped = after(position, "swap")
    assert isinstance(swapped, Kalah)
    assert swapped.to_move == {0}
    assert swapped.seat_names == ("north", "south")
    assert "swap" not in moves(begun("kalah", swap=True))
