"""Words of a reply in the player's language: they act as the English ones, and as strictly."""

from __future__ import annotations

import re

import pytest

from pbm.core.player import find_player
from pbm.locale.words import fold
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def latest(talk: Conversation) -> list[Mail]:
    """The mails after two moves of chess between ann and bob."""
    talk.signup("ann", "bob")
    opening = talk.challenge("chess", "ann", "bob")
    return talk.plays(["e4", "e5"], "ann", "bob", latest=opening)


@pytest.mark.parametrize(
    "line", ["aufgeben", "Ich gebe auf!", "me rindo", "J\u2019abandonne.", "opgeven"]
)
def test_a_player_resigns_on_an_english_board(
    talk: Conversation, latest: list[Mail], line: str
) -> None:
    talk.replies(latest[0], f"{line}\n\nGut gespielt")
    assert talk.any_mail("ann").text.startswith("You resigned. bob won (2).")
    assert "> Gut gespielt" in talk.any_mail("bob").text


def test_a_resignation_can_be_taken_back_in_any_language(
    talk: Conversation, latest: list[Mail]
) -> None:
    talk.replies(latest[0], "aufgeben")
    mine = talk.any_mail("ann")
    talk.any_mail("bob")
    talk.replies(mine, "Zurück")
    assert "back" in talk.any_mail("ann").text.split("\n")[0]
    assert "back" in talk.any_mail("bob").text.split("\n")[0]


@pytest.mark.parametrize(
    ("offer", "answer"),
    [("tablas", "acepto"), ("remis", "oui"), ("nulle", "ja"), ("Remise", "accepter")],
)
def test_a_draw_is_offered_in_one_language_and_accepted_in_another(
    talk: Conversation, latest: list[Mail], offer: str, answer: str
) -> None:
    talk.replies(latest[0], offer)
    talk.any_mail("ann")
    asked = talk.any_mail("bob")
    talk.replies(asked, answer)
    talk.any_mail("ann")
    assert "draw" in talk.any_mail("bob").text


def test_a_dutch_player_passes_and_a_spanish_one_swaps(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("go", "ann", "bob", options="-size=9")
    talk.replies(latest[0], "ik pas")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "ann passed" in mail.text
    talk.replies(mail, "Paso.")
    mine = talk.any_mail("ann").text
    assert "bob passed" in mine
    talk.any_mail("bob")
    latest = talk.challenge("hex", "ann", "bob")
    latest = talk.plays(["c3"], "ann", "bob", latest=latest)
    talk.replies(latest[1], "intercambiar")
    assert "bob swapped sides" in talk.any_mail("ann").text
    talk.any_mail("bob")


def test_words_that_take_others_behind_them(talk: Conversation, latest: list[Mail]) -> None:
    talk.replies(latest[0], "Nachricht: Viel Glück!")
    talk.receives("ann", "[chess 1] passed on to bob", "> Viel Glück!")
    talk.receives("bob", "[chess 1] ann writes", "> Viel Glück!")
    talk.replies(latest[0], "zeige e5")
    talk.receives("ann", "[chess 1] e5", "E5: black pawn.")
    talk.replies(latest[0], "Vorschau Sf3")
    talk.any_mail("ann")
    talk.replies(latest[0], "regles")
    talk.receives("ann", "[pbm] help chess", "WRITING MOVES")


def test_a_password_behind_such_a_word_is_passed_on_to_nobody(
    talk: Conversation, latest: list[Mail]
) -> None:
    secret = talk.password("ann")
    talk.replies(latest[0], f"Nachricht ann {secret} Hallo")
    talk.receives("ann", "[chess 1] passed on to bob", "> Hallo")
    assert secret not in talk.receives("bob", "[chess 1] ann writes", "> Hallo").text


@pytest.mark.parametrize(
    "body",
    [
        "Soll ich aufgeben?",
        "aufgeben?",
        "nicht aufgeben",
        "aufgeben ja",
        "aufgeben bitte oder nicht",
        "Hallo bob\n\nich glaube\n-- \naufgeben",
        "> aufgeben",
        "Hallo,\naufgeben",
    ],
)
def test_what_is_no_resignation(talk: Conversation, latest: list[Mail], body: str) -> None:
    """The word in a sentence, in a question, in a signature, in a quote, below another line."""
    talk.replies(latest[0], body)
    said = [mail.text for mail in talk.everything()]
    assert not [text for text in said if "resigned" in text]
    talk.replies(latest[0], "Nf3")
    assert "You played Nf3" in talk.any_mail("ann").text
    assert "ann played Nf3" in talk.any_mail("bob").text


def test_a_word_below_a_move_is_named_and_not_done(talk: Conversation, latest: list[Mail]) -> None:
    talk.replies(latest[0], "Nf3\naufgeben")
    mine = talk.any_mail("ann")
    assert "You played Nf3" in mine.text
    assert "Neither done nor passed on" in mine.text
    assert "    aufgeben" in mine.text
    assert "aufgeben" not in talk.any_mail("bob").text


def test_a_word_with_two_meanings_is_asked_back(talk: Conversation, latest: list[Mail]) -> None:
    talk.replies(latest[0], "Annuler")
    mail = talk.any_mail("ann")
    assert "Annuler may mean undo or cancel" in mail.text.replace("\n", " ")
    assert "    undo\n" in mail.text
    talk.nothing_more()


def test_a_game_by_its_name_in_another_language(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "Mühle challenge ann bob")
    assert '[Game "morris"]' in talk.any_mail("ann").text
    talk.any_mail("bob")
    talk.proves("ann", "vier gewinnt challenge ann bob")
    assert '[Game "fourinarow"]' in talk.any_mail("ann").text
    talk.any_mail("bob")
    talk.mails("ann", "help échecs")
    talk.receives("ann", "[pbm] help chess", "WRITING MOVES")
    talk.mails("ann", "list ajedrez")
    talk.receives("ann", "[pbm] boards being played: chess")


def test_a_player_whose_userid_is_a_game_elsewhere(talk: Conversation) -> None:
    talk.signup("schach", "bob")
    talk.mails("bob", "show schach")
    talk.receives("bob", "[pbm] open boards of schach")
    talk.proves("bob", "hex challenge schach bob")
    assert '[Game "hex"]' in talk.any_mail("bob").text
    talk.any_mail("schach")


def test_a_board_says_the_words_that_its_reader_can_reply(talk: Conversation) -> None:
    """Each of them does what the English one does."""
    talk.signup("ann", "bob")
    talk.proves("bob", "set language=fr")
    talk.any_mail("bob")
    mine, yours = talk.challenge("chess", "ann", "bob")
    assert "draw, resign, decline, chat Hello!, help chess" in mine.text
    talk.replies(mine, "e4")
    talk.any_mail("ann")
    yours = talk.any_mail("bob")
    assert "nulle, abandonner, décliner, tchat" in " ".join(yours.text.split())
    talk.replies(yours, "décliner")
    assert "cancel" in talk.any_mail("ann").text or "decline" in talk.any_mail("ann").text
    talk.everything()


def test_codes_are_confirmed_and_invitations_stopped(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] confirm this address")
    talk.replies(mail, "Ich bestätige.")
    welcome = talk.receives("ann", "[pbm] welcome, ann")
    talk.replies(welcome, "invite dora@example.org chess")
    talk.any_mail("ann")
    invitation = talk.any_mail("dora")
    talk.replies(invitation, "Stopp!")
    talk.replies(welcome, "Hilfe hex")
    assert "WRITING MOVES" in talk.receives("ann", "[pbm] help hex").text


_REJECT = ["ablehnen", "Ich lehne ab.", "weigeren", "afwijzen", "refuser", "rechazar"]


@pytest.mark.parametrize("line", _REJECT)
def test_the_word_for_reject_declines_what_is_asked_and_nothing_else(
    talk: Conversation, line: str
) -> None:
    """An invitation it declines, an offer it rejects; where nothing is asked it does nothing, and
    the answer names what would end the board."""
    talk.signup("ann", "bob")
    _, invited = talk.challenge("chess", "ann", "bob", options="--ask")
    talk.replies(invited, line)
    talk.receives("bob", "[chess 1] cancelled (0)", "You declined")
    talk.receives("ann", "[chess 1] cancelled (0)", "bob declined")
    mine, other = talk.challenge("chess", "ann", "bob")
    talk.replies(other, line)
    refused = talk.receives("bob", "[chess 2] not done: there is no offer to reject at the moment")
    assert "    decline\n" in refused.text
    talk.nothing_more()
    latest = talk.plays(["e4"], "ann", "bob", latest=[mine, other])
    talk.replies(latest[0], "draw")
    talk.any_mail("ann")
    offered = talk.any_mail("bob")
    talk.replies(offered, line)
    talk.receives("bob", "[chess 2] your move (2), you rejected the draw")
    talk.receives("ann", "[chess 2] bob to move (2), bob rejected the draw")


@pytest.mark.parametrize("line", ["absagen", "afslaan", "décliner", "declinar"])
def test_the_word_for_decline_rejects_no_offer(
    talk: Conversation, latest: list[Mail], line: str
) -> None:
    """After a first move nobody can decline any more: the board goes on, and the offer stands."""
    talk.replies(latest[0], "draw")
    talk.any_mail("ann")
    offered = talk.any_mail("bob")
    talk.replies(offered, line)
    talk.receives("bob", "[chess 1] not done: you have already moved on this board")
    talk.nothing_more()
    talk.replies(offered, "accept")
    talk.any_mail("ann")
    assert "draw" in talk.any_mail("bob").subject


def test_message_with_a_colon_is_for_the_opponent(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first = talk.challenge("chess", "ann", "bob")
    for said in ("Message : salut Bob", "message: salut Bob"):
        talk.replies(first[0], said)
        assert "> salut Bob" in talk.any_mail("bob").lines
        talk.everything()
        talk.clock.advance(seconds=7200)


@pytest.mark.parametrize(
    ("language", "word", "off", "none"),
    [
        ("de", "hilfe", "sa,Sonntag", "keine"),
        ("fr", "aide", "sam,dimanche", "aucun"),
        ("es", "ayuda", "sáb,domingo", "ninguno"),
        ("nl", "hulp", "za,zo", "geen"),
    ],
)
def test_what_a_mail_names_to_send_can_be_sent(
    talk: Conversation, latest: list[Mail], language: str, word: str, off: str, none: str
) -> None:
    """Help in reply to a board, days of the week, and the word that clears a list."""
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.replies(latest[0], f"{word} ratings")
    page = talk.any_mail("ann")
    assert "help" in page.message_id or word in page.subject
    talk.replies(latest[0], "Qh7")
    refused = talk.any_mail("ann")
    named = re.search(rf": ({word} \w+)$", refused.text, re.MULTILINE)
    assert named, refused
    talk.replies(refused, named[1])
    assert talk.any_mail("ann").subject.startswith(f"[pbm] {word} ")
    talk.proves("ann", f"set off={off}")
    assert fold(off.split(",")[1][:2]) in fold(talk.any_mail("ann").text)
    with talk.server.store.reading() as session:
        ann = find_player(session, "ann")
    assert ann is not None
    assert ann.preferences["off"] == "sat,sun"
    talk.proves("ann", f"invite {none}")
    assert "nobody@" not in talk.any_mail("ann").text
    talk.proves("ann", "set foo=1")
    assert "ask," not in talk.any_mail("ann").text, "keys are the reader's"


@pytest.mark.parametrize(
    ("language", "line", "subject"),
    [
        ("de", "hilfe zeit", "hilfe zeit"),
        ("de", "hilfe wertung", "hilfe wertungen"),
        ("de", "help ratings", "hilfe wertungen"),
        ("fr", "aide classement", "aide classement"),
        ("es", "ayuda comandos", "ayuda comandos"),
        ("nl", "hulp tijd", "hulp tijd"),
    ],
)
def test_a_page_is_asked_for_and_called_by_its_name_in_the_readers_language(
    talk: Conversation, language: str, line: str, subject: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    opening = talk.challenge("chess", "ann", "bob")
    talk.any_mail("ann")
    for reply in (opening[0], None):
        if reply is None:
            talk.mails("ann", line)
        else:
            talk.replies(reply, line)
        assert talk.any_mail("ann").subject == f"[pbm] {subject}"


@pytest.mark.parametrize(
    ("language", "reject", "submit"),
    [
        ("de", "ablehnen", "vorlegen"),
        ("fr", "refuser", "soumettre"),
        ("es", "rechazar", "presentar"),
        ("nl", "afwijzen", "voorleggen"),
    ],
)
def test_refusals_name_the_words_of_the_readers_language(
    talk: Conversation, latest: list[Mail], language: str, reject: str, submit: str
) -> None:
    """In sentences, and before what is to be filled in."""
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.replies(latest[0], "reject")
    assert reject in talk.any_mail("ann").text.partition("\n\n")[0]
    talk.replies(latest[0], "submit")
    assert f"\n    {submit} MOVE\n" in talk.any_mail("ann").text


@pytest.mark.parametrize(
    ("language", "sides"), [("fr", "R Blancs, au trait   r Noirs"), ("de", "K Weiß, am Zug")]
)
def test_sides_below_a_board_are_called_as_behind_a_player(
    talk: Conversation, language: str, sides: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    latest = talk.challenge("chess", "ann", "bob")
    assert sides in latest[0].text
