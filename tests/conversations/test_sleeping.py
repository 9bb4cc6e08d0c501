"""Challenges of which From alone says whose they are: the board sleeps until its challenger has
proved to be one, and nobody else knows of it."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from pbm.core.service.fsck import find_differences
from pbm.store.tables import boards, moves, outbound, seats
from tests.conversations.conversation import Conversation

ASLEEP = "[cradle 1] asleep: ann, bob"


def challenged(house: Conversation, line: str = "cradle challenge ann bob", body: str = "") -> None:
    """Accounts, and a challenge that may be forged."""
    house.signup("ann", "bob")
    house.mails("ann", line, body)


def states(house: Conversation) -> list[str]:
    with house.server.store.reading() as session:
        assert list(find_differences(session)) == []
        return list(session.execute(select(boards.c.state).order_by(boards.c.id)).scalars())


@pytest.mark.postgresql
def test_it_wakes_with_the_first_move(house: Conversation) -> None:
    challenged(house, body="You coward!")
    mail = house.receives(
        "ann",
        ASLEEP,
        "Reply with accept, or with your first move, or send",
        "    cradle accept 1 ann PASSWORD",
    )
    house.passes(days=6)
    assert states(house) == ["sleeping"]
    house.replies(mail, "a2,b2,c2,c3")
    house.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    first = house.receives("bob", "[cradle 1] new board: ann, bob")
    second = house.receives(
        "bob", "[cradle 1] your move (2), ann played a2,b2,c2,c3", "move by Sun 29 Mar 2026, 12:00"
    )
    assert "coward" not in first.text + second.text
    house.mails("bob", "cradle show 1")
    shown = house.receives("bob", "[cradle 1] bob to move (2)")
    assert "coward" not in shown.text
    assert states(house) == ["running"]


@pytest.mark.postgresql
def test_it_wakes_with_accept_and_may_be_an_invitation(house: Conversation) -> None:
    challenged(house, "cradle challenge bob ann --ask")
    mail = house.receives("ann", "[cradle 1] asleep: bob, ann", "Reply with accept, or send")
    house.replies(mail, "accept")
    house.receives("ann", "[cradle 1] invitation: bob, ann", "when everybody has accepted")
    asked = house.receives("bob", "[cradle 1] invitation: bob, ann", "Reply with accept or decline")
    house.replies(asked, "accept")
    house.receives("bob", "[cradle 1] new board: bob, ann")
    house.receives("ann", "[cradle 1] new board: bob, ann")


@pytest.mark.parametrize(
    "line", ["cradle accept 1 ann {}", "cradle move 1 ann {} accept", "cradle showas ann {} 1"]
)
def test_a_password_wakes_it(house: Conversation, line: str) -> None:
    challenged(house)
    house.receives("ann", ASLEEP)
    house.mails("ann", line.format(house.password("ann")))
    house.receives("ann", "[cradle 1] new board: ann, bob")
    house.receives("bob", "[cradle 1] new board: ann, bob")
    if "showas" in line:
        house.receives("ann", "[cradle 1] your move (1)")


def test_any_reply_wakes_it_and_what_is_refused_stays_awake(house: Conversation) -> None:
    challenged(house)
    mail = house.receives("ann", ASLEEP)
    house.replies(mail, "z99")
    house.receives("ann", "[cradle 1] new board: ann, bob")
    assert "not done" in house.any_mail("ann").subject
    house.receives("bob", "[cradle 1] new board: ann, bob")
    assert states(house) == ["running"]


@pytest.mark.postgresql
def test_nobody_else_knows_of_it(house: Conversation) -> None:
    house.signup("carl")
    challenged(house)
    house.receives("ann", ASLEEP)
    bob, carl = house.password("bob"), house.password("carl")
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
        house.mails(who, line)
        mail = house.receives(who, f"[pbm] not done: {none}")
        assert "ann" not in mail.text.replace("ann@example.org", "")
    for line in (
        "list",
        "all show bob all",
        "all show bob next",
        "cradle games bob",
        "cradle games",
    ):
        house.mails("bob", line)
        assert "ann" not in house.any_mail("bob").text
    assert states(house) == ["sleeping"]


def test_a_reply_from_elsewhere_does_not_wake_it(house: Conversation) -> None:
    challenged(house)
    mail = house.receives("ann", ASLEEP)
    house.replies(mail, "accept", who="bob")
    assert "not done" in house.any_mail("bob").subject
    assert states(house) == ["sleeping"]


@pytest.mark.parametrize("word", ["decline", "reject", "resign"])
def test_the_challenger_may_be_rid_of_it(house: Conversation, word: str) -> None:
    challenged(house)
    house.replies(house.receives("ann", ASLEEP), word)
    house.receives("ann", "[cradle 1] gone", "Nobody else was told of it")
    assert states(house) == []


@pytest.mark.postgresql
def test_it_is_gone_after_a_week(house: Conversation) -> None:
    challenged(house)
    mail = house.receives("ann", ASLEEP)
    house.passes(days=7.1)
    assert states(house) == []
    with house.server.store.reading() as session:
        for table in (seats, moves):
            assert session.execute(select(func.count()).select_from(table)).scalar_one() == 0
        assert set(session.execute(select(outbound.c.board_id)).scalars()) == {None}
    house.replies(mail, "accept")
    assert "not done" in house.any_mail("ann").subject
    house.mails("ann", f"cradle accept 1 ann {house.password('ann')}")
    house.receives("ann", "[pbm] not done: there is no board with that number")


@pytest.mark.config(limits={"open_boards": 1})
def test_only_so_many_sleep_and_none_of_them_counts(house: Conversation) -> None:
    challenged(house)
    mail = house.receives("ann", ASLEEP)
    for number in range(2, 6):
        house.mails("ann", "cradle challenge ann bob")
        house.receives("ann", f"[cradle {number}] asleep: ann, bob")
    house.mails("ann", "cradle challenge ann bob")
    house.receives(
        "ann",
        "[pbm] not done: 5 of your challenges are waiting for you: "
        "reply to one of their mails first",
    )
    house.replies(mail, "accept")
    house.receives("ann", "[cradle 1] new board: ann, bob")
    house.receives("bob", "[cradle 1] new board: ann, bob")
    house.mails("ann", f"cradle accept 2 ann {house.password('ann')}")
    house.receives("ann", "[pbm] not done: you already have 1 game running, the limit")
    assert states(house) == ["running", *["sleeping"] * 4]


def test_no_roll_before_it_wakes_and_all_have_accepted(house: Conversation) -> None:
    challenged(house, "backgammon challenge ann bob")
    mail = house.receives("ann", "[backgammon 1] asleep: ann, bob")
    house.replies(mail, "accept")
    for who in ("ann", "bob"):
        asked = house.receives(who, "[backgammon 1] invitation: ann, bob")
        assert "rolled" not in asked.text
    with house.server.store.reading() as session:
        assert session.execute(select(func.count()).select_from(moves)).scalar_one() == 0
    house.replies(asked, "accept")
    for who in ("ann", "bob"):
        house.receives(who, "[backgammon 1] new board: ann, bob", "rolled")


def test_who_does_not_play_needs_proof_to_challenge(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    house.mails("carl", "cradle challenge ann bob")
    mail = house.any_mail("carl")
    assert "you are not one of these players, and your address alone is no proof" in " ".join(
        mail.text.split()
    )
    house.proves("carl", "cradle challenge ann bob")
    for who in ("ann", "bob", "carl"):
        house.any_mail(who)
    assert states(house) == ["running"]


@pytest.mark.config(players={"confirm_addresses": False})
def test_a_trial_server_believes_every_address(house: Conversation) -> None:
    challenged(house)
    house.receives("ann", "[cradle 1] new board: ann, bob")
    house.receives("bob", "[cradle 1] new board: ann, bob")
