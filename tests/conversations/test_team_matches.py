"""Matches of teams: many boards, one table."""

from __future__ import annotations

import pytest

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail, has_name


@pytest.mark.postgresql
def test_two_teams_meet_on_boards_by_strength(talk: Conversation) -> None:
    """Colours alternate; the table is the answer, a letter a week, and the last word."""
    people = ("ann", "bob", "carl", "dora")
    talk.signup(*people)
    make_team(talk, "rooks", "ann", "bob")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("bob", "hex challenge @rooks @knights --boards=2 -size=5")
    assert "a match is for the captain" in read(talk.everything(), "bob")
    talk.mails("ann", "hex challenge @rooks @knights --boards=2 -size=5")
    assert "your address alone is no proof that you lead a team" in read(talk.everything(), "ann")
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
    assert "teams take part in event 1, which their captains enter" in read(
        talk.everything(), "bob"
    )
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
        assert "    event leave 1\n" in find(talk.everything(), who).text
    talk.mails("dora", f"team leave knights dora {talk.password('dora')}")
    talk.everything()
    talk.passes(days=8)
    mails = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert readers(mails) == ["ann", "carl"]
    talk.mails("bob", "event pairings 1")
    shown = read(talk.everything(), "bob")
    lost = ("@rooks - @knights (no board): 1 - 0", "@knights - @rooks (no board): 0 - 1")
    assert any(f"{line}, forfeit" in shown for line in lost)


def start_match(talk: Conversation, *options: str) -> list[Mail]:
    """A match on two boards of the rooks, with eve as their reserve, against the knights; the mails
    of its boards."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_team(talk, "rooks", "ann", "bob", "eve")
    make_team(talk, "knights", "carl", "dora")
    talk.proves("ann", "team reserves rooks eve")
    named = talk.everything()
    assert readers(named) == ["ann", "bob", "eve"]
    assert "Reserves of @rooks are eve now" in read(named, "bob")
    assert "Members: bob. Reserves: eve." in read(named, "ann")
    talk.proves("ann", "team reserves rooks ann")
    assert "its captain is no reserve" in read(talk.everything(), "ann")
    line = "hex challenge @rooks @knights --boards=2 -size=5"
    talk.proves("ann", " ".join((line, *options)))
    return [mail for mail in talk.everything() if "new board" in mail.subject]


def test_a_reserve_goes_on_for_a_silent_member_by_the_captains_word(talk: Conversation) -> None:
    """All three are told before for whom the result counts; nothing changes until the reserve says
    yes, and then both teams are told."""
    mails = start_match(talk)
    assert readers(mails) == ["ann", "bob", "carl", "dora"]
    talk.replies(find(mails, "bob"), "handover eve")
    assert "that is for the captain, ann" in read(talk.everything(), "bob")
    for who in ("carl", "bob"):  # of the other team, and another board's player
        talk.proves("ann", f"hex handover 2 {who}")
        assert readers(talk.everything()) == ["ann"]
    talk.proves("carl", "hex handover 2 eve")
    assert "eve is not of the team" in read(talk.everything(), "carl")
    talk.proves("ann", "hex handover 2 eve")
    asked = talk.everything()
    assert readers(asked) == ["ann", "bob", "eve"]
    rule = "its result counts for whoever has the seat at the end, and not for who left it."
    for who in ("ann", "bob", "eve"):
        assert rule in read(asked, who), who
    assert "You have asked eve to go on for bob, who plays on until" in read(asked, "ann")
    assert "Ann, the captain, has asked eve to go on with your seat" in read(asked, "bob")
    assert "ann asks you to play" in read(asked, "eve")
    talk.replies(find(mails, "dora"), "c3")
    moved = talk.everything()
    talk.replies(find(asked, "eve"), "yes")
    told = talk.everything()
    assert readers(told) == ["bob", "dora", "eve"]
    assert "eve took over" in read(told, "dora")
    assert "You no longer play there" in read(told, "bob")
    assert rule in read(told, "bob")
    talk.replies(find(moved, "bob"), "b2")
    assert "the reply address is no longer valid" in read(talk.everything(), "bob")
    talk.replies(find(told, "eve"), "b2")
    assert "eve played b2" in read(talk.everything(), "dora")
    talk.mails("carl", "team show knights")
    assert "2 eve dora open" in read(talk.everything(), "carl")


def test_the_result_of_an_exchanged_board_is_rated_for_who_ends_it(talk: Conversation) -> None:
    """The points are the team's; who was taken off the board gains and loses nothing."""
    mails = start_match(talk)
    for who, move in (("dora", "c3"), ("bob", "b2")):
        talk.replies(find(mails, who), move)
        mails = talk.everything()
    talk.proves("ann", "hex handover 2 eve")
    talk.replies(find(talk.everything(), "eve"), "yes")
    told = talk.everything()
    talk.replies(find(told, "dora"), "d4")
    mails = talk.everything()
    talk.replies(find(mails, "eve"), "resign")
    talk.everything()
    talk.passes(days=1)
    talk.everything()
    talk.mails("ann", "hex ratings")
    listed = read(talk.everything(), "ann")
    assert "dora" in listed
    assert "eve" in listed
    assert not has_name(listed, "bob")


@pytest.mark.postgresql
def test_a_captain_exchanges_players_of_a_private_board_and_in_an_event(
    talk: Conversation,
) -> None:
    """The captain sees the private board of the match, whoever plays there."""
    start_match(talk, "--private")
    talk.proves("bob", "hex show 1")
    assert "there is no board with that number" in read(talk.everything(), "bob")
    talk.proves("ann", "hex show 2")
    assert "dora's turn" in read(talk.everything(), "ann")
    talk.proves("ann", "hex handover 2 eve")
    talk.replies(find(talk.everything(), "eve"), "yes")
    assert readers(talk.everything()) == ["bob", "dora", "eve"]
    talk.proves("ann", "event new teamleague hex --boards=2 --name=Cup -size=5")
    talk.everything()
    for who in ("ann", "carl"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
    talk.everything()
    talk.passes(days=8)
    mails = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert readers(mails) == ["ann", "bob", "carl", "dora"]
    number = find(mails, "bob").fact("Board")
    talk.proves("ann", f"hex handover {number} eve")
    talk.replies(find(talk.everything(), "eve"), "yes")
    told = talk.everything()
    assert readers(told) == ["bob", "dora", "eve"]
    talk.replies(find(told, "dora"), "resign")
    talk.everything()
    talk.passes(days=1)
    talk.everything()
    talk.mails("dora", "event standings 1")
    assert "1 @rooks 1 1 won, 0 drawn, 0 lost" in read(talk.everything(), "dora")


def test_a_reserve_fills_a_board_of_a_team_that_has_shrunk(talk: Conversation) -> None:
    """A reserve plays behind all others, whatever the rating."""
    start_match(talk)
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    talk.proves("ann", "hex challenge @rooks @knights --boards=2 -size=5")
    mails = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert readers(mails) == ["ann", "carl", "dora", "eve"]
    talk.proves("ann", "team reserves rooks none")
    assert "@rooks has no reserves now" in read(talk.everything(), "ann")


def test_nobody_from_outside_goes_on_for_a_late_player_of_a_team(talk: Conversation) -> None:
    mails = start_match(talk)
    talk.signup("fred")
    for who, move in (("ann", "c3"), ("carl", "b2")):
        talk.replies(find(mails, who), move)
        mails = talk.everything()
    talk.passes(days=29)
    late = [mail for mail in talk.everything() if "Please move by" in mail.text]
    assert "ann" in readers(late)
    assert not any("may go on with your seat" in mail.text for mail in late)
    talk.proves("fred", "hex takeover 1")
    assert "nobody has left a seat there" in read(talk.everything(), "fred")
    talk.replies(find(mails, "ann"), "d4")
    assert readers(talk.everything()) == ["ann", "carl"]


@pytest.mark.parametrize("options", ["--boards=2", "--decide=vote"])
def test_members_are_told_before_what_is_unfinished_is_decided(
    talk: Conversation, options: str
) -> None:
    """Three days before; each of their own boards, and a captain of all of the team."""
    talk.signup("ann", "bob", "carl", "dora", "eve")
    make_team(talk, "rooks", "ann", "bob", "eve")
    make_team(talk, "knights", "carl", "dora")
    line = f"event new teamleague hex --name=Cup -size=5 --ends=2026-03-26 {options}"
    talk.proves("ann", line)
    talk.everything()
    for who in ("ann", "carl"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
    talk.passes(days=8)
    talk.everything()
    if "boards" in options:  # ann leads the team, and does not play
        talk.proves("ann", "hex handover 1 eve")
        talk.replies(find(talk.everything(), "eve"), "yes")
        talk.everything()
    talk.passes(days=14)
    told = [mail for mail in talk.everything() if "unfinished boards end" in mail.subject]
    assert readers(told) == ["ann", "bob", "carl", "dora", "eve"]
    if "boards" in options:
        assert "hex 1 against carl" in read(told, "eve")
        assert "hex 2 against dora" in read(told, "bob")
        assert "hex 1, eve against carl hex 2, bob against dora" in read(told, "ann")
    else:
        assert "hex 1 against @knights" in read(told, "bob")


def test_the_tables_of_several_matches_come_in_one_mail_a_week(talk: Conversation) -> None:
    """A captain whose team meets two others at a time is written to once."""
    talk.signup("ann", "bob", "carl", "dora", "eve", "fred")
    for name, captain, member in (
        ("rooks", "ann", "bob"),
        ("knights", "carl", "dora"),
        ("pawns", "eve", "fred"),
    ):
        make_team(talk, name, captain, member)
    for name in ("knights", "pawns"):
        talk.proves("ann", f"hex challenge @rooks @{name} --boards=2 -size=5")
    talk.everything()
    talk.passes(days=7.5)
    weekly = [mail for mail in talk.everything() if "It stands at" in mail.text]
    assert readers(weekly) == ["ann", "bob", "carl", "dora", "eve", "fred"]
    assert find(weekly, "ann").subject == "[pbm] how your matches stand"
    said = read(weekly, "ann")
    for name in ("knights", "pawns"):
        assert f"Match of @rooks and @{name} in Hex" in said
    assert find(weekly, "dora").subject == "[pbm] match @rooks - @knights 0 : 0"
    assert "@pawns" not in read(weekly, "dora")
