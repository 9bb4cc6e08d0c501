"""Banned, suspended, stopped: what an operator ends stays ended, whatever is tried around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from pbm.config import Config
from pbm.config import Server as Address
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission
from pbm.daemon.keys import load_secrets
from pbm.features.accounts import banning
from pbm.mail.compose import build_service
from pbm.store.tables import addresses, inbound
from pbm.store.transaction import Session
from tests.harness.conversation import SERVER, Conversation

EVE = "eve@example.org"
SPARE = "eve@spare.example"
NOWHERE = "[pbm] not done: one of these addresses cannot be used here"
HELP = "[pbm] how to play board games by mail"


def build_act(talk: Conversation, session: Session, reason: str) -> OperatorAct:
    """Where the operator acts."""
    config = Config(server=Address(address=SERVER))
    return OperatorAct(
        session, "frank", reason, talk.clock.now, load_secrets(talk.server.store), config
    )


def operates(talk: Conversation, do: Callable[[OperatorAct, str], list[Notice]], who: str) -> None:
    """The operator does that, for a reason."""
    with talk.server.store.writing() as session:
        act = build_act(talk, session, "spam")
        service = build_service(act.config, act.secrets)
        submission = Submission((lambda _session: do(act, who),), talk.clock.now)
        service.submit(session, submission, talk.clock.now)


def stops(act: OperatorAct, who: str) -> list[Notice]:
    return banning.stop_address(act, who, stopped=True)


def goes_again(act: OperatorAct, who: str) -> list[Notice]:
    return banning.stop_address(act, who, stopped=False)


def outcome(talk: Conversation) -> str:
    """What became of the last mail."""
    talk.nothing_more()
    with talk.server.store.reading() as session:
        query = select(inbound.c.outcome).order_by(inbound.c.id.desc()).limit(1)
        return str(session.execute(query).scalar_one())


@pytest.mark.postgresql
def test_nothing_is_taken_from_a_banned_address(talk: Conversation) -> None:
    """Not with a right password either, nor under another spelling; and there is no answer."""
    talk.signup("eve", "bob")
    eve = talk.password("eve")
    operates(talk, banning.ban, EVE)
    talk.receives("eve", "[pbm] an address of yours is banned", "banned eve@example.org: spam")
    for who in (EVE, "Eve@Example.Org", "eve+games@example.org", "eve+@example.org"):
        for line in (f"set eve {eve} own=no", "list", f"signup eve2 {eve}", "nothing at all"):
            talk.mails(who, line)
            assert outcome(talk) == "banned"
    talk.mails("eve2@example.org", f"signup eve2 {talk.password('eve2')}")
    talk.receives("eve2@example.org", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_address_joins_no_account(talk: Conversation) -> None:
    talk.signup("bob")
    operates(talk, banning.ban, EVE)
    bob = talk.password("bob")
    for address in (EVE, "EVE+2@example.org"):
        talk.mails("zoe", f"signup zoe {talk.password('zoe')} {address}")
        talk.receives("zoe", NOWHERE)
        talk.mails("bob", f"add bob {bob} {address}")
        talk.receives("bob", NOWHERE)
        talk.mails("bob", f"change address bob {bob} {address}")
        talk.receives("bob", NOWHERE)
    operates(talk, banning.unban, EVE)
    talk.mails("eve", f"signup eve {talk.password('eve')}")
    talk.receives("eve", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_domain_is_banned_with_those_below_it(talk: Conversation) -> None:
    talk.mails("a@spam.example", f"signup adam {talk.password('adam')}")
    code = talk.receives("a@spam.example", "[pbm] confirm this address")
    operates(talk, banning.ban, "@Spam.Example")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    assert outcome(talk) == "banned"
    for who in ("b@spam.example", "c@mx.very.deep.spam.example"):
        talk.mails(who, f"signup {who[0]}x {talk.password(who[0])}")
        assert outcome(talk) == "banned"
    talk.mails("bob", f"signup bob {talk.password('bob')} b@mx.spam.example")
    talk.receives("bob", NOWHERE)
    talk.mails("d@notspam.example", f"signup dora {talk.password('dora')}")
    talk.receives("d@notspam.example", "[pbm] confirm this address")


@pytest.mark.postgresql
def test_a_banned_account_stays_closed(talk: Conversation) -> None:
    """Her opponents may go on without her; nobody reaches her, and she is nobody else."""
    talk.signup("eve", "bob")
    eve, bob = talk.password("eve"), talk.password("bob")
    first = talk.challenge("tictactoe", "eve", "bob")
    talk.mails("eve", f"hex seek eve {eve}")
    talk.any_mail("eve")
    talk.replies(first[0], "b2")
    moved = [talk.any_mail(who) for who in ("eve", "bob")]
    operates(talk, banning.ban, "Eve")
    talk.receives("eve", "[pbm] your account is banned", "The operator banned your account: spam")
    talk.replies(moved[1], "a1")
    talk.any_mail("bob")
    talk.replies(moved[0], "c3")
    assert outcome(talk) == "banned"
    talk.mails("zoe", f"set eve {eve}")
    talk.receives("zoe", HELP)
    talk.mails("yan", f"signup EVE {eve}")
    talk.receives("yan", "[pbm] not done: this userid is taken: choose another")
    talk.mails("bob", "forgot eve")
    talk.receives("bob", "[pbm] a code is on its way")
    talk.mails("bob", f"message bob {bob} eve", "Hello!")
    talk.receives("bob", "[pbm] not done: one of the userids is unknown")
    talk.mails("bob", f"hex join 1 bob {bob}")
    talk.receives("bob", "[pbm] not done: the player who made this offer has left")
    operates(talk, banning.unban, "eve")
    talk.receives("eve", "[pbm] your account is open again")
    talk.mails("eve", f"set eve {eve}")
    talk.receives("eve", "[pbm] preferences of eve")


@pytest.mark.postgresql
def test_a_suspended_player_gets_one_mail_more(talk: Conversation) -> None:
    talk.signup("eve", "bob")
    eve, bob = talk.password("eve"), talk.password("bob")
    board = talk.challenge("tictactoe", "bob", "eve")
    operates(talk, banning.suspend, "eve")
    talk.receives("eve", "[pbm] your account is suspended", "suspended your account: spam")
    talk.replies(board[0], "b2")
    talk.any_mail("bob")
    for line in (f"set eve {eve}", "list", f"signup eva {talk.password('eva')}", "forgot eve"):
        talk.mails("eve", line)
        assert outcome(talk).endswith("; no answer: the operator stopped mail to this address")
    talk.mails("bob", f"add bob {bob} {EVE}")
    talk.receives("bob", NOWHERE)
    operates(talk, banning.unsuspend, "eve")
    talk.receives("eve", "[pbm] your account is open again")
    talk.replies(board[1], "help")
    talk.any_mail("eve")


def test_an_address_that_somebody_only_named_is_not_theirs(talk: Conversation) -> None:
    """Nothing that is done to an account with a ban, or by its erasure, is done to addresses that
    it has not confirmed: they are other people's."""
    talk.appoint("max", "mia")
    talk.signup("bob", "eve")
    for who in ("eve", "kim"):
        talk.mails(who, "help")
    talk.everything()
    named = "bob@example.org mia@example.org kim@example.org"
    talk.mails("eve", f"add eve {talk.password('eve')} {named}")
    talk.everything()
    talk.mails("max", f"moderate max {talk.password('max')} ban eve", "He shouts.")
    talk.receives("max", "[pbm] done: ban eve")
    talk.receives("eve", "[pbm] your account is banned")
    for who in ("bob", "mia"):
        talk.proves(who, "mine")
        talk.receives(who, f"[pbm] open boards of {who}")
    talk.mails("max", f"moderate max {talk.password('max')} unban eve", "He is sorry.")
    talk.everything()
    talk.mails("eve", f"erase eve {talk.password('eve')}")
    code = talk.receives("eve", "[pbm] erase your account?").line("Code: ")
    talk.mails("eve", f"confirm {code}")
    talk.receives("eve", "[pbm] eve is erased")
    talk.mails("kim", "help")  # once a day, and this was today
    talk.nothing_more()


def test_an_address_that_two_have_is_still_the_other_ones(talk: Conversation) -> None:
    talk.signup("bob", "eve")
    for who in ("bob", "eve"):
        talk.mails(who, f"add {who} {talk.password(who)} home@example.org")
        talk.any_mail(who)
        code = talk.receives("home@example.org", "[pbm] confirm this address")
        talk.replies(code, f"confirm {code.line('Code: ')}")
        talk.any_mail(who)
        talk.any_mail("home@example.org")
        talk.clock.advance(days=1)
    operates(talk, banning.suspend, "eve")
    talk.receives("eve", "[pbm] your account is suspended")
    talk.receives("home@example.org", "[pbm] your account is suspended")
    talk.mails("home@example.org", f"set bob {talk.password('bob')}")
    for who in ("bob", "home@example.org"):
        talk.receives(who, "[pbm] preferences of bob")
    operates(talk, banning.unsuspend, "eve")
    for who in ("eve", "home@example.org"):
        talk.receives(who, "[pbm] your account is open again")


@pytest.mark.postgresql
def test_what_the_operator_stopped_stays_stopped(talk: Conversation) -> None:
    """Its player cannot lift it: not by add, not by remove and add, not by another account."""
    talk.signup("eve")
    eve = talk.password("eve")
    talk.mails("eve", f"add eve {eve} {SPARE}")
    talk.any_mail("eve")
    code = talk.receives(SPARE, "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    for who in ("eve", SPARE):
        talk.receives(who, "[pbm] addresses of eve")
    operates(talk, stops, SPARE)
    talk.receives("eve", f"[pbm] mail to {SPARE} stops", "spam")
    talk.mails("eve", f"add eve {eve} {SPARE}")
    talk.receives("eve", NOWHERE)
    talk.mails("eve", f"add eve {eve} eve@office.example")
    talk.receives("eve", "[pbm] addresses of eve", f"{SPARE}  (stopped by the operator)")
    talk.receives("eve@office.example", "[pbm] confirm this address")
    talk.mails("eve", f"remove eve {eve} {SPARE}")
    talk.receives("eve", "[pbm] addresses of eve")
    talk.mails("eve", f"add eve {eve} {SPARE}")
    talk.receives("eve", NOWHERE)
    talk.mails(SPARE, f"signup eva {talk.password('eva')}")
    assert "no answer: the operator stopped mail" in outcome(talk)


def test_a_player_adds_again_what_bounces_stopped(talk: Conversation) -> None:
    talk.signup("eve")
    eve = talk.password("eve")
    talk.mails("eve", f"add eve {eve} {SPARE}")
    talk.any_mail("eve")
    code = talk.receives(SPARE, "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    for who in ("eve", SPARE):
        talk.any_mail(who)
    with talk.server.store.writing() as session:
        session.execute(
            update(addresses)
            .where(addresses.c.address == SPARE)
            .values(stopped=talk.clock.now, bounce_score=5.0)
        )
    talk.mails("eve", f"add eve {eve} {SPARE}")
    for who in ("eve", SPARE):
        talk.receives(who, "[pbm] addresses of eve")


def test_bans_overlap(talk: Conversation) -> None:
    """What one ban leaves, another may still hold."""
    talk.signup("eve")
    operates(talk, banning.ban, EVE)
    talk.receives("eve", "[pbm] an address of yours is banned")
    operates(talk, banning.ban, "@example.org")
    operates(talk, banning.unban, EVE)
    talk.mails("eve", "list")
    assert outcome(talk) == "banned"
    with pytest.raises(Refusal, match="this address is banned"):
        operates(talk, goes_again, EVE)
    operates(talk, banning.unban, "@example.org")
    talk.mails("eve", "list")
    talk.receives("eve", "[pbm] boards being played")


def test_what_cannot_be_banned(talk: Conversation) -> None:
    talk.signup("eve")
    for who, why in (
        ("nobody", "there is no player with that userid"),
        ("no address@", "neither an address .* nor a domain"),
    ):
        with pytest.raises(Refusal, match=why):
            operates(talk, banning.ban, who)
    operates(talk, banning.ban, "eve")
    talk.receives("eve", "[pbm] your account is banned")
    for act, who, why in (
        (banning.ban, "eve", "already banned"),
        (banning.ban, EVE, "already banned"),
        (banning.unsuspend, "eve", "pbm admin unban eve"),
        (banning.unban, "bob", "no such ban"),
        (banning.unban, "bob@example.org", "no such ban"),
    ):
        with pytest.raises(Refusal, match=why):
            operates(talk, act, who)


def test_who_was_suspended_before_a_ban_is_suspended_after_it(talk: Conversation) -> None:
    talk.signup("eve")
    operates(talk, banning.suspend, "eve")
    talk.receives("eve", "[pbm] your account is suspended")
    operates(talk, banning.ban, "eve")
    operates(talk, banning.unban, "eve")
    talk.mails("eve", f"set eve {talk.password('eve')}")
    assert outcome(talk).endswith("; no answer: the operator stopped mail to this address")
    operates(talk, banning.unsuspend, "eve")
    talk.receives("eve", "[pbm] your account is open again")
