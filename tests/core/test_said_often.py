"""What games say often can be said in other languages, whoever is meant; the rest stays English."""

from __future__ import annotations

from pbm.core.log_view import say_often
from pbm.rules.phrases import Phrase


def test_a_sentence_that_is_said_often_is_a_phrase_about_its_player() -> None:
    said = say_often("{player} resigns", "ann")
    assert isinstance(said, Phrase)
    assert (said, said.message, said.values) == (
        "ann resigns",
        "{player} resigns",
        {"player": "ann"},
    )
    full = say_often("the board is full")
    assert (full, isinstance(full, Phrase)) == ("the board is full", True)


def test_any_other_sentence_is_what_the_game_said() -> None:
    for sentence, player, said in (
        ("{player} rolls 3-1", "ann", "ann rolls 3-1"),
        ("{player} plays {player} and {}", "ann", "ann plays {player} and {}"),
        ("seven {stones} to come", "", "seven {stones} to come"),
    ):
        assert say_often(sentence, player) == said
        assert not isinstance(say_often(sentence, player), Phrase)
