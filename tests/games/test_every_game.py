"""What holds for every registered game: it passes the conformance suite, and its playthroughs are
unchanged unless the rules change."""

from pathlib import Path

import pytest

from pbm.core.words import find_game_name, join_game_title
from pbm.games import UnknownGame, get_game
from pbm.rules.testing import check
from tools.games.sampling import list_sampled_names
from tools.playthroughs import FOLDER, regenerate

SLOW = {"dip": 6}
"""Games of which a position takes a hundred times as long as one of others: how many moves."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", list_sampled_names())
def test_a_game_conforms(name: str) -> None:
    assert check(get_game(name), games=1, moves=SLOW.get(name, 60)) > 0


ENDLESS = {"halma"}
"""Games that random moves do not end in time on their largest board."""


@pytest.mark.long
@pytest.mark.parametrize("name", [each for each in list_sampled_names() if each not in ENDLESS])
def test_a_longer_game_conforms(name: str) -> None:
    """`pbm check-game` plays six times as many games."""
    assert check(get_game(name), games=2, moves=5 * SLOW.get(name, 60)) > 0


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_playthrough_is_unchanged(path: Path) -> None:
    text = path.read_text()
    assert regenerate(text) == text


@pytest.mark.parametrize("name", list_sampled_names())
def test_every_game_has_a_playthrough(name: str) -> None:
    assert list(FOLDER.glob(f"{name}-*.txt"))


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_summary_fits_on_its_line_of_the_list(name: str) -> None:
    assert 10 <= len(get_game(name).info.summary) <= 56


def test_an_alias_means_its_game() -> None:
    for name in list_sampled_names():
        for alias in get_game(name).info.aliases:
            assert get_game(alias.upper()) is get_game(name)


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_title_means_its_game_however_it_is_written(name: str) -> None:
    title = get_game(name).info.title
    if len(title) == 1:
        return
    for joint in (" ", "-", "_", ""):
        for mark in ("'", "\u2019", "\u02bc", ""):
            written = title.replace(" ", joint).replace("-", joint).replace("'", mark)
            assert get_game(written) is get_game(name)
            game, *rest = join_game_title([*written.split(" "), "move", "3"])
            assert (find_game_name(game), rest) == (name, ["move", "3"])


def test_a_title_never_takes_a_word_that_means_something_else() -> None:
    for line in (
        "chess 960 ann e4",
        "go 5 ann d4",
        "hex challenge ann bob",
        "four move 3",
        "go on",
    ):
        words = line.split(" ")
        assert join_game_title(words)[1:] == words[1:]


def test_an_unknown_game_is_a_lookup_error() -> None:
    with pytest.raises(UnknownGame):
        get_game("nosuchgame")
    assert issubclass(UnknownGame, LookupError)
