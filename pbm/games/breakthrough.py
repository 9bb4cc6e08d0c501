"""Breakthrough: be the first on the other side.

The rules only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.listed import Listed
from pbm.rules.squares import Grid, cached_grid

HELP = """\
BREAKTHROUGH, 2 players, after Dan Troyka

AIM. Bring one of your pieces to the last row on the other side.

MOVES. White (X) begins at the bottom, on rows 1 and 2, black (O) at the top.
A piece moves one square forward, straight or slanting, onto an empty square.
It captures by moving one square forward and slanting, never straight, onto a
piece of the other colour, which leaves the board. Capturing is not
compulsory, there are no chains of captures:
  > a2-a3
  > B2B3
Write both squares; - or x between them may be left out.

OPTIONS. -columns=3..14, -rows=5..14.

ENDING. The first piece on the last row wins, so does capturing all pieces. A
player always has a move, there are no draws. Who resigns loses.
"""

Table = tuple[tuple[tuple[int, bool, str, str], ...], ...]


@cache
def ways(columns: int, rows: int, side: int) -> Table:
    """For each square the steps of a side: target, whether slanting, the move, the capture."""
    grid = cached_grid(columns, rows)
    found = []
    for cell, name in enumerate(grid.names):
        steps = []
        for across in (-1, 0, 1):
            there = grid.step(cell, across, 1 - 2 * side)
            if there is not None:
                to = grid.names[there]
                steps.append((there, across != 0, f"{name}-{to}", f"{name}x{to}"))
        found.append(tuple(steps))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class BreakthroughPosition(Listed):
    """A moment of Breakthrough."""

    form = re.compile(r"([a-z][0-9]{1,2})[-x]?([a-z][0-9]{1,2})")

    @property
    def surface(self) -> Grid:
        return cached_grid(int(self.options["columns"]), int(self.options["rows"]))

    def every(self) -> list[str]:
        board, own, other = self.board, STONES[self.side], STONES[1 - self.side]
        grid = self.surface
        found: list[str] = []
        for cell, steps in enumerate(ways(grid.width, grid.height, self.side)):
            if board[cell] != own:
                continue
            for there, slanting, move, capture in steps:
                sign = board[there]
                if sign == EMPTY:
                    found.append(move)
                elif slanting and sign == other:
                    found.append(capture)
        return found

    def spelled(self, found: re.Match[str]) -> str:
        target = self.board[self.surface.number[found[2]]]
        return f"{found[1]}{'x' if target == STONES[1 - self.side] else '-'}{found[2]}"

    def fault(self, move: str) -> str:
        source, target = re.split("[-x]", move)
        if why := self.foreign(source):
            return why
        grid, forward = self.surface, 1 - 2 * self.side
        rows, columns = (
            a - b for a, b in zip(*(divmod(grid.number[name], grid.width) for name in
                                    (target, source)), strict=True)
        )  # fmt: skip
        if rows != forward or abs(columns) > 1:
            return "a piece moves one square forward, straight or slanting"
        if "x" in move:
            return "a piece captures slanting only"
        return f"your own piece stands on {target}"

    def made(self, move: str) -> BreakthroughPosition:
        grid, side = self.surface, self.side
        source, target = (grid.number[name] for name in re.split("[-x]", move))
        row = list(self.board)
        row[source], row[target] = EMPTY, STONES[side]
        after = replace(self, board="".join(row), side=1 - side, turn=self.turn + 1, news=())
        if target // grid.width == (0 if side else grid.height - 1):
            return after.won(side, f"{self.colour(side)} has broken through")
        if STONES[1 - side] not in after.board:
            return after.won(side, f"{self.colour(side)} has captured all pieces")
        return after

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        self.caption(canvas, note="white goes up, black goes down")
        return canvas.picture()


class Breakthrough(DuelGame):
    """The game."""

    position = BreakthroughPosition
    info = GameInfo(
        name="breakthrough",
        title="Breakthrough",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="be the first to reach the other side",
        help=HELP,
        options=(
            Option("columns", "int", "width of the board", default=8, low=3, high=14),
            Option("rows", "int", "height of the board", default=8, low=5, high=14),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> BreakthroughPosition:
        columns, rows = int(options["columns"]), int(options["rows"])
        middle = EMPTY * (columns * (rows - 4))
        board = STONES[0] * (2 * columns) + middle + STONES[1] * (2 * columns)
        return BreakthroughPosition(options, board)


BreakthroughPosition.game = Breakthrough()
GAMES = (BreakthroughPosition.game,)
