"""Fanorona, the game of Madagascar: capture whole lines by going up to them or away from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import AmbiguousMove, Canvas, Option, Picture, Value
from pbm.rules.boards.squares import KING, Grid
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.families.listed_moves import Listed
from pbm.rules.families.two_player import EMPTY, STONES, duel

HELP = """\
FANORONA, 2 players, the game of Madagascar

AIM. Capture all pieces of the other.

MOVES. White (X) begins. A piece goes along a line to the next point, if it is
empty. From every second point, as a1, lines go in all eight directions, from
the others only in four, as the picture shows.

CAPTURING. A step that leads up to a piece of the other (it stands next on the
same line), or away from one (it stood behind), captures it and all further
pieces of the other behind it in unbroken line. Write from, to and `a` for
going up to (approach) or `w` for away (withdrawal); the letter may be left
out where only one of them captures. One or the other, never both at once.
  > d3-e3a
If you can capture you must. After a capture the same piece may go on, as
often as it captures again, but not to a point where it was in this turn, and
not twice running in the same direction. You may stop whenever you like: a
list that ends there ends your turn. (Step by step, say `done`.)
  > c4-c3a, c3-d3w
If you cannot capture, you move one piece one step.

THE END. Whoever has no piece left loses; so does whoever is on the move and
has no move. After 100 turns in a row of both sides together without a capture
it is a draw; a position that comes for the third time may be claimed as one.
Resigning loses.

OPTIONS. -size=9x5 (fanorontsivy), 5x5 (fanorondimy) or 3x3 (fanorontelo).
"""
DONE = "done"
IDLE = 100
"""After so many turns without a capture it is a draw."""


class Lines(Grid):
    """A board: `steps` are for each point (direction, point it leads to)."""

    def __init__(self, width: int, height: int) -> None:
        Grid.__init__(self, width, height)
        self.ways = range(len(KING))
        self.steps = tuple(
            tuple(
                (way, ray[0])
                for way, ray in enumerate(rays)
                if ray and (way % 2 == 0 or sum(divmod(point, width)) % 2 == 0)
            )
            for point, rays in enumerate(self.rays)
        )


@cache
def lines(size: str) -> Lines:
    """The board of that size."""
    width, height = size.split("x")
    return Lines(int(width), int(height))


@dataclass(frozen=True, slots=True)
class Fanorona(Listed):
    """A moment of the game.

    been  while a capture may go on: the points where the piece was, where it stands now last
    way   the direction of its last step
    idle  the turns since something was captured
    """

    form = re.compile(rf"{DONE}|([a-z][0-9])-?([a-z][0-9])([aw])?")
    been: tuple[int, ...] = ()
    way: int = -1
    idle: int = 0

    @classmethod
    def laid_out(cls, options: Mapping[str, Value]) -> Fanorona:
        surface = lines(str(options["size"]))
        half, rows = surface.width // 2, surface.height // 2
        left = "".join("OX"[n % 2] for n in range(half))
        right = "".join(STONES[1 - STONES.index(stone)] for stone in reversed(left))
        below, above = (stone * surface.width * rows for stone in STONES)
        return cls(options, f"{below}{left}{EMPTY}{right}{above}")

    @property
    def surface(self) -> Lines:
        return lines(str(self.options["size"]))

    @property
    def key(self) -> str | None:
        return None if self.been else f"{self.side}{self.board}"

    def _captures(self, point: int) -> list[str]:
        """The capturing steps of the piece on a point."""
        surface, board, other = self.surface, self.board, STONES[1 - self.side]
        names, rays, found = surface.names, surface.rays, []
        for way, there in surface.steps[point]:
            if board[there] != EMPTY or way == self.way or there in self.been:
                continue
            ahead, behind = rays[there][way], rays[point][way ^ 4]
            if ahead and board[ahead[0]] == other:
                found.append(f"{names[point]}-{names[there]}a")
            if behind and board[behind[0]] == other:
                found.append(f"{names[point]}-{names[there]}w")
        return found

    def every(self) -> list[str]:
        if self.been:
            return [*self._captures(self.been[-1]), DONE]
        own, board = STONES[self.side], self.board
        points = [point for point, stone in enumerate(board) if stone == own]
        captures = [move for point in points for move in self._captures(point)]
        if captures:
            return captures
        names, steps = self.surface.names, self.surface.steps
        return [
            f"{names[point]}-{names[there]}"
            for point in points
            for _, there in steps[point]
            if board[there] == EMPTY
        ]

    def spelled(self, found: re.Match[str]) -> str:
        if found[0] == DONE:
            return DONE
        move = f"{found[1]}-{found[2]}"
        if found[3]:
            return move + found[3]
        choices = [one for one in self.moves() if one in (move + "a", move + "w")]
        if len(choices) > 1:
            raise AmbiguousMove(f"{move} could capture both ways: {choices[0]} or {choices[1]}")
        return choices[0] if choices else move

    def fault(self, move: str) -> str:
        if move == DONE:
            return "there is no capture to end"
        start, end = move.rstrip("aw").split("-")
        surface, number = self.surface, self.surface.number
        here, there = number[start], number[end]
        if why := self.foreign(start) or self.taken(end):
            return why
        way = next((way for way, point in surface.steps[here] if point == there), None)
        if way is None:
            return f"no line joins {start} to {end} in one step"
        if self.been:
            if here != self.been[-1]:
                return f"only the piece on {surface.names[self.been[-1]]} can go on, or done"
            if there in self.been:
                return f"it was on {end} in this turn"
            if way == self.way:
                return "not twice running in the same direction"
            return "going on, each step captures, and this one does not"
        if any(one[-1] in "aw" for one in self.moves()):
            return f"you can capture, so you must, as by {self.example}"
        return "that captures nothing"

    def made(self, move: str) -> Fanorona:
        if move == DONE:
            return self._turn_over()
        start, end = move.rstrip("aw").split("-")
        surface, row = self.surface, list(self.board)
        here, there = surface.number[start], surface.number[end]
        row[there], row[here] = row[here], EMPTY
        if move[-1] not in "aw":
            return replace(self, board="".join(row), idle=self.idle + 1, news=())._turn_over()
        way = next(way for way, point in surface.steps[here] if point == there)
        for cell in surface.rays[there][way] if move[-1] == "a" else surface.rays[here][way ^ 4]:
            if row[cell] != STONES[1 - self.side]:
                break
            row[cell] = EMPTY
        been = (*(self.been or (here,)), there)
        after = replace(self, board="".join(row), been=been, way=way, idle=0, news=())
        if STONES[1 - self.side] in row and len(after.moves()) > 1:
            return after
        return after._turn_over()

    def _turn_over(self) -> Fanorona:
        side, turn = 1 - self.side, self.turn + 1
        after = replace(self, side=side, turn=turn, been=(), way=-1, news=())
        if STONES[side] not in after.board:
            return after.won(1 - side, f"{self.colour(side)} has no piece left")
        if not after.moves():
            return after.won(1 - side, f"{self.colour(side)} cannot move")
        return after.drawn(f"{IDLE} turns without a capture") if self.idle >= IDLE else after

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move, rest = Listed.parse(self, text, seat)
        if not rest and move != DONE and seat in self.to_move:
            after = self.after(move)
            if after.been:
                return move, DONE  # a list of steps that ends here ends the turn
        return move, rest

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas, surface, marked = Canvas(), self.surface, self.cells_of(last)
        high = surface.height - 1
        for point in range(len(surface)):
            row, column = divmod(point, surface.width)
            line, at = 1 + 2 * (high - row), 7 + 4 * column
            for way, _ in surface.steps[point]:
                across, up = KING[way]
                if up > 0:
                    canvas.put(line - 1, at + 2 * across, "|/\\"[across])
                elif across > 0 and not up:
                    canvas.put(line, at + 1, "---")
            canvas.put(line, 3, str(row + 1), LABEL)
            canvas.put(line, 6 + 4 * surface.width, str(row + 1), LABEL)
            for label in (0, 2 * high + 2):
                canvas.put(label, at, surface.names[column][0], LABEL)
        for point, stone in enumerate(self.board):
            row, column = divmod(point, surface.width)
            line, at = 1 + 2 * (high - row), 7 + 4 * column
            if point in marked:
                canvas.put(line, at - 1, f"[{stone}]", LAST)
            else:
                role = seat_role(STONES.index(stone)) if stone in STONES else PLAIN
                canvas.put(line, at, stone, role)
        going = f"the piece on {surface.names[self.been[-1]]} may go on" if self.been else ""
        white, black = (self.board.count(stone) for stone in STONES)
        self.caption(canvas, note=going or f"pieces: white {white}, black {black}")
        return canvas.picture()


GAMES = (
    duel(
        Fanorona,
        "fanorona",
        "Fanorona",
        ("white", "black"),
        "capture lines by going up to them or away from them",
        HELP,
        Option("size", "choice", "points", "9x5", choices=("9x5", "5x5", "3x3")),
    ),
)
