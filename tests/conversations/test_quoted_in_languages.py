"""A board's mail in any language, quoted in a reply above or below the move, marked or not, broken
anew, and introduced as mail programs of that language do: the move is played, and nothing else of
the reply is done, passed on or given back."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
from sqlalchemy import update

from pbm.locale import LANGUAGES, translate
from pbm.rules.phrases import phrase_number
from pbm.store.tables import outbound
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail

OTHERS = LANGUAGES[1:]
Form = Callable[[Mail, str], str]
"""The text of a reply to a mail, in a language."""
_ONE = "Neither done nor passed on; send it in a mail of its own:"
_SEVERAL = "Neither done nor passed on; send each in a mail of its own:"
_GIVEN_BACK = [phrase_number(_ONE, _SEVERAL, count) for count in (1, 2)]
WROTE = {
    "de": f"Am Mo., 2. März 2026 um 12:00 Uhr schrieb pbm <{SERVER}>:",
    "es": f"El lun, 2 mar 2026 a las 12:00, pbm (<{SERVER}>) escribió:",
    "fr": f"Le lun. 2 mars 2026 à 12:00, pbm <{SERVER}> a écrit :",
    "nl": f"Op ma 2 mrt 2026 om 12:00 schreef pbm <{SERVER}>:",
}
"""What stands above a marked quote."""
HEADS = {
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "es": ("De", "Enviado", "Para", "Asunto"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
}
"""The fields above an unmarked one."""


def marked(mail: Mail, width: int = 200) -> str:
    """The mail with a mark before each line; those that are too long are broken behind it."""
    return "\n".join(
        "\n".join(textwrap.wrap(f"> {line}", width)) if line else ">" for line in mail.lines
    )


def below(mail: Mail, language: str) -> str:
    return f"d4\n\n{WROTE[language]}\n{marked(mail)}"


def above(mail: Mail, language: str) -> str:
    return f"{WROTE[language]}\n{marked(mail)}\n\nd4"


def broken(mail: Mail, language: str) -> str:
    """The marks are lost where a line is broken."""
    return f"d4\n\n{WROTE[language]}\n{marked(mail, 60)}"


def headed(mail: Mail, language: str) -> str:
    """As Outlook has it, without marks."""
    author, date, reader, subject = HEADS[language]
    lines = (
        f"{author}: pbm <{SERVER}>",
        f"{date}: 02.03.2026 12:00",
        f"{reader}: ann@example.org",
        f"{subject}: {mail.subject}",
    )
    return "\n".join(["d4", "", "_" * 32, *lines, "", mail.text])


def headed_and_broken(mail: Mail, language: str) -> str:
    """The same from a program that breaks lines at another width."""
    text = headed(mail, language)
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, 56) or [""]]
    return "\n".join(lines)


_MOST_NAMED = 3
"""Lines of a mail that is gone, without marks, that its reader is told were not passed on: what is
filled into a sentence may be the writer's."""
FORMS = [below, above, broken, headed, headed_and_broken]


def is_played(talk: Conversation, language: str, form: Form, *, keeps: bool = True) -> None:
    """A reader of that language replies so to a new board: d4 is played, and no more."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    mine, _ = talk.challenge("hex", "ann", "bob")
    if not keeps:
        with talk.server.store.writing() as session:
            session.execute(update(outbound).values(message=b""))
    talk.mails(
        "ann",
        f"Re: {mine.subject}",
        form(mine, language),
        to=mine.reply_to,
        In_Reply_To=mine.message_id,
    )
    told, other = talk.any_mail("ann"), talk.any_mail("bob")
    assert other.subject == "[hex 1] your move (2), ann played d4"
    assert '[Ply "1"]' in told.text
    assert "d4" in told.subject
    assert [line for line in other.lines if line.startswith(">")] == []
    named = [line for line in told.lines if line.startswith(">")]
    assert len(named) <= (0 if keeps else _MOST_NAMED)
    given_back = (translate(text, language) for text in _GIVEN_BACK)
    assert not any(text in " ".join(told.text.split()) for text in given_back)
    talk.nothing_more()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", OTHERS)
def test_a_quote_in_the_language_of_its_reader(
    talk: Conversation, language: str, form: Form
) -> None:
    is_played(talk, language, form)


@pytest.mark.parametrize("form", [each for each in FORMS if each is not broken])
@pytest.mark.parametrize("language", OTHERS)
def test_and_where_the_text_of_the_mail_is_gone(
    talk: Conversation, language: str, form: Form
) -> None:
    """Where marks are lost besides, what is filled in can be taken for the writer's, in English
    too."""
    is_played(talk, language, form, keeps=False)
