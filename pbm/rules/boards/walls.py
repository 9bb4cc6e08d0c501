"""Square boards with walls two squares long between squares: where walls fit, what they block,
paths to a row.

Squares are bits of an integer, a1 the lowest, row by row. A wall is named by the square at its
lower left: e3h lies above e3 and f3, e3v to the right of e3 and e4. Sets of walls are bits of an
integer too."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pbm.rules.boards.squares import column_name


class WallSet(NamedTuple):
    """The summary of a set of walls.

    above    the squares with a wall above
    right    the squares with a wall to the right
    posts    the corner points that walls and the edge of the board touch
    blocked  the walls that no longer fit
    """

    above: int
    right: int
    posts: int
    blocked: int


class Walls:
    """The walls of a board with `size` rows and columns."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.full = (1 << size * size) - 1
        self.first = sum(1 << size * row for row in range(size))
        """The squares of the first column."""
        self.not_last = self.full & ~(self.first << size - 1)
        places = [(kind, x, y) for y in range(size - 1) for x in range(size - 1) for kind in "hv"]
        number = {place: wall for wall, place in enumerate(places)}
        self.names = tuple(f"{column_name(x)}{y + 1}{kind}" for kind, x, y in places)
        self.number = {name: wall for wall, name in enumerate(self.names)}
        self.edges: tuple[tuple[int, int], ...] = tuple(
            (self._square(x, y) | self._square(x + 1, y), 0)
            if kind == "h"
            else (0, self._square(x, y) | self._square(x, y + 1))
            for kind, x, y in places
        )
        """For each wall what it adds to `above` and to `right`."""
        self.ends = tuple(self._ends(*place) for place in places)
        """For each wall the three corner points that it touches."""
        self.clashes = tuple(
            sum(
                1 << number[other]
                for other in (
                    (kind, x - (kind == "h"), y - (kind == "v")),
                    (kind, x, y),
                    (kind, x + (kind == "h"), y + (kind == "v")),
                    ("v" if kind == "h" else "h", x, y),
                )
                if other in number
            )
            for kind, x, y in places
        )
        """For each wall those that it leaves no room, itself included."""
        wide = size + 1
        self.border = sum(
            1 << wide * y + x
            for y in range(wide)
            for x in range(wide)
            if x in (0, size) or y in (0, size)
        )

    def _square(self, x: int, y: int) -> int:
        return 1 << self.size * y + x

    def _ends(self, kind: str, x: int, y: int) -> int:
        wide, dx, dy = self.size + 1, int(kind == "h"), int(kind == "v")
        return sum(1 << wide * (y + 1 + n * dy) + x + 1 + n * dx for n in (-1, 0, 1))

    def neighbours(self, reach: int, above: int, right: int) -> int:
        """Return the squares one step away from those of `reach`, possibly including these."""
        size = self.size
        return (
            (reach & ~above) << size
            | (reach >> size & ~above)
            | (reach & ~right & self.not_last) << 1
            | (reach >> 1 & ~right & self.not_last)
        ) & self.full

    def reaches(self, start: int, goal: int, above: int, right: int) -> bool:
        """Whether a path leads from `start` to any square of `goal`."""
        reach = start
        while not reach & goal:
            grown = reach | self.neighbours(reach, above, right)
            if grown == reach:
                return False
            reach = grown
        return True

    def way(self, start: int, goal: int, above: int, right: int) -> tuple[int, int]:
        """Return the steps of a shortest path as squares: those left or entered vertically over
        their upper edge, and those over their right edge. There must be a path."""
        layers = [start]
        seen = start
        while not layers[-1] & goal:
            layers.append(self.neighbours(layers[-1], above, right) & ~seen)
            seen |= layers[-1]
        here = layers[-1] & goal
        here &= -here
        over, beside = 0, 0
        for layer in reversed(layers[:-1]):
            size = self.size
            if (there := here << size & layer) and not here & above:
                over |= here
            elif there := here >> size & layer & ~above:
                over |= there
            elif (there := here << 1 & layer & self.not_last << 1) and not here & right:
                beside |= here
            else:
                there = here >> 1 & layer
                beside |= there
            here = there
        return over, beside


@lru_cache(maxsize=16)
def walls_of(size: int) -> Walls:
    """Return the walls of a board of that size."""
    return Walls(size)


@lru_cache(maxsize=4096)
def wall_set(size: int, placed: int) -> WallSet:
    """Return the summary of the walls `placed`."""
    board = walls_of(size)
    above, right, posts, blocked = 0, 0, board.border, 0
    while placed:
        wall = (placed & -placed).bit_length() - 1
        placed &= placed - 1
        over, beside = board.edges[wall]
        above |= over
        right |= beside
        posts |= board.ends[wall]
        blocked |= board.clashes[wall]
    return WallSet(above, right, posts, blocked)
