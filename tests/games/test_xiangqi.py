"""Xiangqi: how pieces move, notation, every ending, perpetual check and chase."""

import random

import pyffish
import pytest

from pbm.games.xiangqi import XiangqiPosition
from pbm.rules import Position
from tests.games.chesses import perft
from tests.games.classics import after, begun, moves, refusal, unplayable_examples
from tools.oracles.xiangqi import named


def at(red: str, black: str, side: int = 0, idle: int = 0) -> XiangqiPosition:
    """A position with these pieces, `Ke0`, of which nothing was before."""
    first = begun("xiangqi")
    assert isinstance(first, XiangqiPosition)
    row = ["."] * 90
    for words, signs in ((red, str.upper), (black, str.lower)):
        for word in words.split():
            row[first.tables.number[word[1:]]] = signs(word[0])
    kind = type(first)
    return kind(first.options, "".join(row), side, idle=idle).as_start()


def ending(position: Position) -> tuple[tuple[int, ...], str]:
    assert position.outcome is not None
    assert position.legal_moves(0) == position.legal_moves(1) == ()
    return position.outcome.ranks, position.outcome.reason


def goes(position: XiangqiPosition, cell: str) -> list[str]:
    """Where the piece on a cell goes."""
    return sorted(move[2:] for move in moves(position) if move.startswith(cell))


@pytest.mark.long
def test_the_lines_are_as_many_as_published() -> None:
    first = begun("xiangqi")
    assert isinstance(first, XiangqiPosition)
    assert [perft(first, depth) for depth in (1, 2, 3, 4)] == [44, 1920, 79666, 3290240]


def test_the_examples_of_the_help_can_be_played() -> None:
    assert unplayable_examples("xiangqi", games=2) == set()


def test_a_horse_is_lame_and_an_elephant_stays_at_home() -> None:
    free = at("Kd0 Hb4 Ec4", "Ke9")
    assert goes(free, "b4") == ["a2", "a6", "c2", "c6"], "c4 bars d3 and d5"
    assert goes(free, "c4") == ["a2", "e2"], "not over the river"
    barred = at("Kd0 Ec4 Pd3", "Ke9")
    assert goes(barred, "c4") == ["a2"]


def test_a_cannon_takes_over_exactly_one_piece() -> None:
    position = at("Kd0 Ca0 Pa3", "Ke9 Ra6 Ra8")
    assert "a6" in goes(position, "a0")
    assert not {"a4", "a8"} & set(goes(position, "a0"))
    assert "a6" not in goes(at("Kd0 Ca0", "Ke9 Ra6"), "a0")


def test_a_soldier_goes_sideways_over_the_river() -> None:
    assert goes(at("Kd0 Pc4", "Ke9"), "c4") == ["c5"]
    assert goes(at("Kd0 Pc5", "Ke9"), "c5") == ["b5", "c6", "d5"]
    assert goes(at("Kd0", "Ke9 Pc4", side=1), "c4") == ["b4", "c3", "d4"]


def test_generals_never_face_each_other() -> None:
    position = at("Ke0 Re4", "Ke9")
    assert {cell[0] for cell in goes(position, "e4")} == {"e"}
    assert refusal(position, "e4d4") == "e4d4: your general would be in check"
    assert "e0" not in goes(at("Kd0", "Ke9"), "d0")


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("h2e2", "h2e2"),
        ("H2-E2", "h2e2"),
        ("C2=5", "h2e2"),
        ("c2.5", "h2e2"),
        ("H8+7", "b0c2"),
        ("N8+7", "b0c2"),
        ("P7+1", "c3c4"),
        ("S7+1", "c3c4"),
        ("R9+1", "a0a1"),
        ("E3+5", "g0e2"),
        ("b3+5", "g0e2"),
        ("A4+5", "f0e1"),
        ("k5+1", "e0e1"),
        ("1. C2=5", "h2e2"),
        ("炮二平五", "h2e2"),
        ("马八进七", "b0c2"),
        ("兵7進1", "c3c4"),
    ],
)
def test_a_move_may_be_written_in_many_ways(typed: str, move: str) -> None:
    assert begun("xiangqi").parse(typed, 0) == (move, "")


def test_black_counts_from_the_other_side() -> None:
    position = after(begun("xiangqi"), "C2=5")
    assert position.parse("H8+7", 1) == ("h9g7", "")
    assert position.describe(1, "b9c7") == "H2+3"


def test_front_and_rear_are_told_apart() -> None:
    position = at("Kd0 Rb1 Rb4", "Ke9")
    assert refusal(position, "R8=7") == "r8=7: which one? Send R-=7 (b1c1) or R+=7 (b4c4)"
    for typed in ("R+=7", "+R=7", "+r.7", "前車平七"):
        assert position.parse(typed, 0) == ("b4c4", "")
    assert position.describe(0, "b1c1") == "R-=7"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("R5+1", "no move of yours is R5+1; you have no chariot on your column 5"),
        ("H2+4", "no move of yours is H2+4; the horse cannot go there"),
        ("e5e6", "e5 is empty"),
        ("e6e5", "the piece on e6 is black's, not yours"),
        ("a0a3", "your own piece stands on a3"),
        ("hello", "'hello' is not a move; a move looks like R9+1 or a0a1"),
    ],
)
def test_a_refusal_says_why(typed: str, why: str) -> None:
    assert why in refusal(begun("xiangqi"), typed)


def test_moves_are_written_as_fairy_stockfish_writes_them() -> None:
    rng, style = random.Random(4), pyffish.NOTATION_XIANGQI_WXF
    position, fen = begun("xiangqi"), pyffish.start_fen("xiangqi")
    while position.to_move and position.turn < 80:
        theirs = {named(move): move for move in pyffish.legal_moves("xiangqi", fen, [])}
        move = rng.choice(moves(position))
        said = position.describe(position.side, move)
        assert said in (move, pyffish.get_san("xiangqi", fen, theirs[move], False, style))
        assert position.parse(said, position.side) == (move, "")
        position = after(position, move)
        fen = pyffish.get_fen("xiangqi", fen, [theirs[move]])


# Endings


def test_who_has_no_move_loses() -> None:
    mate = after(at("Kf0 Ra8 Ri7", "Kd9"), "i7i9")
    assert ending(mate) == ((1, 2), "black is checkmated")
    stuck = after(at("Kf0 Re4 Ri7", "Kd9"), "i7i8")
    assert ending(stuck) == ((1, 2), "black has no legal move")


def test_a_draw_when_nobody_can_cross_the_river() -> None:
    over = after(at("Kd0 Aa0", "Ke9 Rd1"), "d0d1")
    assert ending(over) == ((1, 1), "nobody has a piece left that can cross the river")


def test_sixty_quiet_moves_are_a_draw() -> None:
    late = at("Kd0 Ra0", "Ke9", idle=118)
    assert after(late, "a0a1").outcome is None
    over = after(late, "a0a1 e9e8")
    assert ending(over) == ((1, 1), "60 moves of each side without a capture")


THIRD = "the position occurred for the third time"


@pytest.mark.parametrize(
    ("red", "black", "line", "ranks", "what"),
    [
        # Red checks with every move.
        ("Kf0 Re4", "Kd9", "e4d4 d9e9 d4e4 e9d9 ", (2, 1), " and red has always given check"),
        # Red chases a cannon that nobody protects.
        (
            "Ke0 Rc4",
            "Kd9 Cb6",
            "c4b4 b6c6 b4c4 c6b6 ",
            (2, 1),
            " and red has always chased a piece",
        ),
        # The same cannon protected by a chariot.
        ("Ke0 Rc4", "Kd9 Cb6 Ra6", "c4b4 b6c6 b4c4 c6b6 ", (1, 1), ""),
        # A chariot chases a chariot, which could take it.
        ("Ke0 Rc4", "Kd9 Rb6", "c4b4 b6c6 b4c4 c6b6 ", (1, 1), ""),
        # A soldier at home is not chased, one over the river is.
        ("Ke0 Rc4", "Kd9 Pa6 Pc6", "c4a4 d9d8 a4c4 d8d9 ", (1, 1), ""),
        # Nobody does anything.
        ("Ke0 Ra0", "Kd9 Ri9", "a0a1 i9i8 a1a0 i8i9 ", (1, 1), ""),
    ],
)
def test_the_third_time(red: str, black: str, line: str, ranks: tuple[int, ...], what: str) -> None:
    position = after(at(red, black), line)
    assert position.outcome is None
    assert position.key is None, "it is no claim"
    copy = position.game.decode(position.encode())
    assert ending(after(copy, line)) == (ranks, THIRD + what)


def test_a_chased_soldier_over_the_river() -> None:
    red = at("Ke0 Ra2", "Kd9 Pa4")
    position = after(red, "a2a1 a4b4 a1b1 b4a4 b1a1 a4b4 a1b1 b4a4 ")
    assert position.outcome is None
    assert ending(after(position, "b1a1"))[1] == f"{THIRD} and red has always chased a piece"


def test_the_board_has_palaces_and_a_river() -> None:
    text = begun("xiangqi").render(last=("h2e2",))
    assert "0  R H E A K A E H R 0" in text
    assert "[C]" in text
    assert "[+]" in text
    assert " 5  - - - - - - - - - 5" in text
