"""Challenges of which From alone says whose they are: the board sleeps until its challenger has
proved to be one, and nobody else knows of it."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from pbm.core.fsck import find_differences
from pbm.store.tables import boards, moves, outbound, seats
from tests.harness.conversation import Conversation
from tests.harness.mail import has_name

ASLEEP = "[cradle 1] asleep: ann, bob"


def challenged(talk: Conversation, line: str = "cradle challenge ann bob", body: str = "") -> None:
    """Accounts, and a challenge that may be forged."""
    talk.signup("ann", "bob")
    talk.mails("ann", line, body)


def states(talk: Conversation) -> list[str]:
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
        return list(session.execute(select(boards.c.state).order_by(boards.c.id)).scalars())


@pytest.mark.postgresql
def test_it_wakes_with_the_first_move(talk: Conversation) -> None:
    challenged(talk, body="You coward!")
    mail = talk.receives(
        "ann",
        ASLEEP,
        "Reply with your first move, or with",
        "    accept\n",
    )
    talk.passes(days=6)
    assert states(talk) == ["sleeping"]
    talk.replies(mail, "a2,b2,c2,c3")
    talk.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    first = talk.receives("bob", "[cradle 1] new board: ann, bob")
    second = talk.receives(
        "bob", "[cradle 1] your move (2), ann played a2,b2,c2,c3", "move by Sun 29 Mar 2026, 12:00"
    )
    assert "coward" not in first.text + second.text
    talk.mails("bob", "cradle show 1")
    shown = talk.receives("bob", "[cradle 1] bob to move (2)")
    assert "coward" not in shown.text
    assert states(talk) == ["running"]


@pytest.mark.postgresql
def test_it_wakes_with_accept_and_may_be_an_invitation(talk: Conversation) -> None:
    challenged(talk, "cradle challenge bob ann --ask")
    mail = talk.receives("ann", "[cradle 1] asleep: bob, ann", "alone proves nothing. Reply with")
    talk.replies(mail, "accept")
    talk.receives("ann", "[cradle 1] invitation: bob, ann", "when everybody has accepted")
    asked = talk.receives(
        "bob", "[cradle 1] invitation: bob, ann", "reply with one of these lines:"
    )
    talk.replies(asked, "accept")
    talk.receives("bob", "[cradle 1] new board: bob, ann")
    talk.receives("ann", "[cradle 1] new board: bob, ann")


@pytest.mark.parametrize(
    "line", ["cradle accept 1 ann {}", "cradle move 1 ann {} accept", "cradle showas ann {} 1"]
)
def test_a_password_wakes_it(talk: Conversation, line: str) -> None:
    challenged(talk)
    talk.receives("ann", ASLEEP)
    talk.mails("ann", line.format(talk.password("ann")))
    talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.receives("bob", "[cradle 1] new board: ann, bob")
    if "showas" in line:
        talk.receives("ann", "[cradle 1] your move (1)")


def test_any_reply_wakes_it_and_what_is_refused_stays_awake(talk: Conversation) -> None:
    challenged(talk)
    mail = talk.receives("ann", ASLEEP)
    talk.replies(mail, "z99")
    talk.receives("ann", "[cradle 1] new board: ann, bob")
    assert "not done" in talk.any_mail("ann").subject
    talk.receives("bob", "[cradle 1] new board: ann, bob")
    assert states(talk) == ["running"]


@pytest.mark.postgresql
def test_nobody_else_knows_of_it(talk: Conversation) -> None:
    talk.signup("carl")
    challenged(talk)
    talk.receives("ann", ASLEEP)
    bob, carl = talk.password("bob"), talk.password("carl")
    none = "there is no board with that number"
    for who, line in (
        ("bob", "cradle show 1"),
        ("ann", "cradle show 1"),
        ("carl", "cradle show 1#0"),
        ("bob", f"cradle showas bob {bob} 1"),
        ("bob", f"cradle accept 1 bob {bob}"),
        ("bob", f"cradle move 1 bob {bob} a2,b2,c2,c3"),
        ("bob", f"cradle decline 1 bob {bob}"),
        ("carl", f"cradle watch 1 carl {carl}"),
        ("carl", "cradle export 1"),
        ("bob", f"cradle chat 1 bob {bob} Who is there?"),
        ("carl", "cradle preview 1 a2,b2,c2,c3"),
    ):
        talk.mails(who, line)
        mail = talk.receives(who, f"[pbm] not done: {none}")
        assert "ann" not in mail.text.replace("ann@example.org", "")
    for line in (
        "list",
        "all show bob all",
        "all show bob next",
        "cradle games bob",
        "cradle games",
    ):
        talk.mails("bob", line)
        assert not has_name(talk.any_mail("bob").text, "ann")
    assert states(talk) == ["sleeping"]


def test_a_reply_from_elsewhere_does_not_wake_it(talk: Conversation) -> None:
    challenged(talk)
    mail = talk.receives("ann", ASLEEP)
    talk.replies(mail, "accept", who="bob")
    assert "not done" in talk.any_mail("bob").subject
    assert states(talk) == ["sleeping"]


@pytest.mark.parametrize("word", ["decline", "reject", "resign"])
def test_the_challenger_may_be_rid_of_it(talk: Conversation, word: str) -> None:
    challenged(talk)
    talk.replies(talk.receives("ann", ASLEEP), word)
    talk.receives("ann", "[cradle 1] gone", "Nobody else was told of it")
    assert states(talk) == []


@pytest.mark.postgresql
def test_it_is_gone_after_a_week(talk: Conversation) -> None:
    challenged(talk)
    mail = talk.receives("ann", ASLEEP)
    talk.passes(days=7.1)
    assert states(talk) == []
    with talk.server.store.reading() as session:
        for table in (seats, moves):
            assert session.execute(select(func.count()).select_from(table)).scalar_one() == 0
        assert set(session.execute(select(outbound.c.board_id)).scalars()) == {None}
    talk.replies(mail, "accept")
    assert "not done" in talk.any_mail("ann").subject
    talk.mails("ann", f"cradle accept 1 ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: there is no board with that number")


@pytest.mark.config(limits={"open_boards": 1})
def test_only_so_many_sleep_and_none_of_them_counts(talk: Conversation) -> None:
    challenged(talk)
    mail = talk.receives("ann", ASLEEP)
    for number in range(2, 6):
        talk.mails("ann", "cradle challenge ann bob")
        talk.receives("ann", f"[cradle {number}] asleep: ann, bob")
    talk.mails("ann", "cradle challenge ann bob")
    talk.receives(
        "ann",
        "[pbm] not done: 5 of your challenges are waiting for you: "
        "reply to one of their mails first",
    )
    talk.replies(mail, "accept")
    talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.receives("bob", "[cradle 1] new board: ann, bob")
    talk.mails("ann", f"cradle accept 2 ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: you already have 1 game running, the limit")
    assert states(talk) == ["running", *["sleeping"] * 4]


def test_no_roll_before_it_wakes_and_all_have_accepted(talk: Conversation) -> None:
    challenged(talk, "backgammon challenge ann bob")
    mail = talk.receives("ann", "[backgammon 1] asleep: ann, bob")
    talk.replies(mail, "accept")
    for who in ("ann", "bob"):
        asked = talk.receives(who, "[backgammon 1] invitation: ann, bob")
        assert "rolled" not in asked.text
    with talk.server.store.reading() as session:
        assert session.execute(select(func.count()).select_from(moves)).scalar_one() == 0
    talk.replies(asked, "accept")
    for who in ("ann", "bob"):
        talk.receives(who, "[backgammon 1] new board: ann, bob", "rolled")


def test_who_does_not_play_needs_proof_to_challenge(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("carl", "cradle challenge ann bob")
    mail = talk.any_mail("carl")
    assert "you are not one of these players, and your address alone is no proof" in " ".join(
        mail.text.split()
    )
    talk.proves("carl", "cradle challenge ann bob")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    assert states(talk) == ["running"]


@pytest.mark.config(players={"confirm_addresses": False})
def test_a_trial_server_believes_every_address(talk: Conversation) -> None:
    challenged(talk)
    talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.receives("bob", "[cradle 1] new board: ann, bob")
