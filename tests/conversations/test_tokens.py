"""How long the mails of the server can be answered without a password."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation

STALE = "[pbm] not done: the reply address is no longer valid, but that of this mail is"
STALE_AT_BOARD = "[hex 1] not done: the reply address is no longer valid, but that of this mail is"


@pytest.mark.postgresql
def test_a_changed_password_makes_older_mails_stale(talk: Conversation) -> None:
    """Whoever had read along in the mailbox has nothing left; a newer mail is answered as ever."""
    talk.signup("ann", "bob")
    old = talk.challenge("hex", "ann", "bob")
    talk.mails("ann", "help")
    page = talk.receives("ann", "[pbm] help")
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {talk.password('ann')} {new}")
    changed = talk.receives("ann", "[pbm] your password is changed")
    talk.replies(old[0], "d4")
    talk.receives("ann", STALE_AT_BOARD, "hex move 1 ann PASSWORD MOVE")
    talk.replies(page, "set own=no")
    talk.receives("ann", STALE, "set ann PASSWORD")
    talk.replies(changed, "set")
    talk.receives("ann", "[pbm] preferences of ann")
    talk.mails("ann", f"hex move 1 ann {new} d4")
    mail = talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.replies(mail, "resign")
    talk.receives("ann", "[hex 1] bob won (1)")
    talk.receives("bob", "[hex 1] bob won (1)")
    talk.replies(old[1], "chat Well played!")
    talk.receives("bob", "[hex 1] passed on to ann")
    talk.receives("ann", "[hex 1] bob writes")


def test_the_mails_of_a_board_end_a_month_after_it(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    talk.mails("ann", f"hex resign 1 ann {talk.password('ann')}")
    over = [talk.any_mail(who) for who in ("ann", "bob")]
    talk.clock.advance(days=29)
    talk.replies(over[0], "chat Well played!")
    talk.receives("ann", "[hex 1] passed on to bob")
    talk.receives("bob", "[hex 1] ann writes")
    talk.clock.advance(days=2)
    talk.replies(over[0], "chat Are you there?")
    talk.receives("ann", STALE_AT_BOARD, "hex chat 1 ann PASSWORD")


def test_a_mail_without_a_board_ends_after_a_year(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help")
    mail = talk.receives("ann", "[pbm] help")
    talk.clock.advance(days=365)
    talk.replies(mail, "set")
    talk.receives("ann", "[pbm] preferences of ann")
    talk.clock.advance(days=31)
    talk.replies(mail, "set")
    talk.receives("ann", STALE, "set ann PASSWORD")
