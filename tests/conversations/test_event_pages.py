"""Events by clicks: made, entered, left and climbed on a player's own pages."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from pbm.core.player import Role
from pbm.store.tables import metadata
from tests.conversations.test_parties import make_team
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})


def open_events(talk: Conversation, visitor: Visitor, who: str) -> Page:
    """A player's page of events, by the link in a mail to them alone."""
    boards = visitor.get(talk.home(who))
    own = next(url for url in boards.links if re.search(r"u[0-9]+-[^/]+/events$", url))
    return visitor.follow(boards, own)


def make(visitor: Visitor, page: Page, kind: str, **fields: str) -> Page:
    """Fill in the form for a new event."""
    page = visitor.follow(page, "?game=cradle")
    return visitor.send(page, page.form("event new"), kind=kind, size="2", **fields)


def test_an_event_is_made_entered_and_left_by_clicks(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "guest")
    events = open_events(talk, visitor, "ann")
    assert '<option value="chess" selected>' in events.text, "not the first of the alphabet"
    page = make(
        visitor,
        events,
        "roundrobin",
        name="Spring cup",
        max="8",
        text="Our first one!",
    )
    assert "The event is open." in page.says
    assert "Our first one!" in page.says
    assert page.url.endswith("/event/1?done=event+new#said")
    made = talk.receives("ann", "[event 1] Spring cup is open", "of 8 at most", "> Our first one!")
    assert page.url.startswith(made.line("On the web: "))
    page = visitor.send(page, page.form("event enter"))
    assert "You take part." in page.says
    talk.receives("ann", "[event 1] you have entered Spring cup")
    again = visitor.send(page, page.form("event leave"))
    assert again.status == 409
    assert "first tick this box: Yes, I leave" in again.says
    page = visitor.send(page, page.form("event leave"), sure="yes")
    assert "You have left this event." in page.says
    talk.receives("ann", "[event 1] you have left Spring cup")
    for who in ("ann", "bob"):
        page = open_events(talk, visitor, who)
        assert "Round robin of Cradle" in page.says
        page = visitor.follow(page, "event/1")
        visitor.send(page, page.form("event enter"))
        talk.receives(who, "[event 1] you have entered Spring cup")
    talk.passes(days=7)
    begun = [mail for mail in talk.everything() if mail.subject.endswith("has begun")]
    page = visitor.get(begun[0].line("On the web: "))
    assert "crosstable" in page.text
    assert "Round 1" in page.says
    board = next(url for url in page.links if "/board/" in url)
    assert visitor.follow(page, board).status == 200
    assert visitor.changes == 5


def test_a_captain_enters_a_team_by_clicks(talk: Conversation, visitor: Visitor) -> None:
    """One of several that they lead, if they lead several; members are told who can."""
    talk.signup("ann", "bob", "guest")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "event new teamknockout hex -size=5")
    talk.everything()
    shown = visitor.get("/event/1")
    assert "To enter, mail event enter 1" in shown.says
    page = visitor.follow(open_events(talk, visitor, "bob"), "event/1")
    assert "which their captains enter" in page.says
    assert not any(form.fields.get("do") == "event enter" for form in page.forms)
    page = visitor.follow(open_events(talk, visitor, "ann"), "event/1")
    page = visitor.send(page, page.form("event enter"))
    assert "You take part." in page.says
    assert "@rooks" in page.says
    page = visitor.send(page, page.form("event leave"), sure="yes")
    assert "You have left this event." in page.says
    make_team(talk, "knights", "ann")
    talk.everything()
    page = visitor.get(page.url)
    labels = re.findall(r"<button>(Enter this event: @\w+)</button>", page.text)
    assert labels == ["Enter this event: @knights", "Enter this event: @rooks"]
    page = visitor.send(page, page.form("event enter"))
    assert "@knights" in page.says
    assert "Leave this event: @knights" in page.text
    assert "Enter this event: @rooks" in page.text
    talk.everything()


def test_the_page_of_an_event_of_a_club_invites_no_visitor(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann")
    talk.proves("ann", "club new rooks")
    talk.proves("ann", "event new ladder hex --club=rooks")
    talk.everything()
    shown = visitor.get("/event/1")
    assert "You cannot enter: event 1 is for members of the club rooks." in shown.says
    assert "event enter" not in shown.says


def test_a_get_changes_nothing_and_the_same_form_makes_one_event(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "guest")
    page = visitor.follow(open_events(talk, visitor, "ann"), "?game=cradle")
    form = page.form("event new")
    visitor.send(page, form, kind="swiss")
    talk.receives("ann", "[event 1] Cradle Swiss is open")
    twice = visitor.send(page, form, kind="swiss", name="Kept words")
    assert twice.status == 409
    assert "has begun since this page was made" in twice.says
    assert "Kept words" in twice.text
    before = content(talk)
    for path in ("", "?do=new&kind=swiss&game=cradle", "event/1?do=enter", "event/1?done=enter"):
        visitor.follow(page, path or page.url)
    assert content(talk) == before
    assert visitor.get(re.sub(r"/u/u\d+-", "/u/u99-", page.url)).status == 404
    assert visitor.follow(page, "event/99").status == 404
    wrong = make(visitor, visitor.get(page.url), "swiss", ends="2026-03-01")
    assert "Not done: it ends before it begins" in wrong.says
    missing = visitor.send(page, page.form("event new"), do="resign")
    assert "This page has no such form." in missing.says


@pytest.mark.config(web={"url": HOST, "public": False}, events={"makers": "operator"})
def test_who_may_not_make_events_has_no_form(talk: Conversation, visitor: Visitor) -> None:
    talk.appoint("ann", role=Role.MAKER)
    talk.signup("bob", "guest")
    page = open_events(talk, visitor, "bob")
    assert "only the operator and some players make events" in page.says
    assert page.forms == []
    page = make(visitor, open_events(talk, visitor, "ann"), "ladder")
    talk.receives("ann", "[event 1] Cradle ladder is open")
    assert not any("/player/" in url or "/game/" in url for url in page.links)


def test_a_ladder_is_climbed_by_a_click(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "guest")
    make(visitor, open_events(talk, visitor, "ann"), "ladder")
    talk.any_mail("ann")
    for who in ("ann", "bob"):
        talk.proves(who, "event enter 1")
        talk.receives(who, "[event 1] you have entered Cradle ladder")
    talk.passes(days=7)
    talk.everything()
    pages = [visitor.follow(open_events(talk, visitor, who), "event/1") for who in ("ann", "bob")]
    (lower,) = [
        page for page in pages if any(form.fields["do"] == "event challenge" for form in page.forms)
    ]
    after = visitor.send(lower, lower.form("event challenge"))
    assert "The challenge has gone out by mail." in after.says
    assert "You can challenge nobody at present" in visitor.get(lower.url).says
    mails = talk.everything()
    assert sum("invitation: " in mail.subject for mail in mails) == 2
    again = visitor.send(lower, lower.form("event challenge"))
    assert "comes first" in again.says


def test_a_bye_is_asked_for_by_a_click(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "guest")
    page = make(visitor, open_events(talk, visitor, "ann"), "swiss", max="9")
    talk.any_mail("ann")
    page = visitor.send(page, page.form("event enter"))
    talk.any_mail("ann")
    page = visitor.send(page, page.form("event bye"), round="2, 4")
    assert page.form("event bye").fields["round"] == "2 4"
    talk.receives("ann", "[event 1] byes in rounds 2 and 4", "event bye 1 none")
    page = visitor.send(page, page.form("event bye"), round="soon")
    assert "Not done: name the round in which you are not to be paired, or none." in page.says


def content(talk: Conversation) -> list[object]:
    """All rows of all tables."""
    with talk.server.store.reading() as session:
        return [list(session.execute(select(table)).mappings()) for table in metadata.sorted_tables]


@pytest.mark.config(web={"url": HOST}, events={"open_events": 0})
def test_ended_events_have_pages(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    for number in range(1, 13):
        talk.proves("ann", f"event new ladder hex --name=Cup {number}")
        talk.everything()
    events = metadata.tables["events"]
    with talk.server.store.writing() as session:
        session.execute(events.update().where(events.c.id < 12).values(state="over"))
    page = visitor.get("/events")
    assert "Cup 12" in page.says
    assert "Cup 11" in page.says
    assert "Cup 1 " not in page.says
    page = visitor.follow(page, "?page=2")
    assert "Cup 1 " in page.says
    assert "Cup 12" not in page.says
    page = visitor.follow(page, "?page=1")
    assert "Cup 12" in page.says
    talk.proves("bob", "events")
    assert "Those that ended before: events page 2" in talk.any_mail("bob").text
    talk.proves("bob", "events page 2")
    text = talk.any_mail("bob").text
    assert "Cup 1:" in text
    assert "Cup 2:" not in text


def test_pages_say_options_in_words(talk: Conversation, visitor: Visitor) -> None:
    """Of an event, an offer and a board, also in another language."""
    talk.signup("ann", "bob")
    talk.proves("ann", "event new roundrobin hex -size=7 --forfeit=9 --nag=none")
    talk.proves("ann", "hex seek -size=5 --time=9d+12h")
    talk.proves("ann", "hex challenge ann bob -size=4 --private")
    mails = talk.everything()
    own = next(mail for mail in mails if mail.address.startswith("bob@"))
    pages = [visitor.get(url) for url in ("/event/1", "/game/hex", own.line("On the web: "))]
    assert "rows and columns: 7; no reminders; days for a move: 9" in pages[0].says
    assert "a clock for the whole game: 9d+12h" in pages[1].says
    assert "only who belongs to it sees the board" in pages[2].says
    for page, typed in zip(pages, ("--nag", "--time=9d", "--private"), strict=True):
        assert not re.search(rf"-size=[457]\b|{typed}", page.says), page.url
    assert "keine Erinnerungen" in visitor.get("/event/1", accept_language="de").says
