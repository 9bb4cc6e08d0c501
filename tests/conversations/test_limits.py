"""Every limit of the configuration that commands have, and that 0 means none."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

WRONG = "[pbm] not done: wrong userid or password"


@pytest.mark.config(limits={"mails_a_day": 4})
def test_commands_a_day(talk: Conversation) -> None:
    """Counted for the player who proves to be one, the challenge too; moves are never refused for
    it."""
    talk.signup("ann", "bob")
    opening = talk.challenge("cradle", "ann", "bob")
    ann = talk.password("ann")
    for _ in range(3):
        talk.mails("ann", f"set ann {ann}")
        talk.receives("ann", "[pbm] preferences of ann")
    talk.mails("ann", f"set ann {ann} own=no")
    over = "[pbm] not done: you have used today's 4 commands: you can still move ..."
    talk.receives("ann", over, "and send the rest after 00:00 UTC.")
    talk.replies(opening[0], "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    talk.clock.advance(days=1)
    talk.mails("ann", f"set ann {ann}")
    talk.receives("ann", "[pbm] preferences of ann", "own=yes")


@pytest.mark.config(limits={"mails_a_day": 3})
def test_nobody_spends_the_commands_of_another(talk: Conversation) -> None:
    """From proves nothing: what only names an address is charged to that address, as looking."""
    talk.signup("ann", "bob")
    for _ in range(2):
        talk.mails("ann", "multiple", "list\n" * 10)
        talk.receives("ann", "[pbm] 10 of 10 done")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.config(limits={"failures_a_day": 2, "unproved_a_day": 0})
def test_wrong_passwords_a_day(talk: Conversation) -> None:
    """After so many no password is tried, right or wrong, until a code from the account's own
    address comes back; replies are taken as always."""
    talk.signup("ann", "bob")
    opening = talk.challenge("cradle", "ann", "bob")
    ann = talk.password("ann")
    for number in range(2):
        talk.mails("bob", f"set ann {talk.secret(f'Sesame-guess{number}')}")
        talk.receives("bob", WRONG)
    talk.mails("bob", f"set ann {talk.secret('Sesame-third')}")
    talk.receives("bob", WRONG)
    warned = talk.receives("ann", "[pbm] too many wrong passwords")
    talk.mails("bob", f"set ann {ann} name=Owned")
    talk.receives("bob", WRONG)  # right, but nobody can see that
    talk.mails("ann", f"set ann {ann} name=Ann")
    talk.receives(
        "ann",
        "[pbm] not done: too many wrong passwords today: use the code that another mail brings",
    )
    talk.replies(opening[0], "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    talk.replies(warned, f"confirm {warned.line('confirm ')}")
    talk.receives("ann", "[pbm] passwords are taken again")
    talk.mails("ann", f"set ann {ann}")
    talk.receives("ann", "[pbm] preferences of ann")
    for number in range(3):
        talk.mails("bob", f"set ann {talk.secret(f'Sesame-more{number}')}")
        talk.receives("bob", WRONG)
    talk.mails("ann", f"set ann {ann}")
    assert "too many wrong passwords" in talk.any_mail("ann").subject  # the code is hourly
    talk.clock.advance(seconds=3600)
    talk.mails("bob", f"set ann {talk.secret('Sesame-late')}")
    talk.receives("bob", WRONG)
    talk.receives("ann", "[pbm] too many wrong passwords")
    talk.clock.advance(days=1)
    talk.mails("ann", f"set ann {ann}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.config(limits={"looks_a_day": 3})
def test_looks_a_day(talk: Conversation) -> None:
    """Of an address that proves nothing; who proves to be the player goes on."""
    talk.signup("ann")
    for _ in range(3):
        talk.mails("ann", "list")
        last = talk.receives("ann", "[pbm] boards being played")
    talk.mails("ann", "games")
    talk.receives(
        "ann",
        "[pbm] not done: no more pages for this address today: "
        "to see more, reply to one of our mails",
    )
    talk.replies(last, "games")
    assert talk.any_mail("ann").subject.startswith("[pbm] ")
    talk.nothing_more()
    talk.clock.advance(days=1)
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] boards being played")


@pytest.mark.config(limits={"looks_bytes_a_day": 3000})
def test_octets_of_looking_a_day(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help commands")
    assert len(talk.any_mail("ann").text) > 3000
    talk.mails("ann", "help commands")
    assert "no more pages" in talk.any_mail("ann").subject


@pytest.mark.config(limits={"strangers_an_hour": 4})
def test_strangers_an_hour(talk: Conversation) -> None:
    """All addresses that nobody has registered share the answers of an hour."""
    for who in ("kim", "lee", "moe", "sue"):
        talk.mails(who, "help")
    for who in ("kim", "lee"):
        talk.receives(who, "[pbm] how to play board games by mail")
    talk.nothing_more()
    talk.clock.advance(seconds=3600)
    talk.mails("sue", "help")
    talk.receives("sue", "[pbm] how to play board games by mail")


@pytest.mark.config(limits={"open_boards": 1})
def test_open_boards(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    talk.proves("ann", "cradle challenge ann bob")
    talk.receives("ann", "[pbm] not done: you already have 1 game running, the limit")
    talk.mails("ann", f"cradle resign 1 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.challenge("cradle", "ann", "bob")


@pytest.mark.config(limits={"signups_a_day": 1})
def test_signups_a_day(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] confirm this address")
    talk.mails("ann", f"signup anna {talk.password('anna')} anna@example.org")
    talk.nothing_more()
    talk.signup("bob")
    talk.mails("bob", f"signup bobby {talk.password('bobby')} bobby@example.org")
    talk.receives(
        "bob",
        "[pbm] not done: too many accounts were opened from your address today: try again tomorrow",
    )


@pytest.mark.config(players={"confirm_addresses": False})
def test_new_passwords_a_mail(talk: Conversation) -> None:
    """Each costs a tenth of a second, and whoever writes next waits for it."""
    names = [f"child{number}" for number in range(6)]
    lines = [f"signup {name} {talk.password(name)} {name}@example.org" for name in names]
    talk.mails("ann", "multiple", "\n".join(lines))
    refused = talk.receives("child0", "[pbm] 4 of 6 done").text
    assert refused.count("Not done: one mail can set 4 passwords at most") == 2
    talk.mails("ann", "multiple", "\n".join(lines[4:]))
    talk.receives("child4", "[pbm] 2 of 2 done")


@pytest.mark.config(limits={"commands_a_mail": 3})
def test_commands_a_mail(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "multiple", "list\ngames\nhelp\nlist\nlist")
    talk.receives("ann", "[pbm] 3 of 4 done", "a mail can hold at most 3 commands")


@pytest.mark.config(limits={"unproved_a_day": 3})
def test_answers_a_day_to_what_proves_nothing(talk: Conversation) -> None:
    """Of all kinds together, the code of the signup too; the last says so. What is proved is
    answered as always."""
    talk.signup("ann")
    last = "This is today's last answer to mails that do not show who wrote them."
    talk.mails("ann", "What a lovely day")
    first = talk.receives("ann", "[pbm] not done: there was no command in your mail")
    assert last not in first.text
    talk.mails("ann", "list")
    listed = talk.receives("ann", "[pbm] boards being played", last)
    for line in ("games", "What a lovely night"):
        talk.mails("ann", line)
    talk.nothing_more()
    talk.replies(listed, "list")
    assert last not in talk.receives("ann", "[pbm] boards being played").text
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")
    talk.clock.advance(days=1)
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] boards being played")


@pytest.mark.config(limits={"announcements_a_day": 2})
def test_announcements_a_day(talk: Conversation) -> None:
    """What is beyond waits for a moderator, and its writer is told."""
    talk.signup("ann", "bob")
    for _ in range(2):
        talk.mails("ann", f"broadcast ann {talk.password('ann')}", "Hello!")
        talk.receives("ann", "[pbm] passed on to everybody")
        talk.receives("bob", "[pbm] ann writes to everybody")
    talk.mails("ann", f"broadcast ann {talk.password('ann')}", "Hello!")
    talk.receives("ann", "[pbm] waits for a moderator: your text to everybody", "> Hello!")


def test_a_message_reaches_everybody_once_and_ten_at_most(talk: Conversation) -> None:
    talk.signup("eve", "bob")
    eve = talk.password("eve")
    talk.mails("eve", f"message eve {eve} {'bob ' * 200}", "Hello!")
    talk.receives("eve", "[pbm] passed on to bob")
    talk.receives("bob", "[pbm] eve writes")
    people = [f"p{number}" for number in range(11)]
    talk.signup(*people)
    talk.mails("eve", f"message eve {eve} {' '.join(people)}", "Hello!")
    talk.receives(
        "eve",
        "[pbm] not done: a message can go to at most 10 players: send several",
        "message eve PASSWORD USERID",
    )


@pytest.mark.config(
    limits=dict.fromkeys(
        (
            "mails_a_day",
            "failures_a_day",
            "open_boards",
            "signups_a_day",
            "commands_a_mail",
            "unproved_a_day",
            "announcements_a_day",
            "chats_an_hour",
            "text",
            "errors_a_day",
            "looks_a_day",
            "looks_bytes_a_day",
            "look_seconds_a_day",
            "strangers_an_hour",
            "prompt_mails_an_hour",
            "quick_replies",
            "codes_a_week",
            "resets_a_week",
            "unlocks_an_hour",
            "passwords_a_mail",
            "addresses",
            "signup_addresses",
            "exports_a_day",
            "message_players",
            "blocked_players",
        ),
        0,
    )
)
def test_nought_is_no_limit(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    for _ in range(3):
        talk.challenge("cradle", "ann", "bob")
        talk.mails("ann", f"broadcast ann {ann}", "y" * 20000)
        talk.receives("ann", "[pbm] passed on to everybody")
        assert talk.receives("bob", "[pbm] ann writes to everybody").text.count("y") > 20000
        talk.mails("ann", f"set ann {talk.secret('Sesame-guess')}")
        talk.receives("ann", WRONG)
        talk.mails("ann", f"mydata ann {ann}")
        talk.receives("ann", "[pbm] what is kept about ann")
    for number in range(7):
        talk.mails("ann", f"add ann {ann} ann{number}@example.org")
        assert {mail.address for mail in talk.everything()} == {
            "ann@example.org",
            f"ann{number}@example.org",
        }
    for what in ("sun", "rain", "snow", "hail", "fog", "wind", "storm"):
        talk.mails("ann", f"What lovely {what}")
        talk.receives("ann", "[pbm] not done: there was no command in your mail")
    talk.mails("ann", "multiple", "list\n" * 60)
    talk.receives("ann", "[pbm] 60 of 60 done")


@pytest.mark.config(limits={"errors_a_day": 4})
def test_whatever_is_slow_is_answered_no_longer_in_the_end(talk: Conversation) -> None:
    """Moves are, also those that are refused."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("cradle", "ann", "bob")
    opening, answered = mail, 0
    for number in range(20):
        talk.clock.advance(seconds=900)  # too slow for a program
        talk.replies(mail, f"Ticket {number}: your {'request ' * number}is in good hands")
        if not talk.waiting("ann"):
            break
        mail, answered = talk.any_mail("ann"), answered + 1
    assert answered == 5
    assert mail.subject == "[pbm] errors are not answered any more today"
    talk.replies(opening, "b1,c1,d1,d9")
    assert "not done" in talk.any_mail("ann").subject
    talk.replies(opening, "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")


@pytest.mark.config(limits={"errors_a_day": 2})
def test_a_refused_move_is_answered_whatever_errors_there_were(talk: Conversation) -> None:
    """Also the same one for the fifth time, and one that the game cannot read."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("tictactoe", "ann", "bob")
    for text in ("What lovely weather", "My dog is well", "My cat is ill", "See you on Monday"):
        talk.replies(mail, text)
    assert talk.everything()[-1].subject == "[pbm] errors are not answered any more today"
    for move in ("a9", "a9", "a9", "a9", "a9", "z99"):
        talk.replies(mail, move)
        assert talk.any_mail("ann").subject.startswith("[tictactoe 1] not done: ")
    talk.replies(mail, "a1")
    talk.receives("ann", "[tictactoe 1] bob to move (2), you played a1")
    talk.any_mail("bob")
    for _ in range(5):
        talk.replies(mail, "a2")
        assert talk.any_mail("ann").subject.startswith("[tictactoe 1] not done: ")


@pytest.mark.config(limits={"errors_a_day": 2})
def test_nobody_spends_the_answers_to_the_errors_of_another(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("cradle", "ann", "bob")
    for number in range(10):
        talk.mails("ann", f"cradle move 1 ann {talk.secret(f'Sesame-guess{number}')} b1")
    talk.everything()
    talk.replies(mail, "z99")
    assert talk.any_mail("ann").subject.startswith("[cradle 1] not done: ")
