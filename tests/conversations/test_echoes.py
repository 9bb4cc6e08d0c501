"""A code counts when a person brings it back, however their mail program writes; what a program
sends back of our text does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import policy
from email.message import EmailMessage

import pytest

from pbm.core.command import Sender
from pbm.mail.find_commands import find_code
from pbm.mail.letter import read_letter
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail

AWAY = "Thank you for your message. We will come back to you soon."
ATTRIBUTION = f"On Mon, 2 Mar 2026 at 12:00, pbm <{SERVER}> wrote:"
OUTLOOK = f"""\
From: pbm <{SERVER}>
Sent: Monday, March 2, 2026 12:00 PM
To: ann@example.org
Subject: [pbm] confirm this address
"""


@pytest.fixture
def code(talk: Conversation) -> Mail:
    """The mail with the code that ann's signup asks for."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    return talk.receives("ann", "[pbm] confirm this address")


def answer(talk: Conversation, code: Mail, text: str, subject: str = "", html: str = "") -> None:
    """A mail to where answers to the code go."""
    talk.server.take("ann@example.org", code.reply_to, written(code, text, subject, html))


def written(code: Mail, text: str, subject: str = "", html: str = "") -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "ann@example.org"
    message["To"] = code.reply_to
    message["Subject"] = subject or f"Re: {code.subject}"
    message["Message-ID"] = "<answer@example.org>"
    message["In-Reply-To"] = message["References"] = code.message_id
    if html:
        message.set_content(html, subtype="html")
    else:
        message.set_content(text)
    return message.as_bytes()


def marked(code: Mail, mark: str) -> str:
    return "\n".join(f"{mark}{line}" for line in code.lines)


def one_line(code: Mail) -> str:
    return " ".join(code.text.split())


ECHOES: dict[str, Callable[[Mail], str]] = {
    "the whole text": lambda code: code.text,
    "words above the text": lambda code: f"{AWAY}\n\n{code.text}",
    "words above a separator": lambda code: f"{AWAY}\n\n--- Original ---\n{code.text}",
    "the head of Outlook": lambda code: f"{AWAY}\n\n{OUTLOOK}\n{code.text}",
    "a vacation text above a quote": lambda code: f"{AWAY}\n\n{ATTRIBUTION}\n{marked(code, '> ')}",
    "a mark of its own": lambda code: f"{AWAY}\n\n{marked(code, '* ')}",
    "indented": lambda code: f"{AWAY}\n\n{marked(code, '    ')}",
    "in one line": lambda code: f"{AWAY} {one_line(code)}",
    "the code alone": lambda code: f"{AWAY}\n\nCode: {code.line('Code: ')}",
    "from the code on": lambda code: f"{AWAY}\n\nCode: {code.text.partition('Code: ')[2]}",
}


@pytest.mark.parametrize("form", ECHOES)
def test_an_echo_confirms_nothing(talk: Conversation, code: Mail, form: str) -> None:
    answer(talk, code, ECHOES[form](code))
    check_not_confirmed(talk)


@pytest.mark.parametrize("tag", ["div", "blockquote", "pre", "p"])
def test_an_echo_in_html_confirms_nothing(talk: Conversation, code: Mail, tag: str) -> None:
    answer(talk, code, "", html=f"<p>{AWAY}</p><{tag}>{code.text}</{tag}>")
    check_not_confirmed(talk)


@pytest.mark.parametrize("kind", ["message/rfc822", "text/plain"])
def test_an_echo_as_an_attachment_confirms_nothing(
    talk: Conversation, code: Mail, kind: str
) -> None:
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"] = "ann@example.org", code.reply_to
    message["Subject"], message["Message-ID"] = f"Fwd: {code.subject}", "<forward@example.org>"
    message.set_content(AWAY)
    if kind == "message/rfc822":
        message.add_attachment(code.message)
    else:
        message.add_attachment(f"confirm {code.line('Code: ')}\n", filename="mail.txt")
    talk.server.take("ann@example.org", code.reply_to, message.as_bytes())
    check_not_confirmed(talk)


@pytest.mark.parametrize("prefix", ["Re: ", "AW: ", "Fwd: ", "Automatic reply: "])
def test_the_subject_of_an_answer_confirms_nothing(
    talk: Conversation, code: Mail, prefix: str
) -> None:
    answer(talk, code, AWAY, f"{prefix}confirm {code.line('Code: ')}")
    check_not_confirmed(talk)


def test_a_program_confirms_nothing(talk: Conversation, code: Mail) -> None:
    """One that says so, though it may send a command with a password."""
    for body, subject in (("", "confirm {}"), ("confirm {}", "")):
        said = code.line("Code: ")
        talk.mails(
            "ann", subject.format(said), body.format(said), to=code.reply_to, Precedence="bulk"
        )
    check_not_confirmed(talk)


def check_not_confirmed(talk: Conversation) -> None:
    """Ann's account cannot act yet; what she was told meanwhile does not matter."""
    talk.everything()
    talk.mails("ann", f"set ann {talk.password('ann')}")
    assert "preferences" not in " ".join(mail.subject for mail in talk.everything())


PEOPLE: dict[str, Callable[[str, Mail], str]] = {
    "mutt": lambda line, code: f"{line}\n\n{ATTRIBUTION}\n{marked(code, '> ')}",
    "nothing quoted": lambda line, code: line,
    "Outlook": lambda line, code: f"{line}\n\nAnn\n\n{OUTLOOK}\n{code.text}",
    "a phone": lambda line, code: f"{line}\n\nSent from my iPhone\n\n{marked(code, '> ')}",
    "a greeting": lambda line, code: f"Hello,\n\n{line}\n\nBest wishes\nAnn",
    "capitals": lambda line, code: f"{line.upper()}\n\n{marked(code, '> ')}",
    "blanks for hyphens": lambda line, code: line.replace("-", " "),
    "no hyphens": lambda line, code: line.replace("-", ""),
}


@pytest.mark.parametrize("form", PEOPLE)
def test_a_person_confirms(talk: Conversation, code: Mail, form: str) -> None:
    answer(talk, code, PEOPLE[form](f"confirm {code.line('Code: ')}", code))
    talk.receives("ann", "[pbm] welcome, ann")


@pytest.mark.parametrize(
    "code", ["4286 4bqx kssm", "hgrk-sznj xefa", "uejcbdmspukm", "zddw gqgv msgz"]
)
def test_the_groups_of_a_code_may_be_joined_in_any_way(code: str) -> None:
    """Whatever they look like: a number, a word, a move."""
    message = b"Subject: Re: code\r\nIn-Reply-To: <1@x>\r\n\r\nconfirm " + code.encode()
    (entry,) = find_code(read_letter(message, envelope_from=None), Sender(via="mail", code="x"))
    assert entry.command is not None
    assert [word.replace("-", "") for word in entry.command.words] == [re.sub("[ -]", "", code)]
    text = b"Subject: Re: code\r\nIn-Reply-To: <1@x>\r\n\r\nI confirm that this game is mine"
    assert find_code(read_letter(text, envelope_from=None), Sender(via="mail", code="x")) == []


def test_a_person_confirms_with_gmail(talk: Conversation, code: Mail) -> None:
    quote = f'<blockquote class="gmail_quote">{"<br>".join(code.lines)}</blockquote>'
    page = f'<div>confirm {code.line("Code: ")}</div><div class="gmail_quote">{quote}</div>'
    answer(talk, code, "", html=page)
    talk.receives("ann", "[pbm] welcome, ann")


def test_a_person_confirms_in_the_subject(talk: Conversation, code: Mail) -> None:
    talk.mails("ann", f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")


def test_an_echoed_code_for_a_password_sets_none(talk: Conversation) -> None:
    """The line to send stands there with a word in the place of the new password."""
    talk.signup("ann")
    talk.mails("eve", "forgot ann")
    talk.any_mail("eve")
    mail = talk.receives("ann", "[pbm] a code for a new password")
    talk.replies(mail, f"{AWAY}\n\n{mail.text}")
    talk.everything()
    for word in ("NEWPASSWORD", "newpassword", "PASSWORD"):
        talk.mails("eve", f"set ann {word}")
        assert "preferences" not in " ".join(each.subject for each in talk.everything())
    new, code = talk.secret("Sesame-anew"), mail.line("change password ann ").split()[0]
    talk.mails("ann", f"change password ann {code} {new}")
    talk.receives("ann", "[pbm] your password is changed")
