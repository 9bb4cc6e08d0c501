"""What one member of a side may not do for the others, and what nobody else may see of a side."""

from __future__ import annotations

from tests.conversations.test_parties import find, make_team, read, readers, start
from tests.harness.conversation import Conversation


def prefers(talk: Conversation, who: str, wish: str) -> None:
    """Somebody sets a preference."""
    talk.proves(who, f"set {wish}")
    assert wish in read(talk.everything(), who)


def test_who_confirms_each_move_votes_and_proposes_all_the_same(talk: Conversation) -> None:
    """It is shown to them alone, and their own yes sends it."""
    mails = start(talk, "--decide=vote")
    prefers(talk, "bob", "confirm=yes")
    talk.replies(find(mails, "bob"), "e4")
    shown = talk.everything()
    assert readers(shown) == ["bob"]
    assert "Nothing is played yet" in read(shown, "bob")
    talk.replies(find(mails, "carl"), "confirm")
    assert "you have not submitted a move" in read(talk.everything(), "carl")
    talk.replies(find(shown, "bob"), "yes")
    voted = talk.everything()
    assert readers(voted) == ["ann", "bob", "carl"]
    assert "bob votes for e4" in read(voted, "ann")


def test_nobody_confirms_what_another_member_holds(talk: Conversation) -> None:
    mails = start(talk, "--decide=first")
    talk.replies(find(mails, "bob"), "submit e4")
    assert readers(talk.everything()) == ["bob"]
    talk.replies(find(mails, "carl"), "confirm")
    mails = talk.everything()
    assert readers(mails) == ["carl"]
    assert "you have not submitted a move" in read(mails, "carl")


def test_a_captain_plans_nothing_past_the_votes_of_the_others(talk: Conversation) -> None:
    mails = start(talk, "--decide=vote")
    for who in ("ann", "bob"):
        talk.replies(find(mails, who), "e4")
    mails = [mail for mail in talk.everything() if "played e4" in mail.text]
    for line in ("queue Nf3", "if e5 then Nf3"):
        talk.replies(find(mails, "ann"), line)
        refused = talk.everything()
        assert readers(refused) == ["ann"]
        assert "your side decides each move together" in read(refused, "ann")
    talk.replies(find(mails, "dora"), "e5")
    assert "@rooks played" not in read(talk.everything(), "dora")


def test_one_member_who_wants_forced_moves_has_none_played_for_all(talk: Conversation) -> None:
    """The only move is played for who wants that, and a side is not asked."""
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    prefers(talk, "bob", "forced=yes")
    talk.proves("ann", "chess challenge dora @rooks --decide=first")
    mails = talk.everything()
    for who, move in (("dora", "e4"), ("bob", "f5")):
        talk.replies(find(mails, who), move)
        mails = talk.everything()
    talk.replies(find(mails, "dora"), "Qh5")
    mails = talk.everything()
    assert "only move" not in read(mails, "dora")
    assert "It is your move" in read(mails, "bob")


def test_time_and_a_rematch_are_for_the_captain_to_give(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(find(mails, "bob"), "time 5")
    refused = talk.everything()
    assert readers(refused) == ["bob"]
    assert "that is for ann to decide, the captain of @rooks" in read(refused, "bob")
    talk.replies(find(mails, "ann"), "e4")
    mails = talk.everything()
    talk.replies(find(mails, "dora"), "resign")
    mails = talk.everything()
    talk.replies(find(mails, "bob"), "rematch")
    refused = talk.everything()
    assert readers(refused) == ["bob"]
    assert "that is for ann to decide" in read(refused, "bob")
    talk.replies(find(mails, "ann"), "rematch")
    assert readers(talk.everything()) == ["ann", "bob", "carl", "dora"]


def test_a_private_match_and_its_boards_are_for_the_members(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("ann", "hex challenge @rooks @knights --boards=2 --private -size=5")
    talk.proves("ann", "hex challenge @rooks @knights --private -size=5 --decide=first")
    talk.everything()
    talk.proves("bob", "hex move 3 c3")
    assert readers(talk.everything()) == ["ann", "bob", "carl", "dora"]
    talk.proves("eve", "hex show 3")
    assert "there is no board with that number" in read(talk.everything(), "eve")
    for team in ("rooks", "knights"):
        talk.mails("eve", f"team show {team}")
        said = read(talk.everything(), "eve")
        assert "hex show" not in said
        assert "Match of" not in said
    talk.proves("bob", "team show rooks")
    said = read(talk.everything(), "bob")
    assert "hex show 3" in said
    assert "Match of @rooks and @knights" in said


def test_who_is_asked_to_go_on_with_a_private_seat_sees_it_then(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    mails = talk.challenge("hex", "ann", "bob", options="-size=5 --private --unrated")
    talk.replies(mails[0], "handover dora")
    asked = talk.everything()
    talk.replies(find(asked, "dora"), "yes")
    told = talk.everything()
    assert readers(told) == ["ann", "bob", "dora"]
    assert "dora took over" in read(told, "bob")
    talk.replies(find(told, "dora"), "c3")
    assert "dora played c3" in read(talk.everything(), "bob")


def test_a_captain_accepts_for_the_side(talk: Conversation) -> None:
    """An invitation reaches all; a word of the captain's settles it, and nobody else's."""
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("dora", "hex challenge dora @rooks -size=5 --forfeit=5 --decide=vote")
    asked = talk.everything()
    assert readers(asked) == ["ann", "bob", "dora"]
    talk.replies(find(asked, "bob"), "accept")
    assert "that is for ann to decide" in read(talk.everything(), "bob")
    talk.replies(find(asked, "ann"), "accept")
    begun = talk.everything()
    assert readers(begun) == ["ann", "bob", "dora"]
    talk.replies(find(begun, "dora"), "c3")
    assert "dora played c3" in read(talk.everything(), "bob")
