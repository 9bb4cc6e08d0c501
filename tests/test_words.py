"""The words of all languages: whole, without collisions, and moves of no game."""

from __future__ import annotations

import pytest

from pbm.core.feature import list_verbs
from pbm.core.parser import read_own_verb, read_own_words
from pbm.core.talk import find_question, is_move, read_consent
from pbm.core.words import find_game_name, is_verb, map_words_to_verbs, say_verb
from pbm.games import get_game, list_game_names
from pbm.locale import LANGUAGES
from pbm.locale.words import (
    fold,
    list_meanings,
    map_command_words,
    map_games,
    map_replies,
    name_verb,
    read_words,
    reply_word,
)
from pbm.rules.examples import begin

OTHERS = LANGUAGES[1:]
CHOICES = ("fewer", "pause", "leave")
"""Words that answer one mail of ours alone."""
ASKED_BACK = {"annuler": {"undo", "cancel"}}
"""Words of two meanings."""
PASSES = {"pass", "passen", "passe"}
"""They may be read by a game, as what they mean."""


def test_every_language_has_the_same_words_and_english_ones_are_words_of_a_reply() -> None:
    names = [tuple(read_words(language).replies) for language in OTHERS]
    assert names[0]
    assert set(names) == {names[0]}
    for name in names[0]:
        if read_consent(name) is None and find_question(name) is None and name not in CHOICES:
            assert is_verb(name), name


def test_words_of_different_languages_do_not_collide() -> None:
    several = {word: set(found) for word, found in map_replies().items() if len(found) > 1}
    assert several == ASKED_BACK


def test_no_word_is_a_command_of_another_meaning_nor_a_game() -> None:
    for word, meanings in map_replies().items():
        verbs = {verb.name for verb in map_words_to_verbs().get(word, ())}
        assert verbs <= set(meanings), word
        assert not find_game_name(word), word
        assert word not in map_games(), word


def test_yes_and_no_are_read_as_such_in_every_language() -> None:
    for language in OTHERS:
        words = read_words(language).replies
        assert all(read_consent(word) is True for word in words["yes"])
        assert all(read_consent(word) is False for word in words["no"])


def test_games_are_known_and_no_name_is_another_game() -> None:
    for language in OTHERS:
        for game, names in read_words(language).games.items():
            assert find_game_name(game) == game
            for name in names:
                assert map_games()[fold(name)] == game, f"{language}: {name}"
                assert find_game_name(name) in ("", game), f"{language}: {name}"


def test_commands_are_read_by_their_names_in_every_language() -> None:
    keys = [set(read_words(language).verbs) for language in OTHERS]
    assert keys[0]
    assert all(each == keys[0] for each in keys)
    for verb in list_verbs():
        for language in OTHERS:
            named = name_verb(verb.name, language)
            assert read_own_verb(named) == verb.name, named


@pytest.mark.parametrize("language", OTHERS)
def test_commands_about_a_board_are_read_by_the_words_of_a_reply(language: str) -> None:
    for verb in list_verbs():
        if verb.has_board and verb.game == "yes":
            line = f"hex {say_verb(verb, language)} 17"
            names = [f"hex {name} 17" for name in (verb.name, *verb.aliases)]
            assert read_own_words(line) in names, line


@pytest.mark.parametrize("name", list_game_names())
def test_no_word_is_a_move_at_the_beginning_of_a_game(name: str) -> None:
    game = get_game(name)
    position = begin(game, min(game.info.players), {})
    own = (word for word in map_command_words("verbs") if not is_verb(word))
    moves = {word for word in (*map_replies(), *own) if is_move(position, word)}
    assert moves <= PASSES


def test_a_word_is_found_however_it_is_written() -> None:
    for word in ("zurück", "Zurueck", "ZURUCK", "  zurück "):
        assert list_meanings(word) == ["undo"]
    assert list_meanings("j\u2019abandonne") == ["resign"]
    assert list_meanings("zurück bitte") == []
    assert list_meanings("annuler", "de") == ["undo", "cancel"]
    assert reply_word("resign", "de") == "aufgeben"
    assert reply_word("resign", "en") == "resign"
    assert reply_word("export", "fr") == "export"
