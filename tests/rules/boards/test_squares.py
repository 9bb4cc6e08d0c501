"""Square grids and tori: names, numbers, steps."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.rules.boards.squares import DIAGONAL, KING, ORTHOGONAL, Grid, column_name, column_number


@pytest.mark.parametrize(
    ("number", "letters"), [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (702, "aaa")]
)
def test_columns_are_named_by_letters(number: int, letters: str) -> None:
    assert column_name(number) == letters
    assert column_number(letters) == number


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 100_000))
def test_column_names_and_numbers_are_inverse(number: int) -> None:
    assert column_number(column_name(number)) == number


def test_cells_are_numbered_row_by_row_from_the_bottom_left() -> None:
    grid = Grid(3, 2)
    assert grid.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert len(grid) == 6
    assert grid.cell("B2") == 4


@pytest.mark.parametrize("text", ["", "d1", "a3", "a0", "a", "1", "a01", "1a", "a1 ", "\u00e91"])
def test_no_other_text_is_a_cell(text: str) -> None:
    assert Grid(3, 2).cell(text) is None


@pytest.mark.parametrize(
    ("text", "looks"), [("z9", True), ("AA12", True), ("a", False), ("a1-", False), ("", False)]
)
def test_what_looks_like_a_cell_need_not_be_one(text: str, looks: bool) -> None:
    assert Grid(3, 2).looks_like_cell(text) is looks


def test_directions_are_named_in_their_order() -> None:
    assert KING[::2] == ORTHOGONAL
    assert KING[1::2] == DIAGONAL
    grid = Grid(3, 3)
    middle = grid.number["b2"]
    assert [grid.names[cell] for cell in grid.orthogonal[middle]] == ["b3", "c2", "b1", "a2"]
    around = ["b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"]
    assert [grid.names[cell] for cell in grid.king[middle]] == around


def test_a_step_off_the_board_leads_nowhere() -> None:
    grid = Grid(3, 3)
    assert grid.step(0, -1, 0) is None
    assert grid.step(8, 0, 1) is None
    assert grid.step(0, 2, 2) == 8


def test_a_torus_has_no_border() -> None:
    torus = Grid(3, 4, torus=True)
    assert torus.step(0, -1, -1) == len(torus) - 1
    assert torus.step(0, 3, 4) == 0
    assert {len(around) for around in torus.king} == {8}


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), st.integers(2, 9), st.booleans())
def test_neighbours_are_mutual(width: int, height: int, torus: bool) -> None:
    grid = Grid(width, height, torus=torus)
    for cell, around in enumerate(grid.king):
        assert all(cell in grid.king[there] for there in around)
    if not torus:
        assert sum(map(len, grid.orthogonal)) == 2 * (2 * width * height - width - height)
