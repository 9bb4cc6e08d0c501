"""An exhibition of one player against many: what she is mailed of all its boards is one mail."""

from __future__ import annotations

import pytest

from tests.conversations.test_parties import find, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

OPPONENTS = ("bob", "carl", "dora")


def begin(talk: Conversation, game: str, options: str = "") -> Mail:
    """An exhibition of ann against three, which all have joined; her first mail of their boards."""
    talk.signup("ann", *OPPONENTS)
    talk.proves("ann", f"{game} simul ann {talk.password('ann')} --boards=3 {options}")
    assert readers(talk.everything()) == ["ann"]
    for who in OPPONENTS:
        talk.proves(who, f"{game} join 1")
        assert readers(talk.everything()) == [who]
    talk.passes(days=0.25)
    mails = talk.everything()
    assert readers(mails) == ["ann"]
    return mails[0]


def test_her_boards_come_in_one_mail_and_go_back_in_one(talk: Conversation) -> None:
    """What they wrote, proposed and resigned is in it; a line for each board plays them all."""
    first = begin(talk, "hex", "-size=5")
    assert "It stands at 0 : 0." in first.text
    for number, who in enumerate(OPPONENTS, 1):
        assert f"hex {number}: {who}, by Mon 23 Mar 2026" in first.text
    assert first.text.count("red joins top and bottom") == 3
    assert "its number and your move, for instance: 1 " in " ".join(first.text.split())
    talk.replies(first, "1 c3\n2 b2\n3 d4")
    mails = talk.everything()
    assert readers(mails) == ["ann", *OPPONENTS]
    assert find(mails, "ann").subject == "[pbm] 3 of 3 done"
    talk.replies(find(mails, "bob"), "d3\n\nSo there!")
    talk.replies(find(mails, "carl"), "resign\n\nToo strong for me.")
    told = talk.everything()
    assert readers(told) == ["bob", "carl"]
    assert "Passed on to ann" in find(told, "bob").text
    talk.passes(days=0.25)
    assert talk.everything() == []
    talk.passes(days=0.75)
    second = find(talk.everything(), "ann")
    assert "It stands at 1 : 0." in second.text
    assert "bob played d3." in second.text
    assert "> So there!" in second.text
    assert "> Too strong for me." in second.text
    assert second.text.count("red joins top and bottom") == 1
    talk.proves("ann", "hex simul")
    assert find(talk.everything(), "ann").text.count("red joins top and bottom") == 1
    assert "  3  ann                  dora                 open" in second.text
    talk.passes(days=5)
    assert talk.everything() == []


@pytest.mark.config(web={"url": HOST})
def test_her_boards_are_on_one_page(talk: Conversation, visitor: Visitor) -> None:
    """The link in the mail leads to it, and each board there to its own page."""
    page = visitor.get(begin(talk, "hex", "-size=5").line("On the web: "))
    assert page.status == 200
    for number, who in enumerate(OPPONENTS, 1):
        assert who in page.says
        assert f"board/{number}" in page.text


def test_what_asks_her_comes_at_once(talk: Conversation) -> None:
    """A proposal does, and the end of her own time is said for all boards in one mail."""
    first = begin(talk, "chess", "--forfeit=6 --nag=3")
    talk.replies(first, "1 e4")
    talk.replies(find(talk.everything(), "bob"), "propose")
    mails = talk.everything()
    assert readers(mails) == ["ann", "bob"]
    assert "bob proposes a draw" in find(mails, "ann").text
    talk.passes(days=3.5)
    reminded = talk.everything()
    assert readers(reminded).count("ann") <= 2
    assert all("Exhibition of ann" in mail.text for mail in reminded if mail.address[:3] == "ann")
    talk.passes(days=2)
    assert readers(talk.everything()).count("ann") <= 2


@pytest.mark.config(players={"pictures": False})
def test_a_hidden_side_stays_hidden_in_it(talk: Conversation) -> None:
    first = begin(talk, "darkchess")
    talk.replies(first, "1 e4")
    talk.replies(find(talk.everything(), "bob"), "h6")
    talk.everything()
    talk.passes(days=1)
    text = find(talk.everything(), "ann").text
    assert "h6" not in text
    assert "bob" in text
