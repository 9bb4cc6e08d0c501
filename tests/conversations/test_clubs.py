"""Clubs: who belongs to one, its boards, ratings, events and offers, and who may see them."""

from __future__ import annotations

import pytest

from tests.conversations.test_parties import find, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import has_name
from tests.harness.visitor import HOST, Visitor


def sign(talk: Conversation, who: str, line: str, body: str = "") -> None:
    """Send a command of a club, signed."""
    talk.mails(who, f"{line} {who} {talk.password(who)}", body)


def make_club(talk: Conversation, name: str, officer: str, *members: str) -> None:
    """Make a club of these players."""
    sign(talk, officer, f"club new {name}", "We play on Thursdays.")
    if members:
        sign(talk, officer, f"club invite {name} {' '.join(members)}")
    for each in members:
        sign(talk, each, f"club join {name}")
    talk.everything()


def test_a_no_declines_what_a_club_asks(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    sign(talk, "ann", "club new rooks")
    talk.everything()
    sign(talk, "ann", "club invite rooks bob")
    talk.replies(find(talk.everything(), "bob"), "No, thanks")
    mails = talk.everything()
    assert readers(mails) == ["bob"]
    assert "You have declined the invitation." in read(mails, "bob")
    sign(talk, "carl", "club join rooks")
    talk.replies(find(talk.everything(), "ann"), "no")
    assert "You do not belong to the club rooks." in read(talk.everything(), "carl")
    sign(talk, "bob", "club join rooks")
    assert "The officers of rooks are asked to let you in." in read(talk.everything(), "bob")


def test_a_late_no_ends_no_membership(talk: Conversation) -> None:
    """Whoever has joined meanwhile, by a line of their own or a yes of another officer, stays."""
    talk.signup("ann", "bob", "carl", "dora")
    sign(talk, "ann", "club new rooks")
    sign(talk, "ann", "team new knights")
    talk.everything()
    for group in ("club", "team"):
        sign(talk, "ann", f"{group} invite {'rooks' if group == 'club' else 'knights'} bob")
        asked = talk.everything()
        sign(talk, "bob", f"{group} join {'rooks' if group == 'club' else 'knights'}")
        talk.everything()
        talk.replies(find(asked, "bob"), "no")
        said = read(talk.everything(), "bob")
        assert said.startswith("Not done: you ")
        assert f"{group} leave" in said
    sign(talk, "ann", "club officer rooks bob")
    talk.everything()
    sign(talk, "carl", "club join rooks")
    asked = talk.everything()
    talk.replies(find(asked, "ann"), "yes")
    talk.everything()
    talk.replies(find(asked, "bob"), "no")
    assert "Not done: carl belongs to the club rooks." in read(talk.everything(), "bob")
    sign(talk, "dora", "club show rooks")
    assert "rooks has 3 members." in read(talk.everything(), "dora")


def test_people_make_join_and_leave_a_club(talk: Conversation) -> None:
    """Who is invited joins by a yes, who asks is let in by a yes of an officer."""
    talk.signup("ann", "bob", "carl", "dora")
    sign(talk, "ann", "club new rooks", "We play on Thursdays.")
    said = read(talk.everything(), "ann")
    assert "You are an officer of the club rooks." in said
    assert "> We play on Thursdays." in said
    sign(talk, "ann", "club invite rooks bob")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    talk.replies(find(mails, "bob"), "yes")
    mails = talk.everything()
    assert "You belong to the club rooks." in read(mails, "bob")
    assert "The club has a new member, bob." in read(mails, "ann")
    sign(talk, "carl", "club join rooks")
    mails = talk.everything()
    assert "The officers of rooks are asked to let you in." in read(mails, "carl")
    talk.replies(find(mails, "ann"), "yes")
    mails = talk.everything()
    assert "You have let in carl." in read(mails, "ann")
    assert "You belong to the club rooks now." in read(mails, "carl")
    talk.mails("dora", "club show rooks")
    said = read(talk.everything(), "dora")
    assert "rooks has 3 members." in said
    assert "Officers: ann." in said
    assert not has_name(said, "carl")
    talk.mails("dora", "clubs")
    assert "rooks 3 We play on Thursdays." in read(talk.everything(), "dora")
    sign(talk, "ann", "club leave rooks")
    assert "make somebody else one first" in read(talk.everything(), "ann")
    sign(talk, "bob", "club officer rooks carl")
    assert "for the officers of the club rooks" in read(talk.everything(), "bob")
    sign(talk, "ann", "club officer rooks bob")
    assert "The club has a new officer, bob." in read(talk.everything(), "bob")
    sign(talk, "ann", "club colour rooks #1d4e89")
    assert "Its colour is #1d4e89." in read(talk.everything(), "ann")
    sign(talk, "bob", "club remove rooks carl")
    assert "You do not belong to the club rooks." in read(talk.everything(), "carl")
    sign(talk, "ann", "club leave rooks")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    assert "The club is without ann now." in read(mails, "bob")


def test_officers_write_to_all_members(talk: Conversation) -> None:
    """Those alone who take such mails get them, and nobody else may write to all."""
    talk.signup("ann", "bob", "carl", "dora")
    make_club(talk, "rooks", "ann", "bob", "carl")
    talk.mails("carl", f"set carl {talk.password('carl')} broadcasts=no")
    talk.everything()
    sign(talk, "ann", "club say rooks", "The hall is closed on Thursday.")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    assert "> The hall is closed on Thursday." in read(mails, "bob")
    sign(talk, "bob", "club say rooks", "Not at all.")
    assert readers(talk.everything()) == ["bob"]


def test_a_club_has_boards_and_ratings_of_its_own(talk: Conversation) -> None:
    """A board that says --club counts for its ratings, and is for members; what is not private
    everybody may see."""
    talk.signup("ann", "bob", "dora")
    make_club(talk, "rooks", "ann", "bob")
    talk.proves("ann", "hex challenge ann dora --club=rooks -size=3")
    assert "dora is no member of the club rooks" in read(talk.everything(), "ann")
    talk.proves("ann", "hex challenge ann bob --club=knights -size=3")
    assert "there is no club of that name" in read(talk.everything(), "ann")
    talk.proves("ann", "hex challenge ann bob --club=rooks -size=3")
    mails = talk.everything()
    first = [find(mails, who) for who in ("ann", "bob")]
    assert "of the club rooks" in read(mails, "bob")
    latest = talk.plays(["a1", "b1", "a2", "b2", "a3"], "ann", "bob", latest=first)
    assert "Ratings in the club rooks (help ratings explains them):" in latest[0].text
    talk.mails("dora", "hex ratings rooks")
    assert "ann" in read(talk.everything(), "dora")
    talk.mails("dora", "hex ratings")
    assert "ann" not in read(talk.everything(), "dora")
    talk.mails("dora", "hex show 1")
    assert "ann won" in read(talk.everything(), "dora")
    talk.replies(latest[1], "rematch")
    assert "of the club rooks" in read(talk.everything(), "ann")


@pytest.mark.postgresql
@pytest.mark.config(limits={"unproved_a_day": 0})
def test_private_boards_of_a_club_are_for_its_members(talk: Conversation) -> None:
    """Members watch, show and read them; to everybody else, and to who has left, there are none."""
    talk.signup("ann", "bob", "carl", "dora")
    make_club(talk, "rooks", "ann", "bob", "carl")
    talk.proves("ann", "hex challenge ann bob --club=rooks --private -size=3 --title=Derby")
    assert readers(talk.everything()) == ["ann", "bob"]
    sign(talk, "carl", "hex watch 1")
    assert "You will get the mails of board 1" in read(talk.everything(), "carl")
    talk.mails("carl", "hex show 1")
    assert "Derby" in read(talk.everything(), "carl")
    talk.mails("carl", "club show rooks")
    assert "hex show 1" in read(talk.everything(), "carl")
    for who, move in (("ann", "a1"), ("bob", "b1"), ("ann", "a2")):
        talk.mails(who, f"hex move 1 {who} {talk.password(who)} {move}")
        assert readers(talk.everything()) == ["ann", "bob", "carl"]
    for line in (
        "hex show 1",
        "hex export 1",
        "club show rooks",
        "hex games ann",
        "all show ann all",
        "list",
        "find ann",
        "hex history",
        "hex preview 1 c1",
        f"hex watch 1 dora {talk.password('dora')}",
        f"hex kibitz 1 dora {talk.password('dora')}",
        f"hex analyse 1 dora {talk.password('dora')}",
    ):
        talk.mails("dora", line, "Well played." if "kibitz" in line else "")
        said = read(talk.everything(), "dora")
        assert "Derby" not in said, line
        assert "a2" not in said, line
        assert "hex show 1" not in said, line
    sign(talk, "ann", "club remove rooks carl")
    talk.everything()
    talk.mails("bob", f"hex move 1 bob {talk.password('bob')} b2")
    assert readers(talk.everything()) == ["ann", "bob"]
    talk.mails("carl", "hex show 1")
    assert "there is no board with that number" in read(talk.everything(), "carl")


@pytest.mark.config(limits={"unproved_a_day": 0})
def test_a_ladder_of_a_club_is_for_its_members(talk: Conversation) -> None:
    """Who is none cannot enter it; one that is private they do not see at all."""
    talk.signup("ann", "bob", "dora")
    make_club(talk, "rooks", "ann", "bob")
    talk.proves("ann", f"event new ladder hex ann {talk.password('ann')} --club=rooks")
    talk.proves(
        "ann", f"event new ladder hex ann {talk.password('ann')} --club=rooks --private --name=Hall"
    )
    talk.everything()
    for number in (1, 2):
        sign(talk, "bob", f"event enter {number}")
        assert "You take part." in read(talk.everything(), "bob")
    sign(talk, "dora", "event enter 1")
    assert "dora is no member of the club rooks" in read(talk.everything(), "dora")
    for line in ("event show 1", "events"):
        talk.mails("dora", line)
        assert "event enter" not in read(talk.everything(), "dora"), line
    talk.mails("bob", "event show 1")
    assert "You take part." in read(talk.everything(), "bob")
    for line in ("event show 2", "event standings 2", "event record 2", "event show Hall"):
        talk.mails("dora", line)
        assert "there is no event with that number" in read(talk.everything(), "dora"), line
    for line in ("events", "club show rooks"):
        talk.mails("dora", line)
        assert "Hall" not in read(talk.everything(), "dora"), line
        talk.mails("bob", line)
        assert "Hall" in read(talk.everything(), "bob"), line


def test_offers_of_a_club_are_for_its_members(talk: Conversation) -> None:
    talk.signup("ann", "bob", "dora")
    make_club(talk, "rooks", "ann", "bob")
    talk.mails("ann", f"hex seek ann {talk.password('ann')} --club=rooks -size=3")
    talk.everything()
    talk.mails("dora", "seeks")
    assert "rooks" not in read(talk.everything(), "dora")
    sign(talk, "dora", "hex join 1")
    assert "there is no open offer with that number" in read(talk.everything(), "dora")
    talk.mails("bob", "club show rooks")
    assert "hex join 1" in read(talk.everything(), "bob")
    sign(talk, "bob", "hex join 1")
    assert "of the club rooks" in read(talk.everything(), "bob")
    talk.mails("dora", f"hex seek dora {talk.password('dora')} --club=rooks")
    assert "dora is no member" in read(talk.everything(), "dora")


@pytest.mark.config(web={"url": HOST})
def test_the_pages_of_a_club_show_each_what_they_may_see(
    talk: Conversation, visitor: Visitor
) -> None:
    """Members see its private boards among their own pages, and open them; visitors do not."""
    talk.signup("ann", "bob", "carl", "dora")
    make_club(talk, "rooks", "ann", "bob", "carl")
    sign(talk, "ann", "club colour rooks #1d4e89")
    talk.proves("ann", "hex challenge ann bob --club=rooks --private -size=3 --title=Derby")
    talk.proves("ann", "hex challenge ann bob --club=rooks -size=4")
    sign(talk, "ann", "club say rooks", "Thursday, then.")
    assert all(b"#1d4e89" in mail.raw for mail in talk.everything())
    page = visitor.get(f"{HOST}/club/rooks")
    assert "We play on Thursdays." in page.says
    assert "club/rooks" in visitor.get("/").links
    assert visitor.follow(page, "../board/2").status == 200
    assert "Hex 1" not in page.says
    assert not has_name(page.says, "carl")
    assert "#1d4e89" in page.text
    assert "#1d4e89" in visitor.get(f"{HOST}/board/2").text
    home = talk.home("carl")
    inside = visitor.get(f"{home}/club/rooks")
    assert "club/rooks" in visitor.get(home).text
    assert visitor.follow(inside, "../board/1").status == 200
    assert any(link.endswith("/player/bob") for link in inside.links)
    assert "Derby" in visitor.get(f"{home}/board/1").says
    talk.mails("ann", f"hex move 2 ann {talk.password('ann')} b2")
    talk.mails("ann", f"hex resign 2 ann {talk.password('ann')}")
    talk.proves("ann", "event new ladder hex --club=rooks --name=Rung")
    talk.everything()
    inside = visitor.get(f"{home}/club/rooks")
    assert "bob won" in inside.says  # a userid is written as it is
    assert ">Rung</a>" in inside.text
    home = talk.home("dora")
    assert "Hex 1" not in visitor.get(f"{home}/club/rooks").says
    assert visitor.get(f"{home}/board/1").status == 404
    assert visitor.get(f"{HOST}/board/1").status == 404
    assert visitor.get(f"{HOST}/club/knights").status == 404


@pytest.mark.config(web={"url": HOST})
def test_a_club_is_joined_led_and_left_on_its_page(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "dora")
    make_club(talk, "rooks", "ann", "bob")
    dora, ann, bob = (visitor.get(f"{talk.home(who)}/club/rooks") for who in ("dora", "ann", "bob"))
    assert [form.fields.get("do") for form in visitor.get(f"{HOST}/club/rooks").forms] == []
    listed = visitor.get(f"{talk.home('dora')}/clubs")
    assert visitor.follow(listed, next(url for url in listed.links if url.endswith("/club/rooks")))
    assert any(url.endswith("/clubs") for url in visitor.get(talk.home("dora")).links)
    assert [form.fields["do"] for form in dora.forms] == ["club join"]
    assert [form.fields["do"] for form in bob.forms] == ["club leave"]
    page = visitor.send(dora, dora.form("club join"))
    assert "its officers are asked to let you in" in page.says
    assert "dora" in talk.any_mail("ann").text
    talk.everything()
    ann = visitor.get(ann.url)
    assert "Let dora in" in ann.says
    ann = visitor.send(ann, ann.form("club invite"))
    assert any(link.endswith("/player/dora") for link in ann.links)
    talk.everything()
    ann = visitor.send(ann, ann.form("club say"), text="Thursday, then.")
    assert "Thursday, then." in talk.any_mail("dora").text
    talk.everything()
    assert visitor.send(bob, bob.form("club leave")).status == 409
    bob = visitor.send(bob, bob.form("club leave"), sure="yes")
    assert [form.fields["do"] for form in bob.forms] == ["club join"]
    talk.everything()


@pytest.mark.config(trust={"newcomer": 13})
def test_what_a_newcomer_says_of_a_club_waits_for_a_moderator(talk: Conversation) -> None:
    """What the club is, for everybody to read; who has joined knows its officers."""
    talk.appoint("ann")
    talk.signup("bob", "dora")
    sign(talk, "bob", "club new rooks", "Boats for all!")
    talk.everything()
    talk.mails("dora", "clubs")
    assert "Boats" not in read(talk.everything(), "dora")
    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver 1")
    talk.everything()
    talk.mails("dora", "club show rooks")
    assert "> Boats for all!" in read(talk.everything(), "dora")
    sign(talk, "bob", "club invite rooks dora")
    sign(talk, "dora", "club join rooks")
    talk.everything()
    sign(talk, "bob", "club say rooks", "The boats are late.")
    assert "> The boats are late." in read(talk.everything(), "dora")


def test_a_club_is_not_left_without_officers(talk: Conversation) -> None:
    """When the last one closes the account, the member who came first is one, and all are told."""
    talk.signup("ann", "bob", "carl")
    make_club(talk, "rooks", "ann", "bob", "carl")
    sign(talk, "ann", "club leave rooks")
    refused = find(talk.everything(), "ann")
    assert "make somebody else one first" in " ".join(refused.text.split())
    assert "club officer rooks USERID" in refused.text
    assert "reply with the word yes" not in refused.text  # who it is to be, nobody has said
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    told = [mail for mail in talk.everything() if "new officer, bob" in mail.text]
    assert readers(told) == ["bob", "carl"]
    talk.proves("bob", "club colour rooks #1d4e89")
    assert "its colour is #1d4e89" in read(talk.everything(), "bob").lower()
