"""Games of pieces that multiply next door or jump two steps, and turn over all they come to stand
beside.

It knows no board but the two shapes, and no game but the page that tells what all share."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_drawing import draw
from pbm.rules.drawing.picture import Canvas, Picture
from pbm.rules.families.listed_moves import Listed
from pbm.rules.families.two_player import EMPTY, STONES

PAGE = """\
{title}, 2 players

AIM. Have more pieces than the other when the board is full.

MOVES. Black (X) begins. One of two things with one piece:
  grow: put a new piece on an empty cell next to one of yours; write the cell.
  jump: move a piece to an empty cell two steps away; write both cells.
Then all pieces of the other colour next to the cell turn into yours.
{near}
  > {grow}
  > {jump}

PASSING. Whoever has no move is passed over, without a mail being needed.

THE END. When the board is full, or nobody can move, or one side has no piece
left: more pieces win, as many are a draw. After 100 jumps in a row of both
sides together, with no new piece among them, it is a draw. Resigning loses.

OPTIONS. {options}
"""
GAP = "#"
IDLE = 100
"""So many jumps in a row end the game."""


class Field:
    """A board: `near` and `far` are for each cell those one and two steps away, `jumps` the moves
    to the latter with the cells they go to."""

    def __init__(self, surface: Grid | HexBoard) -> None:
        self.surface = surface
        around = surface.king if isinstance(surface, Grid) else surface.neighbours
        self.near = around
        names = surface.names
        self.jumps = tuple(
            tuple((there, f"{names[cell]}-{names[there]}") for there in self._two_away(cell))
            for cell in range(len(surface))
        )

    def _two_away(self, cell: int) -> list[int]:
        if isinstance(self.surface, Grid):  # also across a gap, and to squares a knight's move away
            rows, columns = range(-2, 3), range(-2, 3)
            steps = [(x, y) for y in rows for x in columns if max(abs(x), abs(y)) == 2]
            found = (self.surface.step(cell, x, y) for x, y in steps)
            return [there for there in found if there is not None]
        two = {there for step in self.near[cell] for there in self.near[step]}
        return sorted(two - {cell, *self.near[cell]})


@dataclass(frozen=True, slots=True)
class Spreading(Listed):
    """A moment of the game; `idle` counts the jumps since a piece was new."""

    form = re.compile(r"([a-z][0-9]{1,2})(?:-?([a-z][0-9]{1,2}))?")
    idle: int = 0

    @property
    @abstractmethod
    def field(self) -> Field:
        """The board with its jumps."""

    @property
    def surface(self) -> Grid | HexBoard:
        return self.field.surface

    def every(self) -> list[str]:
        field, board, own = self.field, self.board, STONES[self.side]
        grown, jumps = set[int](), list[str]()
        for cell, stone in enumerate(board):
            if stone == own:
                grown.update(field.near[cell])
                jumps += [name for there, name in field.jumps[cell] if board[there] == EMPTY]
        names = field.surface.names
        return [names[cell] for cell in sorted(grown) if board[cell] == EMPTY] + jumps

    def spelled(self, found: re.Match[str]) -> str:
        start, end = found.groups()
        number = self.surface.number
        if not end or number[end] in self.field.near[number[start]]:
            return end or start
        return f"{start}-{end}"

    def fault(self, move: str) -> str:
        start, _, end = move.partition("-")
        if why := self.taken(end or start):
            return why
        if not end:
            return "none of your pieces is next to it"
        return self.foreign(start) or f"{end} is more than two steps away from {start}"

    def made(self, move: str) -> Spreading:
        start, _, end = move.partition("-")
        own, other, number = STONES[self.side], STONES[1 - self.side], self.surface.number
        row = list(self.board)
        if end:
            row[number[start]] = EMPTY
        cell = number[end or start]
        row[cell] = own
        for there in self.field.near[cell]:
            if row[there] == other:
                row[there] = own
        board, idle = "".join(row), self.idle + 1 if end else 0
        side, turn = 1 - self.side, self.turn + 1
        after = replace(self, board=board, side=side, turn=turn, idle=idle, news=())
        if EMPTY not in board or other not in board:
            return after._counted()
        if idle >= IDLE:
            return after.drawn(f"{IDLE} jumps in a row")
        if after.moves():
            return after
        again = replace(after, side=self.side)
        if again.moves():
            return replace(again, news=(f"{self.colour(side)} cannot move and is passed over",))
        return after._counted()

    def _counted(self) -> Spreading:
        black, white = (self.board.count(stone) for stone in STONES)
        reason = f"black {black}, white {white}"
        return self.drawn(reason) if black == white else self.won(int(white > black), reason)

    def _drawn_board(self, last: Sequence[str]) -> Canvas:
        surface = self.surface
        if isinstance(surface, Grid):
            return draw(surface, self.board, self.cells_of(last))
        return surface.draw(self.board, self.cells_of(last))

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = self._drawn_board(last)
        black, white = (self.board.count(stone) for stone in STONES)
        note = f"pieces: black {black}, white {white}"
        if self.idle >= IDLE // 2:
            note += f"; {self.idle} jumps in a row, {IDLE} are a draw"
        self.caption(canvas, note=note)
        return canvas.picture()
