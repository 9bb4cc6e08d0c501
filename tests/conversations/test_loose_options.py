"""Options that are written without their dash are read where they can be nothing else, and asked
back where they might be a userid."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation


@pytest.mark.parametrize("option", ["size=9", "9x9", "Size=9"])
def test_what_no_userid_has_is_an_option(talk: Conversation, option: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("go", "ann", "bob", options=option)
    assert '[Options "-size=9"]' in mails[0].text
    talk.proves("ann", f"go seek {option}")
    assert "lines along a side: 9" in " ".join(talk.any_mail("ann").text.split())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("go challenge ann bob size 9", "go challenge ann bob -size=9"),
        ("go challenge ann bob 13x13 handicap 3", "go challenge ann bob -size=13 -handicap=3"),
        ("chess challenge bob unrated", "chess challenge bob --unrated"),
        ("chess challenge bob 3 Tage", "chess challenge bob --forfeit=3"),
        ("chess seek 3 days", "chess seek --forfeit=3"),
    ],
)
def test_what_may_be_a_userid_is_asked_back(talk: Conversation, line: str, meant: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", line)
    asked = talk.any_mail("ann")
    assert f"    {meant}\n" in asked.text
    talk.nothing_more()
    talk.replies(asked, "yes")
    assert not talk.any_mail("ann").text.startswith("Not done")
    talk.everything()


@pytest.mark.parametrize("word", ["quickly", "sec=ret", "handicap"])
def test_any_other_word_is_no_option(talk: Conversation, word: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"go challenge ann bob {word}")
    refused = talk.any_mail("ann").text
    assert refused.startswith("Not done")
    assert word == "handicap" or word not in refused
    talk.nothing_more()


def test_a_player_may_be_called_like_an_option(talk: Conversation) -> None:
    talk.signup("ann", "private")
    talk.challenge("chess", "ann", "private")
    talk.nothing_more()


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("to chess", "Chess"),
        ("for a game of go", "Go"),
        ("zu einer Partie Schach", "Chess"),
        ("à une partie d'échecs", "Chess"),
    ],
)
def test_an_invitation_names_its_game_in_a_sentence(
    talk: Conversation, line: str, game: str
) -> None:
    talk.signup("ann")
    talk.proves("ann", f"invite kim@far.example {line}")
    assert f"to a game of {game}" in " ".join(talk.any_mail("ann").text.split())
    assert game in talk.any_mail("kim@far.example").text


def test_words_behind_an_invited_address_are_never_dropped(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for words in ("bob chess", "to lunch"):
        talk.proves("ann", f"invite kim@far.example {words}")
        refused = talk.any_mail("ann")
        assert "in the body" in " ".join(refused.text.split())
        talk.replies(refused, "yes")
        assert talk.any_mail("ann").text.startswith("Not done")
    talk.nothing_more()
