"""Letters of pieces in the player's language: a letter that the game has for another piece is asked
about where both can move, and what the question offers is played when it is sent back."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def begin(talk: Conversation, language: str, *moves: str) -> list[Mail]:
    """The mails of ann, who reads that language, and bob after some moves."""
    talk.signup("ann", "bob")
    if language:
        talk.proves("ann", f"set language={language}")
        talk.any_mail("ann")
    opening = talk.challenge("chess", "ann", "bob")
    return talk.plays(list(moves), "ann", "bob", latest=opening) if moves else opening


def is_asked(talk: Conversation, *offers: str) -> None:
    """Ann gets a question that offers these, and nobody hears of it."""
    text = " ".join(talk.any_mail("ann").text.split())
    assert [offer for offer in offers if offer not in text] == []
    talk.nothing_more()


@pytest.mark.parametrize(
    ("answer", "played"),
    [
        ("Pg1f3 (g1f3)", "Nf3"),
        ("Nf3 (g1f3)", "Nf3"),
        ("Nf3", "Nf3"),
        ("f3 (f2f3)", "f3"),
        ("f3", "f3"),
        ("Paard f3", "Nf3"),
    ],
)
def test_the_dutch_knight_is_not_taken_for_a_pawn(
    talk: Conversation, answer: str, played: str
) -> None:
    latest = begin(talk, "nl")
    for line in ("Pf3", "1. Pf3", "Mijn zet: Pf3", "pf3", "Pf3!", "Pf3, en jij?"):
        talk.replies(latest[0], line)
        is_asked(talk, "f3 (f2f3)", "Pg1f3 (g1f3)")
    talk.replies(latest[0], answer)
    talk.any_mail("ann")
    assert f"ann played {played}." in talk.any_mail("bob").text


@pytest.mark.parametrize(
    ("answer", "played"),
    [
        ("Cc3 (b1c3)", "Nc3"),
        ("Nc3 (b1c3)", "Nc3"),
        ("Nc3", "Nc3"),
        ("c3 (c2c3)", "c3"),
        ("c3", "c3"),
        ("Caballo c3", "Nc3"),
    ],
)
def test_a_small_letter_of_a_piece_and_a_column_is_asked_about(
    talk: Conversation, answer: str, played: str
) -> None:
    latest = begin(talk, "es")
    talk.replies(latest[0], "cc3")
    is_asked(talk, "c3 (c2c3)", "Cc3 (b1c3)")
    talk.replies(latest[0], answer)
    talk.any_mail("ann")
    assert f"ann played {played}." in talk.any_mail("bob").text


def test_a_small_letter_that_fits_one_piece_alone_is_played(talk: Conversation) -> None:
    latest = begin(talk, "es")
    talk.replies(latest[0], "cf3")
    talk.any_mail("ann")
    assert "ann played Nf3." in talk.any_mail("bob").text


@pytest.mark.parametrize(("language", "line"), [("fr", "Rf1"), ("es", "Rf1"), ("fr", "rf1")])
def test_the_king_of_a_french_or_spanish_player_is_not_taken_for_a_rook(
    talk: Conversation, language: str, line: str
) -> None:
    latest = begin(talk, language, "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
    talk.replies(latest[0], line)
    is_asked(talk, "Th1f1 (h1f1)", "Re1f1 (e1f1)")
    talk.replies(latest[0], "Th1f1")
    talk.any_mail("ann")
    assert "ann played Rf1." in talk.any_mail("bob").text


@pytest.mark.parametrize("language", ["es", "fr"])
def test_a_knight_is_not_taken_for_a_pawn_whose_column_nobody_names_twice(
    talk: Conversation, language: str
) -> None:
    latest = begin(talk, language)
    talk.replies(latest[0], "moves")
    assert " Cc3 " in talk.any_mail("ann").text
    talk.replies(latest[0], "1. Cc3")
    talk.any_mail("ann")
    assert "ann played Nc3." in talk.any_mail("bob").text


def test_a_letter_that_fits_one_piece_alone_is_played(talk: Conversation) -> None:
    latest = begin(talk, "fr", "e4", "e5", "a4", "a5")
    talk.replies(latest[0], "Re2")  # the rook cannot go there
    talk.any_mail("ann")
    latest[1] = talk.any_mail("bob")
    assert "ann played Ke2." in latest[1].text
    talk.replies(latest[1], "Ra6")  # bob writes English
    assert "You played Ra6." in talk.any_mail("bob").text
    talk.any_mail("ann")


def test_plans_previews_and_variations_are_read_in_the_players_language(talk: Conversation) -> None:
    latest = begin(talk, "fr", "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
    talk.replies(latest[0], "h3\nif a6 then Rf1")
    is_asked(talk, "Th1f1 (h1f1)", "Re1f1 (e1f1)")
    for line in ("preview Rf1", "variations Rf1"):
        talk.replies(latest[0], line)
        is_asked(talk, "Th1f1 (h1f1)", "Re1f1 (e1f1)")
    talk.replies(latest[0], "h3\nif a6 then Fb3")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "a6")
    talk.any_mail("ann")
    assert "Bb3" in talk.any_mail("bob").text


def test_an_english_player_is_asked_nothing(talk: Conversation) -> None:
    latest = begin(talk, "", "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
    talk.replies(latest[0], "Rf1")
    assert "You played Rf1." in talk.any_mail("ann").text
    talk.any_mail("bob")


def test_what_a_question_offers_is_played(talk: Conversation) -> None:
    """A telephone may have begun it with a capital."""
    moves = ("e4", "c6", "Bc4", "a6", "b4", "a5", "Bd5", "h6", "b5", "h5")
    latest = begin(talk, "", *moves)
    talk.replies(latest[0], "bxc6")
    is_asked(talk, "bxc6 (b5c6)", "Bxc6 (d5c6)")
    talk.replies(latest[0], "Bxc6 (b5c6)")
    assert "You played b5xc6." in talk.any_mail("ann").text
    talk.any_mail("bob")


@pytest.mark.parametrize(
    ("wish", "told", "row"),
    [
        ("language=de", "Sc6", "8  t[:]l d k l s t 8"),
        ("language=nl", "Pb8c6", "8  t[:]l d k l p t 8"),
        ("language=de pieces=english", "Nc6", "8  r[:]b q k b n r 8"),
        ("pieces=figurines", "♘c6", "8  ♜[:]♝ ♛ ♚ ♝ ♞ ♜ 8"),
    ],
)
def test_moves_and_boards_have_the_readers_letters(
    talk: Conversation, wish: str, told: str, row: str
) -> None:
    """Subject, news, board and list are in ann's letters, bob's are his own, and what the log has
    is as the game writes it."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set {wish}")
    talk.any_mail("ann")
    opening = talk.challenge("chess", "ann", "bob")
    mails = talk.plays(["e4", "Nc6"], "ann", "bob", latest=opening)
    assert told in mails[0].subject
    assert f"bob  {told[0]}{told[-2:]}\n" in mails[0].text
    assert row in mails[0].text
    assert "Nc6" in mails[1].text
    talk.replies(mails[0], "export")
    record = talk.any_mail("ann").text
    assert "Nc6" in record
    assert told == "Nc6" or told not in record


def test_a_figurine_that_was_read_can_be_sent(talk: Conversation) -> None:
    latest = begin(talk, "fr")
    talk.replies(latest[0], "♘f3")
    assert "Tu as joué Cf3." in talk.any_mail("ann").text
    assert "ann played Nf3." in talk.any_mail("bob").text


def test_what_can_be_replied_is_named_as_its_reader_writes_it(talk: Conversation) -> None:
    latest = begin(talk, "de")
    talk.replies(latest[0], "züge")
    text = talk.any_mail("ann").text
    assert "\n  regeln " in text
    assert "Sf3" in text
    assert "Nf3" not in text


@pytest.mark.parametrize(
    ("language", "alone", "within"),
    [
        ("de", "ann (Weiß)", "weiße Steine"),
        ("fr", "ann (Blancs)", "pions blancs"),
        ("es", "ann (blancas)", "fichas blancas"),
        ("nl", "ann (wit)", "witte schijven"),
    ],
)
def test_a_side_is_named_as_its_language_does(
    talk: Conversation, language: str, alone: str, within: str
) -> None:
    """By another word where it stands behind a player than beside a piece, which agrees with it."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    board = talk.challenge("draughts", "bob", "ann")[1]
    assert alone in " ".join(board.text.split())
    assert board.text.count(alone.removeprefix("ann (").removesuffix(")")) > 1, "in the list too"
    talk.replies(board, "show --words")
    assert within[1:-1] in talk.any_mail("ann").text


@pytest.mark.parametrize("game", ["chess", "threecheck"])
def test_refusals_and_pages_show_moves_in_the_readers_letters(
    talk: Conversation, game: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.any_mail("ann")
    opening = talk.challenge(game, "ann", "bob")
    talk.replies(opening[0], "vorschau zz")
    assert "Sa3 oder " in " ".join(talk.any_mail("ann").text.split())
    talk.replies(opening[0], "regeln")
    page = talk.any_mail("ann")
    if game == "chess":
        assert page.subject == "[pbm] hilfe schach"
    else:
        assert "  S Springer: " in page.text
        assert "  > Sf3" in page.text
        assert "a7a8=D" in page.text


@pytest.mark.parametrize(
    ("game", "language", "line", "played"),
    [
        ("xiangqi", "de", "Pferd nach c2", "H8+7"),
        ("xiangqi", "de", "Kanone h2 nach e2, viel Glück", "C2=5"),
        ("xiangqi", "fr", "cheval en c2", "H8+7"),
        ("xiangqi", "fr", "chariot de a0 en a1", "R9+1"),
        ("xiangqi", "es", "caballo a c2", "H8+7"),
        ("xiangqi", "es", "Cañón h2 a e2", "C2=5"),
        ("janggi", "nl", "Chinees paard naar c3", "Nc3"),
        ("minishogi", "de", "Silbergeneral 3e nach 3d", "S-3d"),
        ("minishogi", "fr", "général d'argent en 3d", "S-3d"),
        ("minishogi", "fr", "or en 4d", "G-4d"),
        ("minishogi", "es", "oro a 4d", "G-4d"),
        ("chess", "es", "caballo de g1 a f3", "Nf3"),
    ],
)
def test_a_move_may_begin_with_the_name_of_its_man(
    talk: Conversation, game: str, language: str, line: str, played: str
) -> None:
    """As the reader's pages have it, whole or by a word that no other man has."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    talk.replies(talk.challenge(game, "ann", "bob")[0], line)
    talk.any_mail("ann")
    assert f"ann played {played}." in talk.any_mail("bob").text


def test_what_is_no_move_is_told_as_it_was_typed(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=es")
    talk.any_mail("ann")
    talk.replies(talk.challenge("minishogi", "ann", "bob")[0], "oro a 9z")
    assert "'oro'" in talk.any_mail("ann").text
