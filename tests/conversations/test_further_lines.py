"""Lines below a move that are moves or commands: each is done, or named as not done, and none is
passed on to the others."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

FIRST = "[fourinarow 1] bob to move (2), you played d"
THEIRS = "[fourinarow 1] your move (2), ann played d"


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of board 1, fourinarow, and board 2, hex, between ann and bob; of both
    ann's, then of both bob's."""
    talk.signup("ann", "bob")
    first, other = talk.challenge("fourinarow", "ann", "bob")
    second, another = talk.challenge("hex", "ann", "bob")
    return [first, second, other, another]


def named(mail: Mail, *lines: str) -> bool:
    """Whether the mail names these lines, and no more, as not done."""
    _, found, rest = mail.text.partition("Neither done nor passed on; ")
    said = rest.split("\n\n")[0].splitlines()[1:]
    return bool(found) and said == [f"    {line}" for line in lines]


@pytest.mark.parametrize(
    ("below", "lines", "passed"),
    [
        ("e", ["e"], ""),
        ("e\nresign", ["resign", "e"], ""),
        ("Resign.", ["Resign."], ""),
        ("queue e", ["queue e"], ""),
        ("\n\nGood luck!\n\nmove e\nSee you", ["move e"], "> Good luck!\n>\n> See you"),
        ("accept", ["accept"], ""),
        ("fourinarow move 1 e", ["fourinarow move ..."], ""),
        ("hex challenge ann bob\nOne more?", ["hex challenge ..."], "> One more?"),
    ],
)
def test_below_a_move(
    talk: Conversation, mails: list[Mail], below: str, lines: list[str], passed: str
) -> None:
    talk.replies(mails[0], f"d\n{below}")
    mine = talk.receives("ann", FIRST)
    yours = talk.receives("bob", THEIRS)
    assert named(mine, *lines), mine
    assert "Neither" not in yours.text
    assert ("ann writes" in yours.text) is bool(passed)
    assert passed in yours.text


def test_below_a_queued_move(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[2], "queue a\nqueue b")
    assert named(talk.receives("bob", "[fourinarow 1] queued: a"), "queue b")
    talk.replies(mails[0], "d")
    for who in ("ann", "bob"):
        mail = talk.any_mail(who)
        assert "played d" in mail.subject
        assert "queue b" not in mail.text


def test_below_a_command_in_the_subject(talk: Conversation, mails: list[Mail]) -> None:
    ann = talk.password("ann")
    talk.mails("ann", f"fourinarow move 1 ann {ann} d", f"e\nfourinarow move 1 ann {ann} d\nresign")
    assert named(talk.receives("ann", FIRST), "resign", "e")
    assert "writes" not in talk.receives("bob", THEIRS).text


def test_below_something_else(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "help fourinarow\nd")
    assert named(talk.receives("ann", "[pbm] help fourinarow"), "d")


def test_below_a_sentence(talk: Conversation, mails: list[Mail]) -> None:
    """Words that leave a move open stand above it: a yes plays it."""
    talk.replies(mails[0], "Which one would you take?\n\nd\nCheers")
    mail = talk.any_mail("ann")
    assert "Not done:" in mail.text
    talk.replies(mail, "yes")
    assert "played d" in talk.receives("ann", FIRST).text
    assert "Which one would you take?" in talk.receives("bob", THEIRS).text


def test_below_something_else_in_the_answer_of_a_stranger(
    talk: Conversation, mails: list[Mail]
) -> None:
    """A token that is not genuine proves nothing, and no board is looked at for it."""
    forged = mails[0].reply_to.replace("+b1-", "+b99-")
    talk.mails("ann", "Re: your move", "help fourinarow\nd", to=forged)
    assert "Neither" not in talk.receives("ann", "[pbm] help fourinarow").text


def test_who_wants_no_copies_is_told(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"set ann {talk.password('ann')} own=no")
    talk.any_mail("ann")
    talk.replies(mails[0], "d\ne")
    assert named(talk.receives("ann", FIRST), "e")
    talk.receives("bob", THEIRS)


def test_a_command_with_a_password_is_not_repeated(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], f"d\nfourinarow move 1 ann {talk.password('ann')} e")
    assert named(talk.receives("ann", FIRST), "fourinarow move ...")
    assert "writes" not in talk.receives("bob", THEIRS).text


def test_a_command_for_another_board_needs_a_password(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "d\nhex move 2 d4")
    talk.receives("ann", "[pbm] 1 of 2 done", "You played d.", "which is good for that board only")
    talk.receives("bob", THEIRS)


def test_a_whole_command_for_another_board_is_done(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], f"d\nhex move 2 ann {talk.password('ann')} d4\nGood luck there!")
    mail = talk.receives("ann", "[pbm] 2 of 2 done", "You played d.", "You played d4.")
    assert [line for line in mail.lines if line.rstrip() == "--"] == ["-- "]
    assert mail.text.rpartition("\n-- \n")[2].count("[Board ") == 2
    talk.receives("bob", THEIRS)
    talk.receives("bob", "[hex 2] your move (2), ann played d4", "> Good luck there!")


def test_all_commands_of_an_answer_to_a_mail_without_a_board(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.mails("ann", "all show ann next")
    listed = talk.receives("ann", "[pbm] next boards of ann")
    talk.replies(
        listed, "fourinarow move 1 d\nHave fun!\n\nhex move 2 d4\nhex move 2 d4\nset own=no\nBye"
    )
    talk.receives("ann", "[pbm] 3 of 3 done", "> fourinarow move 1 d", "> hex move 2 d4")
    talk.receives("bob", THEIRS, "> Have fun!")
    talk.receives("bob", "[hex 2] your move (2), ann played d4")


def test_below_a_line_that_is_not_understood(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", "all show ann next")
    listed = talk.receives("ann", "[pbm] next boards of ann")
    talk.replies(listed, "fourinarow mvoved 1 d\nhex move 2 d4")
    talk.receives("ann", "[pbm] 1 of 2 done", "fourinarow has no such command")
    talk.receives("bob", "[hex 2] your move (2), ann played d4")
    talk.replies(mails[0], "fourinarow mvoved 1 d\nresign")
    mail = talk.any_mail("ann")
    assert "fourinarow has no such command" in mail.subject
    assert named(mail, "resign")


def test_a_message_stays_whole(talk: Conversation, mails: list[Mail]) -> None:
    """In an answer to a mail without a board a line of a text is no command by its first word."""
    text = "message bob\nHelp me, please.\nDraw?\nlist of things: none\npass"
    talk.mails("ann", "all show ann next")
    talk.replies(talk.receives("ann", "[pbm] next boards of ann"), text)
    talk.receives("ann", "[pbm] passed on to bob")
    assert "> list of things: none\n> pass" in talk.receives("bob", "[pbm] ann writes").text


def test_a_chat_may_be_a_move(talk: Conversation, mails: list[Mail]) -> None:
    """What stands on the line of chat is meant to be said."""
    talk.replies(mails[0], "chat d\ne")
    assert named(talk.receives("ann", "[fourinarow 1] passed on to bob", "> d"), "e")
    assert "> e" not in talk.receives("bob", "[fourinarow 1] ann writes", "> d").text
