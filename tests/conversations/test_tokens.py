"""How long the mails of the server can be answered without a password."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation

STALE = "[pbm] not done: userid and password are missing"
STALE_AT_BOARD = "[hex 1] not done: userid and password are missing"


@pytest.mark.postgresql
def test_a_changed_password_makes_older_mails_stale(house: Conversation) -> None:
    """Whoever had read along in the mailbox has nothing left; a newer mail is answered as ever."""
    house.signup("ann", "bob")
    old = house.challenge("hex", "ann", "bob")
    house.mails("ann", "help")
    page = house.receives("ann", "[pbm] help")
    new = house.secret("Sesame-anew")
    house.mails("ann", f"change password ann {house.password('ann')} {new}")
    changed = house.receives("ann", "[pbm] your password is changed")
    house.replies(old[0], "d4")
    house.receives("ann", STALE_AT_BOARD, "hex move 1 ann PASSWORD MOVE")
    house.replies(page, "set own=no")
    house.receives("ann", STALE, "set ann PASSWORD")
    house.replies(changed, "set")
    house.receives("ann", "[pbm] preferences of ann")
    house.mails("ann", f"hex move 1 ann {new} d4")
    mail = house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives("bob", "[hex 1] your move (2), ann played d4")
    house.replies(mail, "resign")
    house.receives("ann", "[hex 1] bob won (1)")
    house.receives("bob", "[hex 1] bob won (1)")
    house.replies(old[1], "chat Well played!")
    house.receives("bob", "[hex 1] passed on to ann")
    house.receives("ann", "[hex 1] bob writes")


def test_the_mails_of_a_board_end_a_month_after_it(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.challenge("hex", "ann", "bob")
    house.mails("ann", f"hex resign 1 ann {house.password('ann')}")
    over = [house.any_mail(who) for who in ("ann", "bob")]
    house.clock.advance(days=29)
    house.replies(over[0], "chat Well played!")
    house.receives("ann", "[hex 1] passed on to bob")
    house.receives("bob", "[hex 1] ann writes")
    house.clock.advance(days=2)
    house.replies(over[0], "chat Are you there?")
    house.receives("ann", STALE_AT_BOARD, "hex chat 1 ann PASSWORD")


def test_a_mail_without_a_board_ends_after_a_year(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "help")
    mail = house.receives("ann", "[pbm] help")
    house.clock.advance(days=365)
    house.replies(mail, "set")
    house.receives("ann", "[pbm] preferences of ann")
    house.clock.advance(days=31)
    house.replies(mail, "set")
    house.receives("ann", STALE, "set ann PASSWORD")
