"""What people write who want no more mail, and what they write to each other."""

from __future__ import annotations

import pytest

from pbm.core.talk import asks_to_stop
from pbm.locale import LANGUAGES
from pbm.locale.intents import read_vocabulary
from pbm.locale.words import map_replies, read_words


@pytest.mark.parametrize(
    "line",
    [
        "Stop!",
        "please, stop it now",
        "UNSUBSCRIBE ME",
        "take me off your mailing list",
        "no more e-mails please",
        "don't send me any more messages",
        "Do not email me again.",
        "I never asked for these mails!",
        "I didn\u2019t sign up for this",
        "cancel my subscription",
        "get me off this list",
        "leave me alone",
        "enough mails!",
        "quit sending me these",
        "please don't bother me again",
        "remove this address from your database",
        "Stopp",
        "Abmeldung",
        "Hört auf, mir zu schreiben!",
        "Nehmt mich bitte aus dem Verteiler",
        "Bitte aus dem Verteiler streichen",
        "Ich möchte keine E-Mails mehr",
        "Ich habe mich hier nicht angemeldet",
        "lasst mich endlich in ruhe",
        "genug mails jetzt",
        "nervt mich nicht weiter",
        "wie kann ich mich abmelden?",
        "Arrêtez s'il vous plaît",
        "désinscription",
        "se désabonner",
        "annuler mon abonnement",
        "Je ne me suis pas inscrit",
        "laissez moi tranquille",
        "assez de mails !",
        "ne m'embêtez plus",
        "basta",
        "cancelar suscripción",
        "dar de baja",
        "Por favor, quítame de la lista",
        "Por favor, dejen de escribirme",
        "no me he inscrito",
        "déjenme en paz",
        "ni un correo más",
        "no me molesten más",
        "uitschrijven aub",
        "meld me af",
        "abonnement opzeggen",
        "stuur mij geen berichten meer",
        "ik heb me niet aangemeld",
        "laat me met rust",
        "genoeg mails!",
        "val me niet meer lastig",
    ],
)
def test_a_wish_for_no_more_mail(line: str) -> None:
    assert asks_to_stop(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no",
        "e4",
        "Stop laughing at me :)",
        "cancel",
        "cancelar",
        "my subscription to the paper ended yesterday",
        "stop your bishop!",
        "that is enough",
        "leave my queen alone",
        "lass uns in Ruhe weiterspielen",
        "enough time for today",
        "don't stop now",
        "I got no mail from you",
        "I get no mails",
        "why did you not stop the pawn?",
        "no more pawns",
        "remove ann@example.org",
        "remove A PAR",
        "please remove your knight",
        "I asked you for a draw",
        "Ich bekomme keine Mails mehr",
        "stop " * 30,
    ],
)
def test_what_people_say_to_each_other(line: str) -> None:
    assert not asks_to_stop(line)


def test_every_language_has_the_parts_of_the_sentence() -> None:
    for language in LANGUAGES:
        parts = read_vocabulary(language)
        assert all(
            parts[f"stop-{each}"] for each in ("end", "no", "more", "mail", "joined", "also")
        )
    for language in LANGUAGES[1:]:
        assert all(asks_to_stop(word) for word in read_words(language).replies["stop"])


def test_no_word_of_a_reply_asks_to_stop_but_those_for_it() -> None:
    assert {
        meaning
        for word, meanings in map_replies().items()
        if asks_to_stop(word)
        for meaning in meanings
    } == {"stop"}
