"""Who may sign up: everybody, whom the operator invites or approves, or nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from pbm.config import Config, House, Players
from pbm.config import Server as Address
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission
from pbm.daemon.keys import load_secrets
from pbm.features.accounts import signup
from pbm.mail.compose import build_service
from tests.harness.conversation import SERVER, Conversation
from tests.harness.visitor import Visitor

OPERATOR = "op@example.net"
approved = pytest.mark.config(players={"signups": "approved"}, house={"operator": OPERATOR})


def act(
    talk: Conversation, do: Callable[[OperatorAct], Sequence[Notice]], reason: str = ""
) -> None:
    """The operator does something, as `pbm admin` does it."""
    players = Players(signups="invited")
    config = Config(server=Address(address=SERVER), house=House(operator=OPERATOR), players=players)
    secrets, now = load_secrets(talk.server.store), talk.clock()
    service = build_service(replace(config), secrets)
    with talk.server.store.writing() as session:
        service.submit(
            session,
            Submission(
                (lambda session: do(OperatorAct(session, "op", reason, now, secrets, config)),), now
            ),
            now,
        )


def signs_up(talk: Conversation, who: str) -> None:
    """Somebody signs up and sends the code back."""
    talk.mails(who, f"signup {who} {talk.password(who)}")
    code = talk.receives(who, "[pbm] confirm this address").line("Code: ")
    talk.mails(who, f"confirm {code}")


@pytest.mark.config(players={"signups": "closed"})
def test_a_closed_server_says_so(talk: Conversation, visitor: Visitor) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    said = "this server takes no new players at the moment"
    assert said in talk.any_mail("ann").text
    talk.mails("kim", "hello")
    mail = talk.receives("kim", "[pbm] how to play board games by mail")
    assert said in " ".join(mail.text.split()).lower()
    assert "signup" not in mail.text
    page = visitor.get("/")
    assert said in page.says.lower()
    assert "signup" not in page.says


@pytest.mark.config(players={"signups": "invited"})
def test_only_whom_the_operator_invites_signs_up(talk: Conversation) -> None:
    """The invitation is one mail, ever."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    assert "only people whom the operator has invited" in talk.any_mail("ann").text
    act(talk, lambda act: signup.invite(act, "Ann@Example.org"))
    talk.receives("ann", "[pbm] an invitation to play", "signup USERID PASSWORD")
    with pytest.raises(Refusal, match="was invited before"):
        act(talk, lambda act: signup.invite(act, "ann@example.org"))
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] welcome, ann")


@pytest.mark.config(players={"signup_domains": ("club.example", "example.org")})
def test_addresses_of_some_domains_sign_up(talk: Conversation) -> None:
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("eve@evil.example", f"signup eve {talk.password('eve')}")
    mail = talk.any_mail("eve@evil.example")
    said = "new players need an address of club.example or example.org"
    assert said in " ".join(mail.text.split())
    assert "signup USERID PASSWORD NAME@club.example" in mail.text
    act(talk, lambda act: signup.invite(act, "kim@far.example"))
    talk.receives("kim@far.example", "[pbm] an invitation to play")
    talk.mails("kim@far.example", f"signup kim {talk.password('kim')}")
    talk.receives("kim@far.example", "[pbm] confirm this address")


@approved
def test_a_signup_waits_for_the_operator(talk: Conversation) -> None:
    """Whoever waits can do nothing, is told so, and is welcome once approved."""
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] your signup waits, ann")
    talk.receives(OPERATOR, "[pbm] ann signed up", "pbm admin approve ann", "ann@example.org")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] how to play board games by mail", "has not approved your account")
    act(talk, lambda act: signup.approve(act, "ann"))
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")
    with pytest.raises(Refusal, match="does not wait"):
        act(talk, lambda act: signup.deny(act, "ann"))
    talk.mails("ann", "help")
    assert "approves each new player" in " ".join(talk.any_mail("ann").text.split())


@approved
def test_a_signup_is_denied(talk: Conversation) -> None:
    """With the reason; the userid is free again."""
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] your signup waits, ann")
    talk.receives(OPERATOR, "[pbm] ann signed up")
    act(talk, lambda act: signup.deny(act, "ann"), "we are full")
    talk.receives("ann", "[pbm] your signup", "did not approve your signup: we are full")
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] your signup waits, ann")
    talk.receives(OPERATOR, "[pbm] ann signed up")


@approved
def test_the_invited_need_no_approval(talk: Conversation) -> None:
    act(talk, lambda act: signup.invite(act, "ann@example.org"))
    talk.receives("ann", "[pbm] an invitation to play")
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] welcome, ann")
