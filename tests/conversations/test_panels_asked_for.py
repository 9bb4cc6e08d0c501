"""What stands beside a board is told on request, by its title in any language."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.mark.parametrize("words", ["bag", "what is in the bag?", "show bag", "Beutel", "le sac ?"])
def test_the_bag_is_told_in_reply_to_either_player(talk: Conversation, words: str) -> None:
    talk.signup("ann", "bob")
    for mail in talk.challenge("spacetruckin", "ann", "bob"):
        talk.replies(mail, words)
        _require_bag(talk.any_mail(mail.address))


def test_the_bag_is_told_to_a_new_mail(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("spacetruckin", "ann", "bob")
    talk.mails("ann", "spacetruckin show 1 bag")
    _require_bag(talk.any_mail("ann"))


def test_points_are_told_in_a_sentence_and_pieces_that_are_none_are_not(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("spacetruckin", "ann", "bob")
    talk.replies(mails[0], "points?")
    assert "Points: red 0 and yellow 0." in talk.any_mail("ann").text
    mails = talk.challenge("chess", "ann", "bob")
    talk.replies(mails[0], "bag")
    assert "straight wormhole" not in talk.any_mail("ann").text


def _require_bag(mail: Mail) -> None:
    """Check that a mail counts the tiles that are left, in words."""
    lines = mail.text.splitlines()
    assert any(line.startswith("a straight wormhole (ws): ") for line in lines), mail.text
    assert "a black hole: 10" in lines
