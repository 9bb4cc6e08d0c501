"""One event, of which each player hears in their own language: a Swiss with a German, a French and
two English readers."""

from __future__ import annotations

import pytest

from pbm.locale import translate
from pbm.locale.words import name_verb
from pbm.rules.phrases import phrase
from tests.conversations.test_kinds_of_events import FOUR
from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation, address_of
from tests.harness.languages import say
from tests.harness.mail import Mail

NEW_BOARD = [
    translate(phrase("new board: {people}", people=""), language).strip(" :")
    for language in ("en", "de", "fr")
]


def read(mails: list[Mail], who: str, beginning: str) -> Mail:
    """The mail of a player whose subject begins so."""
    mine = [mail for mail in mails if mail.address == address_of(who)]
    found = [mail for mail in mine if mail.subject.startswith(beginning)]
    assert found, (who, [mail.subject for mail in mine])
    return found[0]


def play_open_boards(talk: Conversation, mails: list[Mail]) -> None:
    """Whoever moves first wins each of the new boards, whose players read different languages."""
    boards: dict[int, dict[str, Mail]] = {}
    for mail in mails:
        if any(words in mail.subject for words in NEW_BOARD):
            who = mail.address.partition("@")[0]
            boards.setdefault(int(mail.fact("Board")), {})[who] = mail
    assert boards
    for first in boards.values():
        names = next(iter(first.values())).fact("Players").split()
        talk.plays(FINISHED, *names, latest=[first[name] for name in names])


@pytest.fixture
def swiss(talk: Conversation) -> Conversation:
    """A Swiss of four that is open, with bob reading German and carl French."""
    talk.signup(*FOUR)
    for who, language in (("bob", "de"), ("carl", "fr")):
        talk.proves(who, f"set language={language}")
        talk.any_mail(who)
    talk.proves("ann", "event new swiss cradle -size=2 --rounds=2 --name=Cup")
    talk.receives("ann", "[event 1] Cup is open")
    for who in FOUR:
        talk.proves(who, "event enter 1")
    talk.receives("ann", "[event 1] you have entered Cup", "Your boards come by mail when it")
    for who, language in (("bob", "de"), ("carl", "fr")):
        entered = say(language, "you have entered {name}", name="Cup")
        talk.receives(who, f"[event 1] {entered}", f"{name_verb('event leave', language)} 1")
    talk.any_mail("dora")
    return talk


def test_an_event_is_told_to_each_in_their_language(swiss: Conversation) -> None:
    """From its beginning to the prize list, with why two were paired, which is stored."""
    swiss.passes(days=7)
    mails = swiss.everything()
    read(mails, "ann", "[event 1] Cup has begun")
    for who, language in (("bob", "de"), ("carl", "fr")):
        begun = say(language, "{name} has begun", name="Cup")
        assert (
            f"{name_verb('event standings', language)} 1"
            in read(mails, who, f"[event 1] {begun}").text
        )
    for who, language in (("dora", "en"), ("bob", "de"), ("carl", "fr")):
        swiss.proves(who, "event pairings 1")
        asked = " ".join(swiss.any_mail(who).text.split())
        why = say(language, "{one} and {two} both had {points} points.")
        between = why.partition("{one}")[2].partition("{two}")[2].partition("{points}")[0]
        assert between.strip() in asked, asked
    for _ in range(2):
        play_open_boards(swiss, mails)
        swiss.passes(days=0.5)
        mails = swiss.everything()
    over = read(mails, "dora", "[event 1] Cup is over")
    assert "You are number" in over.text
    for who, language in (("bob", "de"), ("carl", "fr")):
        ended = say(language, "{name} is over", name="Cup")
        why = name_verb("event why", language)
        assert f"{why} 1 USERID" in read(mails, who, f"[event 1] {ended}").text


def test_a_pairing_is_asked_for_by_a_name_in_each_language(swiss: Conversation) -> None:
    swiss.passes(days=7)
    mails = swiss.everything()
    for who, language, asked in (
        ("bob", "de", "warum carl?"),
        ("carl", "fr", "Pourquoi bob ?"),
        ("carl", "fr", "¿Por qué bob?"),
    ):
        begun = read(mails, who, f"[event 1] {say(language, '{name} has begun', name='Cup')}")
        swiss.replies(begun, asked)
        title = say(language, "why {player}", player=who)
        swiss.receives(who, f"[event 1] {title}", say(language, "The pairing:"))


def test_tables_are_laid_out_in_each_language(swiss: Conversation) -> None:
    """What is asked for comes in the language of who asks, and no line is too long."""
    swiss.passes(days=7)
    play_open_boards(swiss, swiss.everything())
    swiss.passes(days=1)
    swiss.everything()
    for line in ("event standings 1", "event why 1 bob", "event 1", "events", "event calendar 1"):
        texts = {}
        for who in ("ann", "bob", "carl"):
            swiss.proves(who, line)
            texts[who] = swiss.any_mail(who).text
            assert max(map(len, texts[who].splitlines())) <= 78
        assert len(set(texts.values())) == 3, texts["bob"]


def test_an_event_that_nobody_named_is_called_so_in_each_language(talk: Conversation) -> None:
    """By its game and its kind; what somebody called an event stays."""
    talk.signup("ann", "bob", "carl")
    for who, language in (("bob", "de"), ("carl", "fr")):
        talk.proves(who, f"set language={language}")
        talk.any_mail(who)
    talk.proves("ann", "event new roundrobin cradle -size=2")
    talk.receives("ann", "[event 1] Cradle round robin is open")
    talk.proves("ann", "event new roundrobin cradle -size=2 --name=Cup")
    talk.any_mail("ann")
    talk.everything()
    for who, called, other in (
        ("bob", "Rundenturnier Cradle", "Cradle round robin"),
        ("carl", "Cradle (toutes rondes)", "Cradle round robin"),
        ("ann", "Cradle round robin", "Rundenturnier"),
    ):
        for line in ("events", "event 1", "event calendar 1", "event enter 1"):
            talk.proves(who, line)
            mail = talk.any_mail(who)
            assert called in f"{mail.subject} {' '.join(mail.text.split())}", line
            assert (line == "events") == ("Cup" in mail.text)
            assert other not in f"{mail.subject} {' '.join(mail.text.split())}", line
    talk.passes(days=7)
    mails = talk.everything()
    assert any("Rundenturnier Cradle" in mail.text for mail in mails)
    for mail in mails:
        assert ("Cradle round robin" in mail.text) <= (mail.address == address_of("ann"))
