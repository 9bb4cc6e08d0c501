"""Stern-Halma, the star of 1892 that is sold as Chinese Checkers: jump into the point opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from pbm.rules import Value
from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.scene import Region, Scene, both_sides
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.hopping import HoppingPosition, Jumps
from pbm.rules.families.many_sides import SIGNS, ManySides, all_sides
from pbm.rules.families.repetition import record_position
from pbm.rules.families.two_player import EMPTY, two_player_game

HELP = """\
STERN-HALMA, 2 to 6 players, also known as Chinese Checkers

AIM. Bring your ten men from your point of the star into the point opposite.

MOVES. Black (X) begins, and the turn goes round with the clock. A man either
steps to one of the six cells around it, or jumps over a man next to it,
whoever has it, in a straight line onto the empty cell right behind. After a
jump the same man may jump again, as often as you like. Nothing is captured. A
man may jump through any point, but no move ends in one that is neither yours
nor your goal. A man that ends a move in your goal stays in it.

WHERE. Rows are a to q from the bottom, and each is counted from the left. Two
begin at the bottom and at the top; three in every other point; four in all
but the lowest and the highest; five in all but the one at the lower right;
six in all. All are for themselves. Whoever resigns takes the men away.

WRITING MOVES. Where the man starts and where it ends; the way between does
not matter, and you may leave it out:
  > d2-e6
  > d1e5

THE END. You win when your goal is full and most of the men in it are yours,
so that nobody can stop you by staying at home; the others share the second
place. When a position occurs for the third time with the same player to move,
the game is drawn. A player without any other move has to pass: pass.
Resigning loses.
"""
REACH = 4
"""The rows of a point."""
ROWS = "qponmlkjihgfedcba"
POINTS = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (1, 2, 4, 5),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
"""The points of the star in which the players begin, by their number, clockwise from the lowest; as
printed with the game."""
COLOURS = ("black", "white", "red", "blue", "green", "yellow")


@cache
def star() -> HexBoard:
    """Return the 121 cells: two triangles, one on its head. In a row the names count from the
    left."""
    span = range(4 * REACH + 1)
    places = {(column, row): _measure(column, row) for row in span for column in span}
    cells = [cell for cell, place in places.items() if max(place) <= REACH or min(place) >= -REACH]
    firsts = {row: min(column for column, there in cells if there == row) for row in span}
    return HexBoard(cells, 1, lambda column, row: f"{ROWS[row]}{column - firsts[row] + 1}")


def _measure(column: int, row: int) -> tuple[int, int, int]:
    """Return the distance of a cell from the middle, along each of the three axes."""
    right, down = column - 2 * REACH, row - 2 * REACH
    return right, down, -right - down


@cache
def points() -> tuple[frozenset[int], ...]:
    """Return the cells of the six points, clockwise from the lowest."""
    cells = [_measure(*cell) for cell in star().cells]
    tests = ((1, 1), (0, -1), (2, 1), (1, -1), (0, 1), (2, -1))
    return tuple(
        frozenset(cell for cell, place in enumerate(cells) if place[axis] * way > REACH)
        for axis, way in tests
    )


@cache
def hops() -> Jumps:
    """Return the jumps from each cell."""
    return tuple(tuple((ray[0], ray[1]) for ray in six if len(ray) > 1) for six in star().rays)


@cache
def star_scene() -> Scene:
    """Return the scene of the empty board."""
    board = star()
    scene = hexagon_scene(board, tuple(ROWS), ("",) * 99)
    names = ("lowest", "lower left", "upper left", "highest", "upper right", "lower right")
    regions = (
        Region("point", name, tuple(board.names[cell] for cell in sorted(point)))
        for name, point in zip(names, points(), strict=True)
    )
    return replace(scene, regions=(*scene.regions, *regions))


S = TypeVar("S", bound="Star")


@dataclass(frozen=True, slots=True)
class Star(HoppingPosition, OnHexagons):
    """A position of the game."""

    kinds = both_sides("man")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Star:
        return cls(options, EMPTY * len(star()))._fill()

    def _fill(self: S) -> S:
        """Return the position with the men of all sides at home."""
        row = [*self.board]
        for side, sign in enumerate(self.stones):
            for cell in points()[POINTS[self.players][side]]:
                row[cell] = sign
        filled = replace(self, board="".join(row))
        return replace(filled, history=record_position((), filled.key))

    @property
    def geometry(self) -> HexBoard:
        return star()

    @property
    def jumps(self) -> Jumps:
        return hops()

    @property
    def nearby(self) -> Sequence[Sequence[int]]:
        return star().neighbours

    def find_goal(self, side: int) -> frozenset[int]:
        return points()[(POINTS[self.players][side] + 3) % len(points())]

    def find_barred(self, side: int) -> frozenset[int]:
        own = POINTS[self.players][side]
        others = (point for at, point in enumerate(points()) if at % 3 != own % 3)
        return frozenset[int]().union(*others)

    @property
    def empty_scene(self) -> Scene:
        return star_scene()


@dataclass(frozen=True, slots=True)
class CrowdedStar(ManySides, Star):
    """A position for three to six.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = all_sides("man")
    count: int = 6
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedStar:
        return cls(options, EMPTY * len(star()), count=players)._fill()

    def remove(self, seat: int) -> CrowdedStar:
        board = self.board.replace(SIGNS[seat], EMPTY)
        return replace(ManySides.remove(self, seat), board=board, history=())


GAMES = (
    two_player_game(
        Star,
        "sternhalma",
        "Stern-Halma",
        ("black", "white"),
        "jump across the star into the point opposite",
        HELP,
        aliases=("chinesecheckers", "starhalma"),
        family="race",
        length="long",
        crowd=CrowdedStar,
        crowds=[COLOURS[:players] for players in range(3, 7)],
    ),
)
