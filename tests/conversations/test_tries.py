"""Moves tried by clicks from any position: nothing is stored, nothing hidden is shown, and a seat
can make them its plan."""

from __future__ import annotations

import re

import pytest

from tests.conversations.test_web import content, link_of
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})


def follow(visitor: Visitor, page: Page, *ends: str) -> Page:
    """Follow links that end so, one after another."""
    for end in ends:
        page = visitor.follow(page, next(link for link in page.links if link.endswith(end)))
    return page


def test_moves_are_tried_and_become_a_plan(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    mine, yours = talk.challenge("tictactoe", "ann", "bob")
    before = content(talk)
    page = follow(visitor, visitor.get(link_of(mine)), "/try", "m=b2", "m=a1")
    assert "ann: b2 bob: a1" in page.says
    assert all(form.fields.get("do") != "plan" for form in page.forms), "it holds no answer"
    page = follow(visitor, page, "m=c3")
    assert content(talk) == before
    assert "As a plan: if a1 then c3" in page.says
    page = visitor.send(page, page.form("plan"))
    assert "if a1 then c3" in page.says
    page = visitor.get(f"{link_of(yours)}/try?t=b2&t=a1")
    assert page.form("plan").fields["text"] == "if b2 then a1"
    back = visitor.follow(page, f"../{link_of(yours).rpartition('/')[2]}")
    assert "ann to move (1)" in back.says.lower()
    talk.nothing_more()


def test_a_spectator_tries_from_an_earlier_position(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("tictactoe", "ann", "bob")
    talk.plays(["b2", "a1", "c3"], "ann", "bob", latest=mails)
    page = follow(visitor, visitor.get("/board/1?at=1"), "/try?at=1", "m=a2")
    assert "From the position after move 1" in page.says
    assert "bob: a2" in page.says
    assert page.forms == []
    wrong = visitor.get("/board/1/try?at=1&t=b2&t=c3")
    assert "Not all of these moves are legal here" in wrong.says
    assert "Nothing yet" in wrong.says
    assert visitor.get("/board/1/try?" + "t=b2&" * 200).status == 200
    assert visitor.get("/board/1/try?" + "t=b2&" * 3000).status == 414
    assert visitor.get("/board/1/try?at=99").status == 404


def test_what_is_hidden_cannot_be_tried_and_chance_is_chosen(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("battleship", "ann", "bob")
    assert not any("/try" in link for link in visitor.get(link_of(mine)).links)
    assert visitor.get(f"{link_of(mine)}/try").status == 404
    assert visitor.get("/board/1/try").status == 404
    _, yours = talk.challenge("backgammon", "ann", "bob")
    talk.replies(yours, "accept")
    talk.everything()
    page = visitor.get("/board/2/try")
    for _ in range(8):
        if "Chance decides. Choose what it says" in page.says:
            break
        page = visitor.follow(page, next(x for x in page.links if "m=" in x.split("&")[-1]))
    page = follow(visitor, page, "t=3", "t=1")
    assert re.search(r"(white|black) rolls 3 \1 rolls 1", page.says)


def test_other_lines_stay_on_the_page(talk: Conversation, visitor: Visitor) -> None:
    """A move of the tree leads back to its position; what was tried after it stays."""
    talk.signup("ann", "bob")
    talk.challenge("tictactoe", "ann", "bob")
    page = follow(visitor, visitor.get("/board/1/try"), "m=b2", "m=a1", "m=c3")
    page = follow(visitor, page, "v=b2%7Ca1%7Cc3&t=b2")
    assert "ann: b2 bob: a1 ann: c3" in page.says
    page = follow(visitor, page, "m=a2", "m=a3")
    assert "ann: b2 bob: a2 ann: a3 bob: a1 ann: c3" in page.says
    page = follow(visitor, page, "t=b2&t=a1&t=c3")
    assert "ann: b2 bob: a1 ann: c3 bob: a2 ann: a3" in page.says
    url = "/board/1/try?" + "&".join(f"v=b2|a{n}|c{n}" for n in range(1, 4)) + "&v=b2|z9&t=b2"
    assert "z9" not in visitor.get(url).says
