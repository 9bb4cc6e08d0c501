"""Bitboards, whose cells never wrap around an edge; boards with unusual cell names; points of
SGF."""

from dataclasses import replace

import pytest

from pbm.rules import Outcome, Played
from pbm.rules.boards.bitboards import mask_of, masks, select
from pbm.rules.boards.goban import goban, stars, top_down
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import pieces_on
from pbm.rules.drawing.scene_text import draw_scene
from pbm.rules.formats import sgf

SIZES = ((1, 1), (3, 2), (2, 5), (5, 5), (7, 4))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_beside_a_cell_is_what_the_grid_says(width: int, height: int) -> None:
    of, grid = masks(width, height), Grid(width, height)
    for cell in range(len(grid)):
        assert of.cells(of.beside(of.bit(cell))) == sorted(grid.orthogonal[cell])
        assert of.cells(of.spread(of.bit(cell))) == sorted({cell, *grid.orthogonal[cell]})


def test_cells_and_names_of_a_mask() -> None:
    mask = mask_of("X.XO.", "X")
    assert select("abcde", mask) == ["a", "c"]
    assert masks(5, 1).cells(mask) == [0, 2]
    assert select("abcde", 0) == []


def test_groups_are_the_joined_parts() -> None:
    of = masks(4, 3)
    mask = mask_of("XX.X" + "...X" + "X...", "X")
    assert sorted(map(of.cells, of.groups(mask))) == [[0, 1], [3, 7], [8]]
    assert of.cells(of.joined(of.bit(3), mask)) == [3, 7]


def test_the_goban_has_no_column_i() -> None:
    assert goban(9).names[8] == "j1"
    assert "i1" not in goban(19).number
    assert goban(19).names[-1] == "t19"


def test_a_board_from_the_top_down() -> None:
    board = top_down(3, 2)
    assert board.names == ("a2", "b2", "c2", "a1", "b1", "c1")
    scene = replace(grid_scene(board), pieces=pieces_on(board.names, "X..O.."))
    lines = draw_scene(scene).picture().text.split("\n")
    assert [line.strip() for line in lines[1:3]] == ["1  O . . 1", "2  X . . 2"]


@pytest.mark.parametrize(
    ("size", "count"), [(5, 1), (6, 0), (7, 4), (8, 4), (9, 9), (13, 9), (19, 9)]
)
def test_marked_points(size: int, count: int) -> None:
    points = stars(size)
    assert len(set(points)) == len(points) == count
    assert {size * size - 1 - point for point in points} == set(points), "the same turned round"


def test_a_record_escapes_what_would_end_it() -> None:
    played = Played(2, {}, (), Outcome((1, 2), "."), {"White": "a]b\\c\nd", "Termination": "?"})
    text = sgf.sgf(sgf.GO, 5, [("B", "aa"), ("W", "")], played, more={"PW": "x"})
    assert text == "(;FF[4]CA[UTF-8]GM[1]SZ[5]PW[x]PB[a\\]b\\\\c d]RE[B+];B[aa];W[])\n"
