"""Lines below a move that are moves or commands: each is done, or named as not done, and none is
passed on to the others."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail

FIRST = "[fourinarow 1] bob to move (2), you played d"
THEIRS = "[fourinarow 1] your move (2), ann played d"


@pytest.fixture
def mails(house: Conversation) -> list[Mail]:
    """The first mails of board 1, fourinarow, and board 2, hex, between ann and bob; of both
    ann's, then of both bob's."""
    house.signup("ann", "bob")
    first, other = house.challenge("fourinarow", "ann", "bob")
    second, another = house.challenge("hex", "ann", "bob")
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
    house: Conversation, mails: list[Mail], below: str, lines: list[str], passed: str
) -> None:
    house.replies(mails[0], f"d\n{below}")
    mine = house.receives("ann", FIRST)
    yours = house.receives("bob", THEIRS)
    assert named(mine, *lines), mine
    assert "Neither" not in yours.text
    assert ("ann writes" in yours.text) is bool(passed)
    assert passed in yours.text


def test_below_a_queued_move(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[2], "queue a\nqueue b")
    assert named(house.receives("bob", "[fourinarow 1] queued: a"), "queue b")
    house.replies(mails[0], "d")
    for who in ("ann", "bob"):
        mail = house.any_mail(who)
        assert "played d" in mail.subject
        assert "queue b" not in mail.text


def test_below_a_command_in_the_subject(house: Conversation, mails: list[Mail]) -> None:
    ann = house.password("ann")
    house.mails(
        "ann", f"fourinarow move 1 ann {ann} d", f"e\nfourinarow move 1 ann {ann} d\nresign"
    )
    assert named(house.receives("ann", FIRST), "resign", "e")
    assert "writes" not in house.receives("bob", THEIRS).text


def test_below_something_else(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[0], "help fourinarow\nd")
    assert named(house.receives("ann", "[pbm] help fourinarow"), "d")


def test_below_a_greeting(house: Conversation, mails: list[Mail]) -> None:
    """The first line is no move; the answer names the one further down."""
    house.replies(mails[0], "Hi Bob,\n\nd\nCheers")
    mail = house.any_mail("ann")
    assert "not done: 'hi' is not a column" in mail.subject
    assert named(mail, "d")


def test_below_something_else_in_the_answer_of_a_stranger(
    house: Conversation, mails: list[Mail]
) -> None:
    """A token that is not genuine proves nothing, and no board is looked at for it."""
    forged = mails[0].reply_to.replace("+b1-", "+b99-")
    house.mails("ann", "Re: your move", "help fourinarow\nd", to=forged)
    assert "Neither" not in house.receives("ann", "[pbm] help fourinarow").text


def test_who_wants_no_copies_is_told(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"set ann {house.password('ann')} own=no")
    house.any_mail("ann")
    house.replies(mails[0], "d\ne")
    assert named(house.receives("ann", FIRST), "e")
    house.receives("bob", THEIRS)


def test_a_command_with_a_password_is_not_repeated(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[0], f"d\nfourinarow move 1 ann {house.password('ann')} e")
    assert named(house.receives("ann", FIRST), "fourinarow move ...")
    assert "writes" not in house.receives("bob", THEIRS).text


@pytest.mark.parametrize("full", ["hex move 2 d4", "hex move 2 ann {} d4"])
def test_a_whole_command_for_another_board_is_done(
    house: Conversation, mails: list[Mail], full: str
) -> None:
    house.replies(mails[0], f"d\n{full.format(house.password('ann'))}\nGood luck there!")
    mail = house.receives("ann", "[pbm] 2 of 2 done", "You played d.", "You played d4.")
    assert [line for line in mail.lines if line.rstrip() == "--"] == ["-- "]
    assert mail.text.rpartition("\n-- \n")[2].count("[Board ") == 2
    house.receives("bob", THEIRS)
    house.receives("bob", "[hex 2] your move (2), ann played d4", "> Good luck there!")


def test_all_commands_of_an_answer_to_a_mail_without_a_board(
    house: Conversation, mails: list[Mail]
) -> None:
    house.mails("ann", "all show ann next")
    listed = house.receives("ann", "[pbm] next boards of ann")
    house.replies(
        listed, "fourinarow move 1 d\nHave fun!\n\nhex move 2 d4\nhex move 2 d4\nset own=no\nBye"
    )
    house.receives("ann", "[pbm] 3 of 3 done", "> fourinarow move 1 d", "> hex move 2 d4")
    house.receives("bob", THEIRS, "> Have fun!")
    house.receives("bob", "[hex 2] your move (2), ann played d4")


def test_below_a_line_that_is_not_understood(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", "all show ann next")
    listed = house.receives("ann", "[pbm] next boards of ann")
    house.replies(listed, "fourinarow mvoved 1 d\nhex move 2 d4")
    house.receives("ann", "[pbm] 1 of 2 done", "fourinarow has no such command")
    house.receives("bob", "[hex 2] your move (2), ann played d4")
    house.replies(mails[0], "fourinarow mvoved 1 d\nresign")
    mail = house.any_mail("ann")
    assert "fourinarow has no such command" in mail.subject
    assert named(mail, "resign")


def test_a_message_stays_whole(house: Conversation, mails: list[Mail]) -> None:
    """In an answer to a mail without a board a line of a text is no command by its first word."""
    text = "message bob\nHelp me, please.\nDraw?\nlist of things: none\npass"
    house.mails("ann", "all show ann next")
    house.replies(house.receives("ann", "[pbm] next boards of ann"), text)
    house.receives("ann", "[pbm] passed on to bob")
    assert "> list of things: none\n> pass" in house.receives("bob", "[pbm] ann writes").text


def test_a_chat_may_be_a_move(house: Conversation, mails: list[Mail]) -> None:
    """What stands on the line of chat is meant to be said."""
    house.replies(mails[0], "chat d\ne")
    assert named(house.receives("ann", "[fourinarow 1] passed on to bob", "> d"), "e")
    assert "> e" not in house.receives("bob", "[fourinarow 1] ann writes", "> d").text
