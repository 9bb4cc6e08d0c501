"""Bringing a friend: by mail, by a link that is passed on, and by the form of a page."""

from __future__ import annotations

import json
import re

import pytest
from sqlalchemy import insert, select

from pbm.core.fsck import find_differences
from pbm.features.accounts import signup
from pbm.features.accounts.tables import (
    friend_invitations,
    invitations,
    invited_addresses,
    waiting_guests,
)
from tests.conversations.test_admission import OPERATOR, act, signs_up
from tests.harness.conversation import DAY, Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

FRIEND = "kim.lee@far.example"
CONFIRM = "[pbm] confirm this address"


def invites(talk: Conversation, line: str = f"invite {FRIEND} tictactoe", text: str = "") -> Mail:
    """Ann invites somebody; the mail."""
    talk.proves("ann", line, text)
    talk.receives("ann", f"[pbm] your invitation to {FRIEND}")
    return talk.any_mail(FRIEND)


@pytest.mark.postgresql
def test_a_friend_joins_and_plays(talk: Conversation) -> None:
    """From one mail to the first move, without a password; later with one."""
    talk.signup("ann")
    mail = invites(talk, text="Shall we play?")
    assert mail.subject == "[pbm] ann invites you to play Tic-Tac-Toe by mail"
    assert "> Shall we play?" in mail.text
    assert "a b c" in mail.text
    talk.replies(mail, "Hello!\n\nKim")
    board = talk.receives(
        FRIEND, "[tictactoe 1] Kim - ann", "Welcome, Kim!", "Reply with your move"
    )
    assert "PASSWORD" not in board.text
    talk.receives("ann", "[tictactoe 1] new board: Kim, ann", "a friend whom you have invited")
    talk.replies(board, "a1")
    talk.receives(FRIEND, "[tictactoe 1] Kim - ann", "You played a1")
    talk.receives("ann", "[tictactoe 1] your move (2), Kim played a1")
    for line in ("signoff", "add kim@work.example", "add Kim secret kim@work.example"):
        talk.replies(board, line)
        assert "forgot Kim" in talk.any_mail(FRIEND).text
    talk.replies(board, "forgot Kim")
    code = re.search(r"Kim ([a-z0-9-]{14}) NEWPASSWORD", talk.any_mail(FRIEND).text)
    assert code is not None
    new = talk.secret("Sesame-kim")
    talk.mails(FRIEND, f"change password Kim {code[1]} {new}")
    talk.receives(FRIEND, "[pbm] your password is changed")
    talk.mails(FRIEND, f"tictactoe resign 1 Kim {new}")
    assert "ann won" in talk.any_mail(FRIEND).text
    talk.any_mail("ann")
    talk.replies(mail, "kim2")
    assert "this invitation is over" in talk.any_mail(FRIEND).text


@pytest.mark.parametrize("is_link", [False, True])
@pytest.mark.config(
    players={"signups": "approved"}, house={"operator": OPERATOR}, web={"url": HOST}
)
def test_the_board_of_an_invitation_waits_for_approval(
    talk: Conversation, visitor: Visitor, is_link: bool
) -> None:
    """It begins when the operator approves the friend, who needs no password for it; nobody can do
    that twice, and who is denied leaves nothing behind."""
    signs_up(talk, "ann")
    talk.receives("ann", "[pbm] your signup waits, ann")
    talk.receives(OPERATOR, "[pbm] ann signed up")
    act(talk, lambda act: signup.approve(act, "ann"))
    talk.receives("ann", "[pbm] welcome, ann")
    for who in (FRIEND, "lee@far.example"):
        if is_link:
            talk.proves("ann", "invite link tictactoe" if who == FRIEND else "inviter lien morpion")
            listed = talk.any_mail("ann").text
            page = visitor.get(re.findall(r"https://\S+/join/\S+", listed)[-1])
            visitor.send(page, page.forms[0], userid=who[:3], address=who)
            talk.replies(talk.receives(who, CONFIRM), "yes")
        else:
            talk.proves("ann", f"invite {who} tictactoe")
            talk.receives("ann", f"[pbm] your invitation to {who}")
            talk.replies(talk.any_mail(who), who[:3])
        talk.receives(who, f"[pbm] your signup waits, {who[:3]}")
        talk.receives(OPERATOR, f"[pbm] {who[:3]} signed up")
    talk.nothing_more()
    act(talk, lambda act: signup.deny(act, "lee"))
    talk.receives("lee@far.example", "[pbm] your signup")
    act(talk, lambda act: signup.approve(act, "kim"))
    board = talk.receives(
        FRIEND, "[tictactoe 1] kim - ann", "Welcome, kim!", "Reply with your move"
    )
    talk.receives("ann", "[tictactoe 1] new board: kim, ann", "a friend whom you have invited")
    talk.replies(board, "a1")
    talk.receives(FRIEND, "[tictactoe 1] kim - ann", "You played a1")
    talk.receives("ann", "[tictactoe 1] your move (2), kim played a1")
    with talk.server.store.reading() as session:
        assert not session.execute(select(waiting_guests.c.player_id)).scalars().all()
        assert [*find_differences(session)] == []


@pytest.mark.parametrize("answer", ["no", "No, thanks.", "unsubscribe", "", "not now, sorry"])
def test_one_mail_goes_to_an_address_ever(talk: Conversation, answer: str) -> None:
    """Whoever invites it, by whatever spelling, and whatever it answered; nobody is told."""
    talk.signup("ann", "bob")
    mail = invites(talk)
    if answer:
        talk.replies(mail, answer)
    if answer == "not now, sorry":
        said = talk.any_mail(FRIEND)
        assert "reply with the word yes" in said.text
        assert "To refuse" in said.text
    talk.nothing_more()
    talk.passes(days=40, step=10 * DAY)
    for who, address in (("ann", FRIEND), ("bob", FRIEND), ("bob", "Kim.Lee+2@far.example")):
        talk.proves(who, f"invite {address}")
        talk.receives(who, f"[pbm] your invitation to {address.lower()}", "goes to")
    talk.proves("bob", f"chess challenge bob {FRIEND}")
    talk.receives("bob", f"[pbm] your invitation to {FRIEND}", "a game of Chess")
    talk.nothing_more()
    if answer == "no":
        talk.mails("eve", f"signup kim {talk.secret('Sesame-eves')} {FRIEND}")
        talk.nothing_more()  # a limit is told to nobody's address
    talk.mails(FRIEND, f"signup kim {talk.password('kim')}")
    talk.receives(FRIEND, "[pbm] confirm this address")


def test_another_spelling_is_the_same_mailbox(talk: Conversation) -> None:
    """It is invited once, and whoever blocks the host is not invited at all."""
    talk.signup("ann", "bob")
    talk.proves("bob", "block ann")
    talk.receives("bob", "[pbm] 1 blocked")
    spelled = ("kim.lee@gmail.com", "kimlee@gmail.com", "k.imlee+x@googlemail.com")
    for address in (*spelled, "bob+spare@example.org"):
        talk.proves("ann", f"invite {address}")
        talk.receives("ann", f"[pbm] your invitation to {address}")
    talk.receives(spelled[0], "[pbm] ann invites you to play board games by mail")


def test_nobody_else_answers_an_invitation(talk: Conversation) -> None:
    """Not from another address, nor by a guess, nor by a program; only a name is one."""
    talk.signup("ann")
    mail = invites(talk)
    talk.replies(mail, "eve", who="eve")
    assert "went to another address" in talk.any_mail("eve").text
    talk.replies(mail, "kim", who=FRIEND)
    talk.everything()
    talk.proves("ann", "invite lee@far.example")
    talk.any_mail("ann")
    mail = talk.any_mail("lee@far.example")
    forged = mail.reply_to.replace("+i2-", "+i1-")
    talk.mails("lee@far.example", "Re: hello", "lee", to=forged)
    assert "this invitation is over" in talk.any_mail("lee@far.example").text
    auto = {"Auto_Submitted": "auto-replied"}
    talk.mails("lee@far.example", f"Re: {mail.subject}", "absent", to=mail.reply_to, **auto)
    talk.nothing_more()
    for said in ("Thanks!", "who?"):
        talk.replies(mail, said)
        talk.receives("lee@far.example", "[pbm] ann has invited you", "To refuse")
    for said in ("ann", "a"):
        talk.replies(mail, said)
        assert "not done" in talk.any_mail("lee@far.example").subject, said
    talk.replies(mail, "yes, please")
    talk.receives("lee@far.example", "[pbm] welcome, lee")
    talk.receives("ann", "[pbm] lee has joined", "chess challenge ann lee")


def test_an_invitation_needs_proof(talk: Conversation) -> None:
    """A From that anybody can write has nobody mailed, by no command."""
    talk.signup("ann", "bob")
    for line in (
        f"invite {FRIEND}",
        f"invite ann Wrong-word {FRIEND}",
        f"chess invite ann {FRIEND}",
        f"chess challenge ann {FRIEND}",
        f"chess challenge {FRIEND}",
    ):
        talk.mails("ann", line, envelope="eve@evil.example")
        talk.any_mail("ann")
    mail, _ = talk.challenge("tictactoe", "ann", "bob")
    talk.replies(mail, f"invite {FRIEND}")
    assert "send the same line in reply to this mail" in " ".join(talk.any_mail("ann").text.split())
    talk.nothing_more()


LINKS = (
    "See http://buy.example",
    "write to me@x.example",
    "buy.example",
    "see evil.com.",
    "win at evil.com. now",
    "evil.com.au.",
    "казино.рф",
    "evil\u3002com",
    "evil\uff0ecom",
    "evil\uff61com",
    "evil\u2024com",
    "evil.\u200bcom",
    "\uff45vil.com",
    "10.0.0.1",
    "mailto:me@x",
    "write to mailto:me",
    "call tel:+4912345",
)
"""Of each of these some mail program makes a link."""


@pytest.mark.config(limits={"invitations_a_day": 2, "errors_a_day": 0})
def test_what_an_invitation_may_say_and_how_many_there_are(talk: Conversation) -> None:
    """No link, no long text, in the host's name neither; nothing that is refused is counted."""
    talk.signup("ann", "bob")
    for text in (*LINKS, "a" * 201):
        talk.proves("ann", f"invite {FRIEND}", text)
        said = talk.any_mail("ann").text
        assert "no dot between letters or digits" in " ".join(said.split()), text
        assert re.search(rf"^    invite (ann PASSWORD )?{FRIEND}$", said, re.MULTILINE)
    talk.proves("ann", f"invite {FRIEND} hex -size=9 come and play")
    said = talk.any_mail("ann").text
    assert "words for your friend go below, in the body" in " ".join(said.split())
    assert re.search(rf"^    invite (ann PASSWORD )?{FRIEND} hex -size=9$", said, re.MULTILINE)
    for line in (
        f"invite {FRIEND} chess --colour=red",
        f"invite {FRIEND} lee@far.example",
        f"invite {FRIEND} now",
        "invite pbm@example.net",
        "invite kim",
        "invite link",
    ):
        talk.proves("ann", line)
        assert "not done" in talk.any_mail("ann").subject, line
    talk.proves("ann", "set name=Ann buy.example.")
    talk.any_mail("ann")
    words = "Hello... I play well. Do you? Come on! " + "x" * 161
    mail = invites(talk, f"chess invite {FRIEND} --time=10d+1d", words)
    assert "buy" not in mail.text
    assert "a clock for the whole game: 10d+1d" in " ".join(mail.text.split())
    assert f"{mail.reply_to}?subject=no" in mail.message["List-Unsubscribe"]
    talk.proves("ann", "invite bob@example.org hex", "And you?")
    talk.receives("ann", "[pbm] your invitation to bob@example.org")
    talk.receives("bob", "[pbm] ann invites you to play Hex", "hex challenge bob ann", "> And you?")
    talk.proves("ann", "invite lee@far.example")
    talk.receives("ann", "[pbm] your invitation to lee@far.example", "waits until a moderator")
    talk.proves("ann", "invite")
    talk.receives("ann", "[pbm] invitations of ann", FRIEND, "bob@example.org, to a game of Hex")
    talk.proves("ann", "invite none")
    talk.receives("ann", "[pbm] invitations of ann", "Your invitations and links are withdrawn.")
    talk.replies(mail, "yes")
    assert "this invitation is over" in talk.any_mail(FRIEND).text


@pytest.mark.config(players={"signups": "invited"})
def test_where_the_operator_alone_invites(talk: Conversation) -> None:
    with talk.server.store.writing() as session:
        row = {"address": "ann@example.org", "actor": "op", "at": talk.clock()}
        session.execute(insert(invitations).values(row))
    talk.signup("ann")
    talk.proves("ann", f"invite {FRIEND}")
    assert "only people whom the operator has invited" in talk.any_mail("ann").text


def test_rows_follow_their_player(talk: Conversation) -> None:
    """Into `mydata`, but not who has said no; and away with the player."""
    talk.signup("ann")
    talk.replies(invites(talk), "no")
    talk.proves("ann", f"mydata ann {talk.password('ann')}")
    file = next(talk.any_mail("ann").message.iter_attachments())
    rows = json.loads(file.get_content())["invitations"]
    assert [(row["address"], row["game"]) for row in rows] == [(FRIEND, "tictactoe")]
    assert "declined" not in str(rows)
    talk.mails("ann", f"erase ann {talk.password('ann')}")
    code = talk.any_mail("ann").line("Code: ")
    talk.mails("ann", f"confirm {code}")
    talk.any_mail("ann")
    with talk.server.store.reading() as session:
        assert not list(find_differences(session))
        assert not session.execute(select(friend_invitations.c.id)).scalars().all()
        assert session.execute(select(invited_addresses.c.declined)).scalars().all() == [True]


# Pages

pages = pytest.mark.config(web={"url": HOST})


@pages
def test_an_invitation_is_answered_by_a_click(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann")
    mail = invites(talk, f"chess challenge ann {FRIEND}")
    page = visitor.get(mail.line("Join or decline on the web: "))
    assert "ann invites you to a game of Chess" in page.says
    assert "ann makes the first move" in page.says
    join = page.forms[0]
    assert join.fields == {"userid": "kim"}
    refused = visitor.send(page, join, userid="ann")
    assert "this userid is taken" in refused.says
    assert refused.forms[0].fields == {"userid": "ann"}
    joined = visitor.send(page, join)
    assert "A mail tells you how to go on" in joined.says
    assert "/u/" not in joined.url  # whoever was passed the link gets none to the account
    board = talk.receives(FRIEND, "[chess 1] ann - kim", "Welcome, kim!")
    talk.receives("ann", "[chess 1] new board: ann, kim")
    assert "ann" in visitor.get(board.line("On the web: ")).says
    assert visitor.get(page.url).status == 404
    talk.proves("ann", "invite lee@far.example")
    talk.any_mail("ann")
    url = talk.any_mail("lee@far.example").line("Join or decline on the web: ")
    page = visitor.get(url)
    assert "hear no more" in visitor.send(page, page.forms[1]).says
    assert visitor.get(url).status == 404
    talk.nothing_more()


@pytest.mark.postgresql
@pages
@pytest.mark.config(limits={"joins_a_link": 1})
def test_a_link_is_passed_on(talk: Conversation, visitor: Visitor) -> None:
    """So many join by it, until its maker withdraws it; each has a board with the maker."""
    talk.signup("ann")
    home = f"{talk.home('ann')}/begin"
    page = visitor.get(home)
    for address in ("link hex -size=5", "link"):
        page = visitor.send(page, page.form("invite"), address=address)
        assert "Done." in page.says
        sent = talk.any_mail("ann")
    first, second = re.findall(r"https://\S+/join/\S+", sent.text)
    assert first in page.says
    assert second in page.says
    page = visitor.get(first)
    assert "ann invites you to a game of Hex" in page.says
    assert "(rows and columns: 5)" in page.says
    assert "accepts the terms" not in page.says
    for who in ("kim", "lee"):
        said = visitor.send(page, page.forms[0], userid=who, address=f"{who}@far.example")
        assert "Look into your mail" in said.says
    code, late = (talk.receives(f"{who}@far.example", CONFIRM) for who in ("kim", "lee"))
    confirm = visitor.get(code.line("Confirm on the web: "))
    assert "it needs no password" in confirm.says
    visitor.send(confirm, confirm.forms[0])
    talk.receives("kim@far.example", "[hex 1] kim - ann", "Welcome, kim!")
    talk.receives("ann", "[hex 1] new board: kim, ann")
    assert visitor.get(first).status == 404
    talk.replies(late, "yes")
    talk.receives("lee@far.example", "[pbm] welcome, lee")
    page = visitor.get(home)
    visitor.send(page, [form for form in page.forms if form.fields.get("do") == "invite"][-1])
    talk.receives("ann", "[pbm] invitations of ann")
    assert visitor.get(second).status == 404


@pages
@pytest.mark.config(limits={"strangers_an_hour": 12})
def test_the_form_tells_nobody_who_is_here(talk: Conversation, visitor: Visitor) -> None:
    """The same answer for a new address, a registered one, one that has said no or is banned; three
    codes a week go to one address, and a visitor has a share of what strangers get."""
    talk.signup("ann")
    talk.replies(invites(talk), "no")
    talk.nothing_more()
    page = visitor.get("/")
    said = set()
    for number, address in enumerate(("kim@far.example", "ann@example.org", FRIEND)):
        answer = visitor.send(page, page.forms[0], userid=f"kim{number}", address=address)
        said.add((answer.status, answer.says))
    assert len(said) == 1
    talk.receives("kim@far.example", CONFIRM, "Somebody asked on the web site of this server")
    talk.receives("ann", CONFIRM)
    answer = visitor.send(page, page.forms[0], userid="kim4", address="lee@far.example")
    assert "too many mails go to new addresses" in answer.says
    assert answer.forms[0].fields == {"userid": "kim4", "address": "lee@far.example"}
    for userid, address in (("ann", "lee@far.example"), ("x", "lee@far.example"), ("kim5", "?")):
        assert visitor.send(page, page.forms[0], userid=userid, address=address).status == 409


@pages
@pytest.mark.config(players={"signups": "closed"})
def test_a_closed_server_has_no_form(talk: Conversation, visitor: Visitor) -> None:
    assert not visitor.get("/").forms
    page = visitor.get("/join")
    assert not page.forms
    talk.nothing_more()


@pytest.mark.parametrize(
    "question",
    [
        "What is this? Is it spam?",
        "Who are you?",
        "who is ann",
        "No, I don't mind",
        "no sé",
        "No, no me importa",
        "Nee hoor, vind ik niet erg",
        "Yes, but not before next week",
        "ok but only if it doesn't take long",
    ],
)
def test_who_asks_what_an_invitation_is_can_still_accept(talk: Conversation, question: str) -> None:
    talk.signup("ann")
    mail = invites(talk)
    talk.replies(mail, question)
    told = talk.receives(
        FRIEND, "[pbm] ann has invited you", "play board games by e-mail", "To refuse"
    )
    talk.replies(told, "Sure, sounds fun!")
    talk.receives(FRIEND, "[tictactoe 1] kim - ann", "Welcome, kim!")
    talk.receives("ann", "[tictactoe 1] new board: kim, ann")


@pytest.mark.parametrize(
    "agreement",
    [
        "Sure Ann, but I am a total beginner!",
        "Dear Ann, with pleasure! Regards, Kim",
        "Ja klar, aber ich bin blutiger Anfänger",
        "Oui pourquoi pas, mais je débute totalement !",
        "Venga va, pero soy muy novato",
        "Ja leuk, maar ik ben echt een beginner",
    ],
)
def test_who_agrees_and_goes_on_joins(talk: Conversation, agreement: str) -> None:
    talk.signup("ann")
    talk.replies(invites(talk), f"{agreement}\nSee you on the board")
    board = talk.any_mail(FRIEND)
    assert "[tictactoe 1] kim - ann" in board.subject
    assert "> Not passed on: See you on the board" in board.text
    talk.receives("ann", "[tictactoe 1] new board: kim, ann")


@pytest.mark.config(web={"url": HOST})
def test_a_text_below_what_mails_nobody_is_named(talk: Conversation) -> None:
    """The writer of a link passes it on, and its text too."""
    talk.signup("ann")
    for line in ("invite link", "invite", "invite none"):
        talk.proves("ann", line, "Come and play, Kim!")
        assert "Not passed on: Come and play, Kim!" in talk.any_mail("ann").text


def test_who_has_no_password_is_not_asked_for_it_from_another_address(talk: Conversation) -> None:
    """A mail brings a code to the own address, with which to set one."""
    talk.signup("ann")
    talk.replies(invites(talk), "Kim")
    board = talk.any_mail(FRIEND)
    talk.any_mail("ann")
    talk.replies(board, "b2", who="kim@work.example")
    told = talk.any_mail("kim@work.example")
    assert "belongs to another address" in told.text
    assert "    forgot Kim" in told.lines
    assert "PASSWORD" not in told.text


def test_a_command_in_reply_to_an_invitation_is_only_that_of_a_password(talk: Conversation) -> None:
    """Any other asks what the invitation is; none is repeated to whoever was invited."""
    talk.signup("ann")
    mail = invites(talk)
    for line in ("help tictactoe", "show 1", "tictactoe show 1", "vacation until monday", "b2"):
        talk.replies(mail, line)
        assert "To refuse, reply with the word no" in talk.any_mail(FRIEND).text
    talk.replies(mail, f"tictactoe challenge ann {talk.password('ann')} level1")
    assert "To refuse, reply with the word no" in talk.any_mail(FRIEND).text
    talk.replies(mail, f"mine ann {talk.password('ann')}")
    assert talk.any_mail("ann").subject == "[pbm] open boards of ann"
