"""A question about a game brings the paragraph of its page that has the question's words."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

ASKED = (
    ("go", "how do I know which stones are dead?", "AGREEING WHAT IS DEAD"),
    ("go", "wann ist eine Gruppe tot?", "AGREEING WHAT IS DEAD"),
    ("backgammon", "can I double now?", "THE CUBE"),
    ("backgammon", "¿cuándo puedo sacar fichas?", "BEARING OFF"),
    ("hex", "do I connect left to right or top to bottom?", "AIM"),
    ("spacetruckin", "what do black holes do", "BLACK HOLES"),
    ("chess", "wanneer is het pat?", "THE END"),
)


@pytest.mark.in_process
@pytest.mark.parametrize(("game", "line", "heading"), ASKED)
def test_a_question_brings_the_rule_with_its_words(
    talk: Conversation, game: str, line: str, heading: str
) -> None:
    talk.signup("ann", "bob")
    begin = talk.agreed if game == "backgammon" else talk.challenge
    for mail in begin(game, "ann", "bob"):
        talk.replies(mail, line)
        told = next(each for each in talk.everything() if each.address == mail.address)
        assert heading in told.lines
        assert "This is what the rules say of it." in told.text


@pytest.mark.in_process
def test_a_question_where_there_is_press_goes_to_nobody(talk: Conversation) -> None:
    """It is answered, and named as not passed on: it may be for one power alone."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("dip", "ann", "bob")
    talk.replies(mail, "how can one support another unit?")
    told = talk.any_mail("ann")
    assert "MOVES" in told.lines
    assert "> Not passed on: how can one support another unit?" in told.text
    assert "    press to POWER" in told.lines
    talk.nothing_more()


@pytest.mark.in_process
def test_words_of_no_rule_are_for_the_opponent(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4"], "ann", "bob", latest=latest)
    talk.replies(latest[0], "is it raining in Paris?")
    assert "This was sent to bob" in talk.any_mail("ann").text
    assert "raining in Paris" in talk.any_mail("bob").text


@pytest.mark.in_process
@pytest.mark.parametrize(
    "line", ["Hello Bob, how are you doing?", "the weather is a stalemate here"]
)
def test_a_greeting_and_a_statement_are_no_questions(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4"], "ann", "bob", latest=latest)
    talk.replies(latest[0], line)
    assert "rules say" not in talk.any_mail("ann").text
    assert line in talk.any_mail("bob").text
