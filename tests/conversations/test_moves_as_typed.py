"""Moves as people type them, by mail: played as they are meant, queued and submitted too, and
recognised below another move."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

TYPED = [
    ("hex", "1. D4!", "d4"),
    ("chess", "my move: e2 -> e4 :-)", "e4"),
    ("draughts", "(11 to 15)", "11-15"),
    ("cradle", "I'll play b1, c1; d1, d2.", "b1,c1,d1,d2"),
    ("shogi", "P-7f", "Pc4"),
    ("shogi", "7g7f", "Pc4"),
    ("spacecradles", "e12 e11, m e12!", "e12-e11, m-e12"),
]


def test_decorated_moves(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for game, typed, played in TYPED:
        mine, _ = talk.challenge(game, "ann", "bob")
        talk.replies(mine, typed)
        assert f"ou played {played}" in talk.any_mail("ann").text
        assert f"ann played {played}" in talk.any_mail("bob").text


def test_queued_submitted_and_full_commands(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mine, yours = talk.challenge("hex", "ann", "bob")
    talk.replies(yours, "queue (e5)!")
    assert "(e5)!" in talk.any_mail("bob").text
    talk.replies(mine, "submit my move: d4")
    assert "d4" in talk.any_mail("ann").text
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} 1. d4!")
    assert "ob played e5" in talk.any_mail("ann").text
    assert "ou played e5" in talk.any_mail("bob").text


@pytest.mark.parametrize("below", ["my move: e5", "(e5)!", "1. e5 :-)"])
def test_a_decorated_move_below_another_is_not_passed_on(talk: Conversation, below: str) -> None:
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(mine, f"d4\nGood luck!\n{below}")
    assert f"    {below}" in talk.any_mail("ann").text
    yours = talk.any_mail("bob").text
    assert "> Good luck!" in yours
    assert "e5" not in yours


def test_passing_where_nobody_can(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("cradle", "ann", "bob")
    for word in ("pass", "Skip!", "I pass"):
        talk.replies(mine, word)
        assert "Not done: there is no passing in Cradle." in talk.any_mail("ann").text
