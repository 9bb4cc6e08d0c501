"""Matches of a club against another town: its captain enters a team by addresses, and its players
see the boards of the match and nothing else of the server."""

from __future__ import annotations

import re

import pytest

from pbm.core.fsck import find_differences
from tests.conversations.test_clubs import make_club, sign
from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail, has_name
from tests.harness.visitor import HOST, Visitor

CLEO, DION = "cleo@far.example", "dion@far.example"


def invite_captain(talk: Conversation) -> Mail:
    """Make the club rooks with the team @rooks of ann and bob, and have ann invite cleo, of another
    town, to a match; the mail to her."""
    talk.signup("ann", "bob", "carl", "eve")
    make_club(talk, "rooks", "ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "bob")
    line = f"club match rooks hex {CLEO} @rooks ann {talk.password('ann')} --boards=3 -size=5"
    talk.mails("ann", line)
    mails = talk.everything()
    assert readers(mails) == ["ann", "cleo"]
    assert "against another town: 3 boards of Hex." in read(mails, "ann")
    return find(mails, "cleo")


def begin_match(talk: Conversation) -> list[Mail]:
    """Have cleo enter @knights, of her and dion, and begin; the mails with which the boards do."""
    talk.replies(invite_captain(talk), "cleo")
    welcome = find(talk.everything(), "cleo")
    talk.replies(welcome, f"club enter 1 knights\n\n{DION}\n{DION}")
    talk.replies(find(talk.everything(), "dion"), "dion")
    talk.everything()
    talk.replies(welcome, "club begin 1")
    return [mail for mail in talk.everything() if mail.subject.startswith("[hex")]


@pytest.mark.postgresql
def test_a_captain_enters_a_team_by_a_list_of_addresses(talk: Conversation) -> None:
    """Each gets one invitation, which says what for; who answers is a guest."""
    mail = invite_captain(talk)
    assert mail.subject == "[pbm] ann invites you to a match of clubs by mail"
    assert "a match against the club rooks: 3 boards of Hex" in " ".join(mail.text.split())
    talk.replies(mail, "cleo")
    mails = talk.everything()
    assert readers(mails) == ["ann", "cleo"]
    welcome = find(mails, "cleo")
    assert "You see the boards of this match, and nothing else" in read(mails, "cleo")
    assert "cleo has come as a guest to match 1" in read(mails, "ann")
    talk.replies(welcome, "club begin 1")
    assert "has not entered a team yet" in read(talk.everything(), "cleo")
    talk.replies(welcome, f"club enter 1 knights\n\n{DION}\nfred@far.example")
    mails = talk.everything()
    assert readers(mails) == ["cleo", "dion", "fred"]
    asked = read(mails, "dion")
    assert "a match of @knights against the club rooks: 3 boards of Hex" in asked
    assert CLEO not in asked
    talk.replies(welcome, f"club enter 1\n\n{DION}")
    assert readers(talk.everything()) == ["cleo"]
    talk.replies(find(mails, "fred"), "no")
    assert talk.everything() == []
    talk.replies(find(mails, "dion"), "yes")
    mails = talk.everything()
    assert readers(mails) == ["ann", "dion"]
    sign(talk, "ann", "club match 1")
    assert "Of the guests have come: cleo, dion." in read(talk.everything(), "ann")
    sign(talk, "eve", "club match 1")
    assert "you have no part in a match of clubs" in read(talk.everything(), "eve")
    sign(talk, "ann", "club begin 1")
    mails = talk.everything()
    assert readers(mails) == ["ann", "ann", "bob", "cleo", "dion"]
    assert "[hex 1] new board: ann, cleo" in [mail.subject for mail in mails]
    assert "[hex 2] new board: dion, bob" in [mail.subject for mail in mails]
    sign(talk, "ann", "club begin 1")
    assert "match 1 has begun" in read(talk.everything(), "ann")
    with talk.server.store.reading() as session:
        assert [*find_differences(session)] == []


@pytest.mark.config(limits={"unproved_a_day": 0}, web={"url": "http://games.example"})
def test_a_guest_sees_the_boards_of_the_match_and_nothing_else(talk: Conversation) -> None:
    mails = begin_match(talk)
    talk.challenge("hex", "carl", "eve")
    talk.proves("carl", "hex challenge carl bob --club=rooks --private -size=4")
    talk.everything()
    board = find(mails, "dion")
    for line in ("show 1", "hex show 2"):
        talk.replies(board, line)
        assert "board" in find(talk.everything(), "dion").text, line
    for line in (
        "hex show 3",
        "hex show 4",
        "hex export 4",
        "hex export 3",
        "hex watch 3",
        "hex preview 3 a1",
        "hex analyse 3",
    ):
        talk.mails(DION, line)
        said = read(talk.everything(), "dion")
        assert not has_name(said, "carl"), line
        talk.replies(board, line)
        said = read(talk.everything(), "dion")
        assert not has_name(said, "carl"), line
    for line in (
        "players",
        "list",
        "hex list",
        "games carl",
        "hex games carl",
        "hex show carl",
        "all show carl",
        "who carl",
        "stats carl eve",
        "seeks",
        "events",
        "clubs",
        "club show rooks",
        "team show rooks",
        "rating carl",
        "hex ratings",
        "hex history",
        "find carl",
        "openings hex",
        "hex challenge dion carl",
        "hex seek",
        "hex join 1",
        "event enter 1",
        "club join rooks",
        "team join rooks",
        "message carl",
        "broadcast",
        "invite friend@far.example",
        "team new spies",
        "rematch",
    ):
        talk.mails(DION, line)
        talk.replies(board, line)
        for mail in talk.everything():
            assert mail.address == DION, line
            assert "Not done:" in mail.text, line
            assert "eve" not in re.findall(r"\w+", mail.text.replace(line, "")), line


def test_nobody_hears_of_a_guest(talk: Conversation) -> None:
    """They are in no list of players, get no announcements and no challenges."""
    begin_match(talk)
    talk.mails("eve", "players")
    assert "cleo" not in read(talk.everything(), "eve")
    sign(talk, "eve", "broadcast", "Hello, all.")
    assert readers(talk.everything()) == ["ann", "bob", "carl", "eve"]
    talk.proves("eve", "hex challenge eve cleo")
    assert "there is no player" in read(talk.everything(), "eve")
    for line in ("hex show 1", "team show knights", "team show rooks", "all show cleo"):
        talk.mails("eve", line)
        assert "hex show 1" not in read(talk.everything(), "eve"), line
    talk.mails("carl", "hex show 1")
    assert "ann" in read(talk.everything(), "carl")
    talk.mails("carl", "club show rooks")
    assert "Match of @rooks and @knights in Hex" in read(talk.everything(), "carl")


@pytest.mark.config(trust={"newcomer": 13})
def test_invitations_of_a_newcomer_wait_for_a_moderator(talk: Conversation) -> None:
    """As all of a player's do: the address hears nothing, the officer that it waits."""
    talk.signup("ann", "bob")
    make_club(talk, "rooks", "ann", "bob")
    make_team(talk, "rooks", "ann", "bob")
    sign(talk, "ann", f"club match rooks hex {CLEO} @rooks")
    mails = talk.everything()
    assert readers(mails) == ["ann"]
    assert "1 invitation waits for a moderator." in read(mails, "ann")


@pytest.mark.config(web={"url": HOST})
def test_the_own_pages_of_a_guest_are_those_of_the_match(
    talk: Conversation, visitor: Visitor
) -> None:
    board = find(begin_match(talk), "dion")
    talk.challenge("hex", "carl", "eve")
    talk.replies(board, "mine")
    home = talk.any_mail(DION).line("On the web: ")
    page = visitor.get(home)
    assert "hex" in page.says.lower()
    assert not has_name(page.says, "carl")
    assert visitor.get(f"{home}/board/1").status == 200
    for path in ("board/3", "begin", "events", "find", "player/carl", "game/hex", "club/rooks"):
        assert visitor.get(f"{home}/{path}").status == 404, path
    inside = visitor.get(f"{talk.home('bob')}/club/rooks")
    assert "Match of @rooks and @knights in Hex It stands at 0 : 0. ann - cleo" in inside.says
    assert "Match of @rooks" not in visitor.get("/club/rooks").says


@pytest.mark.config(web={"url": HOST})
def test_a_match_stands_on_the_page_of_the_club_for_its_members(
    talk: Conversation, visitor: Visitor
) -> None:
    begin_match(talk)
    home = talk.home("carl")
    page = visitor.get(f"{home}/club/rooks")
    assert "Match of @rooks and @knights in Hex It stands at 0 : 0." in page.says
    link = next(url for url in page.links if url.endswith("/board/1"))
    assert visitor.follow(page, link).status == 200
    for url in (f"{HOST}/club/rooks", f"{talk.home('eve')}/club/rooks"):
        assert "knights" not in visitor.get(url).says


def test_a_guest_stays_as_a_player(talk: Conversation) -> None:
    """The board goes on under the same name; members of the club invite them as anybody else."""
    board = find(begin_match(talk), "dion")
    talk.replies(board, "players")
    refused = find(talk.everything(), "dion")
    assert "To become one, reply with club stay" in " ".join(refused.text.split())
    talk.replies(refused, "club stay")
    refused = find(talk.everything(), "dion")  # a board's address is for the board
    talk.replies(refused, "club stay")
    assert "Welcome, dion!" in read(talk.everything(), "dion")
    talk.mails(DION, "hex show carl")
    assert "carl" in read(talk.everything(), "dion")
    talk.replies(refused, "club stay")
    assert "you are a player of this server already" in read(talk.everything(), "dion")
    sign(talk, "ann", "club invite rooks dion")
    assert readers(talk.everything()) == ["ann", "dion"]
    talk.replies(board, "c3")
    assert any("c3" in mail.text for mail in talk.everything())
