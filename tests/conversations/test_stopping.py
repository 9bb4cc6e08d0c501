"""Mails can be stopped: by a word, by the button of a mail program, and never by somebody else."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from pbm.features.accounts.tables import invited_addresses
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

CHOICES = "[pbm] no more mails?"
LAST = "[pbm] no more mails"


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """Ann and Bob play Hex; their first mails."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


@pytest.mark.parametrize(
    "line",
    [
        "stop",
        "STOP",
        "unsubscribe",
        "please stop",
        "stop mailing me",
        "Please remove me from your list",
        "I did not sign up for this",
        "how do I stop getting mails?",
        "Hello,\nplease stop mailing me",
        "Abmelden!",
        "Bitte keine E-Mails mehr",
        "Je ne veux plus recevoir de mails",
        "No quiero más correos",
        "Ik wil geen mails meer",
    ],
)
def test_the_first_stop_is_answered_and_passed_on_to_nobody(
    talk: Conversation, mails: list[Mail], line: str
) -> None:
    """On one's turn, off turn and to an ordinary mail; nothing is stopped."""
    for mail in (*mails, None):
        who = mail.address.partition("@")[0] if mail is not None else "bob"
        if mail is not None:
            talk.replies(mail, line)
        else:
            talk.mails(who, "", line)
        answer = talk.receives(who, CHOICES, "hex 1", "Nothing is stopped yet")
        for word in ("fewer", "pause", "resign", "leave", "stop"):
            assert f"\n    {word}\n" in answer.text
        talk.nothing_more()
        talk.clock.advance(days=3)


@pytest.mark.postgresql
def test_the_second_stop_stops_all_mail(talk: Conversation, mails: list[Mail]) -> None:
    """Clocks run, opponents are told once, a third stop is silent; a command starts mails again."""
    talk.replies(mails[1], "stop")
    talk.receives("bob", CHOICES)
    talk.replies(mails[1], "Stop!")
    talk.receives("bob", LAST, "This is our last mail to you", "hex 1")
    talk.receives("ann", "[pbm] bob gets no more mail", "clocks keep running")
    talk.replies(mails[1], "unsubscribe")
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.mails("bob", "forgot bob")
    talk.receives("bob", "[pbm] a code for a new password")
    talk.passes(days=8)
    talk.nothing_more()
    talk.proves("bob", "hex move 1 e4")
    talk.receives("bob", "[hex 1] ann to move (3), you played e4")
    talk.receives("bob", "[pbm] you get mails again")
    mail = talk.receives("ann", "[hex 1] your move (3), bob played e4")
    talk.replies(mail, "f5")
    talk.any_mail("ann")
    talk.receives("bob", "[hex 1] your move (4), ann played f5")


def test_a_stop_after_a_week_is_the_first_again(talk: Conversation, mails: list[Mail]) -> None:
    for _ in range(2):
        talk.replies(mails[0], "stop")
        talk.receives("ann", CHOICES)
        talk.clock.advance(days=7)


def test_a_forged_stop_stops_nothing(talk: Conversation, mails: list[Mail]) -> None:
    """From alone gets the answer, as often as anything; a reply to that answer is proof. Nor does
    somebody who answers a mail that was forwarded to them, or one whose From has failed."""
    for _ in range(9):
        talk.mails("bob", "stop")
    answers = [talk.receives("bob", CHOICES) for _ in range(6)]  # the seventh mail was a code
    assert ["today's last answer" in mail.text for mail in answers] == [False] * 5 + [True]
    talk.mails("bob", "stop everything")
    talk.mails("carl", "Re: look at this", "stop", to=mails[1].reply_to)
    talk.mails("ann", "Re: look at this", "stop", to=mails[1].reply_to)
    talk.receives("ann", CHOICES)
    talk.nothing_more()
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.replies(answers[0], "stop")
    talk.receives("bob", LAST)
    talk.receives("ann", "[pbm] bob gets no more mail")


def test_one_word_chooses_less(talk: Conversation, mails: list[Mail]) -> None:
    """In reply to the answer alone, each does what it says there."""
    talk.replies(mails[0], "d4")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "e4")
    talk.any_mail("bob")
    talk.replies(talk.any_mail("ann"), "stop")
    answer = talk.receives("ann", CHOICES)
    talk.replies(answer, "Fewer.")
    talk.receives("ann", "[pbm] preferences of ann changed", "Changed: own=no, digest=07:00.")
    talk.replies(answer, "pause")
    talk.receives("ann", "[pbm] your vacation is noted", "until Mon 16 Mar 2026")
    talk.receives("bob", "[pbm] ann is on vacation until Mon 16 Mar 2026, 00:00 UTC")
    talk.clock.advance(seconds=60)
    later = talk.challenge("go", "ann", "bob")
    talk.replies(answer, "resign")
    talk.receives("ann", "[pbm] you have left your boards", "You have resigned this board: hex 1")
    talk.receives("bob", "[hex 1] bob won (2)")
    talk.replies(answer, "leave")
    code = talk.receives("ann", "[pbm] close your account?", "would be resigned: 2")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] goodbye, ann")
    assert talk.any_mail("bob").references[0] == later[1].references[0]


@pytest.mark.parametrize("word", ["fewer", "pause", "resign", "leave", "weniger"])
def test_the_words_mean_nothing_elsewhere(talk: Conversation, mails: list[Mail], word: str) -> None:
    """Least of all do they resign."""
    talk.proves("ann", "", word)
    told = talk.any_mail("ann")
    assert "not done" in told.subject or "To do this, reply with the word yes" in told.text
    talk.mails("ann", "", word)
    talk.any_mail("ann")
    talk.nothing_more()
    talk.replies(mails[0], "d4")
    talk.any_mail("ann")
    talk.any_mail("bob")


def test_quotes_footers_and_further_lines_stop_nothing(
    talk: Conversation, mails: list[Mail]
) -> None:
    """Nor does the word that ends a list of commands, or a sentence to the opponent."""
    talk.replies(mails[0], "d4\n\n--\nTo unsubscribe, write to us.")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    mail = talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.replies(mail, "e4\n\n> unsubscribe\n")
    talk.receives("bob", "[hex 1] ann to move (3), you played e4")
    mail = talk.receives("ann", "[hex 1] your move (3), bob played e4")
    talk.replies(mail, "f4\nstop")
    talk.receives("ann", "[hex 1] bob to move (4), you played f4", "Neither done nor passed on")
    talk.receives("bob", "[hex 1] your move (4), ann played f4")
    talk.replies(mail, "Stop laughing at my moves :)")
    talk.receives("ann", "[hex 1] passed on to bob")
    talk.receives("bob", "[hex 1] ann writes", "> Stop laughing at my moves :)")
    talk.proves("ann", "multiple", "help rules\nseeks\nstop\nunsubscribe")
    assert "stop" not in talk.any_mail("ann").subject
    talk.proves("ann", "", "mine\nstop")
    talk.any_mail("ann")
    assert [mail.subject for mail in talk.everything() if mail.subject == CHOICES] == []


def test_a_word_that_is_a_move_stays_one(talk: Conversation) -> None:
    """`remove` takes a black hole off in Space Truckin', and asks for no more mail elsewhere."""
    talk.signup("ann", "bob")
    truckin = talk.agreed("spacetruckin", "ann", "bob")
    talk.replies(truckin[0], "remove")
    assert "a black hole" in talk.any_mail("ann").text.partition("\n\n")[0]  # drawn or not
    talk.replies(talk.challenge("hex", "ann", "bob")[0], "remove")
    talk.receives("ann", CHOICES)


def test_a_stranger_is_never_written_to_again(talk: Conversation) -> None:
    """Not by an invitation, nor by a code that others ask for, nor with help; who signs up from
    there has changed their mind."""
    talk.signup("ann")
    talk.mails("eve", "Please remove me from your list")
    talk.nothing_more()
    talk.mails("eve", "hello", "what is this?")
    talk.nothing_more()
    talk.proves("ann", "invite eve@example.org chess")
    talk.receives("ann", "[pbm] your invitation to eve@example.org")
    talk.mails("ann", f"add ann {talk.password('ann')} eve@example.org")
    talk.receives("ann", "[pbm] addresses of ann")
    talk.nothing_more()
    with talk.server.store.reading() as session:
        assert session.execute(select(invited_addresses.c.declined)).scalars().all() == [True]
    talk.mails("eve", f"signup eve {talk.password('eve')}")
    talk.receives("eve", "[pbm] confirm this address")


def test_an_address_that_waits_for_its_code_can_say_stop(talk: Conversation) -> None:
    talk.signup("mallory")
    talk.mails("eve", f"signup eve {talk.password('eve')}")
    talk.replies(talk.receives("eve", "[pbm] confirm this address"), "I never signed up for this!")
    talk.mails("mallory", f"signup kim {talk.secret('Sesame-kim')} eve@example.org")
    assert "sign up in a mail from there" in " ".join(talk.any_mail("mallory").text.split())


def test_a_preference_stops_all_mail_too(talk: Conversation, mails: list[Mail]) -> None:
    """With a password, from anywhere; it keeps what was preferred before."""
    talk.proves("bob", "set mail=text")
    talk.receives("bob", "[pbm] preferences of bob changed")
    talk.mails("bob", f"set bob {talk.password('bob')} mail=none")
    talk.receives("bob", "[pbm] preferences of bob changed", "Changed: mail=none.")
    talk.receives("ann", "[pbm] bob gets no more mail")
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.proves("bob", "set")
    talk.receives("bob", "[pbm] preferences of bob", "mail=text")
    talk.receives("bob", "[pbm] you get mails again")


# The button of a mail program


def find_link(mail: Mail) -> str:
    """The link in the head of a mail by which its mails are stopped."""
    assert mail.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
    found = re.fullmatch(r"<(https://\S+)>, <mailto:\S+>", mail.header("List-Unsubscribe"))
    assert found is not None
    return found[1]


def click(visitor: Visitor, mail: Mail) -> str:
    """What a mail program does when its button is pressed; what the page says."""
    page = visitor.post(find_link(mail), {"List-Unsubscribe": "One-Click"})
    return page.says


@pytest.mark.config(web={"url": HOST})
def test_one_click_stops_mails_about_boards(
    talk: Conversation, visitor: Visitor, mails: list[Mail]
) -> None:
    """Whoever looks at the link changes nothing. Other mails still come."""
    page = visitor.get(find_link(mails[1]))
    assert "Stop the mails about your boards?" in page.says
    talk.nothing_more()
    assert "Stopped" in click(visitor, mails[1])
    talk.receives("bob", LAST, "last mail about your boards")
    talk.receives("ann", "[pbm] bob gets no more mail")
    assert "Stopped" in click(visitor, mails[1])
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.mails("ann", f"message ann {talk.password('ann')} bob", "Where are you?")
    talk.receives("ann", "[pbm] passed on to bob")
    note = talk.receives("bob", "[pbm] ann writes")
    assert page.status == 200
    talk.proves("bob", "hex move 1 e4")
    talk.receives("bob", "[hex 1] ann to move (3), you played e4")
    talk.receives("bob", "[pbm] you get mails again")
    talk.receives("ann", "[hex 1] your move (3), bob played e4")
    assert "Stopped" in click(visitor, note)
    talk.receives("bob", LAST, "our last mail to you")
    talk.receives("ann", "[pbm] bob gets no more mail")


@pytest.mark.config(web={"url": HOST})
def test_a_link_is_worth_what_it_stops(
    talk: Conversation, visitor: Visitor, mails: list[Mail]
) -> None:
    """Of one player, one kind, until links end; never of anything else."""
    link = find_link(mails[1])
    key = link.rpartition("/stop/")[2]
    number = re.findall("-u([0-9]+)-", key)[0]
    for wrong in (
        link.replace("boards", "everything"),
        link.replace(f"-u{number}-", f"-u{int(number) - 1}-"),
        f"{link[:-1]}{'a' if link[-1] != 'a' else 'b'}",
        link.replace("/stop/boards-", "/u/"),
        f"{HOST}/stop/x",
    ):
        assert visitor.get(wrong).status == 404
        assert visitor.post(wrong, {"List-Unsubscribe": "One-Click"}).status == 404
    talk.replies(mails[0], f"chat look: {link}")
    talk.any_mail("ann")
    assert key[-32:] not in talk.any_mail("bob").text
    talk.proves("bob", "set links=new")
    talk.any_mail("bob")
    assert visitor.post(link, {"List-Unsubscribe": "One-Click"}).status == 404
    talk.nothing_more()


@pytest.mark.config(web={"url": HOST})
def test_one_click_stops_lists_and_invitations(talk: Conversation, visitor: Visitor) -> None:
    """Each its own kind, without another mail."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"broadcast ann {talk.password('ann')}", "Hello!")
    talk.receives("ann", "[pbm] passed on to everybody")
    assert "Stopped" in click(visitor, talk.receives("bob", "[pbm] ann writes to everybody"))
    talk.proves("bob", "set")
    shown = talk.receives("bob", "[pbm] preferences of bob", "broadcasts=no")
    talk.proves("ann", "invite kim@far.example")
    talk.receives("ann", "[pbm] your invitation to kim@far.example")
    assert "Stopped" in click(visitor, talk.any_mail("kim@far.example"))
    talk.mails("eve", "hello", "what is this?")
    assert "Stopped" in click(visitor, talk.any_mail("eve"))
    talk.proves("ann", "invite eve@example.org")
    talk.receives("ann", "[pbm] your invitation to eve@example.org")
    talk.nothing_more()
    assert "Stopped" in click(visitor, shown)
    talk.receives("bob", LAST, "our last mail to you")


@pytest.mark.config(web={"url": HOST})
def test_codes_have_no_button(talk: Conversation, visitor: Visitor) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] confirm this address")
    assert "List-Unsubscribe" not in mail.message
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    assert "List-Unsubscribe" in talk.receives("ann", "[pbm] welcome, ann").message
    talk.mails("ann", "forgot ann")
    assert "List-Unsubscribe" not in talk.any_mail("ann").message


def test_without_pages_a_mail_does_it(talk: Conversation, mails: list[Mail]) -> None:
    """The button then sends a mail to the reply address, which is proof."""
    field = mails[1].header("List-Unsubscribe")
    assert "List-Unsubscribe-Post" not in mails[1].message
    where, _, subject = field.strip("<>").partition("?subject=")
    assert unquote(subject) == "stop boards"
    talk.mails("eve", unquote(subject), to=where.removeprefix("mailto:"))
    talk.nothing_more()
    talk.mails("bob", unquote(subject), to=where.removeprefix("mailto:"))
    talk.receives("bob", LAST, "last mail about your boards")
    talk.receives("ann", "[pbm] bob gets no more mail")
