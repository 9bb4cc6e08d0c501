"""Matches of teams: many boards, one table."""

from __future__ import annotations

import pytest

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
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


def test_one_player_takes_on_many(talk: Conversation) -> None:
    """Each who joins gets a board, on which the host moves first; then the offer is closed."""
    talk.signup("ann", "bob", "carl", "dora")
    talk.mails("ann", f"hex simul ann {talk.password('ann')} --boards=2 -size=5")
    assert "You take on up to 2 players in Hex" in read(talk.everything(), "ann")
    for number, who in enumerate(("bob", "carl"), 1):
        talk.mails(who, f"hex join 1 {who} {talk.password(who)}")
        mails = talk.everything()
        assert readers(mails) == [who]
        assert f"board {number} of 2 of the simul of ann" in read(mails, who)
    talk.mails("dora", f"hex join 1 dora {talk.password('dora')}")
    assert "no open offer with that number" in read(talk.everything(), "dora")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} c3")
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}")
    talk.everything()
    talk.mails("ann", f"hex simul ann {talk.password('ann')}")
    table = talk.everything()
    assert "It stands at 1 : 0." in read(table, "ann")
    assert "  1  ann                  bob                  1 : 0     hex show 1" in table[0].text


def test_teams_enter_an_event_by_their_captains(talk: Conversation) -> None:
    """Its boards are held by the teams; the table names them, and what is told goes to captains."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("ann", "event new teamknockout hex --max=2 -size=5")
    assert "knockout of teams" in read(talk.everything(), "ann")
    talk.mails("bob", f"event enter 1 bob {talk.password('bob')}")
    assert "teams take part in event 1: its captain enters one" in read(talk.everything(), "bob")
    for who in ("ann", "carl"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
    talk.passes(days=1)
    mails = [mail for mail in talk.everything() if mail.subject.startswith("[hex 1]")]
    assert readers(mails) == ["ann", "bob", "carl", "dora"]
    assert "Your side, @rooks, is ann and bob" in read(mails, "bob")
    talk.mails("dora", "event show 1")
    shown = read(talk.everything(), "dora")
    assert "@rooks" in shown
    assert "@knights" in shown
