"""Texts between people: messages, broadcasts, chat and comments; and who watches a board."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob; carl is there too."""
    talk.signup("ann", "bob", "carl")
    return talk.challenge("hex", "ann", "bob")


QUOTED = """\
Shall we play on Friday?

On Mon, 2 Mar 2026, bob wrote:
> my address is bob@example.org
> and this is quoted

--\x20
Ann of the sea"""


@pytest.mark.postgresql
def test_message(talk: Conversation, mails: list[Mail]) -> None:
    """The text alone, and no address; an answer goes the same way."""
    talk.mails("ann", f"message ann {talk.password('ann')} bob, carl", QUOTED)
    talk.receives("ann", "[pbm] passed on to bob and carl")
    for who in ("bob", "carl"):
        mail = talk.receives(who, "[pbm] ann writes", "> Shall we play on Friday?")
        assert "ann@example.org" not in mail.raw.decode()
        assert "sea" not in mail.text
        assert "quoted" not in mail.text
        talk.replies(mail, "message ann\nGladly.")
        talk.receives(who, "[pbm] passed on to ann")
        talk.receives("ann", f"[pbm] {who} writes", "> Gladly.")


def test_a_reply_to_a_message_may_name_several(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"message ann {talk.password('ann')} bob", "Hello!")
    talk.receives("ann", "[pbm] passed on to bob")
    talk.replies(talk.receives("bob", "[pbm] ann writes"), "message ann carl\nHello both!")
    talk.receives("bob", "[pbm] passed on to ann and carl")
    for who in ("ann", "carl"):
        talk.receives(who, "[pbm] bob writes", "> Hello both!")


@pytest.mark.postgresql
def test_broadcast(talk: Conversation, mails: list[Mail]) -> None:
    """To everybody who wants it."""
    ann = talk.password("ann")
    talk.mails("carl", f"set carl {talk.password('carl')} broadcasts=no")
    talk.receives("carl", "[pbm] preferences of carl changed")
    talk.mails("ann", f"broadcast ann {ann}", QUOTED)
    talk.receives("ann", "[pbm] passed on to everybody")
    mail = talk.receives("bob", "[pbm] ann writes to everybody", "> Shall we play on Friday?")
    assert "broadcasts=no" in mail.text
    assert "quoted" not in mail.text
    talk.mails("ann", f"broadcast ann {ann}", "A new day.")
    talk.receives("ann", "[pbm] passed on to everybody")
    talk.receives("bob", "[pbm] ann writes to everybody", "> A new day.")


def unsubscribes(talk: Conversation, mail: Mail) -> None:
    """What a mail program sends when its button for that is pressed."""
    where, _, subject = mail.header("List-Unsubscribe").strip("<>").partition("?subject=")
    talk.mails(mail.address, unquote(subject), to=where.removeprefix("mailto:"))


def test_unsubscribing_stops_the_mails_it_stands_in(talk: Conversation, mails: list[Mail]) -> None:
    """The answer says what it stopped."""
    talk.mails("ann", f"broadcast ann {talk.password('ann')}", "Hello!")
    talk.receives("ann", "[pbm] passed on to everybody")
    talk.any_mail("carl")
    unsubscribes(talk, talk.receives("bob", "[pbm] ann writes to everybody"))
    talk.receives("bob", "[pbm] preferences of bob changed", "Changed: broadcasts=no.")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.receives("carl", "[hex 1] you watch this board")
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    unsubscribes(talk, talk.receives("carl", "[hex 1] bob to move (2), ann played d4"))
    talk.receives("carl", "[hex 1] you no longer watch this board")
    talk.mails("bob", f"set bob {talk.password('bob')} digest=07:00")
    talk.receives("bob", "[pbm] preferences of bob changed")
    talk.passes(days=1)
    unsubscribes(talk, talk.receives("bob", "[pbm] 1 board waits for you"))
    talk.receives("bob", "[pbm] preferences of bob changed", "Changed: digest=no.")
    talk.passes(days=1)
    talk.clock.advance(days=1)
    talk.mails("ann", f"broadcast ann {talk.password('ann')}", "Again!")
    talk.receives("ann", "[pbm] passed on to everybody")
    talk.any_mail("carl")


@pytest.mark.postgresql
def test_chat(talk: Conversation, mails: list[Mail]) -> None:
    """To the others at the board and its watchers, whoever is on the move."""
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.receives("carl", "[hex 1] you watch this board", "hex unwatch 1")
    talk.mails("bob", f"hex chat 1 bob {talk.password('bob')} Good luck.", "And a nice evening!")
    own = talk.receives(
        "bob",
        "[hex 1] passed on to ann",
        "> Good luck.\n> And a nice evening!",
        "sent to ann, and to carl watching this board:",
    )
    assert "<board.1@example.net>" in own.references
    mail = talk.receives("ann", "[hex 1] bob writes", "> Good luck.\n> And a nice evening!")
    talk.receives("carl", "[hex 1] bob writes", "> Good luck.")
    talk.replies(mail, "chat 4 is my number\n\nand yours?")
    talk.receives("ann", "[hex 1] passed on to bob")
    talk.receives("bob", "[hex 1] ann writes", "> 4 is my number\n> and yours?")
    talk.receives("carl", "[hex 1] ann writes")
    talk.replies(mail, "chat go is fun, too")
    talk.receives("ann", "[hex 1] passed on to bob")
    talk.receives("bob", "[hex 1] ann writes", "> go is fun, too")
    talk.receives("carl", "[hex 1] ann writes")
    talk.mails("carl", f"hex chat 1 carl {talk.password('carl')} hello")
    talk.receives("carl", "[pbm] not done: you do not play on board 1")


def test_a_chat_with_userid_and_password_in_a_reply(talk: Conversation, mails: list[Mail]) -> None:
    for line in ("chat ann {} hello", "chat 1 ann {} hello", "hex chat 1 ann {} hello"):
        talk.replies(mails[0], line.format(talk.password("ann")))
        talk.receives("ann", "[hex 1] passed on to bob")
        assert "\n> hello\n" in talk.receives("bob", "[hex 1] ann writes").text


@pytest.mark.postgresql
def test_watching(talk: Conversation, mails: list[Mail]) -> None:
    carl = talk.password("carl")
    talk.mails("carl", f"hex watch 1 carl {carl}")
    talk.receives("carl", "[hex 1] you watch this board")
    talk.mails("carl", f"hex watch 1 carl {carl}")
    talk.receives("carl", "[hex 1] you watch this board")
    talk.replies(mails[0], "d4\nFirst!")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4", "Passed on to bob:\n> First!")
    talk.receives("bob", "[hex 1] your move (2), ann played d4", "ann writes:\n> First!")
    mail = talk.receives("carl", "[hex 1] bob to move (2), ann played d4")
    assert "First!" not in mail.text
    talk.replies(mail, "e5")
    talk.receives("carl", "[pbm] not done: there was no command in your mail")
    talk.replies(mail, "hex unwatch 1")
    talk.receives("carl", "[hex 1] you no longer watch this board")
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}")
    talk.receives("bob", "[hex 1] ann won (1)")
    talk.receives("ann", "[hex 1] ann won (1)")


def test_what_is_written_with_a_move_is_for_the_seats(
    talk: Conversation, mails: list[Mail]
) -> None:
    """Spectators get it nowhere: not in any position, nor in the record, also after the end."""
    carl = talk.password("carl")
    talk.mails("carl", f"hex watch 1 carl {carl}")
    talk.receives("carl", "[hex 1] you watch this board")
    latest = talk.plays(["d4\n\nCall me: 555 01 02", "e5"], "ann", "bob", latest=mails)
    spectators = [talk.any_mail("carl"), talk.any_mail("carl")]
    talk.mails("carl", "hex show 1#1")
    spectators.append(talk.receives("carl", "[hex 1] after move 1", "1 ann  d4"))
    talk.replies(latest[0], "hex showas 1#1")
    talk.receives("ann", "[hex 1] after move 1", "> Call me: 555 01 02")
    talk.mails("bob", f"hex showas bob {talk.password('bob')} 1#1")
    talk.receives("bob", "[hex 1] after move 1", "> Call me: 555 01 02")
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}", "My address: 7 Elm Road")
    talk.receives("bob", "[hex 1] ann won (2)", "Passed on to ann:\n> My address", "> Call me")
    talk.receives("ann", "[hex 1] ann won (2)", "bob writes:\n> My address", "> Call me")
    spectators.append(talk.receives("carl", "[hex 1] ann won (2)"))
    for look in ("show 1", "show 1#2", "export 1", "history", "show bob all"):
        talk.mails("carl", f"hex {look}")
        spectators.append(talk.any_mail("carl"))
    talk.mails("ann", "hex show 1")
    spectators.append(talk.receives("ann", "[hex 1] ann won (2)"))
    for mail in spectators:
        assert "Call me" not in mail.text, mail
        assert "Elm Road" not in mail.text, mail


def test_a_signature_does_not_travel(talk: Conversation, mails: list[Mail]) -> None:
    """The mover reads what was passed on, and what was not: a card at once, a name when a mail has
    ended with it before."""
    ann = talk.password("ann")
    signed = "Good luck!\n\nBest regards,\nAnn Smith\n+49 170 1234567"
    talk.mails("ann", f"hex move 1 ann {ann} d4", signed, From="Ann Smith <ann@example.org>")
    own = talk.receives("ann", "[hex 1] bob to move (2), you played d4", "> Good luck!")
    others = talk.receives("bob", "[hex 1] your move (2), ann played d4", "> Good luck!")
    for word in ("Hello", "hello"):
        said = f"hex chat 1 ann {ann} {word} again"
        talk.mails("ann", said, f"{word}!\nAnn Smith", From="Ann Smith <ann@example.org>")
        chats = (
            talk.receives("ann", "[hex 1] passed on to bob"),
            talk.receives("bob", "[hex 1] ann writes", f"> {word} again"),
        )
    for mail in (others, chats[1]):
        assert "Smith" not in mail.text
        assert "1234567" not in mail.text
    for mail in (own, chats[0]):
        assert "Smith" not in mail.text.partition("Not passed on:")[0]


def test_comments_travel_without_quotes(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4", QUOTED)
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    mail = talk.receives(
        "bob", "[hex 1] your move (2), ann played d4", "> Shall we play on Friday?"
    )
    assert "quoted" not in mail.text


@pytest.mark.parametrize(
    "comment",
    [
        "Move on, it is late.",
        "Help! I am losing.",
        "Show me how to win against that.",
        "Pass the salt, please.",
        "3 of us were there, ann too.",
        "17 years ago we met.",
        "Set and match.",
        "Hex is fun.",
        "Resign? Never!",
        "games people play",
    ],
)
def test_comments_that_begin_like_a_command_travel(
    talk: Conversation, mails: list[Mail], comment: str
) -> None:
    talk.replies(mails[0], f"d4\n{comment}")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4", f"> {comment}")


@pytest.mark.parametrize(
    "comment",
    [
        "hex move 1 ann {} d4",
        "HEX MOVE 1 ANN {} D4",
        "move 1 ann {} d4",
        "1 ann {} d4",
        "hex show 1",
        "hex challenge ann bob",
        "I tried this:\n  hex move 1 ann {} d4\nand it failed.",
        "change password ann {} other-one",
    ],
)
def test_comments_that_repeat_a_command_do_not(
    talk: Conversation, mails: list[Mail], comment: str
) -> None:
    talk.secret("other-one")
    talk.replies(mails[0], f"d4\n\n{comment.format(talk.password('ann'))}")
    own = talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    assert "Not passed on: ..." in own.text or "Neither done nor passed on" in own.text
    mail = talk.receives("bob", "[hex 1] your move (2), ann played d4")
    assert "ann writes" not in mail.text


@pytest.mark.config(limits={"text": 40})
def test_a_long_text_is_cut(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"message ann {talk.password('ann')} bob", "x" * 100)
    talk.receives("ann", "[pbm] passed on to bob")
    talk.receives("bob", "[pbm] ann writes", f"> {'x' * 40} ...")
