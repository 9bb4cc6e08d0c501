"""Games of pieces that multiply to the next cell or jump two cells, and convert the neighbours
there."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.scene import Panel, Scene, both_sides, remark, tally
from pbm.rules.drawing.scene_text import list_panels
from pbm.rules.families.board_positions import OnBoard
from pbm.rules.families.many_sides import ManySides, all_sides
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES
from pbm.rules.phrases import combine, join_phrases, phrase

PAGE = """\
{title}, {players} players

AIM. Have more pieces than your opponent when the board is full.

MOVES. Black (X) begins. Do one of two things with one piece:
  grow: put a new piece on an empty cell next to one of yours.
  jump: move a piece to an empty cell two steps away.
Then all opposing pieces next to that cell turn into yours.
{near}

{crowd}

PASSING. A player who cannot move is skipped, without having to send a mail.

WRITING MOVES. One cell to grow, both cells to jump:
  > {grow}
  > {jump}

THE END. When the board is full, or nobody can move, or one side has no piece
left, more pieces win and equal numbers are a draw. After 100 jumps in a row,
counting both sides, with no new piece among them, the game is drawn.
Resigning loses.
"""
GAP = "#"
IDLE = 100
"""The number of jumps in a row that ends the game."""


class SpreadingBoard:
    """A board: for each cell `near` lists the cells one step away, and `jumps` the moves to those
    two steps away, with their targets."""

    def __init__(self, geometry: Grid | HexBoard) -> None:
        self.geometry = geometry
        around = geometry.king if isinstance(geometry, Grid) else geometry.neighbours
        self.near = around
        names = geometry.names
        self.jumps = tuple(
            tuple((there, f"{names[cell]}-{names[there]}") for there in self._cells_two_away(cell))
            for cell in range(len(geometry))
        )

    def _cells_two_away(self, cell: int) -> list[int]:
        if isinstance(
            self.geometry, Grid
        ):  # also across a gap, and to squares a knight's move away
            rows, columns = range(-2, 3), range(-2, 3)
            steps = [(x, y) for y in rows for x in columns if max(abs(x), abs(y)) == 2]
            targets = (self.geometry.step(cell, x, y) for x, y in steps)
            return [there for there in targets if there is not None]
        two = {there for step in self.near[cell] for there in self.near[step]}
        return sorted(two - {cell, *self.near[cell]})


S = TypeVar("S", bound="SpreadingPosition")


@dataclass(frozen=True, slots=True)
class SpreadingPosition(OnBoard, MoveListPosition):
    """A position of such a game; `idle` counts the jumps since a piece was added."""

    form = re.compile(r"([a-z][0-9]{1,2})(?:-?([a-z][0-9]{1,2}))?")
    kinds = MappingProxyType({**both_sides("disc"), GAP: ("gap", None)})
    idle: int = 0

    @property
    @abstractmethod
    def jump_board(self) -> SpreadingBoard:
        """The board with its jumps."""

    @property
    def geometry(self) -> Grid | HexBoard:
        return self.jump_board.geometry

    def list_moves(self) -> list[str]:
        jump_board, board, own = self.jump_board, self.board, self.stones[self.side]
        grown, jumps = set[int](), list[str]()
        for cell, stone in enumerate(board):
            if stone == own:
                grown.update(jump_board.near[cell])
                jumps += [name for there, name in jump_board.jumps[cell] if board[there] == EMPTY]
        names = jump_board.geometry.names
        return [names[cell] for cell in sorted(grown) if board[cell] == EMPTY] + jumps

    def canonicalize(self, match: re.Match[str]) -> str:
        start, end = match.groups()
        number = self.geometry.number
        if not end or number[end] in self.jump_board.near[number[start]]:
            return end or start
        return f"{start}-{end}"

    def find_fault(self, move: str) -> str:
        start, _, end = move.partition("-")
        if why := self.find_target_fault(end or start):
            return why
        if not end:
            return phrase("none of your pieces is next to it")
        return self.find_source_fault(start) or phrase(
            "{end} is more than two steps away from {start}", end=end, start=start
        )

    def make_move(self, move: str) -> SpreadingPosition:
        start, _, end = move.partition("-")
        own, number = self.stones[self.side], self.geometry.number
        others = self.stones.replace(own, "")
        row = list(self.board)
        if end:
            row[number[start]] = EMPTY
        cell = number[end or start]
        row[cell] = own
        turned = [there for there in self.jump_board.near[cell] if row[there] in others]
        for there in turned:
            row[there] = own
        board, idle = "".join(row), self.idle + 1 if end else 0
        after = replace(self.end_turn(board, idle=idle), news=self.tell_turned(turned))
        if EMPTY not in board or not any(sign in board for sign in others):
            return after._end_by_count()
        if idle >= IDLE:
            return after.end_in_draw(phrase("{idle} jumps in a row", idle=IDLE))
        return after.skip_stuck()

    def skip_stuck(self: S) -> S:
        """Return the position with the next side on the move that can, ended if none can."""
        after, turn, news = self, self.turn, [*self.news]
        for _ in self.playing:
            if after.moves():
                return replace(after, turn=turn, news=tuple(news))
            skipped = after.colour(after.side)
            if after.stones[after.side] in after.board:
                news.append(phrase("{colour} cannot move and is skipped", colour=skipped))
            after = after.end_turn(after.board)
        return self._end_by_count()

    def _end_by_count(self: S) -> S:
        black, white = (self.board.count(stone) for stone in STONES)
        reason = combine(
            "{first} {black}, {second} {white}",
            first=self.colour(0),
            black=black,
            second=self.colour(1),
            white=white,
        )
        return self.end_in_draw(reason) if black == white else self.win(int(white > black), reason)

    @property
    def empty_scene(self) -> Scene:
        geometry = self.geometry
        return grid_scene(geometry) if isinstance(geometry, Grid) else hexagon_scene(geometry)

    def panels(self) -> tuple[Panel, ...]:
        pieces = tally(phrase("pieces"), self.colours, self.counts())
        return (
            pieces,
            *remark(
                phrase("jumps in a row: {count}, a draw at {most}", count=self.idle, most=IDLE)
            ),
        )

    def note(self) -> str:
        pieces, idle = list_panels(self.panels(), self.colours)
        return join_phrases("; ", (pieces, idle)) if self.idle >= IDLE // 2 else pieces


@dataclass(frozen=True, slots=True)
class CrowdedSpreading(ManySides, SpreadingPosition):
    """A position for three or four: every piece of another next to it turns.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = MappingProxyType({**all_sides("disc"), GAP: ("gap", None)})
    count: int = 3
    left: tuple[int, ...] = ()

    def remove(self, seat: int) -> CrowdedSpreading:
        after = ManySides.remove(self, seat)
        is_open = seat == self.side and len(after.playing) > 1
        return after.skip_stuck() if is_open else after

    def _end_by_count(self) -> CrowdedSpreading:
        return self.end_by_counts(self.counts())
