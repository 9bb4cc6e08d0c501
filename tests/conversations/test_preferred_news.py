"""What a player may prefer about moves: to confirm each, to have the only one played, and to hear
of them when it is their turn."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.packages import Packages, nim


def prefers(talk: Conversation, who: str, wish: str) -> None:
    talk.mails(who, f"set {who} {talk.password(who)} {wish}")
    assert wish in talk.any_mail(who).text


def test_a_mailed_move_is_shown_first_and_a_yes_plays_it(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mine, theirs = talk.challenge("hex", "ann", "bob")
    prefers(talk, "ann", "confirm=yes")
    talk.replies(mine, "d4\nGood luck!")
    shown = talk.receives(
        "ann", "[hex 1] submitted (1): d4", "Nothing is played yet", "To play the move, reply with"
    )
    talk.replies(shown, "no")
    talk.nothing_more()
    talk.replies(mine, "d5")
    shown = talk.receives("ann", "[hex 1] submitted (1): d5")
    talk.replies(shown, "yes")
    talk.receives("ann", "[hex 1] bob to move (2), you played d5")
    theirs = talk.receives("bob", "[hex 1] your move (2), ann played d5")
    talk.replies(shown, "yes")
    assert talk.any_mail("ann").text.startswith("Not done: ")
    talk.replies(theirs, "e5")
    mine = talk.receives("ann", "[hex 1] your move (3), bob played e5")
    talk.receives("bob", "[hex 1] ann to move (3), you played e5")
    talk.replies(mine, "e5")
    talk.receives("ann", "[hex 1] not done: e5 is already taken by blue")
    prefers(talk, "ann", "confirm=no")
    talk.replies(mine, "e6")
    talk.receives("ann", "[hex 1] bob to move (4), you played e6")
    talk.receives("bob", "[hex 1] your move (4), ann played e6")


def test_the_only_move_is_played_for_who_wants_that(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    prefers(talk, "bob", "forced=yes")
    latest = talk.plays(["e4", "f5"], "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
    talk.replies(latest[0], "Qh5")
    talk.receives(
        "ann",
        "[chess 1] your move (5), you played Qh5+, bob played g6",
        "bob played g6, the only move.",
    )
    talk.receives(
        "bob",
        "[chess 1] ann to move (5), ann played Qh5+, you played g6",
        "You played g6, the only move.",
    )


@pytest.mark.parametrize("features", ["", ', features=frozenset({"hidden"})'])
def test_an_only_move_that_would_tell_what_is_hidden_is_left_to_its_player(
    talk: Conversation, packages: Packages, features: str
) -> None:
    packages.install("nim", nim(most=1, info=features))
    talk.signup("ann", "bob")
    prefers(talk, "bob", "forced=yes")
    first, _ = talk.challenge("nim", "ann", "bob")
    talk.replies(first, "take-1")
    subject = talk.any_mail("bob").subject
    assert ("your move" in subject) is bool(features)
    talk.everything()


def test_news_only_when_it_is_ones_turn(talk: Conversation) -> None:
    """With all that happened since; what asks for an answer, and the end, come at once."""
    talk.signup("ann", "bob", "carl")
    people = ("ann", "bob", "carl")
    first, *_ = talk.challenge("cradle", *people)
    prefers(talk, "carl", "news=mine")
    talk.replies(first, "a2,b2,c2,c3\nHello, both.")
    talk.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    second = talk.receives("bob", "[cradle 1] your move (2), ann played a2,b2,c2,c3")
    talk.replies(second, "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] carl to move (3), bob played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] carl to move (3), you played b1,c1,d1,d2")
    third = talk.receives(
        "carl",
        "[cradle 1] your move (3), bob played b1,c1,d1,d2",
        "Since your last turn: ann played a2,b2,c2,c3.",
        "ann writes:",
        "> Hello, both.",
    )
    talk.replies(third, "e2,f2,g2,e3")
    for who in people:
        assert "played e2" in talk.any_mail(who).subject
    talk.mails("ann", f"cradle propose 1 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.receives("carl", "[cradle 1] ann to move (4), ann proposed a draw")


@pytest.mark.config(players={"vacation_days": 0})
def test_who_wants_news_at_their_turn_alone_is_not_told_who_is_late(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.agreed("hex", "ann", "bob", options="--forfeit=4 --nag=none")
    prefers(talk, "bob", "news=mine")
    talk.passes(days=3.5)
    assert [mail.address for mail in talk.everything()] == ["ann@example.org"]
    talk.passes(days=1)
    talk.receives("ann", "[hex 1] bob won (0)")
    talk.receives("bob", "[hex 1] bob won (0)")
