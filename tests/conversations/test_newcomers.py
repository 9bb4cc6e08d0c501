"""The door: whoever signs up gets in by whatever people answer to the mail with the code, and is
told what to send until then."""

from __future__ import annotations

from collections.abc import Callable
from email import policy
from email.message import EmailMessage

import pytest

from pbm.config import Web
from pbm.features.accounts.tables import signups
from tests.conversations.test_strangers import rows_of
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

WAITS = "[pbm] one more step to open your account"
VOID = "[pbm] not done: this code is wrong, expired, already used or replaced by a newer one"


def signs_up(talk: Conversation, who: str = "ann") -> Mail:
    """The mail with the code that somebody's signup brings."""
    talk.mails(who, f"signup {who} {talk.password(who)}")
    return talk.receives(who, "[pbm] confirm this address")


REPLIES: dict[str, Callable[[str], str]] = {
    "the code": lambda code: code,
    "the code in capitals": str.upper,
    "as in our mail": lambda code: f"Code: {code}",
    "with the word": lambda code: f"confirm {code}",
    "in a sentence": lambda code: f"Hello, the code you sent me is {code}. Thanks, Ann",
    "below a greeting": lambda code: f"Hi!\n\n{code}\n\nAnn",
    "yes": lambda _: "yes",
    "yes please": lambda _: "OK, yes please!",
    "confirm": lambda _: "Confirm",
    "I confirm": lambda _: "Hello\n\nI confirm.\n\nBest wishes\nAnn",
    "in German": lambda _: "Ja, gerne!",
}


@pytest.mark.parametrize("form", REPLIES)
def test_what_people_answer_confirms(talk: Conversation, form: str) -> None:
    mail = signs_up(talk)
    talk.replies(mail, REPLIES[form](mail.line("Code: ")))
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.parametrize("form", ["the code", "as in our mail", "with the word"])
def test_the_code_counts_without_the_reply_address(talk: Conversation, form: str) -> None:
    """A program that writes to the sender of a mail, or a person who begins a new one."""
    mail = signs_up(talk)
    talk.mails("ann", f"Re: {mail.subject}", REPLIES[form](mail.line("Code: ")))
    talk.receives("ann", "[pbm] welcome, ann")
    mail = signs_up(talk, "bob")
    talk.mails("bob", REPLIES[form](mail.line("Code: ")))
    talk.receives("bob", "[pbm] welcome, bob")


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "No, thank you.\n\nyes, I mean it: no",
        "Who are you?",
        "Yes, what is this?",
        "What does confirm mean?",
    ],
)
def test_what_is_no_yes_confirms_nothing(talk: Conversation, text: str) -> None:
    mail = signs_up(talk)
    talk.replies(mail, text)
    assert not talk.any_mail("ann").subject.startswith("[pbm] welcome")
    assert rows_of(talk, signups) == 1


def test_our_mail_one_word_a_line_confirms_nothing(talk: Conversation) -> None:
    """Its word confirm then stands alone on a line."""
    mail = signs_up(talk)
    text = "\n".join(mail.text.split())
    talk.mails("ann", f"Re: {mail.subject}", text, to=mail.reply_to)
    talk.everything()
    assert rows_of(talk, signups) == 1


def test_a_no_beside_the_code_confirms_nothing(talk: Conversation) -> None:
    mail = signs_up(talk)
    talk.replies(mail, f"No!\n\nI never asked for {mail.line('Code: ')}")
    talk.receives("ann", WAITS)
    assert rows_of(talk, signups) == 1


def test_a_yes_from_elsewhere_confirms_nothing(talk: Conversation) -> None:
    """Whoever got the mail as a copy has the reply address too; the code itself is another
    matter."""
    mail = signs_up(talk)
    talk.replies(mail, "yes", who="bob")
    talk.receives(
        "bob",
        "[pbm] not done: this code was sent to another address: reply from there, or send the "
        "code itself",
    )
    talk.replies(mail, mail.line("Code: "), who="bob")
    talk.receives("ann", "[pbm] welcome, ann")


def test_a_program_says_no_yes(talk: Conversation) -> None:
    mail = signs_up(talk)
    for name, value in (("Precedence", "bulk"), ("Auto_Submitted", "auto-replied")):
        talk.mails("ann", f"Re: {mail.subject}", "yes", to=mail.reply_to, **{name: value})
    talk.nothing_more()
    assert rows_of(talk, signups) == 1


@pytest.mark.config(limits={"strangers_an_hour": 4})
def test_whoever_has_a_code_is_told_what_to_do_with_it(talk: Conversation) -> None:
    """Also where an answer for strangers was spent, and when others have used up the hour; five
    times, as a program may write."""
    talk.mails("ann", "Hello")
    talk.receives("ann", "[pbm] how to play board games by mail")
    mail = signs_up(talk)
    for words in ("Hello", "What now?", "my code is lost", "and again"):
        talk.mails("ann", words)
        talk.receives("ann", WAITS, "reply to it with the word yes", "confirm CODE", "spam")
    talk.replies(mail, "confirm abcd-efgh-2345")
    talk.receives("ann", VOID)
    for words in ("Is anybody there?", "Hello once more"):
        talk.mails("ann", words)
    talk.nothing_more()
    talk.replies(mail, "yes")
    talk.receives("ann", "[pbm] welcome, ann")


def test_an_address_that_is_to_be_added_is_told_so_too(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", f"add ann {talk.password('ann')} ann@spare.example")
    talk.receives("ann", "[pbm] addresses of ann")
    mail = talk.receives("ann@spare.example", "[pbm] confirm this address", "to this address too")
    talk.mails("ann@spare.example", "Hello")
    talk.receives("ann@spare.example", WAITS)
    talk.replies(mail, "Yes, please.")
    for who in ("ann", "ann@spare.example"):
        talk.receives(who, "[pbm] addresses of ann")


def test_a_code_without_the_word_closes_no_account(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", f"erase ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] erase your account?")
    code = mail.line("Code: ")
    talk.replies(mail, code)
    talk.receives(
        "ann",
        "[pbm] not done: the word confirm is missing before the code, so your account stays as "
        "it is",
    )
    talk.replies(mail, f"confirm {code}")
    talk.receives("ann", "[pbm] ann is erased")


@pytest.mark.config(web={"url": HOST})
def test_the_link_confirms_by_its_button(talk: Conversation, visitor: Visitor) -> None:
    """To look at the page changes nothing, as programs follow links; the address holds no code."""
    mail = signs_up(talk)
    link = mail.line("Confirm on the web: ")
    assert link.startswith(f"{HOST}/c/c")
    assert mail.line("Code: ") not in link
    for _ in range(2):
        page = visitor.get(link)
        assert page.status == 200
        assert "signed up here as ann" in page.says
        assert rows_of(talk, signups) == 1
    (form,) = page.forms
    done = visitor.send(page, form)
    assert (done.status, "Boards of ann" in done.says) == (200, True)
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")
    assert visitor.get(link).status == 404
    assert visitor.send(page, form).status == 404
    assert visitor.get(link[:-1] + ("a" if link[-1] != "a" else "b")).status == 404


@pytest.mark.config(web={"url": HOST})
def test_the_link_says_when_a_userid_was_taken_since(talk: Conversation, visitor: Visitor) -> None:
    mail = signs_up(talk)
    talk.mails("zoe", f"signup ann {talk.secret('Sesame-zoe')}")
    other = talk.receives("zoe", "[pbm] confirm this address")
    talk.replies(other, "yes")
    talk.receives("zoe", "[pbm] welcome, ann")
    page = visitor.get(mail.line("Confirm on the web: "))
    refused = visitor.send(page, page.forms[0])
    assert (refused.status, "this userid is taken" in refused.says) == (409, True)
    talk.nothing_more()


def test_a_server_without_pages_sends_no_link(talk: Conversation) -> None:
    assert not Web().url
    assert "http" not in signs_up(talk).text


LETTERS: tuple[tuple[str, str], ...] = (
    (
        "An offer for you",
        "Dear Sir or Madam,\n\nour boats are the best: http://boats.example/now\n",
    ),
    ("Minutes of the meeting", "set the date first, " + "and then all that follows from it, " * 9),
    ("mine", "mine is the one by the window, " + "as you will see from the picture, " * 9),
    ("note", "note that the office is closed " + "on Mondays, Tuesdays and Wednesdays " * 9),
)
ADVERTISEMENTS = [
    (subject, f"{text}\n\n" + "as you will see from the picture that we took of it on Monday, " * 5)
    for subject, text in (
        ("Confirm your subscription", "Press the button: http://shop.example/now"),
        ("Confirm", "Dear all, confirm the date"),
        ("signup now", "http://shop.example/now"),
        ("signup with us today, the offer ends soon", "It does"),
        ("stop the one by the window", "It is too loud"),
        ("", "confirm and more"),
    )
]
QUESTIONS = (
    ("Hello", "What is this? A friend gave me this address."),
    ("", "How do I play chess here?"),
    ("help", "Sent from my phone"),
)


def test_what_was_not_meant_for_us_is_not_greeted(talk: Conversation) -> None:
    """Letters, of which most are advertisements; a question in a few words is answered, once."""
    check_who_is_greeted(talk)


@pytest.mark.config(players={"confirm_addresses": False})
def test_nor_is_it_on_a_trial_server(talk: Conversation) -> None:
    check_who_is_greeted(talk)


def check_who_is_greeted(talk: Conversation) -> None:
    for number, (subject, text) in enumerate((*LETTERS, *ADVERTISEMENTS)):
        talk.mails(f"shop{number}", subject, text)
        talk.mails(f"shop{number}", f"Re: {subject}", text, In_Reply_To="<1@shop.example>")
        talk.nothing_more()
    for number, (subject, text) in enumerate(QUESTIONS):
        talk.mails(f"zoe{number}", subject, text)
        assert talk.any_mail(f"zoe{number}").subject
        talk.mails(f"zoe{number}", subject, text)
        talk.nothing_more()


def test_few_words_that_ask_nothing_are_not_greeted(talk: Conversation) -> None:
    """They answer somebody else, bring a file, or have a link that only their page shows, in
    whatever encoding."""
    subject, text = QUESTIONS[0]
    talk.mails("zoe", f"Re: {subject}", text, In_Reply_To="<1@shop.example>")
    for encoding in ("7bit", "quoted-printable", "base64"):
        talk.server.take("zoe@example.org", SERVER, compose_letter(text, encoding).as_bytes())
    attached = compose_letter(text)
    attached.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="bill.pdf")
    talk.server.take("zoe@example.org", SERVER, attached.as_bytes())
    talk.server.take("zoe@example.org", SERVER, NO_PARTS)
    talk.nothing_more()
    pictured = compose_letter(text)
    pictured.add_related(b"GIF89a", maintype="image", subtype="gif", cid="<logo@example.org>")
    talk.server.take("zoe@example.org", SERVER, pictured.as_bytes())
    talk.receives("zoe", "[pbm] how to play board games by mail")


NO_PARTS = (
    b"From: zoe@example.org\r\nTo: pbm@example.net\r\nSubject: an offer\r\n"
    b"Content-Type: multipart/alternative; boundary=part\r\n\r\n"
)


def compose_letter(text: str, encoding: str = "") -> EmailMessage:
    """Compose a letter, with a page that has a link if its encoding is named."""
    letter = EmailMessage(policy=policy.SMTP)
    letter["From"], letter["To"], letter["Subject"] = "zoe@example.org", SERVER, "Hello"
    letter.set_content(text)
    if encoding:
        page = f'<p>{text} <a href="https://shop.example/now">Look</a>'
        letter.add_alternative(page, subtype="html", cte=encoding)
    return letter


@pytest.mark.config(server={"trusts": "mail.example.net", "trusted_peers": ("127.0.0.0/8",)})
def test_a_letter_of_whom_the_mail_server_vouches_for_is_greeted(talk: Conversation) -> None:
    subject, text = LETTERS[0]
    said = "mail.example.net; dmarc=pass header.from=example.org"
    talk.mails("zoe", subject, text, Authentication_Results=said)
    talk.receives("zoe", "[pbm] how to play board games by mail")


@pytest.mark.config(house={"moderators": ("zoe",)}, events={"makers": "mike"})
@pytest.mark.parametrize("name", ["zoe", "Zoe", "mike"])
def test_a_name_with_a_role_in_the_configuration_is_nobodys_to_take(
    talk: Conversation, name: str
) -> None:
    talk.mails("ann", f"signup {name} {talk.secret('Sesame-ann')}")
    talk.receives("ann", "[pbm] not done: this userid is taken: choose another")
