"""Every limit of the configuration that commands have, and that 0 means none."""

from __future__ import annotations

import pytest

from pbm.server.secrets import Secrets
from tests.conversations.house import House
from tests.conversations.servers import InProcess

WRONG = "[pbm] not done: userid and password do not fit together"


def secrets_of(house: House) -> Secrets:
    """The keys of the server under test, and what it remembers."""
    server = house.server
    return server.secrets if isinstance(server, InProcess) else server._daemon.secrets


@pytest.mark.config(limits={"mails_a_day": 3})
def test_commands_a_day(house: House) -> None:
    """Counted for each player, whatever address and password say who it is."""
    house.signup("ann", "bob")
    ann = house.password("ann")
    for _ in range(3):
        house.mails("ann", f"set ann {ann}")
        house.receives("ann", "[pbm] preferences of ann")
    for line in (f"set ann {ann} own=no", "list"):
        house.mails("ann", line)
        house.receives(
            "ann", "[pbm] not done: you have sent 3 commands today, which is all for a day"
        )
    house.mails("bob", "list")
    house.receives("bob", "[pbm] boards being played")
    house.clock.advance(days=1)
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann", "own=yes")


@pytest.mark.config(limits={"failures_a_day": 2})
def test_wrong_passwords_a_day(house: House) -> None:
    """After so many even the right one does not help, unless it was right a moment ago."""
    house.signup("ann", "bob")
    for _ in range(3):
        house.mails("bob", f"set ann {house.secret('Sesame-guess')}")
        house.receives("bob", WRONG)
    new = house.secret("Sesame-anew")
    secrets_of(house)._proofs.clear()
    house.mails("ann", f"set ann {house.password('ann')} name=Ann")
    house.receives("ann", WRONG)
    house.clock.advance(days=1)
    house.mails("ann", f"change password ann {house.password('ann')} {new}")
    house.receives("ann", "[pbm] your password is changed")


@pytest.mark.config(limits={"open_boards": 1})
def test_open_boards(house: House) -> None:
    house.signup("ann", "bob")
    house.challenge("cradle", "ann", "bob")
    house.proves("ann", "cradle challenge ann bob")
    house.receives("ann", "[pbm] not done: you already have 1 game running, the limit")
    house.mails("ann", f"cradle resign 1 ann {house.password('ann')}")
    house.any_mail("ann")
    house.any_mail("bob")
    house.challenge("cradle", "ann", "bob")


@pytest.mark.config(limits={"signups_a_day": 1})
def test_signups_a_day(house: House) -> None:
    house.mails("ann", f"signup ann {house.password('ann')}")
    house.receives("ann", "[pbm] confirm this address")
    house.mails("ann", f"signup anna {house.password('anna')} anna@example.org")
    house.receives(
        "ann", "[pbm] not done: there were too many new accounts from your address today"
    )


@pytest.mark.config(limits={"commands_a_mail": 3})
def test_commands_a_mail(house: House) -> None:
    house.signup("ann")
    house.mails("ann", "multiple", "list\ngames\nhelp\nlist\nlist")
    house.receives("ann", "[pbm] 3 of 4 done", "a mail holds at most 3 commands")


@pytest.mark.config(limits={"help_a_day": 2})
def test_help_mails_a_day(house: House) -> None:
    """To somebody who plays here: mails that hold no command."""
    house.signup("ann")
    for _ in range(4):
        house.mails("ann", "What a lovely day")
    for _ in range(2):
        house.receives("ann", "[pbm] not done: there was no command in your mail")
    house.nothing_more()
    house.mails("ann", "list")
    house.receives("ann", "[pbm] boards being played")


@pytest.mark.config(limits={"broadcasts_a_day": 2})
def test_broadcasts_a_day(house: House) -> None:
    house.signup("ann")
    for _ in range(2):
        house.mails("ann", f"broadcast ann {house.password('ann')}", "Hello!")
        house.receives("ann", "[pbm] passed on to everybody")
    house.mails("ann", f"broadcast ann {house.password('ann')}", "Hello!")
    assert "used up" in house.any_mail("ann").subject


def test_a_message_reaches_everybody_once_and_ten_at_most(house: House) -> None:
    house.signup("eve", "bob")
    eve = house.password("eve")
    house.mails("eve", f"message eve {eve} {'bob ' * 200}", "Hello!")
    house.receives("eve", "[pbm] passed on to bob")
    house.receives("bob", "[pbm] eve writes")
    people = [f"p{number}" for number in range(11)]
    house.signup(*people)
    house.mails("eve", f"message eve {eve} {' '.join(people)}", "Hello!")
    house.receives(
        "eve", "[pbm] not done: a message goes to 10 players at most: send several",
        "message eve PASSWORD USERID",
    )  # fmt: skip


@pytest.mark.config(limits={"messages_a_day": 2})
def test_messages_a_day(house: House) -> None:
    """From one player to one other; who has had enough keeps nobody else from being written to."""
    house.signup("eve", "bob", "carl")
    eve = house.password("eve")
    for _ in range(2):
        house.mails("eve", f"message eve {eve} bob", "Hello!")
        house.receives("eve", "[pbm] passed on to bob")
        house.receives("bob", "[pbm] eve writes")
    house.mails("eve", f"message eve {eve} carl bob", "Hello!")
    house.receives(
        "eve", "[pbm] not done: you have sent bob 2 messages today, which is all for a day: send "
        "the rest tomorrow, in one mail",
    )  # fmt: skip
    for _ in range(2):
        house.mails("eve", f"message eve {eve} carl", "Hello!")
        house.receives("eve", "[pbm] passed on to carl")
        house.receives("carl", "[pbm] eve writes")
    house.clock.advance(days=1)
    house.mails("eve", f"message eve {eve} bob", "Hello!")
    house.receives("eve", "[pbm] passed on to bob")
    house.receives("bob", "[pbm] eve writes")


@pytest.mark.config(limits={"chats_a_day": 2})
def test_chats_a_day(house: House) -> None:
    """Of one player on one board: the other still answers."""
    house.signup("eve", "bob")
    house.challenge("hex", "eve", "bob")
    for who, other in (("eve", "bob"), ("eve", "bob"), ("bob", "eve")):
        house.mails(who, f"hex chat 1 {who} {house.password(who)}", "Hurry!")
        house.receives(who, f"[hex 1] passed on to {other}")
        house.receives(other, f"[hex 1] {who} writes")
    house.mails("eve", f"hex chat 1 eve {house.password('eve')}", "Hurry!")
    house.receives(
        "eve", "[hex 1] not done: you have sent 2 texts to board 1 today, which is all for a day: "
        "send the rest tomorrow, in one mail",
    )  # fmt: skip


@pytest.mark.config(
    limits=dict.fromkeys(
        ("mails_a_day", "failures_a_day", "open_boards", "signups_a_day", "commands_a_mail",
         "help_a_day", "broadcasts_a_day", "messages_a_day", "chats_a_day", "text"), 0,
    )
)  # fmt: skip
def test_nought_is_no_limit(house: House) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    for _ in range(3):
        house.challenge("cradle", "ann", "bob")
        house.mails("ann", f"broadcast ann {ann}", "y" * 20000)
        house.receives("ann", "[pbm] passed on to everybody")
        assert house.receives("bob", "[pbm] ann writes to everybody").text.count("y") > 20000
        house.mails("ann", f"set ann {house.secret('Sesame-guess')}")
        house.receives("ann", WRONG)
    for what in ("sun", "rain", "snow", "hail", "fog", "wind", "storm"):
        house.mails("ann", f"What lovely {what}")
        house.receives("ann", "[pbm] not done: there was no command in your mail")
    house.mails("ann", "multiple", "list\n" * 60)
    house.receives("ann", "[pbm] 60 of 60 done")
