"""Minishogi: notation, drops, promotion, every ending."""

import random
from dataclasses import replace

import pyffish
import pytest

from pbm.games.minishogi import Shogi
from pbm.rules import InvalidMove, Position
from tests.games.chesses import perft
from tests.games.classics import after, begun, moves, on, refusal, unplayable_examples
from tools.oracles.minishogi_oracle import GAME, named


def shogi(rows: str, black: str = "", white: str = "", side: int = 0) -> Shogi:
    """A position of which nothing was before."""
    position = on(begun("minishogi"), rows, side=side, hands=(black, white), history=())
    assert isinstance(position, Shogi)
    return position.as_start()


def ending(position: Position) -> tuple[tuple[int, ...], str]:
    assert position.outcome is not None
    assert position.legal_moves(0) == position.legal_moves(1) == ()
    return position.outcome.ranks, position.outcome.reason


def test_the_lines_are_as_many_as_published() -> None:
    first = begun("minishogi")
    assert isinstance(first, Shogi)
    assert [perft(first, depth) for depth in (1, 2, 3, 4)] == [14, 181, 2512, 35401]


def test_the_examples_of_the_help_can_be_played() -> None:
    assert unplayable_examples("minishogi", games=2) == set()


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("P-5c", "5d5c"),
        ("p5c", "5d5c"),
        ("5d5c", "5d5c"),
        ("5D-5C", "5d5c"),
        ("P5d-5c", "5d5c"),
        ("P53", "5d5c"),
        ("S-3d", "3e3d"),
        ("G4e-4d", "4e4d"),
    ],
)
def test_a_move_may_be_written_in_many_ways(typed: str, move: str) -> None:
    assert begun("minishogi").parse(typed, 0) == (move, "")


BARE = "....k ..... ..... ..... K...."


def test_a_piece_in_hand_is_dropped() -> None:
    position = shogi(BARE, "P")
    for typed in ("P*3c", "p*3c", "P'3c", "P@3c", "P3c", "p*33"):
        assert position.parse(typed, 0) == ("p*3c", "")
    dropped = after(position, "P*3c")
    assert dropped.hands == ("", "")
    assert refusal(position, "P*3a") == "p*3a: it could never move from there"
    assert refusal(position, "P*5e") == "p*5e: 5e is not empty"
    assert refusal(position, "S*3c") == "s*3c: you have no S in hand"
    with pytest.raises(InvalidMove, match="name the piece too"):
        position.parse("5e@3c", 0)


def test_a_taken_piece_changes_sides_and_is_plain_again() -> None:
    position = shogi("....k ..... ..n.. ..R.. K....")
    taken = after(position, "Rx3c")
    assert taken.hands == ("S", "")
    assert position.describe(0, "3d3c") == "Rx3c"


def test_two_pawns_never_stand_on_a_column() -> None:
    position = shogi("....k ..... P.... ..... ....K", "P")
    assert refusal(position, "P*5b") == "p*5b: you have a pawn on that column already"
    tokin = shogi("....k ..... T.... ..... ....K", "P")
    assert "p*5b" in moves(tokin), "a promoted pawn is none"


def test_promotion_is_asked_and_forced_for_a_pawn() -> None:
    position = shogi("....k S.... P.... ..... K....", side=0)
    asked = "s-4a: promoted or not? Send S-4a+ (5b4a+) or S-4a= (5b4a)"
    assert refusal(position, "S-4a") == asked
    assert position.parse("S4a+", 0) == ("5b4a+", "")
    assert position.parse("S4a=", 0) == position.parse("5b4a", 0) == ("5b4a", "")
    pawn = shogi("....k P.... ..... ..... K....")
    assert "5b5a+" in moves(pawn)
    assert "5b5a" not in moves(pawn)
    assert pawn.parse("P-5a", 0) == ("5b5a+", "")
    assert after(pawn, "P-5a").board[-5] == "T"
    leaving = shogi("S...k ..... ..... ..... K....")
    assert {"5a4b", "5a4b+"} <= set(moves(leaving)), "who leaves the row may be promoted too"


def test_a_pawn_does_not_mate_by_being_dropped() -> None:
    position = shogi("...rk ...b. ...G. ..... .K...", "GP")
    assert refusal(position, "P*1b") == "p*1b: a pawn may not mate by being dropped"
    assert ending(after(position, "G*1b")) == ((1, 2), "white is checkmated")
    escape = shogi("....k ..... ...G. ..... K....", "P")
    assert after(escape, "P*1b").outcome is None
    moved = shogi("...rk ...b. ...GP ..... .K...")
    assert ending(after(moved, "P-1b")) == ((1, 2), "white is checkmated"), "a move may"


def test_who_has_no_move_loses() -> None:
    position = shogi("....k ..... ..... ....G K..R.")
    assert ending(after(position, "G-1c")) == ((1, 2), "white has no legal move")


ROUND = "G-4d G-2b G-4e G-2a "


def test_the_fourth_time_loses_for_black_without_checks() -> None:
    position = begun("minishogi")
    for _ in range(2):
        position = after(position, ROUND)
        assert position.outcome is None
    assert position.key is None, "a third time is no claim"
    assert ending(after(position, ROUND)) == (
        (2, 1),
        "the position occurred for the fourth time: black, who moved first, loses",
    )


@pytest.mark.parametrize(
    ("rows", "side", "line"),
    [
        (".k... ..... ..... ..... R...K", 0, "R-4e K-5a R-5e K-4a "),
        ("r...k ..... ..... ..... .K...", 1, "R-4a K-5e R-5a K-4e "),
    ],
)
def test_who_always_gave_check_loses_by_the_fourth_time(rows: str, side: int, line: str) -> None:
    position = after(shogi(rows, side=side), line * 2)
    assert position.outcome is None
    over = ending(after(position, line))
    who = ("black", "white")[side]
    reason = f"the position occurred for the fourth time and {who} has always given check"
    assert over == ((2, 1) if side == 0 else (1, 2), reason)


def test_moves_are_written_as_fairy_stockfish_writes_them() -> None:
    rng, compared = random.Random(4), 0
    position, fen = begun(GAME), pyffish.start_fen(GAME)
    while position.to_move and position.turn < 150:
        theirs = {named(move): move for move in pyffish.legal_moves(GAME, fen, [])}
        move = rng.choice(moves(position))
        said = position.describe(position.side, move)
        style = pyffish.NOTATION_SHOGI_HODGES
        assert said == pyffish.get_san(GAME, fen, theirs[move], False, style)
        assert position.parse(said, position.side) == (move, "")
        position = after(position, move)
        fen = pyffish.get_fen(GAME, fen, [theirs[move]])
        compared += 1
    assert compared > 20


def test_the_picture_shows_promoted_pieces_and_hands() -> None:
    position = shogi("....k ..... ..n.. ..R.. K....", "PS", "B")
    text = position.render(last=("3e3d",))
    assert "+s" in text
    assert "[R]" in text
    assert "in hand: black P S, white B" in text
    assert replace(position, side=1).render() != text
