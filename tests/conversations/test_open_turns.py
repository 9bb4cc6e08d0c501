"""A turn of several parts: one mail to the others when it ends, and its maker hears that it is
still open."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def words_of(mail: Mail) -> str:
    """The text on one line."""
    return " ".join(mail.text.split())


def test_the_others_hear_at_the_end(talk: Conversation) -> None:
    """Of all parts, with what was written at each, and so do watchers."""
    talk.signup("ann", "bob", "carl")
    latest = talk.challenge("spacefighters", "ann", "bob")
    talk.mails("carl", f"spacefighters watch 1 carl {talk.password('carl')}")
    talk.any_mail("carl")
    latest = talk.plays(["setup a11 b11 c11", "setup k1 k2 k3"], "ann", "bob", latest=latest)
    while talk.waiting("carl"):
        talk.any_mail("carl")
    talk.replies(latest[0], "a11-a10\nI am coming!")
    own = talk.any_mail("ann")
    assert "You played a11-a10. Your turn goes on (3)." in own.text
    assert "Your turn is still open; end ends it." in words_of(own)
    assert "When your turn ends, this goes to bob: > I am coming!" in words_of(own)
    talk.replies(own, "b11-b10\nAnd more.")
    own = talk.any_mail("ann")
    assert talk.waiting("bob") == talk.waiting("carl") == 0
    talk.replies(latest[1], "Take your time")
    assert "sent to ann" in talk.any_mail("bob").text
    assert "> Take your time" in talk.any_mail("ann").text
    talk.replies(own, "end\nYour turn.")
    assert "You played end." in talk.any_mail("ann").text
    theirs = talk.any_mail("bob")
    assert "ann played a11-a10, b11-b10, end." in words_of(theirs)
    for text in ("I am coming!", "And more.", "Your turn."):
        assert f"ann writes: > {text}" in words_of(theirs)
    watched = talk.any_mail("carl")
    assert "ann played a11-a10, b11-b10, end." in words_of(watched)
    assert "coming" not in watched.text


def test_no_copies_of_ones_own_moves(talk: Conversation) -> None:
    """Who wants none hears of an open turn all the same: the next part is a reply to that."""
    talk.signup("ann", "bob")
    latest = talk.challenge("spacecradles", "ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} own=no")
    talk.any_mail("ann")
    talk.replies(latest[0], "e12-e11,m-e12")
    assert "ann played e12-e11, m-e12." in words_of(talk.any_mail("bob"))


def test_the_opponent_may_act_meanwhile(talk: Conversation) -> None:
    """No mail came of the open turn, so a reply to the one before it is not out of date; and a
    resignation in it tells everything."""
    talk.signup("ann", "bob")
    latest = talk.challenge("spacefighters", "ann", "bob")
    latest = talk.plays(["setup a11 b11 c11", "setup k1 k2 k3"], "ann", "bob", latest=latest)
    talk.replies(latest[0], "a11-a10\nHere I come")
    own = talk.any_mail("ann")
    talk.replies(latest[1], "draw")
    assert "You propose a draw" in words_of(talk.any_mail("bob"))
    assert "bob proposes a draw" in words_of(talk.any_mail("ann"))
    talk.replies(own, "resign")
    assert "You resigned" in words_of(talk.any_mail("ann"))
    assert "ann resigned" in words_of(theirs := talk.any_mail("bob"))
    assert "> Here I come" in theirs.text


@pytest.mark.parametrize("joiner", ["\n", " "])
def test_a_long_example_is_played_as_it_stands(talk: Conversation, joiner: str) -> None:
    """A mail shows it broken into lines: whoever copies these plays all of them, joined by the mail
    program or not."""
    talk.signup("ann", "bob")
    latest = talk.challenge("spacefighters", "ann", "bob")
    latest = talk.plays(["setup a11 b11 c11", "setup k1 k2 k3"], "ann", "bob", latest=latest)
    lines = latest[0].lines
    first = next(at for at, line in enumerate(lines) if line.startswith("    deploy "))
    last = next(at for at in range(first, len(lines)) if lines[at].endswith("end"))
    example = [line.strip() for line in lines[first : last + 1]]
    talk.replies(latest[0], "nonsense-now")
    refused = talk.any_mail("ann")
    assert "\n".join(lines[first : last + 1]) in refused.text
    talk.replies(refused, f"{joiner.join(example)}\nHave fun!")
    assert f"You played {' '.join(example)}." in words_of(talk.any_mail("ann"))
    assert "> Have fun!" in talk.any_mail("bob").text


def test_lines_are_joined_only_where_they_are_one_turn(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    talk.replies(latest[0], "a2,b2,\nc2,c3\nA greeting")
    assert "You played a2,b2,c2,c3" in talk.any_mail("ann").text
    bobs = talk.any_mail("bob")
    assert "> A greeting" in bobs.text
    talk.replies(bobs, "d3,d4,e4,f4\nd4,e4")
    own = talk.any_mail("bob")
    assert "You played d3,d4,e4,f4" in own.text
    talk.any_mail("ann")


def test_what_binds_is_said_before_the_example(talk: Conversation) -> None:
    """And the number is that of the turn, however many moves each takes."""
    talk.signup("ann", "bob")
    latest = talk.challenge("spacecradles", "ann", "bob")
    latest = talk.plays(["e12-e11, end", "e1-e2, m-e1"], "ann", "bob", latest=latest)
    assert latest[0].subject.startswith("[spacecradles 1] your move (3), ")
    assert "You must bring your mothership in. Your only move is m-e12. Reply with" in words_of(
        latest[0]
    )
    latest = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4", "f6", "Qh5"], "ann", "bob", latest=latest)
    assert "You are in check. Your only move is g6. Reply with" in words_of(latest[1])
    assert latest[1].lines[0] == "Your move in 21 days: ann played Qh5+. It is your move (4)."
