"""Halma: jump across the board into the opposite camp."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import Option, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Panel, Region, Scene, both_sides, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
HALMA, 2 players

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

THE END. You win when the opposite camp is full and most of the pieces in it
are yours, so nobody can stop you by staying at home. When a position occurs
for the third time with the same player to move, the game is drawn. A player
without any other move, which is rare, has to pass: pass. Resigning loses.
"""

ROWS = {8: (4, 3, 2, 1), 10: (5, 4, 3, 2, 1), 16: (5, 5, 4, 3, 2)}
"""For each size the number of squares in each row of a camp, from the edge."""
PASSING = "pass"


@cache
def camps(size: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the squares of the lower left and the upper right camp."""
    low = frozenset(size * row + at for row, many in enumerate(ROWS[size]) for at in range(many))
    return low, frozenset(size * size - 1 - cell for cell in low)


@cache
def hops(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each square the pairs of squares over which and onto which a piece may jump."""
    rays = cached_grid(size, size).rays
    return tuple(tuple((r[0], r[1]) for r in directions if len(r) > 1) for directions in rays)


@cache
def camp_scene(size: int) -> Scene:
    """Return the scene of the empty board."""
    grid, (low, high) = cached_grid(size, size), camps(size)
    squares = grid_scene(grid, shades=(("home", low | high),))
    home = (("lower left", low), ("upper right", high))
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
        goal = camps(size)[1 - self.side]
        return targets & goal if cell in goal else targets

    def list_moves(self) -> list[str]:
        names, own = self.geometry.names, STONES[self.side]
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
        goal = camps(self.geometry.width)[1 - self.side]
        if number[source] in goal and number[target] not in goal:
            return phrase("a piece in the opposite camp must stay there")
        return phrase(
            "neither a step nor jumps lead from {source} to {target}", source=source, target=target
        )

    def make_move(self, move: str) -> HalmaPosition:
        side, size, row = self.side, self.geometry.width, list(self.board)
        goal, entered = camps(size)[1 - side], False
        if move != PASSING:
            source, target = (self.geometry.number[name] for name in move.split("-"))
            row[source], row[target] = EMPTY, STONES[side]
            entered = target in goal and source not in goal
        board = "".join(row)
        after = replace(
            self,
            board=board,
            side=1 - side,
            turn=self.turn + 1,
            history=record_position(self.history, f"{board}{1 - side}", final=entered),
            news=(),
        )
        camp = [board[cell] for cell in goal]
        if EMPTY not in camp and 2 * camp.count(STONES[side]) > len(camp):
            return after.win(
                side, phrase("{colour} has filled the opposite camp", colour=self.colour(side))
            )
        if count_repetitions(after.history) >= 3:
            return after.end_in_draw(phrase("the position occurred for the third time"))
        return after

    @property
    def empty_scene(self) -> Scene:
        return camp_scene(self.geometry.width)

    def arrived(self) -> tuple[int, int]:
        """Return how many pieces each side has in the camp of the other."""
        low, high = camps(self.geometry.width)
        first, second = (
            sum(self.board[cell] == STONES[side] for cell in camp)
            for side, camp in enumerate((high, low))
        )
        return first, second

    def panels(self) -> tuple[Panel, ...]:
        goal = phrase("arrived, of {all}", all=len(camps(self.geometry.width)[0]))
        return (tally(goal, self.colours, self.arrived()),)


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
            "rows and columns; camps of 10, 15 or 19 pieces",
            default="16",
            choices=("8", "10", "16"),
        ),
        family="race",
        length="long",
    ),
)
