"""Plans where they end or are cut: somebody leaves, moves are taken back, the board has changed,
the plan is too long; and what comes back when that is undone."""

from __future__ import annotations

import pytest

from tests.harness.conversation import DAY, Conversation
from tests.harness.mail import Mail

_THREE = ("ann", "bob", "carl")
_CORNERS = ("c1,d1,e1,c2", "i1,g2,h2,i2", "b3,c3,b4,c4")
"""The first moves of three players at cradle -size=3."""


_CUT = "the text is longer than 60 characters, too long for a plan: send fewer branches"


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


@pytest.fixture
def three(talk: Conversation) -> list[Mail]:
    """The first mails of a board of cradle between ann, bob and carl."""
    talk.signup(*_THREE)
    return talk.challenge("cradle", *_THREE, options="-size=3")


def _all(talk: Conversation) -> list[Mail]:
    return [talk.any_mail(who) for who in _THREE]


def test_somebody_leaves_whom_a_plan_does_not_name(talk: Conversation, three: list[Mail]) -> None:
    first, second, third = _CORNERS
    talk.replies(three[0], first)
    latest = _all(talk)
    talk.replies(latest[2], f"if {second} then {third}")
    talk.receives("carl", "[cradle 1] plan")
    talk.replies(latest[0], "resign")
    latest = _all(talk)
    assert "Your plan has ended: ann no longer plays." in latest[2].text
    assert "plan" not in latest[1].text
    talk.replies(latest[1], second)
    assert "as planned" not in " ".join(mail.text for mail in _all(talk))


def test_only_the_one_on_move_resigns_by_the_word(talk: Conversation, three: list[Mail]) -> None:
    """The branch stands for what bob may do; ann, who is not on move, is another matter."""
    first, _second, third = _CORNERS
    talk.replies(three[0], first)
    latest = _all(talk)
    talk.replies(latest[2], f"if resign then {third}")
    talk.receives("carl", "[cradle 1] plan")
    talk.replies(latest[0], "resign")
    latest = _all(talk)
    assert "Your plan has ended: ann no longer plays." in latest[2].text
    talk.replies(latest[2], f"if resign then {third}")
    assert "over" in talk.any_mail("carl").text  # nobody would be left


def test_a_resignation_in_between(talk: Conversation, three: list[Mail]) -> None:
    first, _second, third = _CORNERS
    talk.replies(three[0], first)
    latest = _all(talk)
    talk.replies(latest[2], f"if resign then {third}")
    talk.receives("carl", "[cradle 1] plan", f"1  if resign then {third}")
    talk.replies(latest[1], "resign")
    for mail in _all(talk):
        assert "as planned." in mail.text
        assert mail.fact("ToMove") == "ann"


def test_who_leaves_has_no_plan_any_more(talk: Conversation, three: list[Mail]) -> None:
    first, _second, third = _CORNERS
    talk.replies(three[0], first)
    latest = _all(talk)
    talk.replies(latest[1], "plan if any then i1,g2,h2,i2")
    talk.receives("bob", "[cradle 1] plan", "It begins after your own next move")
    talk.replies(latest[1], "resign")
    latest = _all(talk)
    assert "Your plan has ended: you no longer play." in latest[1].text
    talk.replies(latest[2], third)
    _all(talk)


def test_a_forfeit_ends_the_plans_of_others(talk: Conversation, three: list[Mail]) -> None:
    first, second, third = _CORNERS
    talk.replies(three[0], first)
    latest = _all(talk)
    talk.replies(latest[2], f"if {second} then {third}")
    talk.receives("carl", "[cradle 1] plan")
    talk.passes(days=30, step=DAY)
    told = [mail for mail in talk.everything() if "your plan has ended" in mail.text.lower()]
    assert [mail.address for mail in told] == ["carl@example.org"]
    assert "Your plan has ended: bob no longer plays." in told[0].text


def test_an_undone_resignation_brings_plans_back(talk: Conversation, mails: list[Mail]) -> None:
    latest = talk.plays(["d4"], "ann", "bob", latest=mails)
    talk.replies(latest[0], "if e5 then c3")
    talk.receives("ann", "[hex 1] plan")
    talk.replies(latest[1], "resign")
    talk.receives("ann", "[hex 1] ann won (1)", "Your plan has ended: the game is over.")
    own = talk.receives("bob", "[hex 1] ann won (1)")
    talk.replies(own, "undo")
    talk.receives(
        "ann",
        "[hex 1] bob to move (2), bob took back the resignation",
        "Your plan, which only you can see:\n  1  if e5 then c3\n",
    )
    mail = talk.any_mail("bob")
    assert "plan" not in mail.text
    talk.replies(mail, "e5")
    talk.receives("ann", "[hex 1] bob to move (4), bob played e5, you played c3")
    talk.any_mail("bob")


def test_a_plan_in_reply_to_an_older_board_is_refused(
    talk: Conversation, mails: list[Mail]
) -> None:
    """It was written for what that mail shows; with userid and password it is for now."""
    talk.plays(["d4", "e5", "c3"], "ann", "bob", latest=mails)
    talk.replies(mails[0], "if b2 then e4")
    talk.receives("ann", "[hex 1] not done: the board has changed since the mail you replied to")
    line = f"plan 1 ann {talk.password('ann')}"
    talk.mails("ann", f"hex {line}", "if b2 then e4")
    talk.receives("ann", "[hex 1] plan", "1  if b2 (4) then e4 (5)")
    talk.mails("ann", f"hex {line.replace('1', '1#1')}")
    talk.receives("ann", "[hex 1] plan 1", "The board at the end of this branch")
    talk.mails("ann", f"hex {line.replace('1', '1#2')}")
    talk.receives("ann", "[hex 1] not done: your plan has no branch 2")
    talk.mails("ann", f"hex {line} none")
    talk.receives("ann", "[hex 1] no plan")


@pytest.mark.config(limits={"text": 60})
def test_a_plan_that_is_cut_is_none(talk: Conversation, mails: list[Mail]) -> None:
    """What is left of the last move may be another: `c10` would be `c1`."""
    plan = "if b3 then b4 if b5 then b6 if b7 then b8 if b9 then c10"
    talk.replies(mails[1], f"plan\n{plan} if d1 then d2")
    talk.receives("bob", f"[hex 1] not done: {_CUT}", "    plan if MOVE")
    talk.replies(mails[0], f"d4\n{plan}\n{plan}")
    talk.receives("ann", f"[hex 1] not done: {_CUT}")
    talk.replies(mails[1], "plan")
    talk.receives("bob", "[hex 1] no plan")


@pytest.mark.config(limits={"plan_moves": 0})
def test_a_branch_has_an_end(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "if any then c3" + " if any then c3" * 125)
    talk.receives("bob", "[hex 1] not done: line 1 of your plan is longer than 250 moves")
    talk.replies(mails[1], "if any then c3" + " if any then c3" * 124)
    talk.receives("bob", "[hex 1] plan")


@pytest.mark.config(limits={"plan_moves": 4})
def test_a_plan_holds_so_many_moves(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "if b2 then b3\nif b4 then b5\nif b6 then b7")
    problem = "a plan holds at most 4 moves, those of the others included"
    talk.receives("bob", f"[hex 1] not done: {problem}")
    talk.replies(mails[1], "if b2 then b3\nif b4 then b5")
    talk.receives("bob", "[hex 1] plan")
