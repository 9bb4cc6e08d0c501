"""Boards in characters, made of their scenes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbm.games import get_game
from pbm.rules import Game, Position
from pbm.rules.boards.hexagons import rhombus
from pbm.rules.boards.squares import Grid
from pbm.rules.boards.triangles import hexagon
from pbm.rules.drawing.edge_scene import dot_scene, wall_scene, wall_shape
from pbm.rules.drawing.grid_scene import CHEQUERED, grid_scene
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.picture import LAST, seat
from pbm.rules.drawing.point_scene import point_scene
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Scene,
    counters,
    marks_on,
    tally,
)
from pbm.rules.drawing.scene_text import (
    CHEQUERS,
    NUMBERED,
    POINTS,
    TextLayout,
    draw_scene,
    draw_with_panels,
    list_panels,
    sign_of,
)
from pbm.rules.drawing.triangle_scene import triangle_scene

GRID = Grid(3, 2)


def text_of(scene: Scene, layout: TextLayout | None = None) -> list[str]:
    return draw_scene(scene, layout).picture().text.split("\n")


def test_what_is_marked_is_in_brackets_and_what_is_dead_is_small() -> None:
    pieces = Piece("a1", "stone", 0), Piece("b2", "stone", 1), Piece("c1", "gap")
    marks = Mark(("a2",), "last"), Mark(("b2",), "last"), Mark(("a1",), "dead")
    scene = replace(grid_scene(GRID), pieces=pieces, marks=marks)
    assert text_of(scene)[1:3] == ["   2 [.[O]. 2", "   1  x . * 1"]
    rows = draw_scene(scene).picture().rows
    assert ("O", seat(1)) in rows[1]
    assert ("]", LAST) in rows[1]


def test_a_label_makes_a_piece_longer_and_a_higher_piece_covers() -> None:
    pieces = Piece("a1", "die", 0, label="X6"), Piece("b1", "man", 0), Piece("b1", "hit", label="#")
    scene = replace(grid_scene(GRID), pieces=pieces, marks=marks_on(GRID.names, {0}))
    assert text_of(scene, TextLayout(across=4))[2] == "   1 [X6] #   .   1"


def test_empty_squares_show_their_shade_where_the_layout_says_so() -> None:
    scene = grid_scene(GRID, CHEQUERED)
    assert text_of(scene)[1] == "   2  . . . 2"
    assert text_of(scene, CHEQUERS)[1] == "   2  . : . 2"
    camp = grid_scene(GRID, shades=(("home", frozenset({0})), ("star", frozenset({1}))))
    assert text_of(camp)[2] == "   1  : + . 1"


def test_a_number_beside_a_square_gives_way_to_the_bracket() -> None:
    plain = grid_scene(Grid(2, 1), names=("1", "2"))
    labels = tuple(Label(place.name, place.centre) for place in plain.places)
    scene = replace(plain, labels=labels, marks=(Mark(("2",), "last"),))
    assert text_of(scene, NUMBERED) == ["    .1 [.]2"]


def test_hexagons_lean_and_need_no_layout() -> None:
    board = rhombus(2, 2)
    scene = hexagon_scene(board, right=True)
    assert text_of(scene) == ["      a b", "    1  . .  1", "     2  . .  2", "         a b"]
    marked = replace(scene, marks=marks_on(board.names, {3}))
    assert text_of(marked)[2] == "     2  .[.] 2"


def test_triangles_stand_as_close_as_they_lie() -> None:
    board = hexagon(1)
    scene = replace(triangle_scene(board), marks=marks_on(board.names, {0}))
    assert text_of(scene) == [
        "       a b c",
        "    2  . . .  2",
        "    1 [.]. .  1",
        "       a b c",
    ]


def test_lines_join_points_in_all_directions() -> None:
    names, at = ("a1", "b1", "a2", "b2"), ((0, 0), (1, 0), (0, 1), (1, 1))
    scene = point_scene(names, at, ((1, 2, 3), (0,), (0,), (0,)))
    assert text_of(scene, POINTS)[1:4] == ["   2   .   .  2", "       | /", "   1   .---.  1"]


@pytest.mark.parametrize(
    ("pair", "lines"),
    [
        (("a1", "b3"), ["     .  .  .", "       /", "     ./ .  .", "      /", "     .  .  ."]),
        (("a3", "b1"), ["     .  .  .", "      \\", "     . \\.  .", "       \\", "     .  .  ."]),
        (("c2", "a1"), ["     .  .  .", "", "     .  . _.", "       .-'", "     .  .  ."]),
        (("a2", "c1"), ["     .  .  .", "", "     ._ .  .", "       `-.", "     .  .  ."]),
    ],
)
def test_links_are_drawn_as_knights_moves(pair: tuple[str, str], lines: list[str]) -> None:
    scene = replace(grid_scene(Grid(3, 3)), marks=(Mark(pair, "link", 1),), labels=())
    canvas = draw_scene(scene, TextLayout(across=3, down=2))
    assert canvas.picture().text.split("\n") == lines
    assert any(role == seat(1) for row in canvas.picture().rows for _, role in row)


def test_walls_and_lines_stand_between_places() -> None:
    wall, other = "a1h", "b2v"
    pieces = tuple(Piece(name, "wall", shape=wall_shape(3, name)) for name in (wall, other))
    scene = replace(wall_scene(3), pieces=pieces, marks=(Mark((other,), "last"),))
    assert text_of(scene)[1:6] == [
        "    3  .   . # .   3",
        "             #",
        "    2  .   . # .   2",
        "      -------",
        "    1  .   .   .   1",
    ]
    dots = replace(
        dot_scene(Grid(2, 2), ((0, 1), (0, 2))),
        pieces=(Piece("a1-b1", "line"), Piece("a1-a2", "line"), Piece("box a1", "box", 1)),
        marks=(Mark(("a1-b1",), "last"),),
    )
    assert text_of(dots)[1:4] == ["    2  +   +   2", "       | O", "    1  +===+   1"]


def test_what_stands_beside_a_board_is_a_line() -> None:
    colours = ("black", "white")
    panels = (
        tally("pieces", colours, (1, 12)),
        Panel("hand", (Entry("A"), Entry("B")), 1),
        Panel("hand", (), 0),
        Panel("", (Entry("the die shows 3"),)),
    )
    assert list(list_panels(panels, colours)) == [
        "pieces: black 1, white 12",
        "white, hand: A, B",
        "black, hand: -",
        "the die shows 3",
    ]


def test_two_boards_of_one_size_are_not_mistaken_for_each_other() -> None:
    for _ in range(200):  # scenes that are built anew take the place of others in memory
        for letters in ("abc", "xyz"):
            names = tuple(f"{letter}{row}" for row in (1, 2) for letter in letters)
            scene = grid_scene.__wrapped__(GRID, columns=tuple(letters), names=names)
            assert text_of(scene)[0].split() == list(letters)


@dataclass(frozen=True, slots=True)
class Bare(Position):
    """The first position of another game, without a picture of its own."""

    inner: Position

    @property
    def colours(self) -> tuple[str, ...]:
        return self.inner.colours

    @property
    def seat_names(self) -> tuple[str, ...]:
        return self.inner.seat_names

    @property
    def to_move(self) -> frozenset[int]:
        return self.inner.to_move

    @property
    def outcome(self) -> Any:
        return self.inner.outcome

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return self.inner.scene(viewer, last)

    def legal_moves(self, seat: int) -> Sequence[str]:
        return self.inner.legal_moves(seat)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return self.inner.parse(text, seat)

    def apply(self, seat: int, move: str) -> Position:
        return Bare(self.inner.apply(seat, move))

    def resign(self, seat: int) -> Position:
        return Bare(self.inner.resign(seat))

    def dump(self) -> list[Any]:
        return self.inner.dump()


def first(game: Game, options: Mapping[str, Any]) -> Position:
    return Bare(game.setup(2, dict(options)))


def test_a_position_without_a_picture_of_its_own_is_drawn_from_its_scene() -> None:
    position = first(get_game("ataxx"), {"size": 5}).play(0, "b4")
    lines = position.render(None, ("b4",)).split("\n")
    assert lines[2] == "   4  .[X]. . . 4"
    assert lines[7:10] == ["", "   X black   O white", "   pieces: black 3, white 2"]
    assert lines[-1] == "   white to move"
    ended = position.resign(1).render().split("\n")
    assert ended[-1] == "   the game is over: white resigns"


def test_a_scene_without_places_is_a_list_of_what_there_is() -> None:
    assert text_of(Scene()) == [""]


def test_a_game_without_a_board_is_what_stands_beside_it() -> None:
    panels = (tally("sums", ("red", "blue"), (3, 4)),)
    picture = draw_with_panels(Scene(panels=panels), ("red", "blue"), sign_of, "red to move")
    assert picture.text.split("\n") == ["   sums: red 3, blue 4", "   red to move"]


def test_numbers_are_told_where_each_is_one() -> None:
    panels = [
        counters("dice", ("rolled", "actions left"), (1, 1)),
        tally("won", ("a", "b"), (1, 1)),
    ]
    assert list(list_panels(panels, ("a", "b"))) == [
        "dice: rolled 1, actions left 1",
        "won: a 1, b 1",
    ]
