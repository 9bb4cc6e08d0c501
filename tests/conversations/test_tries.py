"""Moves tried by clicks from any position: nothing hidden is shown, and a seat can keep them, or
make them its plan."""

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
    assert "it is ann's turn." in back.says.lower()
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
    tree = "(1) ann: b2 bob: a1 ann: c3 (2) bob: a2 ann: a3"
    assert tree in page.says
    page = follow(visitor, page, "t=b2&t=a1&t=c3")
    assert tree in page.says
    url = "/board/1/try?" + "&".join(f"v=b2|a{n}|c{n}" for n in range(1, 4)) + "&v=b2|z9&t=b2"
    assert "z9" not in visitor.get(url).says


def test_what_is_kept_stays_for_its_seat_until_the_end(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "bob")
    mine, yours = talk.challenge("tictactoe", "ann", "bob")
    page = follow(visitor, visitor.get(link_of(mine)), "/try", "m=b2", "m=a1", "m=c3")
    assert "What you keep, you alone see" in page.says
    page = visitor.send(page, page.form("variations"))
    assert "Your variations are changed." in page.says
    assert "(1) ann: b2 bob: a1 ann: c3" in page.says
    page = follow(visitor, visitor.get(f"{link_of(mine)}/try"), "t=b2", "m=a2")
    assert "(1) ann: b2 bob: a1 ann: c3 (2) bob: a2" in page.says
    page = visitor.send(page, page.form("variations"))
    for others in (f"{link_of(yours)}/try", "/board/1/try"):
        assert "c3" not in visitor.get(others).says.partition("Tried so far")[2]
    talk.plays(["b2", "a2"], "ann", "bob", latest=[mine, yours])
    page = visitor.get(f"{link_of(mine)}/try")
    assert "Nothing yet" in page.says, "a2 was the end of what was kept"
    page = follow(visitor, page, "?at=0")
    assert "(1) ann: b2 bob: a1 ann: c3 (2) bob: a2" in page.says
    page = follow(visitor, page, "t=b2&t=a1")
    page = visitor.send(page, page.form("variations"))
    assert "(1) ann: b2 bob: a2" in page.says
    assert "a1" not in page.says.partition("Tried so far")[2]
    talk.everything()
    talk.proves("ann", "tictactoe resign 1")
    talk.everything()
    assert "a2" not in visitor.get(f"{link_of(mine)}/try?at=0").says.partition("Tried so far")[2]
    talk.proves("ann", "tictactoe undo 1")
    talk.everything()
    assert "(1) ann: b2 bob: a2" in visitor.get(f"{link_of(mine)}/try?at=0").says


def test_variations_by_mail(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob", options="-size=5")
    subject = "[hex 1] variations"
    talk.proves("ann", "hex variations 1", body="b2 c3 | d4\nb3")
    talk.receives("ann", subject, "The variations that you keep of this board, which others do not")
    talk.proves("ann", "hex variations 1 b3 d4")
    talk.receives("ann", subject, "  0: b2 | c3 | d4\n  0: b3 | d4\n")
    talk.proves("ann", "hex variations 1 b3 z9")
    talk.receives("ann", "[hex 1] not done: line 1 of your variations: z9 is not on the board ...")
    talk.proves("ann", "hex variations 1 3: b2")
    talk.receives(
        "ann", "[hex 1] not done: line 1 of your variations: board 1 has only had 0 moves"
    )
    talk.proves("ann", "hex variations 1 none b2")
    talk.receives("ann", subject, "keep of this board, which others do not see:\n  0: b3 | d4\n\n")
    talk.proves("ann", "hex variations 1 none")
    talk.receives("ann", "[hex 1] no variations", "You keep no variations of this board.")
    talk.proves("bob", "hex variations 1")
    talk.receives("bob", "[hex 1] no variations", "You keep no variations of this board.")
