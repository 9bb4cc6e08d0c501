"""Groups, liberties, captures, fingerprints, repetitions."""

from pbm.rules.boards.squares import Grid
from pbm.rules.boards.stone_groups import (
    breathless,
    captured,
    emptied,
    filled,
    fingerprint,
    group,
    liberties,
)
from pbm.rules.families.repetition import noted, times

NEAR = Grid(4, 3).orthogonal
BOARD = "XX.. OOX. .O..".replace(" ", "")
"""a1 and b1 with c1 empty; a2, b2 and b3 of the other colour; c2."""


def test_a_group_is_joined_along_lines_only() -> None:
    assert group(BOARD, 0, NEAR) == {0, 1}
    assert group(BOARD, 5, NEAR) == {4, 5, 9}
    assert group(BOARD, 6, NEAR) == {6}


def test_liberties_are_counted_once() -> None:
    assert liberties(BOARD, {0, 1}, NEAR) == {2}
    assert liberties(BOARD, {4, 5, 9}, NEAR) == {8, 10}


def test_a_group_without_liberties_is_captured() -> None:
    board = filled(BOARD, 2, "O")
    assert breathless(board, 0, NEAR) == {0, 1}
    assert breathless(board, 6, NEAR) == set()
    assert captured(board, 2, NEAR) == {0, 1}
    assert emptied(board, {0, 1}) == "..O.OOX..O.."
    assert captured(filled(BOARD, 3, "O"), 3, NEAR) == set()


def test_fingerprints_tell_texts_apart_and_are_the_same_each_time() -> None:
    assert fingerprint("X.") == fingerprint("X.") != fingerprint(".X")
    assert 0 <= fingerprint("X.") < 1 << 48


def test_repetitions_are_counted_from_the_last_final_move() -> None:
    history = noted(noted(noted((), "a"), "b"), "a")
    assert times(history) == 2
    assert times(noted(history, "c")) == 1
    assert times(noted(history, "a", final=True)) == 1
