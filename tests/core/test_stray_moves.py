"""A move among the lines of a comment is recognised by the notation of its game."""

from __future__ import annotations

import pytest

from pbm.core.talk import is_move, remove_moves
from pbm.games import get_game
from pbm.rules.examples import begin
from tools.games.sampling import list_sampled_names


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_legal_move_is_written_as_moves_are(name: str) -> None:
    position = begin(get_game(name))
    moves = position.legal_moves(min(position.to_move))[:40]
    assert [move for move in moves if not is_move(position, move)] == []


def test_a_move_is_withheld_and_what_is_written_to_a_person_is_not() -> None:
    """Space Cradles adds the end of a turn to what was typed."""
    position = begin(get_game("spacecradles"))
    assert remove_moves("Good luck!\nI play f12-g11", position) == (
        "Good luck!",
        ("I play f12-g11",),
    )


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_sentence_that_begins_with_a_move_is_none(name: str) -> None:
    """Whether or not its words have capitals."""
    position = begin(get_game(name))
    for move in position.legal_moves(min(position.to_move))[:40:13]:
        for words in ("would have been better, I think", "was what Dan told me"):
            assert not is_move(position, f"{move} {words}"), f"{move} {words}"
