"""A few positions of each game are rebuilt from their words; `python -m tools.words` rebuilds
more."""

import pytest

from pbm.games import get_game
from pbm.games.variants import GAMES as VARIANTS
from pbm.locale import LANGUAGES, translate
from tests.harness.packages import require
from tools.games.sampling import list_sampled_names
from tools.words.rebuild import READ_ALOUD, check_game
from tools.words.speech import find_named_marks

NAMES = [name for name in list_sampled_names() if type(get_game(name)).__module__[:4] == "pbm."]
"""The games that are not of another package."""


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_position_can_be_rebuilt_from_its_words(name: str) -> None:
    compared, _repeated = check_game(get_game(name), 12)
    assert compared == 12


@pytest.mark.sampled(8)
@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", NAMES)
def test_a_position_can_be_rebuilt_from_its_words_in_each_language(
    name: str, language: str
) -> None:
    """By the same reader, once the sentences are turned back by the patterns of the catalogue."""
    check_game(get_game(name), 6, language=language)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize(
    ("name", "positions"),
    [pytest.param("dip", 10, marks=pytest.mark.long), ("draughts", 30), ("shinobi", 30)],
)
def test_a_position_can_be_rebuilt_where_english_has_a_shorter_word(
    name: str, positions: int, language: str
) -> None:
    """Austrian for the units of Austria, king for a crowned man, horse for that of shogi."""
    check_game(get_game(name), positions, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_pieces_of_a_variant_have_one_name(language: str) -> None:
    for game in VARIANTS:
        titles = {
            str(title): translate(title, language) for title in game.equipment.titles.values()
        }
        assert len({*titles.values()}) == len(titles), game.card.name


def test_what_words_consist_of_is_read_without_naming_a_mark() -> None:
    """In one test, because the names of all marks are asked for first."""
    require("espeak-ng")
    text = "White: a1, b-c and 7.5 on d4 to h4 in black's home.\nLegal moves: b1-c1 or a1,b1,c1,d2."
    assert READ_ALOUD.fullmatch(text)
    assert not find_named_marks(text)
    for named in ("24/18", "6*", "11-16", "e8=q", "a1:b2", "c3+", "#5"):
        assert find_named_marks(named), named
        assert not READ_ALOUD.fullmatch(named), named
