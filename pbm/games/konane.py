"""Konane, the checkers of Hawaii: jumps over a board that is full at first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.listed import Listed
from pbm.rules.squares import Grid

HELP = """\
KONANE, 2 players, the checkers of Hawaii

AIM. Be the last who can move.

BOARD. Full at first, black (X) and white (O) like the squares of a chess
board, black on a1.

BEGINNING. Black takes off one black piece: from a corner, or from the four
squares in the middle. Then white takes off one white piece next to the square
that has become empty. Both write the square:
  > a1

MOVES. Then a move is a jump with one of your pieces along its row or column:
over a piece of the other next to it onto the empty square behind, which takes
the piece off. It may go on in the same direction over more such pieces with
an empty square behind each, as far as you like, but never round a corner.
Write from and to (`c1-g1` jumps twice):
  > c1-a1

THE END. Whoever is on the move and has no jump loses. There is no draw.
Resigning loses.

OPTIONS. -size=6, 8 or 10.
"""


@cache
def grid(size: int) -> Grid:
    """The board of that size."""
    return Grid(size, size)


@dataclass(frozen=True, slots=True)
class Konane(Listed):
    """A moment of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})(?:[-x]?([a-z][0-9]{1,2}))?")

    @property
    def surface(self) -> Grid:
        return grid(int(self.options["size"]))

    def _removable(self) -> list[int]:
        """The cells from which a piece may be taken off at the beginning."""
        surface, own = self.surface, STONES[self.side]
        if self.turn == 0:
            size, low = surface.width, surface.width // 2 - 1
            cells = [
                y * size + x for ends in ((0, size - 1), (low, low + 1)) for y in ends for x in ends
            ]
        else:
            cells = list(surface.orthogonal[self.board.index(EMPTY)])
        return sorted(cell for cell in cells if self.board[cell] == own)

    def _jumps(self, cell: int) -> Iterator[int]:
        """The cells to which the piece on a cell can jump."""
        board, other = self.board, STONES[1 - self.side]
        for ray in self.surface.rays[cell][::2]:
            for over, there in zip(ray[::2], ray[1::2], strict=False):
                if board[over] != other or board[there] != EMPTY:
                    break
                yield there

    def every(self) -> list[str]:
        names = self.surface.names
        if self.turn < 2:
            return [names[cell] for cell in self._removable()]
        own = STONES[self.side]
        return [
            f"{names[cell]}-{names[there]}"
            for cell, stone in enumerate(self.board)
            if stone == own
            for there in self._jumps(cell)
        ]

    def spelled(self, found: re.Match[str]) -> str:
        return f"{found[1]}-{found[2]}" if found[2] else found[1]

    def fault(self, move: str) -> str:
        start, _, end = move.partition("-")
        if why := self.foreign(start):
            return why
        if self.turn < 2:
            if end:
                return "at first each side takes off a piece: write its square"
            return "not that one: a corner or the middle" if self.turn == 0 else (
                "not that one: a piece next to the empty square")  # fmt: skip
        if not end:
            return "a jump has two squares, like c1-a1"
        if why := self.taken(end):
            return why
        number = self.surface.number
        here, there = number[start], number[end]
        ray = next((ray for ray in self.surface.rays[here][::2] if there in ray), ())
        if not ray:
            return "a jump goes along a row or a column"
        if ray.index(there) % 2 == 0:
            return "a jump goes over one piece at a time onto the square behind it"
        return "each piece jumped over is the other's, next to it is an empty square"

    def made(self, move: str) -> Konane:
        start, _, end = move.partition("-")
        surface, row = self.surface, list(self.board)
        here = surface.number[start]
        row[here] = EMPTY
        if end:
            there = surface.number[end]
            ray = next(ray for ray in surface.rays[here][::2] if there in ray)
            for cell in ray[: ray.index(there)]:
                row[cell] = EMPTY
            row[there] = STONES[self.side]
        board, side, turn = "".join(row), 1 - self.side, self.turn + 1
        after = replace(self, board=board, side=side, turn=turn, news=())
        return after if after.moves() else after.won(self.side, f"{self.colour(side)} cannot move")

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        self.caption(canvas)
        return canvas.picture()


class KonaneGame(DuelGame):
    """The game."""

    position = Konane
    info = GameInfo(
        name="konane",
        title="Konane",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="jump over the other's pieces; the last to jump wins",
        help=HELP,
        options=(Option("size", "choice", "squares along a side", "8", choices=("6", "8", "10")),),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Konane:
        size = int(options["size"])
        cells = [(row + column) % 2 for row in range(size) for column in range(size)]
        return Konane(options, "".join(STONES[side] for side in cells))


Konane.game = KonaneGame()
GAMES = (Konane.game,)
