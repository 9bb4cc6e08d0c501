"""Lazy lists of moves."""

import pytest

from pbm.rules.lazy_moves import MoveProduct


def test_blocks_are_spelled_in_order() -> None:
    moves = MoveProduct([(("a", "b"), ("1", "2")), ((), ("x",)), (("pass",), ("",))])
    assert list(moves) == ["a1", "a2", "b1", "b2", "pass"]
    assert [moves[number] for number in range(len(moves))] == list(moves)
    assert moves[-1] == "pass"
    assert moves[1:4] == ["a2", "b1", "b2"]
    assert "b2" in moves
    assert "c1" not in moves


def test_what_is_not_there_is_an_index_error() -> None:
    moves = MoveProduct([(("a",), ("1",))])
    for at in (1, -2):
        with pytest.raises(IndexError):
            moves[at]


def test_no_block_is_an_empty_list() -> None:
    assert len(MoveProduct([])) == 0
    assert not list(MoveProduct([]))
