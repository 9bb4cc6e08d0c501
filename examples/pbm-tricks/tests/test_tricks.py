"""Tricks: one test for each sentence of the rules, and the conformance suite."""

import pytest
from pbm_tricks import GAME

from pbm.rules import CHANCE, IllegalMove, Position
from pbm.rules.testing import check


def deal(players: int = 2) -> Position:
    """A game in which the cards were dealt in rising order: white has 1, 3, 5 ..."""
    position: Position = GAME.setup(players)
    for card in range(1, 5 * players + 1):
        position = position.play(CHANCE, str(card))
    return position


def play(position: Position, *cards: int) -> Position:
    for card in cards:
        (seat,) = position.to_move
        position = position.play(seat, position.parse(str(card), seat)[0])
    return position


def test_it_conforms() -> None:
    assert check(GAME, games=6) > 50


def test_five_cards_are_dealt_that_nobody_else_sees() -> None:
    dealt = deal()
    assert "1 3 5 7 9" in dealt.render(0)
    assert "1 3 5 7 9" not in dealt.render(1)
    assert GAME.setup().describe(CHANCE, "17", 1) == "white draws -"


def test_the_highest_card_takes_the_trick_and_leads() -> None:
    after = play(deal(), 9, 10)
    assert after.news == ("black takes the trick with 10",)
    assert after.to_move == {1}


def test_a_card_that_one_does_not_have_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'play 10': you have no such card"):
        deal().play(0, "play-10")


def test_the_most_of_five_tricks_win() -> None:
    end = play(deal(), 1, 10, 8, 9, 3, 6, 4, 7, 5, 2)
    assert end.outcome is not None
    assert (end.outcome.ranks, end.outcome.reason) == ((1, 2), "all tricks are taken")


def test_the_others_play_on_when_one_resigns() -> None:
    after = deal(3).resign(0)
    assert after.to_move == {1}
    assert play(after, 2, 15).to_move == {2}
