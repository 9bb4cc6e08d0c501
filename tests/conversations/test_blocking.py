"""Blocking: challenges, messages and offers of a player do not reach who blocks; nobody is told."""

from __future__ import annotations

import pytest

from tests.conversations.test_silenced import silence
from tests.harness.conversation import DAY, Conversation


def blocks(talk: Conversation, who: str, other: str) -> None:
    talk.mails(who, f"block {who} {talk.password(who)} {other}")
    talk.receives(who, "[pbm] 1 blocked", f"offers from {other}", f"unblock {other}")
    talk.nothing_more()


@pytest.mark.postgresql
def test_no_challenge_message_or_offer_comes_from_who_is_blocked(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    bob = talk.password("bob")
    blocks(talk, "ann", "bob")
    talk.proves("bob", "hex challenge bob ann")
    talk.receives(
        "bob", "[pbm] not done: ann cannot take part in a new board at present", "hex challenge"
    )
    talk.mails("bob", f"message bob {bob} ann carl", "Play me!")
    talk.receives("carl", "[pbm] bob writes", "Play me!")
    talk.receives("bob", "[pbm] passed on to ann and carl")  # as if it had
    talk.mails("bob", f"broadcast bob {bob}", "A tournament!")
    talk.receives("carl", "[pbm] bob writes to everybody", "A tournament!")
    talk.receives("bob", "[pbm] passed on to everybody")
    talk.mails("bob", f"hex seek bob {bob}")
    talk.receives("bob", "[pbm] offer 1: hex")
    talk.mails("ann", "seeks")
    talk.receives("ann", "[pbm] open offers", "Nobody is looking for a game")
    talk.mails("carl", "seeks")
    talk.receives("carl", "[pbm] open offers", "by bob")
    talk.nothing_more()


def test_who_is_blocked_does_not_see_an_offer_of_who_blocks(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    blocks(talk, "ann", "bob")
    talk.mails("ann", f"hex seek ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] offer 1: hex")
    talk.mails("bob", "seeks")
    talk.receives("bob", "[pbm] open offers", "Nobody is looking for a game")
    talk.mails("bob", f"hex join 1 bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] not done: there is no open offer with that number")
    talk.nothing_more()


def test_boards_go_on_and_a_rematch_is_refused(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first, second = talk.challenge("hex", "ann", "bob")
    blocks(talk, "ann", "bob")
    talk.replies(first, "a1")
    talk.receives("ann", "[hex 1] bob to move (2), you played a1")
    mail = talk.receives("bob", "[hex 1] your move (2), ann played a1")
    talk.replies(mail, "c3")
    talk.receives("ann", "[hex 1] your move (3), bob played c3")
    mail = talk.receives("bob", "[hex 1] ann to move (3), you played c3")
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}")
    over = talk.any_mail("bob")
    talk.any_mail("ann")
    talk.replies(over, "rematch")
    talk.receives("bob", "[hex 1] not done: ann cannot take part in a new board at present")
    assert second.subject
    talk.nothing_more()


def test_a_block_is_listed_and_lifted(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"block ann {ann}")
    talk.receives("ann", "[pbm] 0 blocked", "You block nobody")
    blocks(talk, "ann", "bob")
    blocks(talk, "ann", "bob")  # again changes nothing
    talk.mails("ann", f"block ann {ann} nemo")
    talk.receives(
        "ann", "[pbm] not done: there is no player with that userid", "block ann PASSWORD"
    )
    talk.mails("ann", f"block ann {ann} ann")
    talk.receives("ann", "[pbm] not done: you cannot block yourself")
    talk.mails("ann", f"unblock ann {ann} bob")
    talk.receives("ann", "[pbm] 0 blocked", "You block nobody")
    talk.proves("bob", "hex challenge bob ann")
    talk.receives("bob", "[hex 1] new board: bob, ann")
    talk.receives("ann", "[hex 1] new board: bob, ann")


def test_a_block_covers_all_accounts_of_a_mailbox_and_says_so_to_nobody(talk: Conversation) -> None:
    talk.signup("ann", "eve")
    talk.mails("eve+games", f"signup eva {talk.password('eva')}")
    code = talk.receives("eve+games", "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("eve+games", "[pbm] welcome, eva")
    blocks(talk, "ann", "eve")
    eva = talk.password("eva")
    talk.mails("eve+games", f"message eva {eva} ann", "It is me again!")
    talk.receives("eve+games", "[pbm] passed on to ann")
    talk.mails("eve+games", f"hex challenge eva {eva} ann")
    talk.any_mail("eve+games")
    for line in (
        "team new rooks",
        "team invite rooks ann",
        "club new kings",
        "club invite kings ann",
    ):
        talk.mails("eve+games", f"{line} eva {eva}")
        assert "not done" not in talk.any_mail("eve+games").subject, line
    talk.mails("eve+games", f"hex seek eva {eva}")
    talk.receives("eve+games", "[pbm] offer 1: hex")
    talk.mails("ann", "seeks")
    talk.receives("ann", "[pbm] open offers", "Nobody is looking for a game")
    talk.nothing_more()


@pytest.mark.parametrize("ends", ["signoff", "erase", "change address"])
def test_a_block_follows_whoever_comes_back(talk: Conversation, ends: str) -> None:
    """So does a silence; the list of blocks names no new account."""
    talk.signup("ann", "eve")
    blocks(talk, "ann", "eve")
    silence(talk, "eve")
    eve = talk.password("eve")
    talk.mails("eve", f"{ends} eve {eve}" + " eve@far.example" * (ends == "change address"))
    for mail in talk.everything():
        if "Code: " in mail.text:
            talk.mails(mail.address, f"confirm {mail.line('Code: ')}")
    talk.everything()
    talk.mails("eve", f"signup eva {talk.password('eva')}")
    talk.replies(talk.any_mail("eve"), "yes")
    talk.receives("eve", "[pbm] welcome, eva")
    talk.mails("eve", f"message eva {talk.password('eva')} ann", "It is me again!")
    assert "you are silenced" in talk.any_mail("eve").subject
    talk.passes(days=31, step=4 * DAY)
    talk.everything()
    talk.mails("eve", f"message eva {talk.password('eva')} ann", "It is me again!")
    talk.receives("eve", "[pbm] passed on to ann")
    talk.proves("ann", "block")
    assert "eva" not in talk.receives("ann", "[pbm] 1 blocked").text
