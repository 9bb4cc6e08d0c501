"""The Game of the Amazons by Walter Zamkauskas (1988): queens that shoot arrows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import STONE_ROLES, draw
from pbm.rules.listed import Listed
from pbm.rules.squares import Grid

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


@cache
def grid(size: int) -> Grid:
    """The board of that size."""
    return Grid(size, size)


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
class Amazons(Listed):
    """A moment of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})-?([a-z][0-9]{1,2})[/x-]?([a-z][0-9]{1,2})")

    @property
    def surface(self) -> Grid:
        return grid(int(self.options["size"]))

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
        start, end, arrow = found.groups()
        return f"{start}-{end}/{arrow}"

    def fault(self, move: str) -> str:
        start, end, arrow = re.split("[-/]", move)
        if why := self.foreign(start):
            return why
        number, row = self.surface.number, list(self.board)
        row[number[start]] = EMPTY
        for one, other, what in ((start, end, "the amazon"), (end, arrow, "the arrow")):
            here, there = number[one], number[other]
            if row[there] != EMPTY or here == there:
                return f"{what} cannot go to {other}, which is not empty"
            if not any(there in ray for ray in self.surface.rays[here]):
                return f"{what} does not come from {one} to {other} in a straight line"
            if there not in reached(self.surface, row, here):
                return f"something is in the way of {what} from {one} to {other}"
        return "not now"

    def made(self, move: str) -> Amazons:
        start, end, arrow = re.split("[-/]", move)
        number, row = self.surface.number, list(self.board)
        row[number[start]], row[number[end]] = EMPTY, STONES[self.side]
        row[number[arrow]] = ARROW
        board, side, turn = "".join(row), 1 - self.side, self.turn + 1
        after = replace(self, board=board, side=side, turn=turn, news=())
        if after._can_move():
            return after
        return after.won(self.side, f"{self.colour(side)} cannot move")

    def _can_move(self) -> bool:
        """Whether some amazon of the side on the move has an empty square beside it: the arrow can
        always fly to the square that the amazon came from."""
        board, near, own = self.board, self.surface.king, STONES[self.side]
        return any(
            stone == own and any(board[there] == EMPTY for there in near[cell])
            for cell, stone in enumerate(board)
        )

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        roles = {**STONE_ROLES, ARROW: "plain"}
        canvas = draw(self.surface, self.board, self.cells_of(last), roles=roles)
        self.caption(canvas, note="# arrows")
        return canvas.picture()


class AmazonsGame(DuelGame):
    """The game."""

    position = Amazons
    info = GameInfo(
        name="amazons",
        title="Amazons",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="move an amazon, shoot an arrow; the last to move wins",
        help=HELP,
        options=(Option("size", "choice", "squares along a side", "10", choices=("6", "8", "10")),),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Amazons:
        size = int(options["size"])
        row = [EMPTY] * (size * size)
        for name in AMAZONS[size].split():
            cell = grid(size).number[name]
            row[cell], row[-1 - cell] = STONES[0], STONES[1]
        return Amazons(options, "".join(row))


Amazons.game = AmazonsGame()
GAMES = (Amazons.game,)
