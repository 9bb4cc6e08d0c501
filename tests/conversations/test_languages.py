"""Each reads what the server says in their own language; commands stay English."""

from __future__ import annotations

import pytest

from pbm.config import Config
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.secrets import Secrets
from pbm.core.play import operator_acts
from tests.harness.conversation import Conversation

SECRETS = Secrets((bytes(32),), bytes)
german = pytest.mark.config(server={"language": "de"})


@german
def test_a_server_welcomes_newcomers_in_its_language(talk: Conversation) -> None:
    """Its own mail with the code is known for an echo in that language too."""
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] bestätige diese Adresse", "Zum Bestätigen antworte")
    echo = mail.text.replace("[pbm]", "")
    talk.replies(mail, f"Bin bis Montag nicht da. Zu eurer Mail:\n{echo}")
    talk.receives("ann", "[pbm] noch ein Schritt, dann ist dein Konto offen")
    talk.replies(mail, "yes")
    welcome = talk.receives("ann", "[pbm] willkommen, ann", "Eine erste Partie Cradle")
    talk.replies(welcome, "set language=english")
    talk.receives("ann", "[pbm] preferences of ann changed", "language=en")
    talk.mails("ann", "forgot ann")
    talk.receives("ann", "[pbm] a code is on its way")
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
        "[tictactoe 1] tu es spectateur de cette partie",
        "Tu recevras les courriels de la partie 1 comme spectateur.",
        "tictactoe unwatch 1 carl PASSWORD",
    )
    talk.replies(ann, "chat Good luck!")
    talk.receives("ann", "[tictactoe 1] passed on to bob", "> Good luck!")
    talk.receives(
        "bob",
        "[tictactoe 1] ann schreibt",
        "ann schreibt auf Brett 1:",
        "> Good luck!",
        "tictactoe chat 1 bob PASSWORD",
    )
    talk.receives("carl", "[tictactoe 1] ann écrit", "ann écrit sur la partie 1 :")


def test_a_friend_is_invited_in_the_language_of_the_host(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=nl")
    talk.any_mail("ann")
    talk.proves("ann", "invite dora@example.org chess")
    talk.receives("ann", "[pbm] je uitnodiging aan dora@example.org", "partij Schaken")
    invitation = talk.receives("dora", "[pbm] ann nodigt je uit om Schaken te spelen per mail")
    assert "Niets voor jou?" in invitation.text
    assert "Of antwoord gewoon ja, en je heet dora." in invitation.text
    talk.replies(invitation, "ja")
    talk.receives("dora", "[pbm] welkom, dora", "Je partij met ann komt in een eigen mail")
    for who in ("ann", "dora"):
        talk.any_mail(who)


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
    talk.receives("ann", "[pbm] help", "Ein Befehl steht im Betreff", "cradle challenge ann bob")
    talk.proves("ann", "help hex, konane")
    page = talk.receives("ann", "[pbm] help hex, konane", "ZÜGE SCHREIBEN", "> f6")
    assert "Diese Seite ist noch nicht übersetzt" in page.text
    assert page.text.count("WRITING MOVES") == 1
    assert "Am Anfang:" in page.text
    board, other = talk.challenge("hex", "ann", "bob")
    talk.replies(board, "rules")
    talk.receives("ann", "[pbm] help hex", "Rot beginnt.", "Schreib in deiner Antwort")
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
        operator_acts.cancel(operator, 1)
    talk.everything()
    talk.replies(asked, "cancel")
    talk.any_mail("bob")
    talk.replies(talk.any_mail("ann"), "accept")
    talk.everything()
    for who, wrote, cancelled in (
        ("ann", "> the operator cancels: They asked.", "cancelled"),
        ("bob", "> l'opérateur annule la partie : They asked.", "a annulé la partie"),
    ):
        talk.proves(who, "tictactoe show 1#1")
        assert wrote in talk.any_mail(who).text
        talk.proves(who, "tictactoe show 2#1")
        assert f"ann  {cancelled} " in talk.any_mail(who).text
