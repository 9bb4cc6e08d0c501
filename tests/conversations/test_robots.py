"""Programs that answer every mail at once, without a mark, in words that change a little: they are
quiet soon; people who write fast are not stopped."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from itertools import cycle

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
    "a number": lambda number: f"{(number + 1) * 7919}",
    "capitals": lambda number: f"YOUR TICKET IS {number}",
    "a date": lambda number: f"Received on 2026-03-02 at 12:{number:02d}, we will answer soon.",
    "growing": lambda number: f"Dear {'very ' * number}much valued customer, we will come back",
    "free sentences": lambda number: ". ".join(
        _SENTENCES[(number * step + step) % len(_SENTENCES)] for step in (1, 5, 7)
    ),
    "a question": lambda number: "Who are you? What is this?",
    "a verb": lambda number: f"Help is on its way, your ticket is {number}",
    "a code": lambda number: f"Confirm your interest in our offers at number {number}",
    "a word": lambda number: f"Accept our thanks for your letter of the {number}th",
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
            kind = f"{who} hears" if "writes" in mail.subject else who
            got[kind] = got.get(kind, 0) + 1
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
    assert got.get("bob", 0) + got.get("bob hears", 0) <= 3
    assert got["ann"] <= MOST


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ROBOTS)
def test_two_robots_at_one_board_are_quiet_soon(talk: Conversation, how: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    got = run(talk, {"ann": ROBOTS[how], "bob": ROBOTS["a ticket, above our text"]})
    for who in ("ann", "bob"):
        assert got[who] <= MOST, got
        assert got.get(f"{who} hears", 0) <= 3, got


Delay = Callable[[random.Random], float]
"""After how many seconds a program answers a mail."""
DELAYS: dict[str, Delay] = {
    "10 s": lambda chance: 10.0,
    "a minute": lambda chance: 60.0,
    "two minutes": lambda chance: 121.0,
    "five minutes": lambda chance: 300.0,
    "nine minutes": lambda chance: 540.0,
    "as it comes": lambda chance: chance.uniform(10, 540),
}


SLOW = [*zip(ROBOTS, cycle(DELAYS), strict=False)]
"""Each robot with one of the delays in turn."""


def run_slowly(
    talk: Conversation, robots: dict[str, tuple[Writes, Delay]], chance: random.Random
) -> dict[str, int]:
    """Let robots answer every mail that they receive, each some time after it has come, until
    nothing has come for half a day; how many mails each player received."""
    got: dict[str, int] = {}
    waiting: list[tuple[float, int, Mail]] = []
    now, written = 0.0, 0
    quiet = 0.0

    def receive() -> None:
        for mail in talk.everything():
            who = mail.address.partition("@")[0]
            got[who] = got.get(who, 0) + 1
            if who in robots:
                heapq.heappush(waiting, (now + robots[who][1](chance), sum(got.values()), mail))

    receive()
    while quiet < 12 * 3600:
        due = waiting[0][0] if waiting else now + 1800
        quiet = 0.0 if waiting else quiet + due - now
        talk.clock.advance(seconds=due - now)
        talk.server.tick(due - now)
        now = due
        while waiting and waiting[0][0] <= now:
            mail = heapq.heappop(waiting)[2]
            writes, _ = robots[mail.address.partition("@")[0]]
            reply(talk, mail, writes(written, mail))
            written += 1
        receive()
        assert sum(got.values()) < 60, got
    return got


@pytest.mark.in_process
@pytest.mark.sampled(8)
@pytest.mark.parametrize("on_move", [True, False])
@pytest.mark.parametrize(("how", "delay"), SLOW)
def test_a_robot_that_takes_its_time_is_quiet_too(
    talk: Conversation, how: str, delay: str, on_move: bool
) -> None:
    """However long it waits, nobody gets more than three mails because of it, and it gets two
    answers and the question; what an hour gathers is not one more."""
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    if not on_move:
        talk.replies(mails[0], "a2,b2,c2,c3")
    else:
        reply(talk, mails[0], ROBOTS[how](0, mails[0]))
    got = run_slowly(talk, {"ann": (ROBOTS[how], DELAYS[delay])}, random.Random(f"{how} {delay}"))
    assert got.get("bob", 0) <= 3, got
    assert got["ann"] <= MOST, got


@pytest.mark.in_process
@pytest.mark.sampled(8)
@pytest.mark.parametrize(("how", "delay"), SLOW)
def test_two_robots_that_take_their_time(talk: Conversation, how: str, delay: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    chance = random.Random(f"{delay} {how}")
    other = chance.choice([*ROBOTS]), chance.choice([*DELAYS])
    robots = {
        "ann": (ROBOTS[how], DELAYS[delay]),
        "bob": (ROBOTS[other[0]], DELAYS[other[1]]),
    }
    got = run_slowly(talk, robots, chance)
    assert max(got.values()) <= MOST + 4, (got, other)  # a late answer may come between


COMMANDS: dict[str, Writes] = {
    "mine": lambda number, mail: "mine",
    "a page and a ticket": lambda number, mail: f"help\n\nYour ticket is {number * 7919}",
    "pages in turn": lambda number, mail: ("help", "mine", "show", "games")[number % 4],
    "chat": lambda number, mail: f"chat with our team about ticket {number * 7919}",
    "a note": lambda number, mail: f"note {number * 7919}",
    "a message": lambda number, mail: f"message bob\n\n{_SENTENCES[number % 12]}",
    "a ticket like a place": lambda number, mail: f"INC{number * 7919:07}",
    "two lines": lambda number, mail: f"mine\nhelp\nnote {number}",
}
"""What programs write that names a command or a move each time."""


@pytest.mark.in_process
@pytest.mark.sampled(4)
@pytest.mark.parametrize("on_move", [True, False])
@pytest.mark.parametrize("how", COMMANDS)
def test_a_robot_that_gives_commands_is_quiet_too(
    talk: Conversation, how: str, on_move: bool
) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    if not on_move:
        talk.replies(mails[0], "a2,b2,c2,c3")
    else:
        reply(talk, mails[0], COMMANDS[how](0, mails[0]))
    got = run_slowly(talk, {"ann": (COMMANDS[how], DELAYS["as it comes"])}, random.Random(how))
    assert got.get("bob", 0) <= 3 + (not on_move), got  # the move that was answered
    assert got["ann"] <= (MOST + 1 if how != "pages in turn" else 14), got


def test_who_looks_around_is_answered(talk: Conversation) -> None:
    """Each line in reply to the answer to the one before it, within a minute."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("cradle", "ann", "bob")
    lines = ("help", "moves", "show", "mine", "help cradle", "games", "rules", "help", "show")
    for line in lines:
        reply(talk, mail, line)
        mail = talk.any_mail("ann")
        assert "not answered" not in mail.text, line
        talk.clock.advance(seconds=50)


def test_who_is_in_a_live_chat_is_not_asked(talk: Conversation) -> None:
    """Two who answer each other within a minute, as much as is passed on in an hour: nobody takes
    them for programs, as they leave the copies of what they wrote."""
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    latest = {mail.address.partition("@")[0]: mail for mail in talk.everything()}
    for number in range(18):
        if number % 6 == 0:
            talk.passes(days=1 / 24)
        who = ("bob", "ann")[number % 2]
        talk.replies(latest[who], CHATS[number], who=who)
        for mail in talk.everything():
            assert "is this a program?" not in mail.subject, number
            if "writes" in mail.subject:
                latest[mail.address.partition("@")[0]] = mail
        talk.clock.advance(seconds=50)


def test_who_was_asked_and_sent_a_command_is_asked_anew(talk: Conversation) -> None:
    """A command ends the row; what is held in a later one is not held without a word."""
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    talk.everything()
    for first in (0, 4):
        for text in CHATS[first : first + 3]:
            talk.replies(mail, text)
        subjects = [each.subject for each in talk.everything() if each.address.startswith("ann")]
        assert subjects[-1] == "[cradle 1] is this a program?"
        talk.replies(mail, f"chat {CHATS[first + 3]}")
        talk.everything()


def test_questions_of_a_person_are_answered_and_of_a_program_no_more(talk: Conversation) -> None:
    """The third answer in a row says that it is the last, until a command comes."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    for number in range(4):
        talk.replies(mail, "Who are you?")
        answers = talk.everything()
        assert len(answers) == (number < 3)
        for answer in answers:
            said = " ".join(answer.text.split())
            assert ("further ones like them are not answered" in said) == (number == 2)
            mail = answer
    talk.proves("ann", "help")
    talk.everything()
    talk.replies(mail, "Who are you?")
    assert talk.everything()


@pytest.mark.parametrize(
    ("game", "line"), [("chess", "Nf9"), ("hex", "z99"), ("backgammon", "8/5 6/5")]
)
def test_a_refused_move_is_answered_however_often(talk: Conversation, game: str, line: str) -> None:
    """Whatever is wrong with it: on the board of dice, nobody has accepted yet."""
    talk.signup("ann", "bob")
    mail = talk.challenge(game, "ann", "bob")[0]
    for _ in range(8):
        talk.replies(mail, line)
        mail = talk.any_mail("ann")
        assert "not done" in mail.subject
        assert "not answered" not in mail.text
        talk.clock.advance(seconds=50)


def test_moves_between_chats_are_no_rhythm(talk: Conversation) -> None:
    """Two who are both there play and chat."""
    talk.signup("ann", "bob")
    latest = talk.challenge("chess", "ann", "bob")
    for number, moves in enumerate((["e4", "e5"], ["Nf3", "Nc6"], ["Bc4", "Bc5"], ["d3", "d6"])):
        talk.clock.advance(seconds=1800)
        latest = talk.plays(moves, "ann", "bob", latest=latest)
        talk.clock.advance(seconds=60)
        talk.replies(latest[1], CHATS[number])
        assert {mail.subject for mail in talk.everything()} == {
            "[chess 1] passed on to ann",
            "[chess 1] bob writes",
        }


def test_a_mailbox_is_one_program_whatever_its_accounts(talk: Conversation) -> None:
    """Two accounts at one address, each with a board: texts of both count together, and whoever
    says to be a person is believed for both."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"signup eve {talk.password('eve')}")
    code = talk.receives("ann", "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, eve")
    boards = []
    for who in ("ann", "eve"):
        talk.proves("bob", f"hex challenge bob {who}")
        boards.append(talk.any_mail("ann"))
    talk.everything()
    for number, text in enumerate(CHATS[:3]):
        talk.replies(boards[number % 2], text)
    subjects = [mail.subject for mail in talk.everything() if mail.address.startswith("ann")]
    assert subjects == [
        "[hex 1] passed on to bob",
        "[hex 2] passed on to bob",
        "[hex 1] is this a program?",
    ]


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
        assert answer.subject in ("[cradle 1] passed on to bob", "[cradle 1] your question")
        talk.clock.advance(seconds=10)
    assert asked == 1
    talk.passes(days=0.1, step=900.0)
    got = [each for each in talk.everything() if each.address == "bob@example.org"]
    assert len(got) <= 6
    heard = "\n".join(each.text for each in got)
    for text in CHATS:
        assert text in heard, text


def test_nothing_of_a_long_story_is_left_out(talk: Conversation) -> None:
    """Chapters of a line each, sent at once; the question that comes between is answered."""
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    talk.any_mail("bob")
    sentences = [
        f"In chapter {number} they told us of day {day} at sea, and of {day * number} gulls."
        for number in range(1, 13)
        for day in range(1, 81)
    ]
    for number in range(12):
        talk.replies(mail, " ".join(sentences[number * 80 : number * 80 + 80]))
        answer = talk.any_mail("ann")
        if answer.subject == "[cradle 1] is this a program?":
            talk.replies(answer, "No.")
            answer = talk.any_mail("ann")
        assert answer.subject == "[cradle 1] passed on to bob", answer
        talk.clock.advance(seconds=10)
    talk.passes(days=0.1, step=900.0)
    got = [each for each in talk.everything() if each.address == "bob@example.org"]
    assert len(got) <= 5
    heard = " ".join("\n".join(each.text for each in got).replace("\n>", " ").split())
    assert [each for each in sentences if each not in heard] == []


# When real people wrote to each other, and how much: the messages of two pairs of powers in the
# first year of a game of Diplomacy that was published with them (game 445034 of those that Cicero
# played, who is Russia, the first of each pair). Seconds, who, and characters; no words of theirs.
GERMANY = """\
41 R 84, 94 G 62, 118 R 19, 134 R 107, 156 G 2, 267 G 23, 288 R 53, 295 G 4, 331 R 46, 344 G 46,
370 R 67, 394 R 135, 415 G 44, 436 R 10, 457 R 80, 475 G 10, 477 G 2, 499 R 56, 510 G 8, 531 R 68,
544 G 32, 550 G 24, 572 R 8"""
AUSTRIA = """\
31 R 54, 56 A 25, 73 R 17, 86 A 9, 102 R 45, 108 A 107, 113 A 35, 131 R 66, 146 R 136, 159 A 17,
162 A 10, 180 R 8, 328 R 22, 361 A 94, 367 A 17, 390 R 71, 412 R 103, 425 A 29, 436 A 18,
460 R 12"""
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def write_all(times: str, first: str, second: str) -> list[tuple[float, str, str]]:
    """When each of two players writes what: sentences that are never the same, as long as the real
    ones and no shorter than three words."""
    written = []
    for number, line in enumerate(times.replace("\n", " ").split(", ")):
        seconds, who, size = line.split()
        word = SYLLABLES[number % 60] + SYLLABLES[(number * 7 + 3) % 60]
        text = f"Well, {word} it is"
        while len(text) < int(size):
            text += f" and {SYLLABLES[len(text) % 60]}ly so"
        written.append((float(seconds), first if who == "R" else second, text))
    return written


def read_all(talk: Conversation, who: str) -> str:
    """All that somebody has received, in one line."""
    mails = [each for each in talk.everything() if each.address == f"{who}@example.org"]
    return " ".join(line.lstrip("> ") for each in mails for line in each.lines)


@pytest.mark.parametrize("times", [GERMANY, AUSTRIA])
def test_people_lose_nothing_at_the_pace_of_a_real_game(talk: Conversation, times: str) -> None:
    """In replies to the last mail that they have, which name no command; a person says so once."""
    talk.signup("ann", "bob")
    first, _ = talk.challenge("cradle", "ann", "bob")
    talk.replies(first, "a2,b2,c2,c3")
    latest = {mail.address.partition("@")[0]: mail for mail in talk.everything()}
    kept: dict[str, list[Mail]] = {"ann": [], "bob": []}
    written, asked, now = write_all(times, "ann", "bob"), [], 0.0
    for at, who, text in written:
        talk.clock.advance(seconds=at - now)
        now = at
        talk.replies(latest[who], text, who=who)
        for mail in talk.everything():
            reader = mail.address.partition("@")[0]
            kept[reader].append(mail)
            if "is this a program?" in mail.subject:
                asked.append(reader)
                talk.replies(mail, "No, I am not")
            elif "writes" in mail.subject:
                latest[reader] = mail
    talk.passes(days=0.2, step=900.0)
    for mail in talk.everything():
        kept[mail.address.partition("@")[0]].append(mail)
    assert len(asked) == len({*asked})
    for _, who, text in written:
        other = "ann" if who == "bob" else "bob"
        heard = [" ".join(line.lstrip("> ") for line in mail.lines) for mail in kept[other]]
        assert sum(" ".join(text.split()) in each for each in heard) == 1, (who, text)


@pytest.mark.in_process
def test_letters_lose_nothing_at_the_pace_of_a_real_game(talk: Conversation) -> None:
    """By press, which is a command: all of it arrives at once, and beyond a day's number in one
    mail."""
    people = [f"p{number}" for number in range(7)]
    talk.signup(*people)
    talk.challenge("dip", *people)
    talk.everything()
    written, now = [], 0.0
    for part in range(3):
        for times, reader in ((GERMANY, "germany"), (AUSTRIA, "austria")):
            for at, who, text in write_all(times, "p5", "p0" if reader == "austria" else "p3"):
                told = reader if who == "p5" else "russia"
                written.append(
                    (at + part * 600, who, told, f"{text} {'ab'[part % 2] * (part + 1)}")
                )
    written.sort()
    kept = dict[str, list[str]]()
    seats = {"germany": "p3", "austria": "p0", "russia": "p5"}
    for at, who, told, text in written:
        talk.clock.advance(seconds=at - now)
        now = at
        talk.mails(who, f"dip press 1 {who} {talk.password(who)} to {told}", text)
    talk.passes(days=0.2, step=900.0)
    for mail in talk.everything():
        name, line = mail.address.partition("@")[0], " ".join(x.lstrip("> ") for x in mail.lines)
        kept.setdefault(name, []).append(line)
    for _, _, told, text in written:
        assert any(" ".join(text.split()) in each for each in kept[seats[told]]), (told, text)


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
