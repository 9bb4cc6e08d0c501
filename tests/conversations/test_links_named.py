"""Links on a board are named by what stands there, for whoever hears the page."""

from __future__ import annotations

import re

import pytest

from tests.conversations.test_web import link_of
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})


def test_a_link_says_which_piece_can_move(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    (mail, _) = talk.challenge("chess", "ann", "bob")
    page = visitor.get(link_of(mail))
    names = re.findall(r'aria-label="([^"]+)"', page.text)
    assert {"white knight g1", "white pawn e2"} <= {*names}
    page = visitor.follow(page, page.steps["g1"])
    assert "f3" in re.findall(r'aria-label="([^"]+)"', page.text)
