"""One place or one line of a board in words."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from pbm.rules.drawing.surroundings import describe_surroundings, find_places


def describe(game: str, *words: str) -> list[str]:
    position = get_game(game).setup()
    scene = position.scene()
    which = find_places(scene, words)
    assert which is not None, words
    return [line for each in which for line in describe_surroundings(scene, position.colours, each)]


@pytest.mark.parametrize(
    ("game", "words", "first"),
    [
        ("chess", "e1", "E1: white king."),
        ("chess", "E1 d8", "E1: white king."),
        ("chess", "square e1", "E1: white king."),
        ("chess", "rank 2", "Row 2: a2 to h2 white pawn."),
        ("chess", "file a", "Column a: a1 white rook, a2 white pawn, a3 to a6 empty, a7 black"),
        ("draughts", "place 13", "13: empty."),
        ("battleship", "north a1", "North a1: empty."),
        ("battleship", "row north 4", "Row north 4: north a4 to north j4 empty."),
        ("backgammon", "point 24", "24: 2 white men."),
        (
            "backgammon",
            "board white home",
            "Board white home: 1 has 2 black men, 2 to 5 empty, 6 has 5 white men.",
        ),
        ("kalah", "south a", "South a: 4 south seeds."),
    ],
)
def test_places_and_lines(game: str, words: str, first: str) -> None:
    assert describe(game, *words.split())[0].startswith(first)


@pytest.mark.parametrize("words", ["e9", "row", "row 9", "king", "e1 e9", "square"])
def test_what_names_no_place(words: str) -> None:
    assert find_places(get_game("chess").setup().scene(), words.split()) is None


def test_what_is_around() -> None:
    assert describe("chess", "a1")[1] == (
        "Around it, clockwise from the top: a2 white pawn, b2 white pawn, b1 white knight."
    )
    assert describe("hex", "a1")[1] == "Around it, clockwise from the top: b1 empty, a2 empty."
    assert describe("go", "a1")[1] == "Around it, clockwise from the top: a2 empty, b1 empty."
    morris = describe("morris", "a1")[1]
    assert morris == "Around it, clockwise from the top: a4 empty, d1 empty."
