"""The Game of the Amazons by Walter Zamkauskas (1988): queens that shoot arrows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.rules import Option, Played, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import filled, moved
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.listed_moves import Listed
from pbm.rules.families.two_player import EMPTY, STONES, duel
from pbm.rules.formats import sgf

HELP = """\
AMAZONS, 2 players, by Walter Zamkauskas (1988)

AIM. Be the last who can move.

MOVES. White (X) begins. A move is two things: one of your amazons goes like a
queen of chess, any number of empty squares straight or diagonally; then it
shoots an arrow from where it stands now, which flies the same way and stays
on an empty square of your choice (the one the amazon came from is empty).
Nothing may go onto, over or through amazons or arrows (# in the picture).
Nothing is captured. Write from, to and where the arrow ends:
  > d1-d7/g7
  > d1d7g7

THE END. Whoever is on the move and has no move loses. There is no draw.
Resigning loses.

OPTIONS. -size=10, 8 or 6.
"""
ARROW = "#"
AMAZONS = {10: "a4 d1 g1 j4", 8: "a3 c1 f1 h3", 6: "a2 b1 e1 f2"}
"""Where the amazons of white stand; those of black stand opposite."""


def reached(grid: Grid, board: Sequence[str], cell: int) -> list[int]:
    """The empty cells to which a queen goes from a cell."""
    found = []
    for ray in grid.rays[cell]:
        for there in ray:
            if board[there] != EMPTY:
                break
            found.append(there)
    return found


@dataclass(frozen=True, slots=True)
class Amazons(OnSquares, Listed):
    """A moment of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})-?([a-z][0-9]{1,2})[/x-]?([a-z][0-9]{1,2})")
    remark = "# arrows"

    @classmethod
    def laid_out(cls, options: Mapping[str, Value]) -> Amazons:
        size = int(options["size"])
        row, number = [EMPTY] * size**2, cached_grid(size, size).number
        for cell in (number[name] for name in AMAZONS[size].split()):
            row[cell], row[-1 - cell] = STONES[0], STONES[1]
        return cls(options, "".join(row))

    @classmethod
    def record(cls, played: Played) -> str:
        """The game in SGF, in which who begins is B: three points are a move."""
        first = cls.laid_out(played.options)
        grid, setup = first.surface, sgf.setup_of(first.surface, first.board)
        turns = [
            ("BW"[seat], "".join(sgf.point_on(grid, name) for name in re.split("[-/]", move)))
            for seat, move in played.moves
        ]
        return sgf.sgf(sgf.AMAZONS, grid.width, turns, played, setup=setup)

    def every(self) -> list[str]:
        surface, row, moves = self.surface, list(self.board), list[str]()
        names, own = surface.names, STONES[self.side]
        for cell, stone in enumerate(self.board):
            if stone == own:
                row[cell] = EMPTY
                for there in reached(surface, row, cell):
                    head = f"{names[cell]}-{names[there]}/"
                    moves += [head + names[arrow] for arrow in reached(surface, row, there)]
                row[cell] = stone
        return moves

    def spelled(self, found: re.Match[str]) -> str:
        return f"{found[1]}-{found[2]}/{found[3]}"

    def fault(self, move: str) -> str:
        start, end, arrow = re.split("[-/]", move)
        if why := self.foreign(start):
            return why
        number = self.surface.number
        board = filled(self.board, number[start], EMPTY)
        for one, other, what in ((start, end, "the amazon"), (end, arrow, "the arrow")):
            here, there = number[one], number[other]
            if board[there] != EMPTY or here == there:
                return f"{what} cannot go to {other}, which is not empty"
            if not any(there in ray for ray in self.surface.rays[here]):
                return f"{what} does not come from {one} to {other} in a straight line"
            if there not in reached(self.surface, board, here):
                return f"something is in the way of {what} from {one} to {other}"
        return "not now"

    def made(self, move: str) -> Amazons:
        start, end, arrow = (self.surface.number[name] for name in re.split("[-/]", move))
        after = self.turned(filled(moved(self.board, start, end), arrow, ARROW))
        return after if after._can_move() else after.or_stuck()

    def _can_move(self) -> bool:
        """Whether some amazon of the side on the move has an empty square beside it: the arrow can
        always fly to the square that the amazon came from."""
        board, near, own = self.board, self.surface.king, STONES[self.side]
        return any(
            stone == own and any(board[there] == EMPTY for there in near[cell])
            for cell, stone in enumerate(board)
        )


GAMES = (
    duel(
        Amazons,
        "amazons",
        "Amazons",
        ("white", "black"),
        "move an amazon, shoot an arrow; the last to move wins",
        HELP,
        Option("size", "choice", "squares along a side", "10", choices=("6", "8", "10")),
    ),
)
