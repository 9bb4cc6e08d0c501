"""Banned, suspended, stopped: what an operator ends stays ended, whatever is tried around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from pbm.config import Config
from pbm.config import Server as Address
from pbm.core.model.notices.notice import Notice
from pbm.core.model.refusal import Refusal
from pbm.core.service import banning
from pbm.core.service.operator import OperatorAct
from pbm.core.service.submit import Submission
from pbm.daemon.keys import load_secrets
from pbm.mail.outgoing.postbox import build_service
from pbm.store.tables import addresses, inbound
from pbm.store.transaction import Session
from tests.conversations.conversation import SERVER, Conversation

EVE = "eve@example.org"
SPARE = "eve@spare.example"
NOWHERE = "[pbm] not done: one of these addresses cannot be used here"
HELP = "[pbm] how to play board games by mail"


def desk_of(house: Conversation, session: Session, reason: str) -> OperatorAct:
    """Where the operator acts."""
    config = Config(server=Address(address=SERVER))
    return OperatorAct(
        session, "frank", reason, house.clock.now, load_secrets(house.server.store), config
    )


def operates(
    house: Conversation, act: Callable[[OperatorAct, str], list[Notice]], who: str
) -> None:
    """The operator does that, for a reason."""
    with house.server.store.writing() as session:
        desk = desk_of(house, session, "spam")
        service = build_service(desk.config, desk.secrets)
        submission = Submission((lambda _session: act(desk, who),), house.clock.now)
        service.submit(session, submission, house.clock.now)


def stops(desk: OperatorAct, who: str) -> list[Notice]:
    return banning.stop_address(desk, who, stopped=True)


def goes_again(desk: OperatorAct, who: str) -> list[Notice]:
    return banning.stop_address(desk, who, stopped=False)


def outcome(house: Conversation) -> str:
    """What became of the last mail."""
    house.nothing_more()
    with house.server.store.reading() as session:
        query = select(inbound.c.outcome).order_by(inbound.c.id.desc()).limit(1)
        return str(session.execute(query).scalar_one())


@pytest.mark.postgresql
def test_nothing_is_taken_from_a_banned_address(house: Conversation) -> None:
    """Not with a right password either, nor under another spelling; and there is no answer."""
    house.signup("eve", "bob")
    eve = house.password("eve")
    operates(house, banning.ban, EVE)
    house.receives("eve", "[pbm] an address of yours is banned", "banned eve@example.org: spam")
    for who in (EVE, "Eve@Example.Org", "eve+games@example.org", "eve+@example.org"):
        for line in (f"set eve {eve} own=no", "list", f"signup eve2 {eve}", "nothing at all"):
            house.mails(who, line)
            assert outcome(house) == "banned"
    house.mails("eve2@example.org", f"signup eve2 {house.password('eve2')}")
    house.receives("eve2@example.org", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_address_joins_no_account(house: Conversation) -> None:
    house.signup("bob")
    operates(house, banning.ban, EVE)
    bob = house.password("bob")
    for address in (EVE, "EVE+2@example.org"):
        house.mails("zoe", f"signup zoe {house.password('zoe')} {address}")
        house.receives("zoe", NOWHERE)
        house.mails("bob", f"add bob {bob} {address}")
        house.receives("bob", NOWHERE)
        house.mails("bob", f"change address bob {bob} {address}")
        house.receives("bob", NOWHERE)
    operates(house, banning.unban, EVE)
    house.mails("eve", f"signup eve {house.password('eve')}")
    house.receives("eve", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_domain_is_banned_with_those_below_it(house: Conversation) -> None:
    house.mails("a@spam.example", f"signup adam {house.password('adam')}")
    code = house.receives("a@spam.example", "[pbm] confirm this address")
    operates(house, banning.ban, "@Spam.Example")
    house.replies(code, f"confirm {code.line('Code: ')}")
    assert outcome(house) == "banned"
    for who in ("b@spam.example", "c@mx.very.deep.spam.example"):
        house.mails(who, f"signup {who[0]}x {house.password(who[0])}")
        assert outcome(house) == "banned"
    house.mails("bob", f"signup bob {house.password('bob')} b@mx.spam.example")
    house.receives("bob", NOWHERE)
    house.mails("d@notspam.example", f"signup dora {house.password('dora')}")
    house.receives("d@notspam.example", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_account_stays_closed(house: Conversation) -> None:
    """Her opponents may go on without her; nobody reaches her, and she is nobody else."""
    house.signup("eve", "bob")
    eve, bob = house.password("eve"), house.password("bob")
    first = house.challenge("tictactoe", "eve", "bob")
    house.mails("eve", f"hex seek eve {eve}")
    house.any_mail("eve")
    house.replies(first[0], "b2")
    moved = [house.any_mail(who) for who in ("eve", "bob")]
    operates(house, banning.ban, "Eve")
    house.receives("eve", "[pbm] your account is banned", "The operator banned your account: spam")
    house.replies(moved[1], "a1")
    house.any_mail("bob")
    house.replies(moved[0], "c3")
    assert outcome(house) == "banned"
    house.mails("zoe", f"set eve {eve}")
    house.receives("zoe", HELP)
    house.mails("yan", f"signup EVE {eve}")
    house.receives("yan", "[pbm] not done: this userid is taken: choose another")
    house.mails("bob", "forgot eve")
    house.receives("bob", "[pbm] a code is on its way")
    house.mails("bob", f"message bob {bob} eve", "Hello!")
    house.receives("bob", "[pbm] not done: one of the userids is unknown")
    house.mails("bob", f"hex join 1 bob {bob}")
    house.receives("bob", "[pbm] not done: the player who made this offer has left")
    operates(house, banning.unban, "eve")
    house.receives("eve", "[pbm] your account is open again")
    house.mails("eve", f"set eve {eve}")
    house.receives("eve", "[pbm] preferences of eve")


@pytest.mark.postgresql
def test_a_suspended_player_gets_one_mail_more(house: Conversation) -> None:
    house.signup("eve", "bob")
    eve, bob = house.password("eve"), house.password("bob")
    board = house.challenge("tictactoe", "bob", "eve")
    operates(house, banning.suspend, "eve")
    house.receives("eve", "[pbm] your account is suspended", "suspended your account: spam")
    house.replies(board[0], "b2")
    house.any_mail("bob")
    for line in (f"set eve {eve}", "list", f"signup eva {house.password('eva')}", "forgot eve"):
        house.mails("eve", line)
        assert outcome(house).endswith("; no answer: the operator stopped mail to this address")
    house.mails("bob", f"add bob {bob} {EVE}")
    house.receives("bob", NOWHERE)
    operates(house, banning.unsuspend, "eve")
    house.receives("eve", "[pbm] your account is open again")
    house.replies(board[1], "help")
    house.any_mail("eve")


def test_an_address_that_two_have_is_still_the_other_ones(house: Conversation) -> None:
    house.signup("bob", "eve")
    for who in ("bob", "eve"):
        house.mails(who, f"add {who} {house.password(who)} home@example.org")
        house.any_mail(who)
        code = house.receives("home@example.org", "[pbm] confirm this address")
        house.replies(code, f"confirm {code.line('Code: ')}")
        house.any_mail(who)
        house.any_mail("home@example.org")
        house.clock.advance(days=1)
    operates(house, banning.suspend, "eve")
    house.receives("eve", "[pbm] your account is suspended")
    house.receives("home@example.org", "[pbm] your account is suspended")
    house.mails("home@example.org", f"set bob {house.password('bob')}")
    for who in ("bob", "home@example.org"):
        house.receives(who, "[pbm] preferences of bob")
    operates(house, banning.unsuspend, "eve")
    for who in ("eve", "home@example.org"):
        house.receives(who, "[pbm] your account is open again")


@pytest.mark.postgresql
def test_what_the_operator_stopped_stays_stopped(house: Conversation) -> None:
    """Its player cannot lift it: not by add, not by remove and add, not by another account."""
    house.signup("eve")
    eve = house.password("eve")
    house.mails("eve", f"add eve {eve} {SPARE}")
    house.any_mail("eve")
    code = house.receives(SPARE, "[pbm] confirm this address")
    house.replies(code, f"confirm {code.line('Code: ')}")
    for who in ("eve", SPARE):
        house.receives(who, "[pbm] addresses of eve")
    operates(house, stops, SPARE)
    house.receives("eve", f"[pbm] mail to {SPARE} stops", "spam")
    house.mails("eve", f"add eve {eve} {SPARE}")
    house.receives("eve", NOWHERE)
    house.mails("eve", f"add eve {eve} eve@office.example")
    house.receives("eve", "[pbm] addresses of eve", f"{SPARE}  (stopped by the operator)")
    house.receives("eve@office.example", "[pbm] confirm this address")
    house.mails("eve", f"remove eve {eve} {SPARE}")
    house.receives("eve", "[pbm] addresses of eve")
    house.mails("eve", f"add eve {eve} {SPARE}")
    house.receives("eve", NOWHERE)
    house.mails(SPARE, f"signup eva {house.password('eva')}")
    assert "no answer: the operator stopped mail" in outcome(house)


def test_a_player_adds_again_what_bounces_stopped(house: Conversation) -> None:
    house.signup("eve")
    eve = house.password("eve")
    house.mails("eve", f"add eve {eve} {SPARE}")
    house.any_mail("eve")
    code = house.receives(SPARE, "[pbm] confirm this address")
    house.replies(code, f"confirm {code.line('Code: ')}")
    for who in ("eve", SPARE):
        house.any_mail(who)
    with house.server.store.writing() as session:
        session.execute(
            update(addresses)
            .where(addresses.c.address == SPARE)
            .values(stopped=house.clock.now, bounces=3)
        )
    house.mails("eve", f"add eve {eve} {SPARE}")
    for who in ("eve", SPARE):
        house.receives(who, "[pbm] addresses of eve")


def test_bans_overlap(house: Conversation) -> None:
    """What one ban leaves, another may still hold."""
    house.signup("eve")
    operates(house, banning.ban, EVE)
    house.receives("eve", "[pbm] an address of yours is banned")
    operates(house, banning.ban, "@example.org")
    operates(house, banning.unban, EVE)
    house.mails("eve", "list")
    assert outcome(house) == "banned"
    with pytest.raises(Refusal, match="this address is banned"):
        operates(house, goes_again, EVE)
    operates(house, banning.unban, "@example.org")
    house.mails("eve", "list")
    house.receives("eve", "[pbm] boards being played")


def test_what_cannot_be_banned(house: Conversation) -> None:
    house.signup("eve")
    for who, why in (
        ("nobody", "there is no player with that userid"),
        ("no address@", "neither an address .* nor a domain"),
    ):
        with pytest.raises(Refusal, match=why):
            operates(house, banning.ban, who)
    operates(house, banning.ban, "eve")
    house.receives("eve", "[pbm] your account is banned")
    for act, who, why in (
        (banning.ban, "eve", "already banned"),
        (banning.ban, EVE, "already banned"),
        (banning.unsuspend, "eve", "pbm admin unban eve"),
        (banning.unban, "bob", "no such ban"),
        (banning.unban, "bob@example.org", "no such ban"),
    ):
        with pytest.raises(Refusal, match=why):
            operates(house, act, who)
