"""Each reads what the server says in their own language; commands stay English."""

from __future__ import annotations

import pytest

from pbm.config import Config
from pbm.core.operator import OperatorAct
from pbm.core.secrets import Secrets
from pbm.features.play import admin
from pbm.locale.words import reply_word
from tests.harness.conversation import Conversation
from tests.harness.languages import say

SECRETS = Secrets((bytes(32),), bytes)
german = pytest.mark.config(server={"language": "de"})


@german
def test_a_server_welcomes_newcomers_in_its_language(talk: Conversation) -> None:
    """Its own mail with the code is known for an echo in that language too."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", f"[pbm] {say('de', 'confirm this address')}")
    echo = mail.text.replace("[pbm]", "")
    talk.replies(mail, f"Bin bis Montag nicht da. Zu eurer Mail:\n{echo}")
    talk.receives("ann", f"[pbm] {say('de', 'one more step to open your account')}")
    talk.replies(mail, "yes")
    welcome = talk.receives("ann", f"[pbm] {say('de', 'welcome, {userid}', userid='ann')}")
    talk.replies(welcome, "set language=english")
    talk.receives("ann", "[pbm] preferences of ann changed", "language=en")
    talk.mails("ann", "forgot ann")
    talk.receives("ann", "[pbm] a code for a new password")


def test_one_chat_is_said_in_the_language_of_each(talk: Conversation) -> None:
    """What somebody wrote stays as it is; the line to send is the same everywhere."""
    talk.signup("ann", "bob", "carl")
    for who, language in (("bob", "Deutsch"), ("carl", "fr")):
        talk.proves(who, f"set language={language}")
        talk.any_mail(who)
    ann, _ = talk.challenge("tictactoe", "ann", "bob")
    talk.proves("carl", "tictactoe watch 1")
    talk.receives(
        "carl",
        f"[tictactoe 1] {say('fr', 'you watch this board')}",
        "tictactoe unwatch 1",
    )
    talk.replies(ann, "chat Good luck!")
    talk.receives("ann", "[tictactoe 1] passed on to bob", "> Good luck!")
    talk.receives(
        "bob",
        f"[tictactoe 1] {say('de', '{writer} writes', writer='ann')}",
        "> Good luck!",
        "nachricht TEXT",
    )
    talk.receives("carl", f"[tictactoe 1] {say('fr', '{writer} writes', writer='ann')}")


def test_a_friend_is_invited_in_the_language_of_the_host(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=nl")
    talk.any_mail("ann")
    talk.proves("ann", "invite dora@example.org chess")
    sent = say("nl", "your invitation to {address}", address="dora@example.org")
    talk.receives("ann", f"[pbm] {sent}")
    invited = say("nl", "{other} invites you to play {game} by mail", other="ann", game="Schaken")
    invitation = talk.receives("dora", f"[pbm] {invited}")
    talk.replies(invitation, "ja")
    talk.receives("dora", "[chess 1] dora - ann", "Schaken")
    assert "Schaken" in talk.any_mail("ann").text


def test_an_unknown_language_is_refused_with_those_that_there_are(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=dansk")
    talk.receives(
        "ann", "[pbm] not done: language must be one of en, de, es, fr, nl", "language=de"
    )


def test_help_pages_come_in_the_language_of_the_reader(talk: Conversation) -> None:
    """One without a translation comes in English, and says so; rules asked for in a reply too."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    talk.proves("ann", "help")
    talk.receives("ann", "[pbm] hilfe", "cradle herausfordern ann bob")
    talk.proves("ann", "help hex, konane")
    page = talk.receives("ann", "[pbm] hilfe hex, konane", "> f6")
    left = say("de", "This page has not been translated; here it is in English.")
    assert left in page.text
    assert page.text.count("WRITING MOVES") <= page.text.count(left)
    assert say("de", "At the beginning:") in page.text
    board, other = talk.challenge("hex", "ann", "bob")
    talk.replies(board, "hilfe hex")
    talk.receives("ann", "[pbm] hilfe hex", "> f6")
    talk.replies(other, "rules")
    talk.receives("bob", "[pbm] help hex", "Red begins.", "In your reply to the board's mail")


def test_what_operators_wrote_in_a_log_is_said_in_the_language_of_each(talk: Conversation) -> None:
    """The reason is theirs and stays; to end a board is an act here, and no status."""
    talk.signup("ann", "bob")
    talk.proves("bob", "set language=fr")
    talk.any_mail("bob")
    for _ in range(2):
        ann, _ = talk.challenge("tictactoe", "ann", "bob")
        talk.replies(ann, "a1")
        talk.any_mail("ann")
        asked = talk.any_mail("bob")
    with talk.server.store.writing() as session:
        operator = OperatorAct(session, "root", "They asked.", talk.clock(), SECRETS, Config())
        admin.cancel(operator, 1)
    talk.everything()
    talk.replies(asked, "cancel")
    talk.any_mail("bob")
    talk.replies(talk.any_mail("ann"), "accept")
    talk.everything()
    for who, cancelled in (("ann", "cancelled"), ("bob", say("fr", "cancelled the game"))):
        language = "en" if who == "ann" else "fr"
        talk.proves(who, "tictactoe show 1#1")
        wrote = talk.any_mail(who).text
        assert f"> {say(language, 'the operator')} " in wrote
        assert "They asked." in wrote
        talk.proves(who, "tictactoe show 2#1")
        assert f"ann  {cancelled} " in talk.any_mail(who).text


@pytest.mark.parametrize("language", ["de", "es", "fr", "nl"])
def test_the_lists_that_the_welcome_names_come_by_these_words(
    talk: Conversation, language: str
) -> None:
    talk.signup("ann")
    talk.proves("ann", f"set language={language}")
    settings = talk.any_mail("ann")
    talk.replies(settings, reply_word("games", language))
    assert "hex " in talk.any_mail("ann").text
    talk.replies(settings, reply_word("seeks", language))
    assert say(language, "open offers") in talk.any_mail("ann").subject
