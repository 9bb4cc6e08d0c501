"""Clobber by Albert, Grossman and Nowakowski (2001): every move captures the piece next door."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.listed import Listed
from pbm.rules.squares import Grid

HELP = """\
CLOBBER, 2 players, by Albert, Grossman and Nowakowski (2001)

AIM. Be the last who can move.

BOARD. Full at first, white (X) and black (O) like the squares of a chess
board, white on a1.

MOVES. White begins. One of your pieces goes to a square next to it in its row
or column on which a piece of the other stands; that piece is taken off. No
other moves are allowed. Write from and to:
  > a1-a2
  > a1b1

THE END. Whoever is on the move and has no move loses; with -misere wins.
There is no draw. Resigning loses.

OPTIONS. -columns=2..10 and -rows=2..10, 6 and 5 unless given. -misere.
"""


@cache
def grid(columns: int, rows: int) -> Grid:
    """The board of that size."""
    return Grid(columns, rows)


@dataclass(frozen=True, slots=True)
class Clobber(Listed):
    """A moment of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})[-x]?([a-z][0-9]{1,2})")

    @property
    def surface(self) -> Grid:
        return grid(int(self.options["columns"]), int(self.options["rows"]))

    def every(self) -> list[str]:
        names, near, board = self.surface.names, self.surface.orthogonal, self.board
        own, other = STONES[self.side], STONES[1 - self.side]
        return [
            f"{names[cell]}-{names[there]}"
            for cell, stone in enumerate(board)
            if stone == own
            for there in near[cell]
            if board[there] == other
        ]

    def spelled(self, found: re.Match[str]) -> str:
        return f"{found[1]}-{found[2]}"

    def fault(self, move: str) -> str:
        start, end = move.split("-")
        number = self.surface.number
        if why := self.foreign(start):
            return why
        if number[end] not in self.surface.orthogonal[number[start]]:
            return f"{end} is not next to {start} in its row or column"
        return f"a move captures, and no piece of {self.colour(1 - self.side)} stands on {end}"

    def made(self, move: str) -> Clobber:
        start, end = move.split("-")
        number, row = self.surface.number, list(self.board)
        row[number[start]], row[number[end]] = EMPTY, STONES[self.side]
        board, side, turn = "".join(row), 1 - self.side, self.turn + 1
        return replace(self, board=board, side=side, turn=turn, news=()).or_stuck()

    def or_stuck(self) -> Clobber:
        """The same, or over when the side on the move has no move."""
        if self.moves():
            return self
        winner = self.side if self.options["misere"] else 1 - self.side
        return self.won(winner, f"{self.colour(self.side)} cannot move")

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        self.caption(canvas)
        return canvas.picture()


class ClobberGame(DuelGame):
    """The game."""

    position = Clobber
    info = GameInfo(
        name="clobber",
        title="Clobber",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="capture the piece next door; the last to move wins",
        help=HELP,
        options=(
            Option("columns", "int", "squares in a row", 6, low=2, high=10),
            Option("rows", "int", "rows", 5, low=2, high=10),
            Option("misere", "flag", "whoever cannot move wins"),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Clobber:
        columns, rows = int(options["columns"]), int(options["rows"])
        cells = [(row + column) % 2 for row in range(rows) for column in range(columns)]
        return Clobber(options, "".join(STONES[side] for side in cells))


Clobber.game = ClobberGame()
GAMES = (Clobber.game,)
