"""Groups, liberties, captures, fingerprints, repetition."""

from pbm.rules.boards.squares import Grid
from pbm.rules.boards.stone_groups import (
    clear_cells,
    find_captured,
    find_group,
    find_liberties,
    find_without_liberties,
    fingerprint,
    put_sign,
)
from pbm.rules.families.repetition import count_repetitions, record_position

NEAR = Grid(4, 3).orthogonal
BOARD = "XX.. OOX. .O..".replace(" ", "")
"""a1 and b1 with c1 empty; a2, b2 and b3 of the other colour; c2."""


def test_a_group_is_joined_along_lines_only() -> None:
    assert find_group(BOARD, 0, NEAR) == {0, 1}
    assert find_group(BOARD, 5, NEAR) == {4, 5, 9}
    assert find_group(BOARD, 6, NEAR) == {6}


def test_liberties_are_counted_once() -> None:
    assert find_liberties(BOARD, {0, 1}, NEAR) == {2}
    assert find_liberties(BOARD, {4, 5, 9}, NEAR) == {8, 10}


def test_a_group_without_liberties_is_captured() -> None:
    board = put_sign(BOARD, 2, "O")
    assert find_without_liberties(board, 0, NEAR) == {0, 1}
    assert find_without_liberties(board, 6, NEAR) == set()
    assert find_captured(board, 2, NEAR) == {0, 1}
    assert clear_cells(board, {0, 1}) == "..O.OOX..O.."
    assert find_captured(put_sign(BOARD, 3, "O"), 3, NEAR) == set()


def test_fingerprints_tell_texts_apart_and_are_the_same_each_time() -> None:
    assert fingerprint("X.") == fingerprint("X.") != fingerprint(".X")
    assert 0 <= fingerprint("X.") < 1 << 48


def test_repetitions_are_counted_from_the_last_final_move() -> None:
    history = record_position(record_position(record_position((), "a"), "b"), "a")
    assert count_repetitions(history) == 2
    assert count_repetitions(record_position(history, "c")) == 1
    assert count_repetitions(record_position(history, "a", final=True)) == 1
