"""How long the mails of the server can be answered without a password."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from pbm.core.secrets import Secrets
from pbm.daemon.keys import load_secrets
from pbm.mail.render import shorten
from pbm.store.tables import players, settings
from tests.harness.conversation import SERVER, Conversation
from tests.harness.visitor import HOST, Visitor

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
    talk.receives("ann", STALE_AT_BOARD, "hex move 1 ann PASSWORD d4")
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


@pytest.mark.postgresql
@pytest.mark.config(web={"url": HOST})
def test_links_new_ends_all_older_links_and_reply_addresses(
    talk: Conversation, visitor: Visitor
) -> None:
    """Without a new password; the others' are as they were, and newer mails bring new ones."""
    talk.signup("ann", "bob")
    old = talk.challenge("hex", "ann", "bob")
    links = [old[0].line("On the web: "), talk.home("ann")]
    assert [visitor.get(link).status for link in links] == [200, 200]
    talk.mails("ann", f"set ann {talk.password('ann')} links=new")
    changed = talk.receives("ann", "[pbm] preferences of ann changed", "Changed: links=new")
    assert [visitor.get(link).status for link in links] == [404, 404]
    assert visitor.get(changed.line("On the web: ")).status == 200
    assert visitor.get(old[1].line("On the web: ")).status == 200
    talk.replies(old[0], "d4")
    refused = talk.receives("ann", STALE_AT_BOARD, "The board as it is now:")
    talk.replies(refused, "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.replies(old[1], "chat Well played!")
    talk.any_mail("ann")
    talk.any_mail("bob")


def old_address(talk: Conversation, name: str, covered: str) -> str:
    """A reply address of the form that was bound to no password."""
    tag = Secrets._compute_tag(load_secrets(talk.server.store).keys[0], covered)
    return SERVER.replace("@", f"+{name}-{tag}@")


def upgraded(talk: Conversation) -> None:
    """The database has just been upgraded from a release with those."""
    row = {"name": "reply_form_changed", "value": repr(talk.clock.now)}
    with talk.server.store.writing() as session:
        session.execute(insert(settings).values(row))


def test_reply_addresses_of_the_old_form_hold_for_a_month(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    board = old_address(talk, "b1-0-1", "b1-0-1-0")
    with talk.server.store.reading() as session:
        number = session.execute(select(players.c.id).where(players.c.name == "ann")).scalar_one()
    player = old_address(talk, f"u{number}", f"u{number}")
    talk.mails("ann", "Re: [hex 1]", "d4", to=board)
    talk.receives("ann", STALE_AT_BOARD, "The board as it is now:")
    upgraded(talk)
    talk.mails("ann", "Re: [hex 1]", "d4", to=board)
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.mails("ann", "Re: [hex 1]", "e5", to=board)
    talk.receives("ann", "[hex 1] not done: the board has changed since the mail you replied to")
    talk.mails("ann", "Re: [pbm] help", "set own=no", to=player)
    talk.receives("ann", "[pbm] preferences of ann changed")
    talk.mails("eve", "Re: [hex 1]", "resign", to=board)
    talk.any_mail("eve")
    talk.clock.advance(days=31)
    for address, title in ((board, STALE_AT_BOARD), (player, STALE)):
        talk.mails("ann", "Re: [hex 1]", "chat 1 Hello!", to=address)
        assert talk.any_mail("ann").subject in (shorten(title), shorten(STALE_AT_BOARD))


def test_a_new_password_ends_reply_addresses_of_the_old_form(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    upgraded(talk)
    talk.mails("ann", f"set ann {talk.password('ann')} links=new")
    talk.any_mail("ann")
    talk.mails("ann", "Re: [hex 1]", "d4", to=old_address(talk, "b1-0-1", "b1-0-1-0"))
    talk.receives("ann", STALE_AT_BOARD, "The board as it is now:")
