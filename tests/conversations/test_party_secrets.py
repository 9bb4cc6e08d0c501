"""What a party sees, plans and says reaches its members, and nobody else."""

from __future__ import annotations

import re
from email import message_from_bytes, policy

import pytest

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

WORDS = "the dragon sleeps at noon"


def link_of(mail: Mail) -> str:
    """The link of a seat in a mail."""
    return next(line for line in mail.lines if line.startswith("On the web: "))[12:]


def start(talk: Conversation, game: str) -> list[Mail]:
    """A board of the rooks, ann and bob, against dora, which carl watches; its first mails."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", f"{game} challenge @rooks dora --decide=vote")
    mails = talk.everything()
    if "accept" in read(mails, "dora") and "Invitation" in read(mails, "dora"):
        talk.replies(find(mails, "dora"), "accept")
        mails = talk.everything()
    talk.mails("carl", f"{game} watch 1 carl {talk.password('carl')}")
    talk.everything()
    return mails


def holds_secret(mails: list[Mail]) -> set[str]:
    """Who has received the words, or a vote."""
    return {
        mail.address.partition("@")[0]
        for mail in mails
        if WORDS in mail.text or "vote of" in mail.text.lower()
    }


def test_words_and_votes_reach_the_members_by_all_ways(talk: Conversation) -> None:
    """In mails, in what each may show, in records and in what each has of themselves."""
    mails = start(talk, "chess")
    talk.replies(find(mails, "bob"), f"e4\n\n{WORDS}")
    assert holds_secret(talk.everything()) == {"ann", "bob"}
    talk.replies(find(mails, "ann"), f"team: {WORDS}")
    assert holds_secret(talk.everything()) == {"ann", "bob"}
    for who in ("ann", "bob", "carl", "dora"):
        talk.mails(who, "chess show 1")
        assert holds_secret(talk.everything()) == set(), who
        talk.mails(who, f"chess showas {who} {talk.password(who)} 1")
        assert holds_secret(talk.everything()) == ({who} if who in ("ann", "bob") else set()), who
        talk.mails(who, "chess export 1")
        assert holds_secret(talk.everything()) == set(), who
        talk.mails(who, f"mydata {who} {talk.password(who)}")
        (mail,) = talk.everything()
        (kept,) = message_from_bytes(mail.raw, policy=policy.default).iter_attachments()
        assert (WORDS.encode() in kept.get_content()) is (who in ("ann", "bob")), who
    talk.replies(find(mails, "ann"), "e4")
    played = talk.everything()
    assert readers(played) == ["ann", "bob", "carl", "dora"]
    assert holds_secret(played) == {"ann", "bob"}
    talk.replies(find(played, "dora"), "e5")
    assert holds_secret(talk.everything()) <= {"ann", "bob"}


def test_words_for_the_own_side_below_a_move_go_nowhere(talk: Conversation) -> None:
    mails = start(talk, "chess")
    talk.replies(find(mails, "ann"), f"e4\n\nteam: mind b2\n{WORDS}")
    refused = talk.everything()
    assert readers(refused) == ["ann"]
    assert "what is for your own side stands alone" in read(refused, "ann")
    talk.replies(find(mails, "bob"), f"chat hello\nteam: {WORDS}")
    assert holds_secret(talk.everything()) <= {"ann", "bob"}


def test_who_has_left_is_shown_what_a_spectator_sees(talk: Conversation) -> None:
    mails = start(talk, "battleship")
    talk.mails("bob", f"battleship showas bob {talk.password('bob')} 1")
    seen = read(talk.everything(), "bob")
    assert "Your side, @rooks, is ann and bob" in seen
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    talk.mails("bob", f"battleship showas bob {talk.password('bob')} 1")
    assert "you do not play on board 1" in read(talk.everything(), "bob")
    talk.replies(find(mails, "bob"), "chat hello")
    assert readers(talk.everything()) == ["bob"]


def test_the_hidden_side_is_seen_by_each_member_alone(talk: Conversation) -> None:
    """Each member gets the position as the seat sees it; the opponent and watchers do not."""
    mails = start(talk, "darkchess")
    talk.replies(find(mails, "ann"), "e4")
    talk.everything()
    talk.replies(find(mails, "bob"), "e4")
    played = talk.everything()
    assert readers(played) == ["ann", "bob", "carl", "dora"]

    def picture(who: str) -> list[str]:
        """The rows of the board in a mail."""
        return [line for line in find(played, who).lines if re.match(r"\s*[1-8]  ", line)]

    assert picture("ann") == picture("bob")
    assert picture("ann") != picture("dora")
    for who in ("carl", "dora"):
        assert "e4" not in find(played, who).text, who
        assert picture(who) != picture("ann"), who
    talk.mails("bob", f"darkchess showas bob {talk.password('bob')} 1")
    assert "e4" in read(talk.everything(), "bob")
    talk.mails("carl", f"darkchess showas carl {talk.password('carl')} 1")
    assert "you do not play on board 1" in read(talk.everything(), "carl")


@pytest.mark.config(web={"url": HOST})
def test_the_pages_of_a_seat_are_for_its_members(talk: Conversation, visitor: Visitor) -> None:
    mails = start(talk, "chess")
    pages = {who: visitor.get(link_of(find(mails, who))) for who in ("ann", "bob", "dora")}
    assert "Write to your own side alone" in pages["bob"].text
    assert "your own side" not in pages["dora"].text
    done = visitor.send(pages["bob"], pages["bob"].form("confer"), text=WORDS)
    assert "Passed on to your own side." in done.text
    assert readers(talk.everything()) == ["ann", "bob"]
    shown = {who: visitor.get(link_of(find(mails, who))) for who in ("ann", "bob", "dora")}
    assert {who for who, page in shown.items() if WORDS in page.text} == {"ann", "bob"}
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    assert visitor.get(link_of(find(mails, "bob"))).status == 404
