"""A move that is described is asked back, and a yes plays it; several are named."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

_MEANT = (
    ("fourinarow", "middle", "d"),
    ("fourinarow", "in die Mitte, bitte", "d"),
    ("fourinarow", "put it in column 3", "c"),
    ("go", "top right 4-4 point", "q16"),
    ("go", "hoshi en haut à gauche", "d16"),
    ("go", "Sternpunkt oben rechts", "q16"),
    ("go", "hoshi arriba a la derecha", "q16"),
    ("go", "sterpunt linksonder", "d4"),
    ("go", "El 3-3 de abajo a la derecha", "r3"),
    ("hex", "the middle one, please", "f6"),
    ("hex", "top left corner", "a1"),
    ("gomoku", "bottom left", "a1"),
    ("fourinarow", "far left", "a"),
    ("xiangqi", "left cannon to the middle", "C8=5"),
    ("amazons", "queen d1 to d7, shoot g7", "d1-d7/g7"),
    ("breakthrough", "pawn a2 to a3", "a2-a3"),
    ("corridor", "up", "e2"),
    ("corridor", "nach rechts", "f1"),
    ("chess", "my knight goes to f3", "Nf3"),
)


@pytest.mark.parametrize(("game", "line", "move"), _MEANT)
def test_a_described_move_is_asked_back(
    talk: Conversation, game: str, line: str, move: str
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge(game, "ann", "bob")
    talk.replies(mail, f"{line}\nGood luck!")
    asked = talk.any_mail("ann")
    assert f"did you mean the move {move}?" in asked.text
    talk.nothing_more()
    talk.replies(asked, "yes")
    assert f"you played {move}" in talk.any_mail("ann").subject
    assert "Good luck!" in talk.any_mail("bob").text


@pytest.mark.parametrize(
    ("game", "line", "move"),
    [
        ("go", "top right star point, and good luck!", "q16"),
        ("chess", "My knight goes to f3, and good luck!", "Nf3"),
    ],
)
def test_words_behind_a_described_move_are_passed_on_with_it(
    talk: Conversation, game: str, line: str, move: str
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge(game, "ann", "bob")
    talk.replies(mail, line)
    asked = talk.any_mail("ann")
    assert f"the move {move}?" in asked.text
    talk.replies(asked, "yes")
    talk.any_mail("ann")
    got = talk.any_mail("bob").text
    assert "and good luck!" in got
    assert line.partition(",")[0] not in got


def test_words_that_describe_nothing_keep_a_line_from_being_a_description(
    talk: Conversation,
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("go", "ann", "bob")
    talk.replies(mail, "the middle good luck")
    assert "did you mean" not in talk.any_mail("ann").text


@pytest.mark.parametrize(
    ("game", "line", "moves"),
    [
        ("xiangqi", "cannon to the middle", ("C2=5", "C8=5")),
        ("xiangqi", "Kanone in die Mitte", ("C2=5", "C8=5")),
        ("xiangqi", "canon au milieu", ("C2=5", "C8=5")),
        ("xiangqi", "cañón al centro", ("C2=5", "C8=5")),
        ("xiangqi", "kanon naar het midden", ("C2=5", "C8=5")),
        ("go", "3-4", ("c4", "d3", "q3", "r16")),
        ("connect6", "bottom corner", ("a1", "s1")),
    ],
)
def test_of_several_described_moves_each_is_named(
    talk: Conversation, game: str, line: str, moves: tuple[str, ...]
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge(game, "ann", "bob")
    talk.replies(mail, line)
    asked = " ".join(talk.any_mail("ann").text.split())
    assert "write one of them" in asked
    assert all(move in asked for move in moves)
    talk.nothing_more()


@pytest.mark.parametrize("line", ["random", "put them anywhere", "zufällig", "al azar"])
def test_a_fleet_is_placed_at_random(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("battleship", "ann", "bob")
    talk.replies(mail, line)
    asked = talk.any_mail("ann")
    fleet = " ".join(asked.text.split()).partition("did you mean the move ")[2].partition("?")[0]
    ships = ("carrier", "battleship", "cruiser", "submarine", "destroyer")
    assert [word for word in fleet.split() if word.isalpha()] == list(ships)
    talk.replies(asked, "yes")
    assert "bob to move" in talk.any_mail("ann").subject
    told = talk.any_mail("bob").text.partition("\n\n")[0]
    assert "(hidden)" in told
    assert not any(word in told for word in fleet.split() if "-" in word)


@pytest.mark.parametrize(
    "line",
    [
        "the fight in the middle was nice",
        "not in the corner",
        "your star point invasion worked well",
    ],
)
def test_words_about_places_describe_no_move(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("go", "ann", "bob")
    talk.replies(mail, line)
    assert "did you mean" not in (answer := talk.any_mail("ann").text)
    assert "write one of them" not in answer
    talk.nothing_more()


def test_places_are_those_that_the_reader_sees(talk: Conversation) -> None:
    """Black's board of chess is turned: the rook on its left is the one on h8."""
    talk.signup("ann", "bob")
    mails = talk.challenge("chess", "ann", "bob")
    mails = talk.plays(["e4", "h5", "d4"], "ann", "bob", latest=mails)
    talk.replies(mails[1], "rook to the left")
    assert "did you mean" not in talk.any_mail("bob").text
    talk.replies(mails[1], "rook to column 1")
    asked = talk.any_mail("bob")
    assert all(move in asked.text for move in ("Rh7", "Rh6"))


def test_a_path_of_numbers_is_no_other_board(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("draughts", "ann", "bob")
    talk.replies(mail, "move 11 to 15")
    assert "you played 11-15" in talk.any_mail("ann").subject
    assert "ann played 11-15" in talk.any_mail("bob").subject
