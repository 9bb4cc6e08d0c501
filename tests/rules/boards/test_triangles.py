"""Boards of triangles: cells, neighbours, corner points, joined cells, drawing."""

import pytest

from pbm.rules.boards.triangles import (
    ROUND,
    STAR,
    STRAIGHT,
    Lattice,
    TriangleBoard,
    hexagon,
    tetriamonds,
)
from pbm.rules.drawing.picture import LAST

SIDES = range(1, 7)


def names(board: TriangleBoard, cells: tuple[int, ...]) -> set[str]:
    return {board.names[cell] for cell in cells}


@pytest.mark.parametrize("side", SIDES)
def test_a_hexagon_has_its_cells_in_rows_of_their_length(side: int) -> None:
    board = hexagon(side)
    assert len(board) == 6 * side * side
    assert (board.width, board.height) == (4 * side - 1, 2 * side)
    lower = [2 * (side + row) - 1 for row in range(1, side + 1)]
    assert [len(board.row(row)) for row in range(2 * side)] == lower + lower[::-1]


@pytest.mark.parametrize("side", SIDES)
def test_a_lower_row_begins_with_a_cell_that_points_down(side: int) -> None:
    board = hexagon(side)
    begins = [board.points_up[board.number[board.row(row)[0]]] for row in range(2 * side)]
    assert begins == [False] * side + [True] * side


def test_rows_of_the_smallest_boards() -> None:
    assert hexagon(1).row(0) == ("a1", "b1", "c1")
    assert [(row[0], row[-1]) for row in map(hexagon(2).row, range(4))] == [
        ("b1", "f1"),
        ("a2", "g2"),
        ("a3", "g3"),
        ("b4", "f4"),
    ]


@pytest.mark.parametrize("side", SIDES)
def test_neighbours_are_those_with_two_common_corners(side: int) -> None:
    board = hexagon(side)
    for cell, around in enumerate(board.neighbours):
        sharing = {
            there
            for there, corners in enumerate(board.corners)
            if len(set(corners) & set(board.corners[cell])) == 2
        }
        assert set(around) == sharing


def test_neighbours_and_corners_of_a_cell() -> None:
    board = hexagon(2)
    assert names(board, board.neighbours[board.number["d2"]]) == {"c2", "e2", "d1"}
    assert names(board, board.neighbours[board.number["b1"]]) == {"c1", "b2"}
    assert board.corners[board.number["b1"]] == ((1, 1), (3, 1), (2, 0))
    assert board.corners[board.number["c1"]] == ((2, 0), (4, 0), (3, 1))


def test_a_cell_is_found_in_any_case_and_only_on_the_board() -> None:
    board = hexagon(2)
    assert board.cell("D2") == board.number["d2"]
    assert board.cell("a1") is None
    assert board.extent("a1") == "row 1 goes from b1 to f1"
    assert board.extent("b0") == board.extent("b5") == "its rows are 1 to 4"


def test_joined_cells_come_once_in_three_forms() -> None:
    board = hexagon(2)
    pieces = tetriamonds(board)
    assert len({piece.cells for piece in pieces}) == len(pieces)
    forms = [piece.form for piece in pieces]
    assert [forms.count(form) for form in (ROUND, STRAIGHT, STAR)] == [42, 36, 12]
    by_cells = {",".join(board.names[cell] for cell in piece.cells): piece for piece in pieces}
    cradle = by_cells["b1,c1,d1,d2"]
    assert (cradle.form, names(board, cradle.ends)) == (ROUND, {"b1", "d2"})
    snake = by_cells["b1,c1,d1,e1"]
    assert (snake.form, names(board, snake.middle)) == (STRAIGHT, {"c1", "d1"})
    star = by_cells["d1,c2,d2,e2"]
    assert (star.form, names(board, star.middle)) == (STAR, {"d2"})


def test_a_board_of_another_outline_is_drawn() -> None:
    board = TriangleBoard([(0, 0), (1, 0), (2, 0), (1, 1)])
    canvas = Lattice(board).draw([0] * 4, [0] * 4)
    assert (
        canvas.picture().text
        == """
       a  b  c

          +
     2   / \\   2
        /   \\
       +     +
  1   /       \\   1
     /         \\
    +-----+-----+

       a  b  c"""[1:]
    )


def test_borders_stand_between_different_owners() -> None:
    board = TriangleBoard([(0, 0), (1, 0), (2, 0), (1, 1)])
    lattice = Lattice(board)
    canvas = lattice.draw([1, 2, 2, 3], [0, 12, 7, 345], marked=(1, 2))
    picture = canvas.picture()
    rows = picture.text.split("\n")[2:9]
    assert rows == [
        "          +",
        "     2   / \\   2",
        "        /345\\",
        "       +-----+",
        "  1   / \\12*  \\   1",
        "     /   \\   7*\\",
        "    +-----+-----+",
    ]
    runs = [run for row in picture.rows for run in row if run[1] == LAST]
    assert runs == [("12*", LAST), ("7*", LAST)]
    bare = lattice.draw([0] * 4, [0] * 4)
    assert bare.picture() != canvas.picture(), "what is written on a page stays on it"
