"""Whoever signs up on a page, or in answer to a mail, in a language is answered in it,
from the code on."""

from __future__ import annotations

import pytest

from pbm.locale import LANGUAGES, translate
from pbm.locale.words import say_command_word
from pbm.rules.phrases import phrase
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

pytestmark = pytest.mark.config(web={"url": HOST, "public": True})
approved = pytest.mark.config(players={"signups": "approved"}, house={"operator": "op@far.example"})
OTHERS = LANGUAGES[1:]
_CONFIRM = phrase("confirm this address")
_WAITS = phrase("your signup waits, {userid}", userid="zoe")


def welcome_in(language: str) -> str:
    """The subject of a welcome."""
    return f"[pbm] {translate(phrase('welcome, {userid}', userid='zoe'), language)}"


def join(visitor: Visitor, talk: Conversation, language: str) -> Mail:
    """Fill in the form of a page that is in that language; the mail with the code."""
    visitor.language = language
    page = visitor.get(f"{HOST}/join")
    visitor.send(page, page.forms[-1], userid="zoe", address="zoe@example.org")
    return talk.any_mail("zoe")


@pytest.mark.parametrize("language", OTHERS)
def test_who_joins_on_a_page_is_answered_in_its_language(
    talk: Conversation, visitor: Visitor, language: str
) -> None:
    mail = join(visitor, talk, f"{language}-XX,{language};q=0.9,en;q=0.5")
    assert mail.subject == f"[pbm] {translate(_CONFIRM, language)}"
    talk.replies(mail, "yes")
    welcome = talk.receives("zoe", welcome_in(language))
    talk.replies(welcome, "set")
    word = translate(say_command_word("language"), language)
    assert f"{word}={language}" in talk.any_mail("zoe").text


@pytest.mark.config(server={"language": "de"})
def test_who_joins_on_an_english_page_of_a_german_server_reads_english(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.replies(join(visitor, talk, "en-GB"), "yes")
    talk.receives("zoe", "[pbm] welcome, zoe")


@pytest.mark.config(server={"language": "de"})
def test_the_language_of_the_server_is_no_choice(talk: Conversation, visitor: Visitor) -> None:
    """It goes with the server's, if that changes."""
    talk.replies(join(visitor, talk, "de"), "ja")
    talk.replies(talk.receives("zoe", welcome_in("de")), "set")
    assert "sprache=  " in talk.any_mail("zoe").text


@approved
def test_a_signup_that_waits_is_told_so_in_that_language(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.replies(join(visitor, talk, "nl"), "ja")
    talk.receives("zoe", f"[pbm] {translate(_WAITS, 'nl')}")
    talk.receives("op@far.example", "[pbm] zoe signed up")


def forwarded(talk: Conversation, body: str, **headers: str) -> None:
    """Somebody whom a friend has sent a mail of a German board writes to the server about it."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    mine, _ = talk.challenge("hex", "ann", "bob")
    talk.mails("zoe", f"Re: {mine.subject}", body, In_Reply_To=mine.message_id, **headers)


def test_who_signs_up_in_answer_to_a_mail_is_answered_in_its_language(talk: Conversation) -> None:
    forwarded(talk, f"signup zoe {talk.password('zoe')}")
    code = talk.receives("zoe", f"[pbm] {translate(_CONFIRM, 'de')}")
    talk.replies(code, "ja")
    talk.receives("zoe", welcome_in("de"))


def test_a_stranger_is_refused_in_the_language_of_the_mail_that_is_answered(
    talk: Conversation,
) -> None:
    forwarded(talk, f"signup bob {talk.password('zoe')}")
    taken = translate(phrase("this userid is taken: choose another"), "de")
    refused = translate(phrase("not done: {reason}", reason=taken), "de")
    talk.receives("zoe", f"[pbm] {refused}")


def test_a_stranger_who_names_no_mail_is_answered_in_the_language_of_the_server(
    talk: Conversation,
) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    talk.mails("zoe", f"signup zoe {talk.password('zoe')}", In_Reply_To="<b1-0-1-99@example.net>")
    talk.receives("zoe", "[pbm] confirm this address")


@pytest.mark.parametrize("language", ["de", "../../de", "x" * 900, "{x}", "de\x1e"])
def test_a_header_of_a_strangers_chooses_no_language(talk: Conversation, language: str) -> None:
    """Only a mail of ours does that they answer, and only one that there is."""
    talk.signup("ann")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    headers = {"Content_Language": language, "Accept_Language": language}
    answered = " ".join(["<n.999999999999999@example.net>", "<n.1@example.com>"] * 100)
    line = f"signup zoe {talk.password('zoe')}"
    talk.mails("zoe", line, In_Reply_To=answered, **headers)
    assert b"Content-Language" not in talk.receives("zoe", "[pbm] confirm this address").raw


def test_a_mail_tells_its_language_in_its_head(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=de")
    assert b"\r\nContent-Language: de\r\n" in talk.any_mail("ann").raw
    talk.proves("ann", "set language=en")
    assert b"Content-Language" not in talk.any_mail("ann").raw


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Guten Tag, ich möchte gerne Schach spielen. Wie melde ich mich an?"),
        ("es", "Hola, me gustaría jugar al ajedrez por correo. ¿Cómo me registro?"),
        ("fr", "Bonjour, je voudrais jouer aux échecs par courriel. Comment faire ?"),
        ("nl", "Hallo, ik wil graag schaken per mail. Hoe werkt dit?"),
    ],
)
def test_who_writes_in_a_language_is_greeted_in_it(
    talk: Conversation, language: str, text: str
) -> None:
    talk.mails("zoe", "Hi", text)
    hello = phrase("how to play board games by mail")
    talk.receives("zoe", f"[pbm] {translate(hello, language)}")
