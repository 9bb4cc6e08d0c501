"""Words within commands in the reader's language: keys and values of `set`, the words of a plan,
and none. The English ones are good everywhere."""

from __future__ import annotations

from html import unescape

import pytest

from pbm.locale import LANGUAGES
from pbm.locale.words import read_words
from tests.harness.conversation import Conversation
from tests.harness.languages import say


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("set sprache=deutsch eigene=nein", "eigene=nein  (ja oder nein)"),
        ("set langue=fr figurines pièces=figurines", "pièces=figurines  (français, figurines"),
        ("set idioma=es tablero=palabras", "tablero=palabras  (texto o palabras)"),
        ("set taal = nederlands mail = tekst", "mail=tekst  (beeld, tekst of geen)"),
    ],
)
def test_preferences_are_set_in_words_of_the_reader(
    talk: Conversation, line: str, told: str
) -> None:
    talk.signup("ann")
    talk.proves("ann", line.replace(" figurines ", " "))
    assert told in talk.any_mail("ann").text


@pytest.mark.parametrize(
    ("language", "branch"),
    [
        ("de", "wenn e5 dann Sf3"),
        ("fr", "si e5 alors Cf3"),
        ("es", "si e5 entonces Cf3"),
        ("nl", "als e5 dan Pg1f3"),
        ("en", "if e5 then Nf3"),
    ],
)
def test_a_plan_is_written_in_words_of_the_reader(
    talk: Conversation, language: str, branch: str
) -> None:
    none = read_words(language).commands.get("none", ("none",))[0]
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    opening = talk.challenge("chess", "ann", "bob")
    talk.replies(opening[0], f"e4\n{branch}")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "e5")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "ann played Nf3" in mail.text
    when, _, then, _ = branch.split()
    talk.proves("ann", f"chess plan 1 {when} Nc6 {then} d4")
    shown = talk.any_mail("ann").text
    assert f"1  {when} " in shown
    assert f"c6 (4) {then} d4 (5)" in shown
    talk.proves("ann", f"chess plan 1 {none}")
    talk.any_mail("ann")
    talk.replies(mail, "Nc6")
    talk.any_mail("ann")
    assert "ann played" not in talk.any_mail("bob").text


@pytest.mark.parametrize(
    ("language", "vacation", "resign"),
    [
        ("de", "urlaub {who} bis 2026-03-08", "schach aufgeben 1"),
        ("fr", "vacances {who} jusqu'au 2026-03-08", "échecs abandonner 1"),
        ("es", "vacaciones {who} hasta 2026-03-08", "ajedrez abandonar 1"),
        ("nl", "vakantie {who} tot 2026-03-08", "chess opgeven 1"),
    ],
)
def test_commands_are_written_in_words_of_the_reader(
    talk: Conversation, language: str, vacation: str, resign: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.challenge("chess", "ann", "bob")
    password = talk.password("ann")
    talk.mails("ann", vacation.format(who=f"ann {password}"))
    assert "2026" in talk.any_mail("ann").text
    talk.any_mail("bob")
    talk.mails("ann", f"{vacation.split()[0]} ann {password} off")
    talk.any_mail("ann")
    talk.proves("ann", resign)
    talk.any_mail("ann")
    assert "ann declined" in talk.any_mail("bob").text


def test_every_language_has_every_word() -> None:
    """None of them means two things among which a command chooses."""
    others = [language for language in LANGUAGES if language != "en"]
    keys = {language: set(read_words(language).commands) for language in others}
    assert len({frozenset(each) for each in keys.values()}) == 1
    for language in others:
        words = read_words(language).commands
        shown = [each[0] for each in words.values()]
        assert len(set(shown)) == len(shown), language


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", ("einstellen", "einladen", "verlauf", "turnier 1", "schach herausfordern ann bob")),
        ("fr", ("régler", "inviter", "historique", "tournoi 1", "échecs défier ann bob")),
        ("es", ("ajustar", "invitar", "historial", "torneo 1", "ajedrez desafiar ann bob")),
        (
            "nl",
            ("instellen", "uitnodigen", "geschiedenis", "toernooi 1", "schaken uitdagen ann bob"),
        ),
    ],
)
def test_commands_have_names_in_the_language_of_the_reader(
    talk: Conversation, language: str, lines: tuple[str, ...]
) -> None:
    """A mail names them as they can be sent."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.proves("ann", "event new swiss hex --name=Spring")
    made = talk.any_mail("ann")
    enter = next(line.strip() for line in made.lines if line.startswith("    "))
    assert "event" not in enter
    page = made.message.get_body(("html",))
    assert page is not None
    assert f">{say(language, 'Enter this event')}</a>" in unescape(page.get_content())
    talk.replies(made, enter)
    assert "Spring" in talk.any_mail("ann").text
    for line, told in zip(lines, ("=", "NAME@EXAMPLE.ORG", "", "Spring", "e4"), strict=True):
        talk.proves("ann", line)
        assert told in talk.any_mail("ann").text, line
    talk.any_mail("bob")


def _reply_off_turn(talk: Conversation, line: str) -> None:
    """Ann answers a board on which bob is to move, and gets an answer."""
    talk.signup("ann", "bob")
    latest = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4"], "ann", "bob", latest=latest)
    talk.replies(latest[0], line)
    talk.any_mail("ann")


@pytest.mark.parametrize(
    "line", ["Urlaub bis Montag", "Schreiben wir morgen weiter", "neu hier", "buscar otra"]
)
def test_words_to_the_opponent_are_no_command(talk: Conversation, line: str) -> None:
    _reply_off_turn(talk, line)
    assert line in talk.any_mail("bob").text


@pytest.mark.parametrize("line", ["Notiz Sf3 ist stark", "note Cf3", "Notitie Pf3", "apunte Cf3"])
def test_a_note_is_for_its_writer_in_any_language(talk: Conversation, line: str) -> None:
    _reply_off_turn(talk, line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hilfe analysieren", "analyse BOARD"),
        ("aide tournoi nouveau", "KIND GAME"),
        ("ayuda invitar", "[ADDRESS]"),
        ("hulp terugnemen", "undo BOARD"),
    ],
)
def test_help_knows_commands_by_these_names(talk: Conversation, line: str, told: str) -> None:
    talk.signup("ann")
    talk.proves("ann", line)
    assert told in talk.any_mail("ann").text


def test_a_new_mail_says_who_writes_behind_such_a_name(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"schreiben ann {talk.password('ann')} bob", "Bis morgen!")
    talk.any_mail("ann")
    assert "Bis morgen!" in talk.any_mail("bob").text
    talk.mails("ann", f"mes parties ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] open boards of ann")


@pytest.mark.parametrize(
    ("language", "line"),
    [("de", "team einladen rooks USERID"), ("fr", "équipe inviter rooks USERID")],
)
def test_a_sentence_that_ends_in_a_command_names_it_so_too(
    talk: Conversation, language: str, line: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.proves("ann", "team new rooks")
    made = talk.any_mail("ann")
    assert f": {line}." in " ".join(made.text.split())
    talk.replies(made, line.replace("USERID", "bob"))
    assert "bob" in talk.any_mail("ann").text
    assert "rooks" in talk.any_mail("bob").text
