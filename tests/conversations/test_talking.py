"""Texts between people: messages, broadcasts, chat and comments; and who watches a board."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail


@pytest.fixture
def mails(house: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob; carl is there too."""
    house.signup("ann", "bob", "carl")
    return house.challenge("hex", "ann", "bob")


QUOTED = """\
Shall we play on Friday?

On Mon, 2 Mar 2026, bob wrote:
> my address is bob@example.org
> and this is quoted

--\x20
Ann of the sea"""


@pytest.mark.postgresql
def test_message(house: Conversation, mails: list[Mail]) -> None:
    """The text alone, and no address; an answer goes the same way."""
    house.mails("ann", f"message ann {house.password('ann')} bob, carl", QUOTED)
    house.receives("ann", "[pbm] passed on to bob and carl")
    for who in ("bob", "carl"):
        mail = house.receives(who, "[pbm] ann writes", "> Shall we play on Friday?")
        assert "ann@example.org" not in mail.raw.decode()
        assert "sea" not in mail.text
        assert "quoted" not in mail.text
        house.replies(mail, "message ann\nGladly.")
        house.receives(who, "[pbm] passed on to ann")
        house.receives("ann", f"[pbm] {who} writes", "> Gladly.")


def test_a_reply_to_a_message_may_name_several(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"message ann {house.password('ann')} bob", "Hello!")
    house.receives("ann", "[pbm] passed on to bob")
    house.replies(house.receives("bob", "[pbm] ann writes"), "message ann carl\nHello both!")
    house.receives("bob", "[pbm] passed on to ann and carl")
    for who in ("ann", "carl"):
        house.receives(who, "[pbm] bob writes", "> Hello both!")


@pytest.mark.postgresql
def test_broadcast(house: Conversation, mails: list[Mail]) -> None:
    """To everybody who wants it, once a day."""
    ann = house.password("ann")
    house.mails("carl", f"set carl {house.password('carl')} broadcasts=no")
    house.receives("carl", "[pbm] preferences of carl changed")
    house.mails("ann", f"broadcast ann {ann}", QUOTED)
    house.receives("ann", "[pbm] passed on to everybody")
    mail = house.receives("bob", "[pbm] ann writes to everybody", "> Shall we play on Friday?")
    assert "broadcasts=no" in mail.text
    assert "quoted" not in mail.text
    house.mails("ann", f"broadcast ann {ann}", "Again!")
    house.receives(
        "ann",
        "[pbm] not done: you have used today's broadcasts: to reach single players, send a message",
        "message ann PASSWORD USERID",
    )
    house.clock.advance(days=1)
    house.mails("ann", f"broadcast ann {ann}", "A new day.")
    house.receives("ann", "[pbm] passed on to everybody")
    house.receives("bob", "[pbm] ann writes to everybody", "> A new day.")


def unsubscribes(house: Conversation, mail: Mail) -> None:
    """What a mail program sends when its button for that is pressed."""
    where, _, subject = mail.header("List-Unsubscribe").strip("<>").partition("?subject=")
    house.mails(mail.address, unquote(subject), to=where.removeprefix("mailto:"))


def test_unsubscribing_stops_the_mails_it_stands_in(house: Conversation, mails: list[Mail]) -> None:
    """The answer says what it stopped. A player's own boards have no such button."""
    assert "List-Unsubscribe" not in mails[1].message
    house.mails("ann", f"broadcast ann {house.password('ann')}", "Hello!")
    house.receives("ann", "[pbm] passed on to everybody")
    house.any_mail("carl")
    unsubscribes(house, house.receives("bob", "[pbm] ann writes to everybody"))
    house.receives("bob", "[pbm] preferences of bob changed", "Changed: broadcasts=no.")
    house.mails("carl", f"hex watch 1 carl {house.password('carl')}")
    house.receives("carl", "[hex 1] you watch this board")
    house.replies(mails[0], "d4")
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives("bob", "[hex 1] your move (2), ann played d4")
    unsubscribes(house, house.receives("carl", "[hex 1] bob to move (2), ann played d4"))
    house.receives("carl", "[hex 1] you no longer watch this board")
    house.mails("bob", f"set bob {house.password('bob')} digest=07:00")
    house.receives("bob", "[pbm] preferences of bob changed")
    house.passes(days=1)
    unsubscribes(house, house.receives("bob", "[pbm] 1 board waits for you"))
    house.receives("bob", "[pbm] preferences of bob changed", "Changed: digest=no.")
    house.passes(days=1)
    house.clock.advance(days=1)
    house.mails("ann", f"broadcast ann {house.password('ann')}", "Again!")
    house.receives("ann", "[pbm] passed on to everybody")
    house.any_mail("carl")


@pytest.mark.postgresql
def test_chat(house: Conversation, mails: list[Mail]) -> None:
    """To the others at the board and its watchers, whoever is on the move."""
    house.mails("carl", f"hex watch 1 carl {house.password('carl')}")
    house.receives("carl", "[hex 1] you watch this board", "hex unwatch 1 carl PASSWORD")
    house.mails("bob", f"hex chat 1 bob {house.password('bob')} Good luck.", "And a nice evening!")
    own = house.receives(
        "bob",
        "[hex 1] passed on to ann",
        "> Good luck.\n> And a nice evening!",
        "sent to ann, and to carl watching this board:",
    )
    assert "<board.1@example.net>" in own.references
    mail = house.receives("ann", "[hex 1] bob writes", "> Good luck.\n> And a nice evening!")
    house.receives("carl", "[hex 1] bob writes", "> Good luck.")
    house.replies(mail, "chat 4 is my number\n\nand yours?")
    house.receives("ann", "[hex 1] passed on to bob")
    house.receives("bob", "[hex 1] ann writes", "> 4 is my number\n> and yours?")
    house.receives("carl", "[hex 1] ann writes")
    house.mails("carl", f"hex chat 1 carl {house.password('carl')} hello")
    house.receives("carl", "[pbm] not done: you do not play on board 1")


def test_a_chat_with_userid_and_password_in_a_reply(house: Conversation, mails: list[Mail]) -> None:
    for line in ("chat ann {} hello", "chat 1 ann {} hello", "hex chat 1 ann {} hello"):
        house.replies(mails[0], line.format(house.password("ann")))
        house.receives("ann", "[hex 1] passed on to bob")
        assert "\n> hello\n" in house.receives("bob", "[hex 1] ann writes").text


@pytest.mark.postgresql
def test_watching(house: Conversation, mails: list[Mail]) -> None:
    carl = house.password("carl")
    house.mails("carl", f"hex watch 1 carl {carl}")
    house.receives("carl", "[hex 1] you watch this board")
    house.mails("carl", f"hex watch 1 carl {carl}")
    house.receives("carl", "[hex 1] you watch this board")
    house.replies(mails[0], "d4\nFirst!")
    house.receives("ann", "[hex 1] bob to move (2), you played d4", "Passed on to bob:\n> First!")
    house.receives("bob", "[hex 1] your move (2), ann played d4", "ann writes:\n> First!")
    mail = house.receives("carl", "[hex 1] bob to move (2), ann played d4")
    assert "First!" not in mail.text
    house.replies(mail, "e5")
    house.receives("carl", "[pbm] not done: there was no command in your mail")
    house.replies(mail, "hex unwatch 1")
    house.receives("carl", "[hex 1] you no longer watch this board")
    house.mails("bob", f"hex resign 1 bob {house.password('bob')}")
    house.receives("bob", "[hex 1] ann won (1)")
    house.receives("ann", "[hex 1] ann won (1)")


def test_what_is_written_with_a_move_is_for_the_seats(
    house: Conversation, mails: list[Mail]
) -> None:
    """Spectators get it nowhere: not in any position, nor in the record, also after the end."""
    carl = house.password("carl")
    house.mails("carl", f"hex watch 1 carl {carl}")
    house.receives("carl", "[hex 1] you watch this board")
    latest = house.plays(["d4\n\nCall me: 555 01 02", "e5"], "ann", "bob", latest=mails)
    spectators = [house.any_mail("carl"), house.any_mail("carl")]
    house.mails("carl", "hex show 1#1")
    spectators.append(house.receives("carl", "[hex 1] after move 1", "1 ann  d4"))
    house.replies(latest[0], "hex showas 1#1")
    house.receives("ann", "[hex 1] after move 1", "> Call me: 555 01 02")
    house.mails("bob", f"hex showas bob {house.password('bob')} 1#1")
    house.receives("bob", "[hex 1] after move 1", "> Call me: 555 01 02")
    house.mails("bob", f"hex resign 1 bob {house.password('bob')}", "My address: 7 Elm Road")
    house.receives("bob", "[hex 1] ann won (2)", "Passed on to ann:\n> My address", "> Call me")
    house.receives("ann", "[hex 1] ann won (2)", "bob writes:\n> My address", "> Call me")
    spectators.append(house.receives("carl", "[hex 1] ann won (2)"))
    for look in ("show 1", "show 1#2", "export 1", "history", "show bob all"):
        house.mails("carl", f"hex {look}")
        spectators.append(house.any_mail("carl"))
    house.mails("ann", "hex show 1")
    spectators.append(house.receives("ann", "[hex 1] ann won (2)"))
    for mail in spectators:
        assert "Call me" not in mail.text, mail
        assert "Elm Road" not in mail.text, mail


def test_a_signature_does_not_travel(house: Conversation, mails: list[Mail]) -> None:
    """The mover reads what was passed on."""
    ann = house.password("ann")
    signed = "Good luck!\n\nBest regards,\nAnn Smith\n+49 170 1234567"
    house.mails("ann", f"hex move 1 ann {ann} d4", signed, From="Ann Smith <ann@example.org>")
    own = house.receives("ann", "[hex 1] bob to move (2), you played d4", "> Good luck!")
    others = house.receives("bob", "[hex 1] your move (2), ann played d4", "> Good luck!")
    house.mails(
        "ann", f"hex chat 1 ann {ann} hello", "Ann Smith", From="Ann Smith <ann@example.org>"
    )
    talk = (
        house.receives("ann", "[hex 1] passed on to bob"),
        house.receives("bob", "[hex 1] ann writes", "> hello"),
    )
    for mail in (own, others, *talk):
        assert "Smith" not in mail.text
        assert "1234567" not in mail.text


def test_comments_travel_without_quotes(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4", QUOTED)
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    mail = house.receives(
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
    house: Conversation, mails: list[Mail], comment: str
) -> None:
    house.replies(mails[0], f"d4\n{comment}")
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    house.receives("bob", "[hex 1] your move (2), ann played d4", f"> {comment}")


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
    house: Conversation, mails: list[Mail], comment: str
) -> None:
    house.secret("other-one")
    house.replies(mails[0], f"d4\n\n{comment.format(house.password('ann'))}")
    house.receives("ann", "[hex 1] bob to move (2), you played d4")
    mail = house.receives("bob", "[hex 1] your move (2), ann played d4")
    assert "ann writes" not in mail.text


@pytest.mark.config(limits={"text": 40})
def test_a_long_text_is_cut(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.mails("ann", f"message ann {house.password('ann')} bob", "x" * 100)
    house.receives("ann", "[pbm] passed on to bob")
    house.receives("bob", "[pbm] ann writes", f"> {'x' * 40} ...")
