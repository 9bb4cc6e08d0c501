"""Halma: jump across the board into the opposite camp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import Option, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Region, Scene, both_sides
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.hopping import HoppingPosition, Jumps
from pbm.rules.families.many_sides import SIGNS, ManySides, all_sides
from pbm.rules.families.repetition import record_position
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game

HELP = """\
HALMA, 2 or 4 players

AIM. Bring your pieces from your camp into the camp in the opposite corner.

MOVES. Black (X) begins, from the lower left corner, White (O) comes from the
upper right. Empty squares of the camps are shown as : on the board. A piece
either steps to one of the eight squares around it, or jumps over a piece next
to it, of either colour, straight or diagonally, onto the empty square right
behind. After a jump the same piece may jump again, as often as you like.
Nothing is captured. A piece that ends a move in the opposite camp stays in
it: it may move on inside, even jump out and back in, but no later move may
end outside.

WRITING MOVES. Where the piece starts and where it ends; the way between does
not matter, and you may leave it out:
  > d2-d3
  > A4C4
  > a3-a5-c5

FOUR PLAYERS. Each has a corner and 13 pieces (10 on ten squares, 6 on eight):
black begins at the lower left, red (O) is at the upper left, white (%) at the
upper right, blue (@) at the lower right, and they move in this order. All are
for themselves, and go to the corner opposite. Whoever resigns takes the
pieces away. Whoever arrives first wins, and the others share the second
place.

THE END. You win when the opposite camp is full and most of the pieces in it
are yours, so nobody can stop you by staying at home. When a position occurs
for the third time with the same player to move, the game is drawn. A player
without any other move, which is rare, has to pass: pass. Resigning loses.
"""

ROWS = {8: (4, 3, 2, 1), 10: (5, 4, 3, 2, 1), 16: (5, 5, 4, 3, 2)}
"""For each size the number of squares in each row of a camp, from the edge."""
CROWDED_ROWS = {8: (3, 2, 1), 10: (4, 3, 2, 1), 16: (4, 4, 3, 2)}
"""The same for four: on sixteen squares with the 13 pieces that George Howard Monks gave each of
four players in 1884; smaller boards in proportion."""


@cache
def camps(size: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the squares of the lower left and the upper right camp."""
    low = frozenset(size * row + at for row, many in enumerate(ROWS[size]) for at in range(many))
    return low, frozenset(size * size - 1 - cell for cell in low)


@cache
def crowded_camps(size: int) -> tuple[frozenset[int], ...]:
    """Return the squares of the four camps, clockwise from the lower left."""
    rows, last = CROWDED_ROWS[size], size - 1
    corner = [(row, at) for row, many in enumerate(rows) for at in range(many)]
    return tuple(
        frozenset(
            size * (last - row if up else row) + (last - at if right else at) for row, at in corner
        )
        for up, right in ((False, False), (True, False), (True, True), (False, True))
    )


@cache
def hops(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each square the pairs of squares over which and onto which a piece may jump."""
    rays = cached_grid(size, size).rays
    return tuple(tuple((r[0], r[1]) for r in directions if len(r) > 1) for directions in rays)


@cache
def camp_scene(size: int, *, is_crowded: bool = False) -> Scene:
    """Return the scene of the empty board."""
    grid, (low, high) = cached_grid(size, size), camps(size)
    home = [("lower left", low), ("upper right", high)]
    if is_crowded:
        names = ("lower left", "upper left", "upper right", "lower right")
        home = [*zip(names, crowded_camps(size), strict=True)]
    all_homes = frozenset[int]().union(*(camp for _, camp in home))
    squares = grid_scene(grid, shades=(("home", all_homes),))
    regions = (
        Region("camp", name, tuple(grid.names[cell] for cell in sorted(camp)))
        for name, camp in home
    )
    return replace(squares, regions=(*squares.regions, *regions))


@dataclass(frozen=True, slots=True)
class HalmaPosition(HoppingPosition, OnSquares):
    """A position of Halma."""

    kinds = both_sides("man")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> HalmaPosition:
        size = int(options["size"])
        low, high = camps(size)
        board = "".join(
            STONES[0] if cell in low else STONES[1] if cell in high else EMPTY
            for cell in range(size * size)
        )
        return cls(options, board, history=record_position((), f"{board}0"))

    @property
    def geometry(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    def find_goal(self, side: int) -> frozenset[int]:
        return camps(self.geometry.width)[1 - side]

    @property
    def jumps(self) -> Jumps:
        return hops(self.geometry.width)

    @property
    def nearby(self) -> Sequence[Sequence[int]]:
        return self.geometry.king

    @property
    def empty_scene(self) -> Scene:
        return camp_scene(self.geometry.width)


@dataclass(frozen=True, slots=True)
class CrowdedHalma(ManySides, HalmaPosition):
    """A position for four, each for themselves.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = all_sides("man")
    count: int = 4
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedHalma:
        size = int(options["size"])
        row = [EMPTY] * size**2
        for side, camp in enumerate(crowded_camps(size)):
            for cell in camp:
                row[cell] = SIGNS[side]
        first = cls(options, "".join(row), count=players)
        return replace(first, history=record_position((), first.key))

    def find_goal(self, side: int) -> frozenset[int]:
        return crowded_camps(self.geometry.width)[(side + 2) % self.count]

    def remove(self, seat: int) -> CrowdedHalma:
        board = self.board.replace(SIGNS[seat], EMPTY)
        return replace(ManySides.remove(self, seat), board=board, history=())

    @property
    def empty_scene(self) -> Scene:
        return camp_scene(self.geometry.width, is_crowded=True)


GAMES = (
    two_player_game(
        HalmaPosition,
        "halma",
        "Halma",
        ("black", "white"),
        "hop across the board into the opposite camp",
        HELP,
        Option(
            "size",
            "choice",
            "rows and columns; camps of 10, 15 or 19 pieces for two",
            default="16",
            choices=("8", "10", "16"),
        ),
        family="race",
        length="long",
        crowd=CrowdedHalma,
        crowds=(("black", "red", "white", "blue"),),
    ),
)
