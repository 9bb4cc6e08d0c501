"""Halma: jump across the board into the opposite camp."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from pbm.rules import Option, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Panel, Region, Scene, both_sides, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.many_sides import SIGNS, ManySides
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase

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
for themselves, and go to the corner opposite. Who resigns takes the pieces
away. Whoever arrives first wins, and the others share the second place.

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
PASSING = "pass"


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
class HalmaPosition(OnSquares, MoveListPosition):
    """A position of Halma; `history` holds the positions since a piece entered a camp."""

    moves_once = True
    form = re.compile(r"([a-z][0-9]{1,2})(?:-?[a-z][0-9]{1,2}){0,40}?-?([a-z][0-9]{1,2})|pass")
    kinds = both_sides("man")
    history: History = ()

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

    @property
    def key(self) -> str:
        return f"{self.board}{self.side}"

    def find_goal(self, side: int) -> frozenset[int]:
        """Return the camp into which a side goes."""
        return camps(self.geometry.width)[1 - side]

    def _ends(self, cell: int) -> set[int]:
        """Return the squares where a move of the piece on a square may end."""
        board, size = self.board, self.geometry.width
        jumps = hops(size)
        targets = {cell}
        frontier = [cell]
        while frontier:
            for over, there in jumps[frontier.pop()]:
                # The square that the piece has left is empty, so it cannot be jumped over either.
                if (
                    board[there] == EMPTY
                    and board[over] != EMPTY
                    and over != cell
                    and there not in targets
                ):
                    targets.add(there)
                    frontier.append(there)
        targets.remove(cell)
        targets.update(there for there in self.geometry.king[cell] if board[there] == EMPTY)
        goal = self.find_goal(self.side)
        return targets & goal if cell in goal else targets

    def list_moves(self) -> list[str]:
        names, own = self.geometry.names, self.stones[self.side]
        moves = [
            f"{names[cell]}-{names[there]}"
            for cell, sign in enumerate(self.board)
            if sign == own
            for there in sorted(self._ends(cell))
        ]
        return moves or [PASSING]

    def canonicalize(self, match: re.Match[str]) -> str:
        return f"{match[1]}-{match[2]}" if match[1] else PASSING

    def find_fault(self, move: str) -> str:
        if move == PASSING:
            return phrase("you can move, so you must")
        source, target = move.split("-")
        if why := self.find_source_fault(source) or self.find_target_fault(target):
            return why
        number = self.geometry.number
        goal = self.find_goal(self.side)
        if number[source] in goal and number[target] not in goal:
            return phrase("a piece in the opposite camp must stay there")
        return phrase(
            "neither a step nor jumps lead from {source} to {target}", source=source, target=target
        )

    def make_move(self, move: str) -> HalmaPosition:
        side, row, own = self.side, list(self.board), self.stones[self.side]
        goal, entered = self.find_goal(side), False
        if move != PASSING:
            source, target = (self.geometry.number[name] for name in move.split("-"))
            row[source], row[target] = EMPTY, own
            entered = target in goal and source not in goal
        board = "".join(row)
        after = self.end_turn(board)
        after = replace(after, history=record_position(self.history, after.key, final=entered))
        camp = [board[cell] for cell in goal]
        if EMPTY not in camp and 2 * camp.count(own) > len(camp):
            return after.win(
                side, phrase("{colour} has filled the opposite camp", colour=self.colour(side))
            )
        if count_repetitions(after.history) >= 3:
            return after.end_in_draw(phrase("the position occurred for the third time"))
        return after

    @property
    def empty_scene(self) -> Scene:
        return camp_scene(self.geometry.width)

    def arrived(self) -> tuple[int, ...]:
        """Return how many pieces each side has in the camp that it goes to."""
        return tuple(
            sum(self.board[cell] == sign for cell in self.find_goal(side))
            for side, sign in enumerate(self.stones)
        )

    def panels(self) -> tuple[Panel, ...]:
        goal = phrase("arrived, of {all}", all=len(self.find_goal(0)))
        return (tally(goal, self.colours, self.arrived()),)


@dataclass(frozen=True, slots=True)
class CrowdedHalma(ManySides, HalmaPosition):
    """A position for four, each for themselves.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = MappingProxyType({sign: ("man", side) for side, sign in enumerate(SIGNS)})
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
