"""What lists say of a game: its family and how long it takes."""

import pytest

from pbm.core.words import find_game_name
from pbm.games import get_game, load_games
from pbm.rules.game_info import FAMILIES, LENGTHS

OWN = [game.info.name for game in load_games() if type(game).__module__.startswith("pbm.")]


@pytest.mark.parametrize("name", OWN)
def test_every_game_has_a_family_and_a_length(name: str) -> None:
    info = get_game(name).info
    assert info.family in FAMILIES
    assert info.length in LENGTHS


def test_no_family_or_length_is_the_name_of_a_game() -> None:
    """`games lines` lists a family, `games chess` the boards of a game."""
    assert [word for word in (*FAMILIES, *LENGTHS) if find_game_name(word)] == []
