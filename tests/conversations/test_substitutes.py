"""Seats that another player goes on with: handed over, or left."""

from __future__ import annotations

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation


def test_a_seat_is_handed_over_once_the_others_agree(talk: Conversation) -> None:
    """Before they do nothing changes; both are told for whom the result counts."""
    talk.signup("ann", "bob", "dora")
    mails = talk.challenge("hex", "ann", "bob", options="-size=5")
    talk.replies(mails[0], "c3")
    mails = talk.everything()
    talk.replies(find(mails, "bob"), "handover dora")
    asked = talk.everything()
    assert readers(asked) == ["bob", "dora"]
    rule = "its result counts for whoever has the seat at the end, and not for who left it"
    assert rule in read(asked, "bob")
    assert "You have asked dora to go on with your seat; until they agree" in read(asked, "bob")
    assert rule in read(asked, "dora")
    assert read(asked, "dora").startswith("bob asks you to play")
    talk.replies(find(asked, "dora"), "yes")
    asked = talk.everything()
    assert readers(asked) == ["ann", "bob", "dora"]
    assert "You go on with the seat once this has the consent of ann" in read(asked, "dora")
    assert "dora proposes to play on for bob. Reply with one of these: accept" in read(asked, "ann")
    talk.mails("bob", f"hex pause 1 bob {talk.password('bob')} until 2026-03-20")
    both = read(talk.everything(), "ann")
    assert "dora proposes to play on for bob." in both
    assert "bob proposes that all clocks stand still until 2026-03-20." in both
    talk.mails("ann", f"hex accept 1 ann {talk.password('ann')}")
    refused = read(talk.everything(), "ann")
    assert "there is more than one proposal" in refused
    assert "hex pause 1 ann PASSWORD until 2026-03-20" in refused
    assert "hex takeover" not in refused
    talk.mails("ann", f"hex pause 1 ann {talk.password('ann')} until 2026-03-20")
    asked = talk.everything()
    assert "stand still until 2026-03-20" in read(asked, "bob")
    talk.replies(find(asked, "ann"), "accept")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "dora"]
    assert "dora took over" in read(told, "ann")
    assert "You no longer play there" in read(told, "bob")
    talk.mails("bob", f"hex move 1 bob {talk.password('bob')} b2")
    assert "you do not play on board 1" in read(talk.everything(), "bob")
    talk.replies(find(told, "dora"), "b2")
    mails = talk.everything()
    assert "dora played b2" in read(mails, "ann")
    talk.replies(find(mails, "ann"), "resign")
    assert "go on with your seat" not in read(talk.everything(), "ann")


def test_the_others_may_say_no(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    talk.challenge("hex", "ann", "bob", options="-size=5")
    talk.mails("ann", f"hex handover 1 ann {talk.password('ann')} dora")
    talk.replies(find(talk.everything(), "dora"), "yes")
    talk.replies(find(talk.everything(), "bob"), "reject")
    mails = talk.everything()
    assert "bob does not want the seat to be taken over" in read(mails, "ann")
    assert talk.waiting("dora") == 0
    talk.replies(find(mails, "ann"), "c3")
    assert "ann played c3" in read(talk.everything(), "bob")


def test_an_unrated_seat_of_a_late_player_is_taken_over_at_once(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    mails = talk.agreed("hex", "ann", "bob", options="-size=5 --unrated --forfeit=10")
    talk.mails("dora", f"hex takeover 1 dora {talk.password('dora')}")
    assert "nobody has left a seat there" in read(talk.everything(), "dora")
    talk.replies(mails[0], "c3")
    talk.everything()
    talk.passes(days=9)
    late = [mail for mail in talk.everything() if mail.address.startswith("bob@")][-1].text
    assert "Until you do, another player may go on with your seat." in late
    assert "The result is that of whoever has the seat at the end." in late
    talk.mails("dora", f"hex takeover 1 dora {talk.password('dora')}")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "dora"]
    talk.passes(days=5)
    assert all("ran out of time" not in mail.text for mail in talk.everything())
    talk.replies(find(told, "dora"), "b2")
    assert "dora played b2" in read(talk.everything(), "ann")


def test_who_said_that_they_would_be_away_keeps_the_seat(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    mails = talk.agreed("hex", "ann", "bob", options="-size=5 --unrated --forfeit=10")
    talk.replies(mails[0], "c3")
    talk.passes(days=8.5)
    talk.proves("bob", "vacation 2026-03-11 2026-03-20")
    talk.passes(days=1)
    talk.everything()
    talk.proves("dora", "hex takeover 1")
    assert "nobody has left a seat there" in read(talk.everything(), "dora")


def test_a_seat_of_three_that_has_just_been_left_is_taken_over(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    mails = talk.challenge("cradle", "ann", "bob", "carl", options="--unrated")
    talk.replies(mails[0], "b1,c1,d1,d2")
    talk.replies(find(talk.everything(), "bob"), "resign")
    left = talk.everything()
    rule = "another player may go on with your seat: the result is that of whoever has the seat"
    assert rule in read(left, "bob")
    assert "go on with" not in read(left, "ann")
    talk.mails("dora", f"cradle takeover 1 dora {talk.password('dora')}")
    told = talk.everything()
    assert readers(told) == ["ann", "carl", "dora"]
    assert "dora took over" in read(told, "ann")
    talk.replies(find(told, "dora"), "resign")
    assert "dora resigned" in read(talk.everything(), "carl")
    talk.mails("ann", "cradle show 1")
    assert "dora" in read(talk.everything(), "ann")


def test_a_member_passes_on_their_own_place(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "hex challenge @rooks carl -size=5 --decide=first")
    mails = talk.everything()
    talk.replies(find(mails, "ann"), "handover dora")
    talk.replies(find(talk.everything(), "dora"), "yes")
    told = talk.everything()
    assert "Your side, @rooks, is dora and bob" in read(told, "bob")
    talk.replies(find(mails, "ann"), "c3")
    assert readers(talk.everything()) == ["ann"]
    talk.replies(find(told, "dora"), "c3")
    assert readers(talk.everything()) == ["bob", "carl", "dora"]


def test_who_has_left_a_hidden_side_takes_no_other(talk: Conversation) -> None:
    """They have seen what that one must not; the seat that they left may be theirs again."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_team(talk, "rooks", "ann", "carl")
    talk.proves("ann", "darkchess challenge @rooks bob --unrated --decide=first")
    mails = talk.everything()
    talk.mails("carl", f"team leave rooks carl {talk.password('carl')}")
    talk.replies(find(mails, "ann"), "handover dora")
    asked = talk.everything()
    talk.replies(next(each for each in asked if "asks you to play" in each.text), "yes")
    for who, move in (("dora", "e4"), ("bob", "e5"), ("dora", "d4")):
        mails = talk.everything()
        talk.replies(find(mails, who), move)
    talk.everything()
    talk.passes(days=29)
    talk.everything()
    for who in ("ann", "carl"):
        talk.proves(who, "darkchess takeover 1")
        refused = read(talk.everything(), who)
        assert "you have seen what is hidden from this seat" in refused
    talk.replies(find(mails, "dora"), "handover ann")
    talk.replies(next(m for m in talk.everything() if m.address.startswith("ann@")), "yes")
    assert "Your side, @rooks, is ann" in read(talk.everything(), "ann")
    talk.proves("eve", "darkchess takeover 1")
    assert "eve took over" in read(talk.everything(), "ann")
