"""Diplomacy on the web: the phases before as pages and pictures, with what was ordered and the
letters of each, which nobody else reads."""

from __future__ import annotations

import re

import pytest

from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Form, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})

SEATS = ("ann", "bob")
SPRING = {
    "ann": "A BUD - SER; A VIE - TYR; F TRI - ALB",
    "bob": "A MAR - PIE; A PAR - BUR; F BRE - MAO",
}
FALL = {"ann": "A SER - GRE; F ALB S A SER - GRE; A TYR - PIE", "bob": "A PIE H; ready"}


def send(talk: Conversation, who: str, act: str, rest: str, body: str) -> None:
    talk.mails(who, f"dip {act} 1 {who} {talk.password(who)} {rest}".strip(), body)
    talk.everything()


def play(talk: Conversation, orders: dict[str, str]) -> None:
    for who, text in orders.items():
        send(talk, who, "move", "", text.replace("; ", "\n"))


def begin(talk: Conversation, options: str = "") -> dict[str, str]:
    """A board of two; the path of each seat's page."""
    talk.signup(*SEATS, "carl")
    mails = talk.challenge("dip", *SEATS, options=f"-map=franceaustria {options}".rstrip())
    return {who: mail.line("On the web: ") for who, mail in zip(SEATS, mails, strict=True)}


def test_a_phase_is_a_page_with_its_orders_and_letters(
    talk: Conversation, visitor: Visitor
) -> None:
    links = begin(talk)
    send(talk, "bob", "press", "to austria", "Piedmont is mine")
    play(talk, SPRING)
    send(talk, "ann", "press", "to france", "You said that before")
    send(talk, "ann", "move", "", "A SER - GRE\nA TYR - PIE")
    now = visitor.get(links["bob"])
    assert "Piedmont is mine" in now.text
    assert "You said that before" in now.text
    ply = re.findall(r'href="\?at=(\d+)#board">Spring 1901, movement: 6 orders', now.text)
    assert len(ply) == 1
    past = visitor.get(f"{links['bob']}?at={ply[0]}")
    assert "A MAR - PIE" in past.text
    assert "Piedmont is mine" in past.text
    assert "You said that before" not in past.text
    assert "A SER - GRE" not in now.text + past.text, "what is sealed"
    public = visitor.get(f"/board/1?at={ply[0]}")
    assert "A MAR - PIE" in public.text
    for text in ("Piedmont is mine", "You said that before", "A SER - GRE"):
        assert text not in public.text
        assert text not in visitor.get("/board/1").text
    assert f"/board/1.png?at={ply[0]}" in public.text
    assert visitor.get(f"/board/1.png?at={ply[0]}").headers["content-type"] == "image/png"


def test_what_failed_says_why(talk: Conversation, visitor: Visitor) -> None:
    begin(talk)
    play(talk, SPRING)
    play(talk, FALL)
    page = visitor.get("/board/1").text
    assert "A TYR - PIE (bounced)" in page
    assert page.count("movement: ") >= 2


def test_the_page_says_who_is_late(talk: Conversation, visitor: Visitor) -> None:
    talk.signup(*SEATS)
    talk.agreed("dip", *SEATS, options="--deadline=3 -grace=48")
    send(talk, "ann", "move", "", "A BUD H; A VIE H; F TRI H")
    assert "orders awaited" in visitor.get("/board/1").text
    assert "orders awaited, late" not in visitor.get("/board/1").text
    talk.passes(days=4)
    talk.everything()
    assert visitor.get("/board/1").text.count("orders awaited, late") == 1


def test_an_order_is_seen_on_the_map_before_it_is_given(
    talk: Conversation, visitor: Visitor
) -> None:
    links = begin(talk)
    page = visitor.get(links["bob"])
    for step in ("par", "move", "bur"):
        page = visitor.follow(page, page.steps[step])
    assert "The order is A PAR - BUR" in page.says
    assert "army par to bur" in page.text
    assert "army par to bur" not in visitor.get(links["bob"]).text + visitor.get("/board/1").text


def test_an_order_that_ends_the_phase_shows_nothing_before(
    talk: Conversation, visitor: Visitor
) -> None:
    links = begin(talk)
    send(talk, "ann", "move", "", SPRING["ann"].replace("; ", "\n"))
    send(talk, "bob", "move", "", "A MAR - PIE\nF BRE - MAO")
    page = visitor.get(links["bob"])
    for step in ("par", "move", "bur"):
        page = visitor.follow(page, page.steps[step])
    assert "The order is A PAR - BUR" in page.says
    assert "A BUD - SER" not in page.text
    assert "Orders of Spring 1901" not in page.text


def test_moves_that_stood_each_other_off_are_marked(talk: Conversation, visitor: Visitor) -> None:
    links = begin(talk)
    play(talk, {"ann": "A VIE - TYR; ready", "bob": "ready"})
    for url in (links["ann"], "/board/1"):
        assert "Stand-off" not in visitor.get(url).says
    play(talk, {"ann": "A TYR - PIE; ready", "bob": "A MAR - PIE; ready"})
    for url in (links["ann"], "/board/1"):
        assert "Stand-off: pie." in visitor.get(url).says


def test_letters_are_read_power_by_power(talk: Conversation, visitor: Visitor) -> None:
    links = begin(talk)
    for text in ("Piedmont is mine", "Do you hear me?"):
        send(talk, "bob", "press", "to austria", text)
    page = visitor.get(links["ann"])
    assert "France 2 unanswered" in page.says
    page = visitor.follow(page, "?with=France#letters")
    assert page.form("press").fields["reader"] == "france"
    page = visitor.send(page, page.form("press"), text="I do.")
    assert "?with=France&done=press" in page.url
    assert all(text in page.says for text in ("Piedmont is mine", "I do."))
    assert "unanswered" not in page.says + visitor.get(f"{links['ann']}?with=Nobody").says
    talk.everything()
    assert "Austria 1 unanswered" in visitor.get(links["bob"]).says


def find_orders(page: Page) -> Form:
    """The form with a field for each unit."""
    return next(form for form in page.forms if form.fields.get("form") == "orders")


def test_all_units_are_ordered_at_once_and_orders_are_changed(
    talk: Conversation, visitor: Visitor
) -> None:
    links = begin(talk)
    page = visitor.get(links["bob"])
    form = find_orders(page)
    assert page.text.count(" selected>no order yet</option>") == 3
    page = visitor.send(page, form, move="a par - bur")
    assert "Played." in page.says
    assert " selected>A PAR - BUR</option>" in page.text
    form = find_orders(page)
    page = visitor.send(page, form, move="a mar - pie; f bre - mao")
    assert "Change them" in page.says
    form = find_orders(page)
    nothing = visitor.send(page, form, move="")
    assert (nothing.status, 'id="wrong"' in nothing.text) == (409, True)
    page = visitor.send(page, form, move="a par h")
    assert "army par holds" in page.text
    talk.everything()
    play(talk, {"ann": SPRING["ann"]})
    assert "A PAR H" in visitor.get("/board/1").text


@pytest.mark.parametrize(("press", "has_form"), [("white", True), ("none", False)])
def test_a_letter_can_be_written_where_there_is_press(
    talk: Conversation, visitor: Visitor, press: str, *, has_form: bool
) -> None:
    page = visitor.get(begin(talk, f"-press={press}")["ann"])
    acts = {form.fields.get("do") for form in page.forms}
    assert ("press" in acts) is has_form
    assert "chat" not in acts


def test_page_and_mail_offer_the_same_acts(talk: Conversation, visitor: Visitor) -> None:
    """Orders are replaced, not taken back: neither has an undo, as the verb has none."""
    talk.signup(*SEATS)
    mails = talk.challenge("dip", *SEATS, options="-map=franceaustria")
    link = mails[0].line("On the web: ")
    acts = {form.fields["do"] for form in visitor.get(link).forms}
    assert {"decline", "propose", "resign", "press"} <= acts
    talk.replies(mails[0], "A BUD - SER; A VIE - TYR")
    ordered = talk.any_mail("ann")
    acts = {form.fields["do"] for form in visitor.get(link).forms}
    assert not acts & {"undo", "decline"}
    talk.replies(ordered, "help")
    words = talk.any_mail("ann").text
    assert "resign" in words
    assert "undo" not in words
