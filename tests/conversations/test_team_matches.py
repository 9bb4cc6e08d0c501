"""Matches of teams: many boards, one table."""

from __future__ import annotations

import pytest

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


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


def enter_on_boards(talk: Conversation, kind: str, *options: str) -> list[Mail]:
    """Two teams of two in an event on two boards, which has begun; the mails of its boards."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    make_team(talk, "pawns", "eve")
    talk.proves("ann", " ".join((f"event new {kind} hex --boards=2 --name=Cup -size=5", *options)))
    assert "of teams on 2 boards" in read(talk.everything(), "ann")
    talk.mails("eve", f"event enter 1 eve {talk.password('eve')}")
    assert "a team needs 2 members" in read(talk.everything(), "eve")
    for who in ("ann", "carl"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
    talk.everything()
    talk.passes(days=8)
    return [mail for mail in talk.everything() if "new board" in mail.subject]


@pytest.mark.postgresql
def test_teams_meet_in_a_league_on_boards_of_single_members(talk: Conversation) -> None:
    """Colours alternate, each board counts for the team, and the match has its weekly table."""
    mails = enter_on_boards(talk, "teamleague")
    assert readers(mails) == ["ann", "bob", "carl", "dora"]
    pairs = {mail.fact("Players") for mail in mails}
    assert pairs in ({"ann carl", "dora bob"}, {"carl ann", "bob dora"})  # by lot
    titles = ("@rooks - @knights, 2", "@knights - @rooks, 2")
    assert any(title in read(mails, "bob") for title in titles)
    talk.passes(days=7)
    tables = [mail for mail in talk.everything() if "It stands at" in mail.text]
    assert readers(tables) == ["ann", "bob", "carl", "dora"]
    talk.replies(find(mails, "dora"), "resign")
    talk.everything()
    talk.passes(days=1)
    talk.everything()
    talk.mails("eve", "event standings 1")
    shown = read(talk.everything(), "eve")
    assert "1 @rooks 1 1 won, 0 drawn, 0 lost" in shown
    assert "2 @knights 0 0 won, 0 drawn, 1 lost" in shown


def test_a_level_match_of_a_knockout_is_decided_by_the_first_of_both(talk: Conversation) -> None:
    mails = enter_on_boards(talk, "teamknockout")
    for who in ("ann", "dora"):
        talk.replies(find(mails, who), "resign")
    talk.everything()
    talk.passes(days=1)
    decides = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert readers(decides) == ["bob", "carl"]  # who have won
    assert "are level after 2 boards, and this one decides" in read(decides, "bob")
    talk.replies(find(decides, "carl"), "resign")
    talk.passes(days=1)
    ends = [mail for mail in talk.everything() if "Cup is over" in mail.subject]
    assert readers(ends) == ["ann", "carl"]
    assert "you are number 1 of 2" in read(ends, "ann").lower()


def test_a_team_that_has_shrunk_loses_the_boards_it_cannot_fill(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("ann", "event new teamleague hex --boards=2 --name=Cup -size=5")
    talk.everything()
    for who in ("ann", "carl"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
    talk.mails("dora", f"team leave knights dora {talk.password('dora')}")
    talk.everything()
    talk.passes(days=8)
    mails = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert readers(mails) == ["ann", "carl"]
    talk.mails("bob", "event pairings 1")
    shown = read(talk.everything(), "bob")
    lost = ("@rooks - @knights (no board): 1 - 0", "@knights - @rooks (no board): 0 - 1")
    assert any(f"{line}, forfeit" in shown for line in lost)
