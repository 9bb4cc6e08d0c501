"""Programs that answer every mail at once, without a mark, in words that change a little: they are
quiet soon; people who write fast are not stopped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

Writes = Callable[[int], str]
_COLOURS = """\
red green blue white black yellow orange purple brown pink grey azure""".split()  # noqa: SIM905
ROBOTS: dict[str, Writes] = {
    "a number": lambda number: (
        f"Thank you for contacting us. Your request has been received (ticket {number})."
    ),
    "a word": lambda number: f"Your ticket is {_COLOURS[number % 12]}",
    "an identifier": lambda number: (
        f"We have received your mail.\nCase id AB-{number * 7919}-X{number} was opened for you."
    ),
    "a date": lambda number: f"Received on 2026-03-02 at 12:{number:02d}, we will answer soon.",
    "an address": lambda number: f"Your mail to desk{number}@example.com will be answered soon.",
    "very much": lambda number: (
        f"Dear {'very ' * (number % 7)}much valued customer, ticket T-{number * 7919}\n"
        f"we will come back to you within {number} days."
    ),
}
MOST = 7


def run(talk: Conversation, robots: dict[str, Writes], rounds: int = 60) -> dict[str, int]:
    """Let robots answer every mail that they receive; how many mails each player received."""
    got: dict[str, int] = {}
    written = 0
    for _ in range(rounds):
        mails = talk.everything()
        if not mails:
            return got
        for mail in mails:
            who = mail.address.partition("@")[0]
            got[who] = got.get(who, 0) + 1
            if who in robots:
                reply(talk, mail, robots[who](written))
                written += 1
        talk.clock.advance(seconds=1)
    raise AssertionError(f"they still write: {got}")


def reply(talk: Conversation, mail: Mail, text: str) -> None:
    """An answer without a quote and without any mark of a program."""
    headers = {"In_Reply_To": mail.message_id, "References": mail.message_id}
    talk.mails(mail.address, f"Re: {mail.subject}", text, to=mail.reply_to, **headers)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("on_move", [True, False])
@pytest.mark.parametrize("how", ROBOTS)
def test_a_robot_is_quiet_soon(talk: Conversation, how: str, on_move: bool) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    if not on_move:
        talk.replies(mails[0], "a2,b2,c2,c3")
    else:
        reply(talk, mails[0], ROBOTS[how](0))
    got = run(talk, {"ann": ROBOTS[how]})
    assert got.get("bob", 0) <= 3
    assert got["ann"] <= MOST


@pytest.mark.parametrize("how", ROBOTS)
def test_two_robots_at_one_board_are_quiet_soon(talk: Conversation, how: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    got = run(talk, {"ann": ROBOTS[how], "bob": ROBOTS["a number"]})
    assert max(got.values()) <= MOST, got


def test_a_robot_that_answers_mails_about_no_board(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help")
    got = run(talk, {"ann": ROBOTS["a word"]})
    assert got["ann"] <= MOST


CHATS = """\
Hello Bob, how are you doing?
I am fine, thanks for asking!
What a lovely day it is here
We went to the lake yesterday
My sister says hello to you
Did you see the match on Sunday?
That last move of yours was nasty
I did not see it coming at all
Sorry for being so slow last week
The children had a cold again
Now they are back at school
So I have more time to play
Do you play any other games?
I like the one with the bridges
The game of Hex is too hard for me
Maybe we should try that next
Or shall we invite Carl as well?
He asked me about it on Monday
OK
Good night, and see you tomorrow
""".splitlines()


@pytest.mark.parametrize("to", ["the board", "the last mail"])
def test_a_person_who_writes_fast_is_not_stopped(talk: Conversation, to: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    talk.any_mail("bob")
    for text in CHATS:
        talk.replies(mail, text)
        answer = talk.any_mail("ann")
        assert "passed on to bob" in answer.text or "sent to bob" in answer.text, answer
        assert f"> {text}" in talk.receives("bob", "[cradle 1] ann writes").text
        mail = mail if to == "the board" else answer
        talk.clock.advance(seconds=10)
