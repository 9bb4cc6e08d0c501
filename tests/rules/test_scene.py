"""Scenes: what stands where, and the geometry of empty boards."""

from __future__ import annotations

from math import dist

import pytest

from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.boards.hexagons import HexBoard, hexagon, rhombus
from pbm.rules.boards.triangles import hexagon as triangle_hexagon
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.scene import Place, Scene
from pbm.rules.drawing.triangle_scene import triangle_scene


def playing(name: str, *moves: str) -> Position:
    """The position after these moves."""
    position = get_game(name).setup()
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position


def standing(scene: Scene) -> dict[str, tuple[str, int | None]]:
    return {piece.place: (piece.kind, piece.seat) for piece in scene.pieces}


def test_a_scene_of_hex_has_stones_the_last_move_and_the_sides_of_each_colour() -> None:
    scene = playing("hex", "f6", "swap", "e7").scene(None, ("e7",))
    assert standing(scene) == {"f6": ("stone", 0), "e7": ("stone", 1)}
    assert [(mark.places, mark.role) for mark in scene.marks] == [(("e7",), "last")]
    assert [stroke.seat for stroke in scene.strokes] == [0, 0, 1, 1]
    top, bottom, right, left = (stroke.points for stroke in scene.strokes)
    assert len(top) == len(bottom) == 23
    assert top[-1] == right[0]
    assert bottom[-1] == left[0]
    assert top[0] == left[-1]
    assert bottom[0] == right[-1]


def test_a_scene_of_chess_has_men_check_and_the_colours_of_squares() -> None:
    scene = playing("chess", "e2e4", "f7f6", "d1h5").scene(None, ("d1h5",))
    assert standing(scene)["h5"] == ("queen", 0)
    assert standing(scene)["f6"] == ("pawn", 1)
    assert [(mark.places[0], mark.role) for mark in scene.marks] == [
        ("d1", "last"),
        ("h5", "last"),
        ("e8", "check"),
    ]
    shades = {place.name: place.shade for place in scene.places}
    assert (shades["a1"], shades["h1"]) == ("dark", "light")


def test_a_scene_of_go_has_lines_captures_and_dead_stones() -> None:
    position = get_game("go").setup(2, {"size": 5})
    for move in ("a1", "a2", "c3", "b1", "pass", "pass", "dead c3"):
        position = position.play(min(position.to_move), move)
    scene = position.scene()
    assert len(scene.lines) == 2 * 5 * 4
    assert standing(scene) == {"b1": ("stone", 1), "a2": ("stone", 1), "c3": ("stone", 0)}
    assert [(mark.places, mark.role) for mark in scene.marks] == [(("c3",), "dead")]
    assert [entry.count for entry in scene.panels[0].entries] == [0, 1]


def test_a_scene_of_cradle_says_which_cells_one_piece_covers() -> None:
    scene = playing("cradle", "b1,c1,d1,d2", "e1,f1,e2,f2", "d1,e1,d2,e2").scene()
    bodies = {piece.place: (piece.body, piece.label) for piece in scene.pieces}
    assert bodies["b1"] == (1, "1")
    assert bodies["f1"] == (2, "1")
    assert bodies["d1"] == bodies["e2"] == (3, "2")


def test_a_hand_can_be_chosen_from_by_the_side_to_move() -> None:
    hands = [
        [[(entry.text, entry.name) for entry in panel.entries] for panel in position.scene().panels]
        for position in (
            playing("minishogi", "2e5b", "5a5b"),
            playing("minishogi", "2e5b", "5a5b", "1e1c"),
        )
    ]
    assert hands == [[[], [("B", "")]], [[], [("B", "b*")]]]


def shared_corners(one: Place, other: Place) -> int:
    assert not isinstance(one.shape, float)
    assert not isinstance(other.shape, float)
    return len({*one.shape} & {*other.shape})


@pytest.mark.parametrize("board", [rhombus(4, 4), hexagon(3)])
def test_hexagons_share_an_edge_with_their_neighbours_only(board: HexBoard) -> None:
    places = hexagon_scene(board).places
    for cell, near in enumerate(board.neighbours):
        for other, place in enumerate(places):
            if other != cell:
                assert (shared_corners(places[cell], place) == 2) == (other in near)
                apart = dist(places[cell].centre, place.centre)
                assert (apart < 1.01) == (other in near)


def test_triangles_share_an_edge_with_their_neighbours_only() -> None:
    board = triangle_hexagon(2)
    places = triangle_scene(board).places
    for cell, near in enumerate(board.neighbours):
        for other, place in enumerate(places):
            if other != cell:
                assert (shared_corners(places[cell], place) == 2) == (other in near)
