"""Matches of teams: many boards, one table."""

from __future__ import annotations

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation


def test_two_teams_meet_on_boards_by_strength(talk: Conversation) -> None:
    """Colours alternate; the table is the answer, a letter a week, and the last word."""
    people = ("ann", "bob", "carl", "dora")
    talk.signup(*people)
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("bob", "hex challenge @rooks @knights --boards=2 -size=5")
    assert "a match is for the captain" in read(talk.everything(), "bob")
    talk.proves("ann", "hex challenge @rooks @knights --boards=3 -size=5")
    assert "these teams can play on 2 boards at most" in read(talk.everything(), "ann")
    talk.proves("ann", "hex challenge @rooks @knights --boards=2 -size=5")
    mails = talk.everything()
    assert readers(mails) == ["ann", "ann", "bob", "carl", "dora"]
    table = next(mail for mail in mails if "It stands at 0 : 0." in mail.text)
    assert table.address.startswith("ann@")
    assert "  1  ann                  carl                 open      hex show 1" in table.text
    assert "  2  bob                  dora                 open      hex show 2" in table.text
    assert "[hex 1] new board: ann, carl" in [mail.subject for mail in mails]
    assert "[hex 2] new board: dora, bob" in [mail.subject for mail in mails]
    assert "@rooks - @knights, 2" in read(mails, "bob")
    talk.passes(days=7.5)
    weekly = [mail for mail in talk.everything() if "It stands at" in mail.text]
    assert readers(weekly) == sorted(people)
    for number, first, second in ((1, "ann", "carl"), (2, "dora", "bob")):
        talk.mails(first, f"hex move {number} {first} {talk.password(first)} c3")
        talk.mails(second, f"hex resign {number} {second} {talk.password(second)}")
    talk.everything()
    talk.mails("carl", "team show knights")
    shown = find(talk.everything(), "carl").text
    assert "  1  ann                  carl                 1 : 0     hex show 1" in shown
    talk.passes(days=0.5)
    last = talk.everything()
    assert readers(last) == sorted(people)
    assert "It is over: 1 : 1." in read(last, "dora")
    talk.passes(days=15)
    assert talk.everything() == []
