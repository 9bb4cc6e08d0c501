"""Every limit of the configuration that commands have, and that 0 means none."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation

WRONG = "[pbm] not done: wrong userid or password"


@pytest.mark.config(limits={"mails_a_day": 4})
def test_commands_a_day(house: Conversation) -> None:
    """Counted for the player who proves to be one, the challenge too; moves are never refused for
    it."""
    house.signup("ann", "bob")
    opening = house.challenge("cradle", "ann", "bob")
    ann = house.password("ann")
    for _ in range(3):
        house.mails("ann", f"set ann {ann}")
        house.receives("ann", "[pbm] preferences of ann")
    house.mails("ann", f"set ann {ann} own=no")
    over = (
        "[pbm] not done: you have used today's 4 commands: you can still move, "
        "and send the rest after 00:00 UTC"
    )
    house.receives("ann", over)
    house.replies(opening[0], "b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    house.clock.advance(days=1)
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann", "own=yes")


@pytest.mark.config(limits={"mails_a_day": 3})
def test_nobody_spends_the_commands_of_another(house: Conversation) -> None:
    """From proves nothing: what only names an address is charged to that address, as looking."""
    house.signup("ann", "bob")
    for _ in range(2):
        house.mails("ann", "multiple", "list\n" * 10)
        house.receives("ann", "[pbm] 10 of 10 done")
    house.mails("ann", f"set ann {house.password('ann')}")
    house.receives("ann", "[pbm] preferences of ann")


@pytest.mark.config(limits={"failures_a_day": 2})
def test_wrong_passwords_a_day(house: Conversation) -> None:
    """After so many no password is tried, right or wrong, until a code from the account's own
    address comes back; replies are taken as always."""
    house.signup("ann", "bob")
    opening = house.challenge("cradle", "ann", "bob")
    ann = house.password("ann")
    for number in range(2):
        house.mails("bob", f"set ann {house.secret(f'Sesame-guess{number}')}")
        house.receives("bob", WRONG)
    house.mails("bob", f"set ann {house.secret('Sesame-third')}")
    house.receives("bob", WRONG)
    warned = house.receives("ann", "[pbm] too many wrong passwords")
    house.mails("bob", f"set ann {ann} name=Owned")
    house.receives("bob", WRONG)  # right, but nobody can see that
    house.mails("ann", f"set ann {ann} name=Ann")
    house.receives(
        "ann",
        "[pbm] not done: too many wrong passwords today: use the code that another mail brings",
    )
    house.replies(opening[0], "b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    house.replies(warned, f"confirm {warned.line('confirm ')}")
    house.receives("ann", "[pbm] passwords are taken again")
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann")
    for number in range(3):
        house.mails("bob", f"set ann {house.secret(f'Sesame-more{number}')}")
        house.receives("bob", WRONG)
    house.mails("ann", f"set ann {ann}")
    assert "too many wrong passwords" in house.any_mail("ann").subject  # the code is hourly
    house.clock.advance(seconds=3600)
    house.mails("bob", f"set ann {house.secret('Sesame-late')}")
    house.receives("bob", WRONG)
    house.receives("ann", "[pbm] too many wrong passwords")
    house.clock.advance(days=1)
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann")


@pytest.mark.config(limits={"looks_a_day": 3})
def test_looks_a_day(house: Conversation) -> None:
    """Of an address that proves nothing; who proves to be the player goes on."""
    house.signup("ann")
    for _ in range(3):
        house.mails("ann", "list")
        last = house.receives("ann", "[pbm] boards being played")
    for _ in range(3):
        house.mails("ann", "games")
    house.receives(
        "ann",
        "[pbm] not done: no more pages for this address today: "
        "to see more, reply to one of our mails",
    )
    house.replies(last, "games")
    assert house.any_mail("ann").subject.startswith("[pbm] ")
    house.nothing_more()
    house.clock.advance(days=1)
    house.mails("ann", "list")
    house.receives("ann", "[pbm] boards being played")


@pytest.mark.config(limits={"looks_bytes_a_day": 3000})
def test_octets_of_looking_a_day(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "help commands")
    assert len(house.any_mail("ann").text) > 3000
    house.mails("ann", "help commands")
    assert "no more pages" in house.any_mail("ann").subject
    house.mails("ann", "help commands")


@pytest.mark.config(limits={"strangers_an_hour": 2})
def test_strangers_an_hour(house: Conversation) -> None:
    """All addresses that nobody has registered share the answers of an hour."""
    for who in ("kim", "lee", "moe", "sue"):
        house.mails(who, "help")
    for who in ("kim", "lee"):
        house.receives(who, "[pbm] how to play board games by mail")
    house.nothing_more()
    house.clock.advance(seconds=3600)
    house.mails("sue", "help")
    house.receives("sue", "[pbm] how to play board games by mail")


@pytest.mark.config(limits={"open_boards": 1})
def test_open_boards(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.challenge("cradle", "ann", "bob")
    house.proves("ann", "cradle challenge ann bob")
    house.receives("ann", "[pbm] not done: you already have 1 game running, the limit")
    house.mails("ann", f"cradle resign 1 ann {house.password('ann')}")
    house.any_mail("ann")
    house.any_mail("bob")
    house.challenge("cradle", "ann", "bob")


@pytest.mark.config(limits={"signups_a_day": 1})
def test_signups_a_day(house: Conversation) -> None:
    house.mails("ann", f"signup ann {house.password('ann')}")
    house.receives("ann", "[pbm] confirm this address")
    house.mails("ann", f"signup anna {house.password('anna')} anna@example.org")
    house.receives(
        "ann",
        "[pbm] not done: too many accounts were opened from your address today: try again tomorrow",
    )


def test_new_passwords_a_mail(house: Conversation) -> None:
    """Each costs a tenth of a second, and whoever writes next waits for it."""
    names = [f"child{number}" for number in range(6)]
    lines = [f"signup {name} {house.password(name)} {name}@example.org" for name in names]
    house.mails("ann", "multiple", "\n".join(lines))
    opened = {mail.address for mail in house.everything()}
    assert {f"{name}@example.org" for name in names[:4]} <= opened
    assert not {f"{name}@example.org" for name in names[4:]} & opened
    house.mails("ann", "multiple", "\n".join(lines[4:]))
    opened = {mail.address for mail in house.everything()}
    assert {f"{name}@example.org" for name in names[4:]} <= opened


@pytest.mark.config(limits={"commands_a_mail": 3})
def test_commands_a_mail(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "multiple", "list\ngames\nhelp\nlist\nlist")
    house.receives("ann", "[pbm] 3 of 4 done", "a mail can hold at most 3 commands")


@pytest.mark.config(limits={"help_a_day": 2})
def test_help_mails_a_day(house: Conversation) -> None:
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
def test_broadcasts_a_day(house: Conversation) -> None:
    house.signup("ann")
    for _ in range(2):
        house.mails("ann", f"broadcast ann {house.password('ann')}", "Hello!")
        house.receives("ann", "[pbm] passed on to everybody")
    house.mails("ann", f"broadcast ann {house.password('ann')}", "Hello!")
    assert "today's broadcasts" in house.any_mail("ann").subject


def test_a_message_reaches_everybody_once_and_ten_at_most(house: Conversation) -> None:
    house.signup("eve", "bob")
    eve = house.password("eve")
    house.mails("eve", f"message eve {eve} {'bob ' * 200}", "Hello!")
    house.receives("eve", "[pbm] passed on to bob")
    house.receives("bob", "[pbm] eve writes")
    people = [f"p{number}" for number in range(11)]
    house.signup(*people)
    house.mails("eve", f"message eve {eve} {' '.join(people)}", "Hello!")
    house.receives(
        "eve",
        "[pbm] not done: a message can go to at most 10 players: send several",
        "message eve PASSWORD USERID",
    )


@pytest.mark.config(limits={"messages_a_day": 2})
def test_messages_a_day(house: Conversation) -> None:
    """From one player to one other; who has had enough keeps nobody else from being written to."""
    house.signup("eve", "bob", "carl")
    eve = house.password("eve")
    for _ in range(2):
        house.mails("eve", f"message eve {eve} bob", "Hello!")
        house.receives("eve", "[pbm] passed on to bob")
        house.receives("bob", "[pbm] eve writes")
    house.mails("eve", f"message eve {eve} carl bob", "Hello!")
    house.receives(
        "eve",
        "[pbm] not done: you have sent bob the 2 messages that a day allows: send "
        "the rest tomorrow, in one mail",
    )
    for _ in range(2):
        house.mails("eve", f"message eve {eve} carl", "Hello!")
        house.receives("eve", "[pbm] passed on to carl")
        house.receives("carl", "[pbm] eve writes")
    house.clock.advance(days=1)
    house.mails("eve", f"message eve {eve} bob", "Hello!")
    house.receives("eve", "[pbm] passed on to bob")
    house.receives("bob", "[pbm] eve writes")


@pytest.mark.config(limits={"chats_a_day": 2})
def test_chats_a_day(house: Conversation) -> None:
    """Of one player on one board: the other still answers."""
    house.signup("eve", "bob")
    house.challenge("hex", "eve", "bob")
    for who, other in (("eve", "bob"), ("eve", "bob"), ("bob", "eve")):
        house.mails(who, f"hex chat 1 {who} {house.password(who)}", "Hurry!")
        house.receives(who, f"[hex 1] passed on to {other}")
        house.receives(other, f"[hex 1] {who} writes")
    house.mails("eve", f"hex chat 1 eve {house.password('eve')}", "Hurry!")
    house.receives(
        "eve",
        "[hex 1] not done: you have sent board 1 the 2 texts that a day allows: "
        "send the rest tomorrow, in one mail",
    )


@pytest.mark.config(
    limits=dict.fromkeys(
        (
            "mails_a_day",
            "failures_a_day",
            "open_boards",
            "signups_a_day",
            "commands_a_mail",
            "help_a_day",
            "broadcasts_a_day",
            "messages_a_day",
            "chats_a_day",
            "text",
            "errors_a_day",
            "looks_a_day",
            "looks_bytes_a_day",
            "look_seconds_a_day",
            "strangers_an_hour",
        ),
        0,
    )
)
def test_nought_is_no_limit(house: Conversation) -> None:
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


@pytest.mark.config(limits={"errors_a_day": 4})
def test_a_robot_that_varies_its_words_is_answered_no_longer(house: Conversation) -> None:
    """One that bears no mark and answers each answer: at last there is silence, and the player's
    own moves, and errors at other boards, are answered all the same."""
    house.signup("ann", "bob")
    mail, _ = house.challenge("cradle", "ann", "bob")
    other, _ = house.challenge("hex", "ann", "bob")
    opening, answered = mail, 0
    for number in range(20):
        house.replies(mail, f"Ticket {number}: your {'request ' * number}is in good hands")
        if not house.waiting("ann"):
            break
        mail, answered = house.any_mail("ann"), answered + 1
    assert answered == 5
    assert mail.subject == "[pbm] errors are not answered any more today"
    house.replies(opening, "b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    house.replies(other, "z99")
    assert "not done" in house.any_mail("ann").subject
    house.clock.advance(days=1)
    house.replies(opening, "b1,c1,d1,d9")
    assert "not done" in house.any_mail("ann").subject


@pytest.mark.config(limits={"errors_a_day": 2})
def test_nobody_spends_the_answers_to_the_errors_of_another(house: Conversation) -> None:
    house.signup("ann", "bob")
    mail, _ = house.challenge("cradle", "ann", "bob")
    for number in range(10):
        house.mails("ann", f"cradle move 1 ann {house.secret(f'Sesame-guess{number}')} b1")
    house.everything()
    house.replies(mail, "z99")
    assert house.any_mail("ann").subject.startswith("[cradle 1] not done: ")
