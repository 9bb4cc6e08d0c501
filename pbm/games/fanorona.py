"""Fanorona, the game of Madagascar: capture whole lines by moving toward them or away from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import AmbiguousMove, Option, Value
from pbm.rules.boards.squares import KING, Grid
from pbm.rules.drawing.grid_scene import CROSSINGS, grid_scene
from pbm.rules.drawing.scene import Panel, Scene, marks_on, tally
from pbm.rules.drawing.scene_text import POINTS
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
FANORONA, 2 players, the game of Madagascar

AIM. Capture all of your opponent's pieces.

MOVES. White (X) begins. A piece moves along a line to the next point, if it
is empty. From every second point, such as a1, lines lead in all eight
directions, from the others only in four, as the picture shows.

CAPTURING. A step toward an opposing piece (it stands next on the same line),
or away from one (it stood right behind), captures it and all further opposing
pieces beyond it in an unbroken line. One or the other, never both at once. If
you can capture you must. After a capture the same piece may go on as long as
it captures again, but not to a point where it was in this turn, and not twice
running in the same direction. You may stop whenever you like. If you cannot
capture, move one piece one step.

WRITING MOVES. From, to, and `a` for going toward them (approach) or `w` for
going away (withdrawal); you may leave out the letter if only one of the two
captures. A list of steps ends your turn where it ends. Step by step, end with
`done`:
  > d3-e3a
  > c4-c3a, c3-d3w

THE END. A player without a piece loses; so does a player who cannot move.
After 100 turns in a row, counting both sides, without a capture the game is
drawn; a draw can also be claimed when a position occurs for the third time.
Resigning loses.

KNOWN. On the usual board the game is a draw with best play (Maarten Schadd
and others, 2008).
"""
DONE = "done"
IDLE = 100
"""The number of turns without a capture after which the game is drawn."""


class FanoronaBoard(Grid):
    """A board; `steps` lists for each point (direction, neighbouring point)."""

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
def lines(size: str) -> FanoronaBoard:
    """Return the board of that size."""
    width, height = size.split("x")
    return FanoronaBoard(int(width), int(height))


@cache
def line_scene(size: str) -> Scene:
    """Return the scene of the empty board."""
    board = lines(size)
    pairs = (
        (board.names[point], board.names[there])
        for point, steps in enumerate(board.steps)
        for _, there in steps
        if there > point
    )
    return replace(grid_scene(board, CROSSINGS), lines=tuple(pairs))


@dataclass(frozen=True, slots=True)
class Fanorona(OnSquares, MoveListPosition):
    """A position of the game.

    visited  while a capture may go on: the points where the piece has been, the present one last
    way      the direction of its last step
    idle     the turns since the last capture
    """

    form = re.compile(rf"{DONE}|([a-z][0-9])-?([a-z][0-9])([aw])?")
    visited: tuple[int, ...] = ()
    way: int = -1
    idle: int = 0

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Fanorona:
        geometry = lines(str(options["size"]))
        half, rows = geometry.width // 2, geometry.height // 2
        left = "".join("OX"[n % 2] for n in range(half))
        right = "".join(STONES[1 - STONES.index(stone)] for stone in reversed(left))
        below, above = (stone * geometry.width * rows for stone in STONES)
        return cls(options, f"{below}{left}{EMPTY}{right}{above}")

    layout = POINTS

    @property
    def geometry(self) -> FanoronaBoard:
        return lines(str(self.options["size"]))

    @property
    def key(self) -> str | None:
        return None if self.visited else f"{self.side}{self.board}"

    def duty(self, seat: int) -> str:
        """Return that there is something to capture."""
        must = not self.visited and self.moves()[0][-1] in "aw"
        return phrase("you must capture") if must else ""

    def _captures(self, point: int) -> list[str]:
        geometry, board, other = self.geometry, self.board, STONES[1 - self.side]
        names, rays, moves = geometry.names, geometry.rays, []
        for way, there in geometry.steps[point]:
            if board[there] != EMPTY or way == self.way or there in self.visited:
                continue
            ahead, behind = rays[there][way], rays[point][way ^ 4]
            if ahead and board[ahead[0]] == other:
                moves.append(f"{names[point]}-{names[there]}a")
            if behind and board[behind[0]] == other:
                moves.append(f"{names[point]}-{names[there]}w")
        return moves

    def list_moves(self) -> list[str]:
        if self.visited:
            return [*self._captures(self.visited[-1]), DONE]
        own, board = STONES[self.side], self.board
        points = [point for point, stone in enumerate(board) if stone == own]
        captures = [move for point in points for move in self._captures(point)]
        if captures:
            return captures
        names, steps = self.geometry.names, self.geometry.steps
        return [
            f"{names[point]}-{names[there]}"
            for point in points
            for _, there in steps[point]
            if board[there] == EMPTY
        ]

    def canonicalize(self, match: re.Match[str]) -> str:
        if match[0] == DONE:
            return DONE
        move = f"{match[1]}-{match[2]}"
        if match[3]:
            return move + match[3]
        choices = [one for one in self.moves() if one in (move + "a", move + "w")]
        if len(choices) > 1:
            raise AmbiguousMove(
                phrase(
                    "{move} could capture both ways: {choice} or {other_choice}",
                    move=move,
                    choice=choices[0],
                    other_choice=choices[1],
                )
            )
        return choices[0] if choices else move

    def find_fault(self, move: str) -> str:
        if move == DONE:
            return phrase("there is no capture to end")
        start, end = move.rstrip("aw").split("-")
        geometry, number = self.geometry, self.geometry.number
        here, there = number[start], number[end]
        if why := self.find_source_fault(start) or self.find_target_fault(end):
            return why
        way = next((way for way, point in geometry.steps[here] if point == there), None)
        if way is None:
            return phrase("no line joins {start} to {end} in one step", start=start, end=end)
        if self.visited:
            if here != self.visited[-1]:
                return phrase(
                    "only the piece on {name} can go on, or done",
                    name=geometry.names[self.visited[-1]],
                )
            if there in self.visited:
                return phrase("it was on {end} in this turn", end=end)
            if way == self.way:
                return phrase("not twice running in the same direction")
            return phrase("going on, each step captures, and this one does not")
        if any(one[-1] in "aw" for one in self.moves()):
            return phrase("you must capture, for example {example}", example=self.example)
        return phrase("that captures nothing")

    def make_move(self, move: str) -> Fanorona:
        if move == DONE:
            return self._end_turn()
        start, end = move.rstrip("aw").split("-")
        geometry, row, taken = self.geometry, list(self.board), list[int]()
        here, there = geometry.number[start], geometry.number[end]
        row[there], row[here] = row[here], EMPTY
        if move[-1] not in "aw":
            return replace(self, board="".join(row), idle=self.idle + 1, news=())._end_turn()
        way = next(way for way, point in geometry.steps[here] if point == there)
        for cell in geometry.rays[there][way] if move[-1] == "a" else geometry.rays[here][way ^ 4]:
            if row[cell] != STONES[1 - self.side]:
                break
            row[cell] = EMPTY
            taken.append(cell)
        visited, news = (*(self.visited or (here,)), there), self.tell_captured(taken)
        after = replace(self, board="".join(row), visited=visited, way=way, idle=0, news=news)
        if STONES[1 - self.side] in row and len(after.moves()) > 1:
            return after
        return after._end_turn(news)

    def _end_turn(self, news: tuple[str, ...] = ()) -> Fanorona:
        side, turn = 1 - self.side, self.turn + 1
        after = replace(self, side=side, turn=turn, visited=(), way=-1, news=news)
        if STONES[side] not in after.board:
            return after.win(
                1 - side, phrase("{colour} has no piece left", colour=self.colour(side))
            )
        if not after.moves():
            return after.win(1 - side, phrase("{colour} cannot move", colour=self.colour(side)))
        return (
            after.end_in_draw(phrase("{idle} turns without a capture", idle=IDLE))
            if self.idle >= IDLE
            else after
        )

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move, rest = MoveListPosition.parse(self, text, seat)
        if not rest and move != DONE and seat in self.to_move:
            after = self.advance(move)
            if after.visited:
                return move, DONE  # a list of steps that ends here ends the turn
        return move, rest

    @property
    def empty_scene(self) -> Scene:
        return line_scene(str(self.options["size"]))

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("pieces"), self.colours, self.counts()),)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        scene = OnSquares.scene(self, viewer, last)
        active = marks_on(self.geometry.names, self.visited[-1:], "active")
        return replace(scene, marks=scene.marks + active)

    def note(self) -> str:
        if self.visited:
            here = self.geometry.names[self.visited[-1]]
            return phrase("the piece on {here} may go on", here=here)
        return OnSquares.note(self)


GAMES = (
    two_player_game(
        Fanorona,
        "fanorona",
        "Fanorona",
        ("white", "black"),
        "capture whole lines by approaching or leaving them",
        HELP,
        Option(
            "size",
            "choice",
            "points: fanorontsivy, fanorondimy or fanorontelo",
            "9x5",
            choices=("9x5", "5x5", "3x3"),
        ),
        family="capture",
    ),
)
