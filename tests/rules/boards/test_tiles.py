"""Tiles on a torus: rotation, fitting, exchanges, features, drawing."""

import random
from itertools import combinations

import pytest

from pbm.rules import Canvas
from pbm.rules.boards.squares import Grid
from pbm.rules.boards.tiles import Segment, Tile, Tiling, turns
from pbm.rules.drawing.tile_drawing import Style, blocks, draw_board, place_of

# A road on two corners, a road straight on, a crossing of two roads, a meadow.
BEND = Tile("bend", "rrmm", (Segment("r", (0, 1)),))
STRAIGHT = Tile("straight", "rmrm", (Segment("r", (0, 2)),))
CROSSING = Tile("crossing", "rrrr", (Segment("r", (0, 2)), Segment("r", (1, 3))))
INN = Tile("inn", "mmrm", (Segment("i", ()), Segment("r", (2,))))
GRID = Grid(4, 4, torus=True)
TILES = Tiling(GRID, (BEND, STRAIGHT, CROSSING, INN))


def board_of(**placed: tuple[int, int]) -> bytearray:
    board = bytearray(len(GRID))
    for name, (tile, rotation) in placed.items():
        board[GRID.number[name]] = TILES.face(tile, rotation)
    return board


def test_a_quarter_turn_is_clockwise() -> None:
    turned = BEND.rotated(1)
    assert turned.edges == "mrrm"
    assert turned.segments == (Segment("r", (1, 2)),)
    assert BEND.rotated(3).segments == (Segment("r", (0, 3)),)
    assert BEND.rotated(4) == BEND


def test_faces_know_tile_and_rotation() -> None:
    face = TILES.face(3, 2)
    assert (TILES.tile(face), TILES.rotation(face)) == (3, 2)
    assert TILES.faces[face] == INN.rotated(2)


def test_alike_are_faces_with_the_same_edges_and_segments() -> None:
    straight = [TILES.alike[TILES.face(1, turn)] for turn in range(4)]
    assert straight[0] == straight[2] != straight[1] == straight[3]
    assert len({TILES.alike[TILES.face(2, turn)] for turn in range(4)}) == 1
    assert len({TILES.alike[TILES.face(0, turn)] for turn in range(4)}) == 4


def test_what_fits_depends_on_the_neighbours_over_the_border_too() -> None:
    cell = GRID.number["a1"]
    assert turns(TILES.fitting[0][TILES.pattern(board_of(), cell)]) == (0, 1, 2, 3)
    # d1 lies west of a1 and shows a road; a4 lies south of it and shows a meadow.
    board = board_of(d1=(1, 1), a4=(1, 1))
    pattern = TILES.pattern(board, cell)
    assert turns(TILES.fitting[0][pattern]) == (3,)
    assert turns(TILES.fitting[1][pattern]) == (1, 3)
    assert turns(TILES.fitting[2][pattern]) == ()
    assert TILES.clashes(board, cell, TILES.face(2, 0)) == (2,)
    assert TILES.clashes(board, cell, TILES.face(0, 3)) == ()
    assert turns(TILES.fitting[2][TILES.without(pattern, 2)]) == (0, 1, 2, 3)


def test_patterns_are_sums_of_what_faces_show() -> None:
    board = board_of(b1=(0, 0), b3=(3, 2), a2=(2, 0))
    cell = GRID.number["b2"]
    shown = [(board[there], edge ^ 2) for edge, there in enumerate(GRID.orthogonal[cell])]
    assert TILES.pattern(board, cell) == sum(TILES.shown(face, edge) for face, edge in shown)


def test_a_feature_runs_until_it_ends() -> None:
    board = board_of(b1=(3, 2), b2=(1, 0), b3=(3, 0))
    feature = TILES.feature(board, GRID.number["b2"], 0)
    assert set(feature.parts) == {
        (GRID.number[name], n) for name, n in (("b1", 1), ("b2", 0), ("b3", 1))
    }
    assert feature.closed
    assert not feature.wraps
    open_end = TILES.feature(board_of(b2=(1, 0), b3=(3, 0)), GRID.number["b3"], 1)
    assert (len(open_end.parts), open_end.closed) == (2, False)


def test_a_loop_round_the_torus_is_closed_and_wraps() -> None:
    board = board_of(**{f"{column}2": (1, 1) for column in "abcd"})
    feature = TILES.feature(board, GRID.number["c2"], 0)
    assert (len(feature.parts), feature.closed, feature.wraps) == (4, True, True)


def test_lying_on_the_border_is_not_running_over_it() -> None:
    # The road of a1 faces d1 over the border; without a tile there nothing is joined.
    feature = TILES.feature(board_of(a1=(1, 1)), 0, 0)
    assert (feature.closed, feature.wraps) == (False, False)
    feature = TILES.feature(board_of(a1=(1, 1), d1=(3, 3)), 0, 0)
    assert (feature.closed, feature.wraps) == (False, True)


def test_a_feature_can_come_back_to_another_segment_of_the_tile() -> None:
    # The crossing's two roads are joined round the corner: b2 east, c2, c3, b3, b2 north.
    board = board_of(b2=(2, 0), c2=(0, 3), c3=(0, 2), b3=(0, 1))
    feature = TILES.feature(board, GRID.number["b2"], 0)
    assert {part for part in feature.parts if part[0] == GRID.number["b2"]} == {(5, 0), (5, 1)}
    assert len(feature.parts) == 5


def test_exchanges_are_all_that_fit() -> None:
    rng = random.Random(3)
    for _ in range(25):
        board = bytearray(len(GRID))
        for cell in rng.sample(range(16), 13):
            tile, turn = rng.randrange(4), rng.randrange(4)
            if not TILES.clashes(board, cell, TILES.face(tile, turn)):
                board[cell] = TILES.face(tile, turn)
        expected = set()
        for one, other in combinations([cell for cell in range(16) if board[cell]], 2):
            for here in range(4):
                for there in range(4):
                    after = bytearray(board)
                    after[one] = TILES.face(TILES.tile(board[other]), here)
                    after[other] = TILES.face(TILES.tile(board[one]), there)
                    if not any(TILES.clashes(after, cell, after[cell]) for cell in (one, other)):
                        expected.add((one, here, other, there))
        exchanges = [
            (one, here, other, there)
            for one, heres, other, theres in TILES.exchanges(board, range(16))
            for here in turns(heres)
            for there in turns(theres)
        ]
        assert len(exchanges) == len(set(exchanges))
        assert set(exchanges) == expected


def test_a_board_with_borders_is_refused() -> None:
    with pytest.raises(ValueError, match="torus"):
        Tiling(Grid(4, 4), (BEND,))


STYLE = Style(lines={"r": ("==", "||")}, inside={"i": "[]"}, knots={"r": "()"})


def test_a_tile_is_drawn_as_nine_blocks() -> None:
    assert blocks(BEND, STYLE) == ["  ", "||", "  ", "  ", "==", "==", "  ", "  ", "  "]
    assert blocks(STRAIGHT, STYLE)[1::3] == ["||", "||", "||"]
    assert blocks(INN, STYLE)[1::3] == ["  ", "[]", "||"]
    ends = Tile("ends", "rrrm", tuple(Segment("r", (edge,)) for edge in (0, 1, 2)))
    assert blocks(ends, STYLE)[1::3] == ["||", "()", "||"]


def test_two_corners_share_the_middle() -> None:
    style = Style(lines={"r": ("==", "||"), "m": ("##", "##")}, inside={}, knots={})
    tile = Tile("two", "rrmm", (Segment("r", (0, 1)), Segment("m", (2, 3))))
    assert blocks(tile, style)[3:6] == ["##", "#=", "=="]
    assert blocks(tile.rotated(2), style)[3:6] == ["==", "=#", "##"]


def test_a_mark_stands_in_the_middle_or_on_the_only_edge() -> None:
    assert [place_of(Segment("r", edges)) for edges in ((), (0, 2), (0,), (1,), (2,), (3,))] == [
        4,
        4,
        1,
        5,
        7,
        3,
    ]


def test_a_board_has_coordinates_marks_and_stars() -> None:
    canvas = Canvas()
    marks = {GRID.number["b2"]: {4: ("XY", "seat0")}}
    draw_board(canvas, TILES, board_of(b2=(1, 1), c1=(3, 2)), STYLE, marks, {GRID.number["c1"]})
    assert canvas.picture().text.split("\n") == [
        "     a     b     c     d",
        "",
        " 4   .     .     .     .    4",
        "",
        "",
        " 3   .     .     .     .    3",
        "",
        "         +    +",
        " 2   .   ==XY==  .     .    2",
        "         +    +",
        "               * || *",
        " 1   .     .     []    .    1",
        "               *    *",
        "     a     b     c     d",
    ]
