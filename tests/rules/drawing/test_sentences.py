"""Boards in words: sentences for ears, made from scenes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.drawing.scene import Entry, Mark, Panel, Piece, Place, Region, Scene
from pbm.rules.drawing.sentences import (
    describe_pieces,
    describe_turn,
    find_runs,
    plural,
    pronounce,
    write_words,
)

ROWS = tuple(Region("row", str(row), tuple(f"{file}{row}" for file in "abcde")) for row in (1, 2))
COLUMNS = tuple(Region("column", file, (f"{file}1", f"{file}2")) for file in "abcde")
PLACES = tuple(Place(name, 0.5, (0, 0)) for row in ROWS for name in row.places)


def played(game: str, *moves: str) -> Position:
    position = get_game(game).setup()
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position


def words_of(*pieces: Piece, panels: tuple[Panel, ...] = (), moves: tuple[str, ...] = ()) -> str:
    scene = Scene(PLACES, pieces, regions=ROWS + COLUMNS, panels=panels)
    colours = ("white", "crosses")
    return write_words(
        scene, colours, ("White is to move.",), describe_pieces(scene, colours), (), moves
    )


def test_chess() -> None:
    position = played("chess", "e2e4")
    assert position.words(1, ("e2e4",)).split("\n")[:2] == [
        "Last move: white pawn from e2 to e4. You play black. You are to move.",
        "White king on e1. White queen on d1. White rooks on a1 and h1. White knights on b1 and g1."
        " White bishops on c1 and f1. White pawns on a2 to d2, f2 to h2 and e4.",
    ]


@pytest.mark.parametrize(
    ("piece", "others", "sentence"),
    [
        (Piece("b2", "king", 0), [], "White king on b2."),
        (Piece("b2", "king", 1), [], "King of the crosses on b2."),
        (Piece("b2", "stone", 1), [], "Cross on b2."),
        (Piece("b2", "stone", 1), ["d1"], "Crosses on b2 and d1."),
        (Piece("b2", "man", 0), ["d1"], "White men on b2 and d1."),
        (Piece("b2", "man", 0, 3), [], "3 white men on b2."),
        (Piece("b2", "man", 0, 3), ["d1"], "3 white men each on b2 and d1."),
        (Piece("b2", "die", 0, label="6"), ["d1"], "White dice showing 6 on b2 and d1."),
        (Piece("b2", "king", 0, label="K"), [], "White king on b2."),
        (Piece("b2", "wall"), ["d1", "e2"], "Walls on b2, d1 and e2."),
    ],
)
def test_what_stands_where(piece: Piece, others: list[str], sentence: str) -> None:
    pieces = [piece, *(replace(piece, place=place) for place in others)]
    assert words_of(*pieces).split("\n")[1:] == [sentence]


def test_stacks_are_given_from_below() -> None:
    pieces = [Piece("a1", "man", 0, 2), Piece("a1", "king", 0, height=2), Piece("b1", "man", 0)]
    assert words_of(*pieces).split("\n")[1:] == [
        "White man on b1.",
        "On a1 from below: 2 white men, white king.",
    ]


def test_runs_are_given_by_their_ends_where_these_name_one_line() -> None:
    def runs(*places: str) -> list[str]:
        return ["-".join(run) for run in find_runs(ROWS + COLUMNS, places)]

    assert runs("a1", "b1") == ["a1", "b1"]
    assert runs("a1", "b1", "c1", "e1", "c2") == ["a1-b1-c1", "e1", "c2"]
    assert runs("e2", "a1", "b1", "c1", "d1", "e1") == ["e2", "a1-b1-c1-d1-e1"]
    twice = Region("column", "x", ("a1", "d2", "c1"))
    assert [*find_runs((*ROWS, twice), ("a1", "b1", "c1"))] == [("a1",), ("b1",), ("c1",)]


def test_long_lists_are_split_by_rows() -> None:
    go = get_game("go").setup(options={"size": 9})
    for row in "123456789":
        for place in "aceg" if int(row) % 2 else "bdfh":
            go = go.play(0, f"{place}{row}")
            go = go.play(1, "pass")
    lines = go.words().split("\n")
    assert lines[1] == "Black stones in row 1 on a1, c1, e1 and g1."
    assert lines[9] == "Black stones in row 9 on a9, c9, e9 and g9."


def test_panels() -> None:
    hand = Panel("in hand", (Entry("P", "pawn", 0, 2, "p@"), Entry("G", "gold general", 0)), 0)
    score = Panel("captured", (Entry("white", "stone", 0, 3), Entry("crosses", "stone", 1, 1)))
    remark = Panel("", (Entry("komi 7.5"),))
    empty = Panel("in hand", (), 0)
    assert words_of(panels=(hand, score, remark, empty)).split("\n")[2:] == [
        "White in hand: 2 pawns and gold general.",
        "Captured: white 3 and crosses 1.",
        "Komi 7.5.",
        "White in hand: nothing.",
    ]


def test_marks() -> None:
    marks = (Mark(("a1",), "last"), Mark(("b1", "b2"), "last"), Mark(("c1",), "check"))
    words = write_words(Scene(PLACES, marks=marks), (), (), ())
    assert words == "Last move: a1 and b1 to b2.\nCheck: c1."


def test_few_moves_are_listed() -> None:
    assert words_of(moves=("a1",)).endswith("\nLegal move: a1.")
    assert words_of(moves=("a1", "b1", "pass")).endswith("\nLegal moves: a1, b1 and pass.")
    assert words_of(moves=("a1-b1", "pass")).endswith("\nLegal moves: a1-b1 or pass.")
    assert words_of(moves=("a1,b1", "b2,c2")).endswith("\nLegal moves: a1,b1 or b2,c2.")
    assert words_of(moves=("13-17", "24/18(2)")).endswith(
        "\nLegal moves: 13 to 17 or 24 to 18 24 to 18."
    )
    assert "Legal" not in words_of(moves=tuple(f"a{number}" for number in range(13)))
    assert "Legal" not in words_of(moves=("a1", "24/18*"))


def test_whose_turn_it_is() -> None:
    names = ("white", "black", "noughts")
    assert describe_turn(names, {0}, None) == "White is to move."
    assert describe_turn(names, {0}, 0) == "You are to move."
    assert describe_turn(names, {2}, 0) == "Noughts are to move."
    assert describe_turn(names, {0, 1}, 1) == "You and white are to move."
    assert describe_turn(names, {0, 1}, None) == "White and black are to move."
    assert describe_turn(names, {-1}, 0) == "Chance decides."
    assert describe_turn(("first", "second"), {1}, 0) == "The second player is to move."
    over = played("tictactoe", "a1", "a2", "b1", "b2", "c1").words(0)
    assert "You play crosses. The game is over: 3 in a row for crosses." in over


def test_plurals() -> None:
    kinds = ("king", "man", "gold general", "die", "box", "body", "ray", "arrow", "wild swordsman")
    assert " ".join(map(plural, kinds)) == (
        "kings men gold generals dice boxes bodies rays arrows wild swordsmen"
    )


def test_the_hyphen_within_a_word_is_no_mark_between_places() -> None:
    assert (
        pronounce("sous-marin 3 (b1-c1, vaisseau-mère)") == "sous-marin 3, b1 to c1, vaisseau-mère"
    )
    assert pronounce("m-f12") == "m to f12"
