"""Teams, and seats that several people hold: who decides, and who reads what."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail, has_name


def read(mails: list[Mail], who: str) -> str:
    """The text of somebody's one mail."""
    (mail,) = [mail for mail in mails if mail.address.startswith(f"{who}@")]
    return " ".join(mail.text.split())


def readers(mails: list[Mail]) -> list[str]:
    """Who has received one."""
    return sorted(mail.address.partition("@")[0] for mail in mails)


def find(mails: list[Mail], who: str) -> Mail:
    """Somebody's one mail."""
    (mail,) = [mail for mail in mails if mail.address.startswith(f"{who}@")]
    return mail


def make_team(talk: Conversation, name: str, captain: str, *others: str) -> None:
    """Make a team of these, who have accounts."""
    talk.mails(captain, f"team new {name} {captain} {talk.password(captain)}")
    if others:
        line = f"team invite {name} {' '.join(others)} {captain} {talk.password(captain)}"
        talk.mails(captain, line)
        mails = talk.everything()
        for who in others:
            talk.replies(find(mails, who), "yes")
            assert f"you are a member of @{name}" in read(talk.everything(), who).lower()


def start(talk: Conversation, *options: str) -> list[Mail]:
    """A board of chess of the rooks, ann, bob and carl, against dora; its first mails."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob", "carl")
    talk.proves("ann", " ".join(("chess challenge @rooks dora", *options)))
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob", "carl", "dora"]
    return mails


def test_who_declines_a_team_is_invited_no_longer(talk: Conversation) -> None:
    """Its captain alone hears of who joins."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "team invite rooks carl dora")
    mails = talk.everything()
    talk.replies(find(mails, "carl"), "yes")
    assert readers(talk.everything()) == ["ann", "carl"]
    talk.replies(find(mails, "dora"), "no")
    declined = talk.everything()
    assert "You have declined the invitation." in read(declined, "dora")
    talk.replies(find(mails, "dora"), "yes")
    assert "you have answered that already" in read(talk.everything(), "dora")
    talk.proves("ann", "team show rooks")
    said = read(talk.everything(), "ann")
    assert "Members: bob, carl." in said
    assert "Invited" not in said


def test_a_team_is_made_shown_and_left(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "bob")
    talk.mails("carl", "team show rooks")
    assert "@rooks is led by ann. Members: bob." in read(talk.everything(), "carl")
    talk.mails("carl", f"team join rooks carl {talk.password('carl')}")
    assert "you were not invited to @rooks" in read(talk.everything(), "carl")
    talk.mails("bob", f"team invite rooks carl bob {talk.password('bob')}")
    assert "that is for the captain of @rooks" in read(talk.everything(), "bob")
    talk.mails("ann", f"team captain rooks bob ann {talk.password('ann')}")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    talk.mails("bob", f"team say rooks bob {talk.password('bob')}", "Thursday, then.")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    assert "> Thursday, then." in read(mails, "ann")
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    mails = talk.everything()
    assert "@rooks is without bob now" in read(mails, "ann")
    talk.mails("ann", "team show rooks")
    assert "@rooks is led by ann" in read(talk.everything(), "ann")


@pytest.mark.parametrize("word", ["join", "Accept.", "ok, sure!"])
def test_the_verb_of_what_is_offered_is_a_yes(talk: Conversation, word: str) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("ann", f"team new rooks ann {talk.password('ann')}")
    talk.mails("ann", f"team invite rooks bob carl ann {talk.password('ann')}")
    asked = talk.everything()
    talk.replies(find(asked, "bob"), word)
    assert "You are a member of @rooks" in read(talk.everything(), "bob")
    talk.replies(find(asked, "carl"), "decline")
    assert "You have declined the invitation." in read(talk.everything(), "carl")
    talk.replies(find(asked, "bob"), "accept")
    assert "you have answered that already" in read(talk.everything(), "bob")


def test_the_captain_plays_and_the_others_propose(talk: Conversation) -> None:
    mails = start(talk)
    for who in ("ann", "bob", "carl"):
        assert "Your side, @rooks, is ann, bob and carl" in read(mails, who)
    assert "Your move in 21 days" in read(mails, "ann")
    assert "It is ann's turn (1)." in read(mails, "bob")
    assert "Your side" not in read(mails, "dora")
    assert "@rooks (white) against dora (black)" in read(mails, "dora")
    talk.replies(find(mails, "bob"), "e4\n\nThe best by test.")
    proposed = talk.everything()
    assert readers(proposed) == ["ann", "bob", "carl"]
    assert ": bob proposes e4." in read(proposed, "ann")
    assert "> The best by test." in read(proposed, "ann")
    talk.replies(find(proposed, "ann"), "d4\n\nGood luck!")
    played = talk.everything()
    assert readers(played) == ["ann", "bob", "carl", "dora"]
    assert "@rooks played d4" in read(played, "dora")
    assert "Good luck!" in read(played, "dora")
    assert "best by test" not in read(played, "dora")
    assert "@rooks played d4" in read(played, "bob")
    assert "You played d4" in read(played, "ann")


def test_talk_inside_reaches_the_members_alone(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(find(mails, "bob"), "team: let us play the Grob, g2g4")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "carl"]
    assert "> let us play the Grob, g2g4" in read(told, "carl")
    assert "Passed on to your own side alone, ann and carl" in read(told, "bob")
    talk.replies(find(told, "ann"), "d4")
    played = talk.everything()
    assert "Grob" in read(played, "carl")
    assert "Grob" not in read(played, "dora")
    talk.replies(find(played, "dora"), "team: I am lost")
    mails = talk.everything()
    assert readers(mails) == ["dora"]
    assert "you hold your seat on board 1 alone" in read(mails, "dora")
    talk.mails("dora", "chess export 1")
    assert "Grob" not in read(talk.everything(), "dora")
    talk.replies(find(played, "ann"), "resign")
    talk.everything()
    talk.clock.advance(seconds=4000)
    talk.mails("dora", "chess export 1")
    assert "Grob" in read(talk.everything(), "dora")


def test_a_mail_with_confer_is_for_the_own_side(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "hex challenge @rooks dora -size=5")
    talk.everything()
    talk.mails("bob", "hex confer 1 bob " + talk.password("bob"), "c3 it is")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    talk.proves("ann", "mydata ann")
    assert "c3 it is" not in read(talk.everything(), "ann")
    talk.mails("ann", f"hex confer 1 ann {talk.password('ann')}")
    assert "(1) bob: c3 it is" in read(talk.everything(), "ann")


def test_a_moderator_is_concerned_by_who_plays_against_the_own_party(talk: Conversation) -> None:
    """Also one who plays in a party against another one."""
    talk.appoint("mia", "max")
    talk.signup("ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "mia")
    make_team(talk, "knights", "bob", "carl")
    talk.proves("ann", "chess challenge @rooks @knights")
    talk.everything()
    for who, is_done in (("mia", False), ("max", True)):
        talk.mails(who, f"moderate {who} {talk.password(who)} silence carl 7", "because")
        told = read(talk.everything(), who)
        assert ("silence carl 7" in told) == is_done, told
        assert ("this concerns your opponent on an open board" in told) != is_done


def test_only_the_captain_resigns(talk: Conversation) -> None:
    mails = start(talk, "--decide=vote")
    talk.replies(find(mails, "bob"), "resign")
    refused = talk.everything()
    assert readers(refused) == ["bob"]
    assert "that is for ann to decide, the captain of @rooks" in read(refused, "bob")
    talk.replies(find(mails, "ann"), "decline")
    assert "@rooks declined" in read(talk.everything(), "dora")


def test_votes_are_counted_when_they_decide(talk: Conversation) -> None:
    mails = start(talk, "--decide=vote")
    talk.replies(find(mails, "bob"), "e4")
    voted = talk.everything()
    assert readers(voted) == ["ann", "bob", "carl"]
    assert "bob votes for e4" in read(voted, "ann")
    assert find(voted, "carl").text.startswith("Your move in 2 days: bob votes")
    talk.replies(find(mails, "dora"), "how much time is left?")
    assert "in 21 days" in read(talk.everything(), "dora")  # who knows of no vote
    talk.replies(find(voted, "ann"), "d4")
    assert readers(talk.everything()) == ["ann", "carl"]  # bob has voted
    talk.replies(find(voted, "carl"), "e2-e4")
    played = talk.everything()
    assert "@rooks played e4" in read(played, "dora")
    assert "votes for" not in read(played, "dora")


@pytest.mark.postgresql
def test_a_vote_ends_in_time_and_the_captain_breaks_a_tie(talk: Conversation) -> None:
    mails = start(talk, "--decide=vote")
    talk.replies(find(mails, "bob"), "e4")
    talk.everything()
    talk.replies(find(mails, "ann"), "d4")
    talk.everything()
    talk.passes(days=1)
    assert talk.everything() == []
    talk.passes(days=1.5)
    assert "@rooks played d4" in read(talk.everything(), "dora")


def test_they_play_in_turn(talk: Conversation) -> None:
    mails = start(talk, "--decide=turn")
    assert "It is for ann to play" in read(mails, "carl")
    talk.replies(find(mails, "carl"), "e4")
    assert readers(talk.everything()) == ["ann", "bob", "carl"]
    talk.replies(find(mails, "ann"), "e4")
    talk.replies(find(talk.everything(), "dora"), "e5")
    mails = talk.everything()
    assert "It is for bob to play" in read(mails, "carl")
    talk.replies(find(mails, "bob"), "Nf3")
    assert "@rooks played" in read(talk.everything(), "dora")


def test_whoever_answers_first_plays(talk: Conversation) -> None:
    mails = start(talk, "--decide=first")
    talk.replies(find(mails, "carl"), "e4")
    assert "@rooks played e4" in read(talk.everything(), "dora")
    talk.replies(find(mails, "bob"), "d4")
    assert readers(talk.everything()) == ["bob"]


def test_who_leaves_sees_and_does_no_more(talk: Conversation) -> None:
    mails = start(talk, "--decide=first")
    talk.mails("carl", f"team leave rooks carl {talk.password('carl')}")
    talk.everything()
    talk.replies(find(mails, "carl"), "e4")
    assert "played" not in read(talk.everything(), "carl")
    talk.replies(find(mails, "bob"), "e4")
    assert readers(talk.everything()) == ["ann", "bob", "dora"]


def test_a_challenge_without_proof_sleeps_until_the_captain_answers(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.mails("ann", "chess challenge @rooks dora --decide=first")
    asleep = talk.everything()
    assert readers(asleep) == ["ann"]
    talk.replies(find(asleep, "ann"), "accept")
    begun = talk.everything()
    assert readers(begun) == ["ann", "bob", "dora"]
    talk.replies(find(begun, "bob"), "e4")
    assert "@rooks played e4" in read(talk.everything(), "dora")


def test_nobody_plays_on_both_sides(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "bob")
    talk.proves("ann", "chess challenge @rooks @knights")
    assert "bob would play on both sides" in read(talk.everything(), "ann")


@pytest.mark.parametrize("sender", ["ann", "bob"])
def test_a_reply_address_is_one_members_alone(talk: Conversation, sender: str) -> None:
    mails = start(talk, "--decide=vote")
    talk.replies(find(mails, "carl"), "e4", who=sender)
    refused = talk.everything()
    assert "belongs to another address" in read(refused, sender)


def test_the_rating_is_the_teams(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(find(mails, "ann"), "d4")
    mails = talk.everything()
    talk.replies(find(mails, "dora"), "d5")
    mails = talk.everything()
    talk.replies(find(mails, "ann"), "resign")
    over = talk.everything()
    talk.clock.advance(seconds=4000)
    talk.mails("dora", "chess ratings")
    text = read(talk.everything(), "dora")
    assert "@rooks" in text
    assert not has_name(text, "ann")
    assert "@rooks resigned" in read(over, "bob")


def test_members_of_a_team_answer_a_message_under_their_own_userids(talk: Conversation) -> None:
    talk.signup("ann", "carl")
    talk.proves("ann", "team new rooks")
    talk.everything()
    talk.mails("carl", f"message carl {talk.password('carl')} @rooks", "Hello")
    talk.replies(find(talk.everything(), "ann"), "Hello yourself")
    assert "ann writes to you: > Hello yourself" in read(talk.everything(), "carl")


def test_a_reserve_holds_no_seat_until_the_captain_calls(talk: Conversation) -> None:
    """In a side that plays in turn, who is silent is exchanged for them, and reads no more."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob", "carl")
    talk.proves("bob", "team reserves rooks carl")
    assert "that is for the captain of @rooks" in read(talk.everything(), "bob")
    talk.proves("ann", "team reserves rooks carl")
    talk.everything()
    talk.proves("dora", "chess challenge dora @rooks --decide=turn")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob", "dora"]
    talk.replies(find(mails, "bob"), "handover carl ann")
    assert "you are not the captain" in read(talk.everything(), "bob")
    talk.replies(find(mails, "ann"), "handover carl bob")
    asked = talk.everything()
    assert readers(asked) == ["ann", "bob", "carl"]
    for who in ("ann", "bob", "carl"):
        rule = "Its result and its rating are those of @rooks, whoever plays for it."
        assert rule in read(asked, who), who
    talk.replies(find(asked, "carl"), "yes")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "carl", "dora"]
    assert "You no longer play there" in read(told, "bob")
    assert "Your side, @rooks, is ann and carl" in read(told, "carl")
    talk.replies(find(mails, "dora"), "e4")
    assert readers(talk.everything()) == ["ann", "carl", "dora"]


def test_the_next_member_leads_when_a_captain_closes_the_account(talk: Conversation) -> None:
    """All are told; the boards of the side go on with the new captain's word."""
    mails = start(talk)
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    asked = talk.everything()
    if "signoff" in asked[-1].text and "Code: " in asked[-1].text:
        talk.replies(asked[-1], f"confirm {asked[-1].line('Code: ')}")
        asked = talk.everything()
    told = [mail for mail in asked if "is led by bob now" in mail.text]
    assert readers(told) == ["bob", "carl"]
    talk.replies(find(mails, "bob"), "e4")
    assert "@rooks played e4" in read(talk.everything(), "dora")
    talk.proves("bob", "team invite rooks dora")
    assert "You have invited dora" in read(talk.everything(), "bob")


def test_members_replace_a_captain_of_whom_nothing_was_heard(talk: Conversation) -> None:
    """After two weeks, whatever their clocks do."""
    talk.signup("ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "bob", "carl")
    talk.proves("carl", "team captain rooks bob")
    assert "that is for the captain of @rooks" in read(talk.everything(), "carl")
    talk.passes(days=15)
    talk.everything()
    talk.proves("carl", "team captain rooks bob")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "carl"]
    assert "@rooks is led by bob now" in read(told, "ann")
