"""Programs that answer every mail at once, without a mark, in words that change a little: they are
quiet soon; people who write fast are not stopped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

Writes = Callable[[int, Mail], str]
"""What a program answers to a mail, the n-th time."""

_SENTENCES = """\
Thank you for writing to me about this
I have read it and will think it over
The weather here is fine and I hope yours is too
Let me get back to you as soon as I can
That is a question which deserves an answer
My colleagues and I are glad to hear from you
It has been a long week, has it not
Nothing would please me more than that
You will find all you need in my last letter
Please give my regards to everybody at home
There is much to be said for a quiet evening
How kind of you to ask after my health""".splitlines()

TEMPLATES: dict[str, Callable[[int], str]] = {
    "a ticket": lambda number: f"Your request has been received (ticket {number}).",
    "a number": lambda number: f"{number * 7919}",
    "capitals": lambda number: f"YOUR TICKET IS {number}",
    "a date": lambda number: f"Received on 2026-03-02 at 12:{number:02d}, we will answer soon.",
    "growing": lambda number: f"Dear {'very ' * number}much valued customer, we will come back",
    "free sentences": lambda number: ". ".join(
        _SENTENCES[(number * step + step) % len(_SENTENCES)] for step in (1, 5, 7)
    ),
    "one word": lambda number: _SENTENCES[number % len(_SENTENCES)].split()[number % 4],
}
ECHOES: dict[str, Callable[[str, Mail], str]] = {
    "alone": lambda words, mail: words,
    "above our text": lambda words, mail: f"{words}\n\n{mail.text}",
    "above our text in capitals": lambda words, mail: f"{words}\n\n{mail.text.upper()}",
    "above a quote": lambda words, mail: "\n> ".join([f"{words}\n", *mail.lines]),
    "our first line": lambda words, mail: f"{words}: {mail.lines[0]}",
}


def robot(template: str, echo: str) -> Writes:
    """A program made of a template and a form of echo."""
    return lambda number, mail: ECHOES[echo](TEMPLATES[template](number), mail)


ROBOTS = {f"{template}, {echo}": robot(template, echo) for template in TEMPLATES for echo in ECHOES}
MOST = 4
"""What a program gets: two answers, the question and, of a board, the mail that it answers."""


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
                reply(talk, mail, robots[who](written, mail))
                written += 1
        talk.clock.advance(seconds=1)
    raise AssertionError(f"they still write: {got}")


def reply(talk: Conversation, mail: Mail, text: str) -> None:
    """An answer without a quote and without any mark of a program."""
    headers = {"In_Reply_To": mail.message_id, "References": mail.message_id}
    talk.mails(mail.address, f"Re: {mail.subject}", text, to=mail.reply_to, **headers)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("on_move", [True, False])
@pytest.mark.parametrize("how", ROBOTS)
def test_a_robot_is_quiet_soon(talk: Conversation, how: str, on_move: bool) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    if not on_move:
        talk.replies(mails[0], "a2,b2,c2,c3")
    else:
        reply(talk, mails[0], ROBOTS[how](0, mails[0]))
    got = run(talk, {"ann": ROBOTS[how]})
    assert got.get("bob", 0) <= 3
    assert got["ann"] <= MOST


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ROBOTS)
def test_two_robots_at_one_board_are_quiet_soon(talk: Conversation, how: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    got = run(talk, {"ann": ROBOTS[how], "bob": ROBOTS["a ticket, above our text"]})
    assert max(got.values()) <= MOST + 3, got  # what the other one is passed on


def test_a_robot_that_answers_mails_about_no_board(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help")
    got = run(talk, {"ann": ROBOTS["free sentences, alone"]})
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


def test_a_person_who_writes_fast_loses_nothing(talk: Conversation) -> None:
    """Is asked once, says so, and is asked no more; what is beyond three an hour is in one mail."""
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    talk.any_mail("bob")
    asked = 0
    for text in CHATS:
        talk.replies(mail, text)
        answer = talk.any_mail("ann")
        if answer.subject == "[cradle 1] is this a program?":
            asked += 1
            assert f"> {text}" in answer.text
            talk.replies(answer, "No.")
            answer = talk.any_mail("ann")
        assert answer.subject == "[cradle 1] passed on to bob", answer
        talk.clock.advance(seconds=10)
    assert asked == 1
    talk.passes(days=0.1, step=900.0)
    got = [each for each in talk.everything() if each.address == "bob@example.org"]
    assert len(got) <= 6
    heard = "\n".join(each.text for each in got)
    for text in CHATS:
        assert text in heard, text


def test_a_person_who_does_not_answer_the_question_is_read_as_always(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    for text in CHATS[:4]:
        talk.replies(mail, text)
    assert [each.subject for each in talk.everything() if each.address.startswith("ann")] == [
        *2 * ["[cradle 1] passed on to bob"],
        "[cradle 1] is this a program?",
    ]
    talk.replies(mail, "chat Hello Bob, all my own words!")
    talk.receives("ann", "[cradle 1] passed on to bob")
    talk.receives("bob", "[cradle 1] ann writes", "> Hello Bob")
    talk.replies(mail, "And these as well, now.")
    talk.receives("ann", "[cradle 1] passed on to bob")
    talk.receives("bob", "[cradle 1] ann writes", "> And these")
