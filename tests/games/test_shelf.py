"""What holds for every game on the shelf: the conformance suite, and playthroughs that a rules
change must show as a diff."""

from pathlib import Path

import pytest

from pbm.games import UnknownGame, game_names, get_game
from pbm.rules.testing import check
from tests.playthroughs import FOLDER, regenerate


@pytest.mark.parametrize("name", game_names())
def test_a_game_conforms(name: str) -> None:
    assert check(get_game(name)) > 0


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_playthrough_is_as_it_was(path: Path) -> None:
    text = path.read_text()
    assert regenerate(text) == text


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_playthrough(name: str) -> None:
    assert list(FOLDER.glob(f"{name}-*.txt"))


@pytest.mark.parametrize("name", game_names())
def test_a_summary_fits_on_its_line_of_the_list(name: str) -> None:
    assert 10 <= len(get_game(name).info.summary) <= 56


def test_an_alias_finds_its_game() -> None:
    for name in game_names():
        for alias in get_game(name).info.aliases:
            assert get_game(alias.upper()) is get_game(name)


def test_an_unknown_game_is_a_lookup_error() -> None:
    with pytest.raises(UnknownGame):
        get_game("nosuchgame")
    assert issubclass(UnknownGame, LookupError)
