"""The game interface itself: outcomes, questions to chance, what every position refuses."""

import pytest

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    AmbiguousMove,
    IllegalMove,
    InvalidMove,
    MoveError,
    OptionError,
    Outcome,
    outcome_of,
    pick,
    roll,
    second,
)
from tests.rules.nim import Nim


@pytest.mark.parametrize(
    ("groups", "ranks", "winners"),
    [
        ([[0], [1]], (1, 2), (0,)),
        ([[1], [0]], (2, 1), (1,)),
        ([[0, 1]], (1, 1), (0, 1)),
        ([[2], [0, 1]], (2, 2, 1), (2,)),
        ([[0, 2], [1]], (1, 3, 1), (0, 2)),
        ([[3], [], [0, 1], [2]], (2, 2, 4, 1), (3,)),
        ([(seat for seat in (1, 0)), {2}], (1, 1, 3), (0, 1)),
    ],
)
def test_groups_share_ranks(
    groups: list[list[int]], ranks: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    outcome = outcome_of(groups, "why")
    assert outcome == Outcome(ranks, "why")
    assert outcome.winners == winners


def test_questions_have_their_outcomes_in_order() -> None:
    assert (roll(3).kind, roll(3).outcomes) == ("roll", ("1", "2", "3"))
    assert roll(6) == roll(6)
    assert (pick(["b", "a", "a"]).kind, pick(["b", "a", "a"]).outcomes) == ("pick", ("b", "a", "a"))
    assert second().kind == "second"
    assert second().outcomes == tuple(map(str, range(60)))


def test_errors_of_moves_are_value_errors() -> None:
    for error in (InvalidMove, IllegalMove, AmbiguousMove):
        assert issubclass(error, MoveError)
    assert issubclass(MoveError, ValueError)
    assert issubclass(OptionError, ValueError)


def test_the_sets_of_seats_to_move() -> None:
    assert SEAT_TO_MOVE[2] == {2}
    assert {CHANCE} == CHANCE_TO_MOVE
    assert not NOBODY


def test_setup_without_players_takes_the_fewest() -> None:
    assert Nim().setup().players == 2
    assert Nim().setup(3).players == 3


def test_setup_says_how_many_may_play() -> None:
    with pytest.raises(OptionError, match="Nim is for 2 or 3 players, not 4"):
        Nim().setup(4)
    with pytest.raises(OptionError, match="not -1"):
        Nim().setup(-1)


def test_setup_settles_the_options() -> None:
    assert Nim().setup().options == {"heap": 9}
    assert Nim().setup(2, {"heap": "12"}).options == {"heap": 12}
    with pytest.raises(OptionError, match="-heap is a number from 5 to 20"):
        Nim().setup(2, {"heap": 4})


def test_play_is_for_the_seat_on_the_move() -> None:
    position = Nim().setup()
    for seat, reason in (
        (1, "it is south's turn"),
        (2, "there is no seat 2"),
        (CHANCE, "there is nothing to roll or draw now"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            position.play(seat, "take-1")


def test_nothing_is_played_when_it_is_over() -> None:
    position = Nim().setup(options={"heap": 5})
    for move in ("take-3", "take-2"):
        (seat,) = position.to_move
        position = position.play(seat, move)
    for seat in (0, 1, CHANCE):
        with pytest.raises(IllegalMove, match="the game is over"):
            position.play(seat, "take-1")


def test_chance_has_no_part_unless_the_game_says_so() -> None:
    position = Nim().setup()
    assert position.chance is None
    with pytest.raises(IllegalMove, match="this game has no dice or draws"):
        position.answer("1")


def test_a_position_is_one_line_with_game_version_and_options() -> None:
    position = Nim().setup(3, {"heap": 11})
    text = position.encode()
    assert text.startswith('["nim",1,3,{"heap":11},')
    assert "\n" not in text
    assert Nim().decode(text) == position


@pytest.mark.parametrize(("old", "new"), [('"nim"', '"nam"'), ('"nim",1', '"nim",2')])
def test_a_position_of_another_game_or_version_is_refused(old: str, new: str) -> None:
    text = Nim().setup().encode().replace(old, new)
    with pytest.raises(ValueError, match="cannot be decoded as nim version 1"):
        Nim().decode(text)


def test_what_a_position_says_unless_the_game_says_more() -> None:
    position = Nim().setup()
    assert position.news == ()
    assert position.key is None
    assert position.seat_names == ("south", "north")
    assert position.describe(0, "take-2", None) == "take-2"
    assert position.render() == position.picture().text
