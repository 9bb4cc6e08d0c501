"""Boards in words, for ears: one place of a board, a line of it, the whole."""

from __future__ import annotations

import re
from functools import partial

import pytest

from pbm.games import get_game
from pbm.locale import translate
from pbm.rules.phrases import SeatName, phrase
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def latest(talk: Conversation) -> list[Mail]:
    """The mails after two moves of chess between ann and bob."""
    talk.signup("ann", "bob")
    opening = talk.challenge("chess", "ann", "bob")
    return talk.plays(["e4", "e5"], "ann", "bob", latest=opening)


def test_what_stands_on_a_place_and_around_it(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("ann", "chess show 1 e4")
    mail = talk.receives("ann", "[chess 1] e4")
    assert mail.text == (
        "E4: white pawn.\n"
        "Around it, clockwise from the top: e5 black pawn, f5 empty, f4 empty, f3\n"
        "empty, e3 empty, d3 empty, d4 empty, d5 empty.\n"
    )
    talk.mails("ann", "chess show 1#1 square E5")
    talk.receives("ann", "[chess 1] e5", "E5: empty.")


def test_a_line_of_the_board(talk: Conversation, latest: list[Mail]) -> None:
    for words in ("row 4", "rank 4", "Row 4"):
        talk.mails("ann", f"show 1 {words}")
        mail = talk.receives("ann", "[chess 1] row 4")
        assert mail.text == "Row 4: a4 to d4 empty, e4 white pawn, f4 to h4 empty.\n"
    talk.mails("ann", "show 1 file e d4")
    mail = talk.receives("ann", "[chess 1] column e, d4", "D4: empty.")
    assert "Column e: e1 white king, e2 empty, e3 empty, e4 white pawn, e5 black" in mail.text


def test_in_a_reply_the_place_is_enough(talk: Conversation, latest: list[Mail]) -> None:
    talk.replies(latest[0], "show e5")
    talk.receives("ann", "[chess 1] e5", "E5: black pawn.")
    talk.replies(latest[0], "show bob")
    talk.receives("ann", "[pbm] open boards of bob")


def test_a_place_that_is_not_there(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("ann", "chess show 1 e9")
    talk.receives(
        "ann",
        "[chess 1] not done: Chess has no such place; places are named like a1 or row 1",
        "chess show 1 a1",
        "chess show 1 row 1",
    )
    talk.mails("ann", "chess show 1 2 e4")
    talk.receives("ann", "[chess 1] not done: a board is a number, for instance 17 or 17#4")


def test_a_place_that_is_hidden(talk: Conversation) -> None:
    """A spectator sees fog; who plays sees what may be seen."""
    talk.signup("ann", "bob")
    latest = talk.challenge("darkchess", "ann", "bob")
    talk.plays(["e4"], "ann", "bob", latest=latest)
    talk.replies(latest[0], "show e4")
    talk.receives("ann", "[darkchess 1] e4", "E4: fog.")
    talk.replies(latest[0], "showas e4")
    talk.receives("ann", "[darkchess 1] e4", "E4: white pawn.", "e5 empty")
    talk.mails("bob", f"darkchess showas bob {talk.password('bob')} 1 file e")
    talk.receives("bob", "[darkchess 1] column e", "e4 fog", "e8 black king")


def test_mails_in_words(talk: Conversation, latest: list[Mail]) -> None:
    """What happened, whose turn it is, what stands where, and no drawing."""
    talk.mails("ann", f"set ann {talk.password('ann')} board=words")
    talk.receives("ann", "[pbm] preferences of ann changed", "board=words (text or words)")
    talk.replies(latest[0], "d4")
    mine, others = talk.any_mail("ann"), talk.any_mail("bob")
    assert "1  R N B K Q B N R 1" in others.text, "black sees it from the other side"
    assert others.fact("Ply") == "3"
    for mail in (mine, talk.plays(["exd4"], "bob", "ann", latest=[others, mine])[1]):
        for line in mail.lines:
            assert not re.search(r"\S {2,}\S|[^\w\s]{3,}|^--|^\[", line), line
    text = " ".join(mail.text.split())
    assert (
        "Last move: black pawn from e5 to d4. You play white. You are to move. White king on e1. "
        "White queen on d1. White rooks on a1 and h1. White knights on b1 and g1. White bishops "
        "on c1 and f1. White pawns on a2 to c2, f2 to h2 and e4. Black king on e8."
    ) in text
    assert "ann: white, you, to move. bob: black." in text
    assert "1 ann e4. 2 bob e5. 3 ann d4. 4 bob exd4." in text
    assert "[Game" not in mail.text


def test_words_and_drawings_in_the_language_of_each_reader(
    talk: Conversation, latest: list[Mail]
) -> None:
    """Ann hears the board in German, bob sees it drawn in French, carl in English."""
    talk.signup("carl")
    talk.mails("ann", f"set ann {talk.password('ann')} board=words language=de")
    talk.mails("bob", f"set bob {talk.password('bob')} language=fr mail=picture")
    talk.mails("carl", f"chess watch 1 carl {talk.password('carl')}")
    for who in ("ann", "bob", "carl"):
        talk.any_mail(who)
    talk.replies(latest[0], "d4")
    heard, seen, watched = (talk.any_mail(who) for who in ("ann", "bob", "carl"))
    say = partial(translate, language="de")
    board = get_game("chess").setup()
    for seat, move in enumerate(("e2e4", "e7e5", "d2d4")):
        board = board.play(seat % 2, move)
    words = " ".join(say(board.words(0, ("d2d4",))).split())
    assert words in " ".join(heard.text.split())
    assert say(phrase("You play {seat}.", seat=SeatName("white", 0))) in words
    assert "White" not in words
    drawn = translate(board.picture(1, ("d2d4",)).text, "fr")
    assert drawn in seen.text
    assert "R Blanc" in seen.text
    assert "to move" not in drawn
    assert "K white   k black, to move" in watched.text
    talk.mails("ann", "chess show 1 e4")
    assert "E4: weißer Bauer." in talk.receives("ann", "[chess 1] e4").text


def test_below_a_board_that_has_ended_stands_who_it_was(talk: Conversation) -> None:
    """Where a side would be plural in some languages, as its verb is not."""
    talk.signup("ann", "bob")
    for who, language in (("ann", "fr"), ("bob", "es")):
        talk.proves(who, f"set language={language}")
        talk.any_mail(who)
    opening = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["f3", "e5", "g4", "Qh4"], "ann", "bob", latest=opening)
    assert "la partie est terminée : ann est mat" in latest[0].text
    assert "la partida ha terminado: ann recibe jaque mate" in latest[1].text


def test_all_mails_of_a_board_are_in_words(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("ann", f"set ann {talk.password('ann')} board=words mail=picture")
    talk.any_mail("ann")
    for line in (
        "show 1",
        "show 1 1#1",
        "chess preview new 2",
        "chess preview 1 d4",
        f"chess submit 1 ann {talk.password('ann')} d4",
        f"chess move 1 ann {talk.password('ann')} d5",
        f"chess showas ann {talk.password('ann')} 1",
    ):
        talk.mails("ann", line)
        mail = talk.any_mail("ann")
        assert "White king on e1." in mail.text, line
        assert " r n b" not in mail.text
        page = mail.message.get_body(("html",))
        assert page is not None
        assert "White king on e1." in page.get_content()
        assert "<img" not in page.get_content()
        assert "Content-Type: image/" not in mail.raw.decode()
    talk.mails("bob", "chess show 1 --words")
    assert "White king on e1." in talk.any_mail("bob").text
    talk.mails("bob", "chess show 1")
    assert "White king on e1." not in talk.any_mail("bob").text


def test_a_board_that_has_ended_is_nobodys_turn(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("bob", f"set bob {talk.password('bob')} board=words")
    talk.any_mail("bob")
    talk.replies(latest[0], "propose")
    talk.any_mail("ann")
    asked = talk.any_mail("bob")
    assert "White is to move." in asked.text
    talk.replies(asked, "accept")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "to move" not in mail.text
    assert "White king on e1." in mail.text


def test_watchers_choose_too(talk: Conversation, latest: list[Mail]) -> None:
    talk.signup("carl", "dora")
    talk.mails("dora", f"set dora {talk.password('dora')} board=words")
    talk.any_mail("dora")
    for who in ("carl", "dora"):
        talk.mails(who, f"chess watch 1 {who} {talk.password(who)}")
        talk.any_mail(who)
    talk.replies(latest[0], "d4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    assert "8  r n b q k b n r 8" in talk.any_mail("carl").text
    mail = talk.any_mail("dora")
    assert "White king on e1." in mail.text
    assert " r n b" not in mail.text


def test_the_hash_of_the_dice_stays(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} board=words")
    talk.any_mail("ann")
    mail = talk.agreed("backgammon", "ann", "bob")[0]
    assert "5 white men each on 6 and 13." in mail.text
    assert len(mail.fact("Hash")) == 64
    assert "[Board" not in mail.text


def test_short_words_leave_out_what_stands_where(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("bob", "set board=words words=short")
    talk.any_mail("bob")
    opening = talk.challenge("chess", "ann", "bob")
    talk.replies(opening[0], "e4")
    talk.any_mail("ann")
    mail = talk.any_mail("bob")
    assert "Last move: white pawn from e2 to e4. You play black. You are to move." in mail.text
    assert "king on e1" not in mail.text
    talk.replies(mail, "show")
    assert "White king on e1." in talk.any_mail("bob").text
