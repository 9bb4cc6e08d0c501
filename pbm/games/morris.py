"""Nine men's morris, with its smaller and larger relatives: close mills, capture men."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from pbm.rules import AmbiguousMove, Option, Value
from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.point_scene import point_scene
from pbm.rules.drawing.scene import Panel, Scene, both_sides, tally
from pbm.rules.drawing.scene_text import POINTS
from pbm.rules.families.board_positions import OnBoard
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing

HELP = """\
NINE MEN'S MORRIS, 2 players

AIM. Capture men until your opponent has only two left, or cannot move.

MOVES. White (X) begins. First the players take turns putting their nine men
on empty points. When all are on the board, a man moves along a line to the
next point, if it is empty. A player with only three men left may move one of
them to any empty point (it flies).

MILLS. Three of your men in a straight row along a line are a mill. When you
close one, by putting or moving a man, you capture one opposing man, but none
in a mill unless all of them are. Two mills closed at once capture one man.

WRITING MOVES. The point, or from and to; after an x the man you capture, or
else you are asked which:
  > d6
  > d6-d5
  > d6-d5xg7

THE END. A player with fewer than three men, in hand and on the board
together, loses; so does a player who cannot move. The game is drawn after 100
moves in a row, counting both sides, without a man put or captured, and when
all men are on the board and it is full. A draw can also be claimed when a
position occurs for the third time. Resigning loses.

KNOWN. With nine men and best play the game is a draw (Ralph Gasser, 1993).
"""
IDLE = 100
"""The number of moves without a man put or captured after which the game is drawn."""


class MorrisBoard:
    """The points of `rings` nested squares, joined in the middle of their sides and, with
    `diagonals`, at their corners."""

    def __init__(self, rings: int, diagonals: bool) -> None:
        middle = rings
        corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
        sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
        reach = range(1, rings + 1)
        rows = [
            tuple((k * x + j * k * (x == 0), k * y + j * k * (y == 0)) for j in (-1, 0, 1))
            for k in reach
            for x, y in sides
        ]
        rows += [
            tuple((k * x, k * y) for k in reach)
            for x, y in (*sides, *(corners if diagonals else ()))
        ]
        places = sorted({place for row in rows for place in row}, key=lambda p: (p[1], p[0]))
        self.places = [(x + middle, y + middle) for x, y in places]
        """(column, row) of each point, row 0 at the bottom."""
        self.names = tuple(f"{column_name(x)}{y + 1}" for x, y in self.places)
        self.number = {name: point for point, name in enumerate(self.names)}
        point_at = {place: point for point, place in enumerate(places)}
        lines = [[point_at[place] for place in row] for row in rows]
        self.near: list[list[int]] = [[] for _ in places]
        self.mills: list[list[tuple[int, int]]] = [[] for _ in places]
        """For each point the other two points of each row of three through it."""
        for line in lines:
            for one, other in pairwise(line):
                self.near[one].append(other)
                self.near[other].append(one)
            for point in line if len(line) == 3 else ():
                one, other = (n for n in line if n != point)
                self.mills[point].append((one, other))


LINES = {6: (2, False), 9: (3, False), 12: (3, True)}


@cache
def lines(men: int) -> MorrisBoard:
    """Return the board for that many men of each side."""
    return MorrisBoard(*LINES[men])


@dataclass(frozen=True, slots=True)
class Morris(OnBoard, MoveListPosition):
    """A position of the game; `hand` counts the men still to be put, `idle` the moves since one was
    put or captured."""

    form = re.compile(r"([a-z][0-9])(?:-?([a-z][0-9]))?(?:x([a-z][0-9]))?")
    kinds = both_sides("man")
    layout = POINTS
    hand: tuple[int, ...] = (0, 0)
    idle: int = 0

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Morris:
        men = int(options["men"])
        return cls(options, EMPTY * len(lines(men).names), hand=(men, men))

    @property
    def geometry(self) -> MorrisBoard:
        return lines(int(self.options["men"]))

    @property
    def key(self) -> str | None:
        return f"{self.side}{self.board}{self.hand}"

    def _flies(self) -> bool:
        return not self.options["nofly"] and self.board.count(STONES[self.side]) == 3

    def _closes(self, start: int, end: int) -> bool:
        """Whether a man coming from `start` (-1: from the hand) to `end` closes a mill."""
        board, own = self.board, STONES[self.side]
        return any(
            board[a] == own and board[b] == own and a != start and b != start
            for a, b in self.geometry.mills[end]
        )

    def _captures(self) -> list[str]:
        """Return the endings of moves that close a mill: one for each man that may be captured."""
        board, other, geometry = self.board, STONES[1 - self.side], self.geometry
        men = [point for point, stone in enumerate(board) if stone == other]
        loose = [
            point
            for point in men
            if not any(board[a] == other and board[b] == other for a, b in geometry.mills[point])
        ]
        return [f"x{geometry.names[point]}" for point in loose or men]

    def list_moves(self) -> list[str]:
        geometry, board, takings = self.geometry, self.board, self._captures()
        names, own = geometry.names, STONES[self.side]
        empty = [point for point, stone in enumerate(board) if stone == EMPTY]
        if self.hand[self.side]:
            steps = [(-1, point, names[point]) for point in empty]
        else:
            flies = self._flies()
            steps = [
                (start, end, f"{names[start]}-{names[end]}")
                for start, stone in enumerate(board)
                if stone == own
                for end in (empty if flies else geometry.near[start])
                if board[end] == EMPTY
            ]
        moves: list[str] = []
        for start, end, move in steps:
            moves += [move + x for x in takings] if self._closes(start, end) else [move]
        return moves

    def canonicalize(self, match: re.Match[str]) -> str:
        start, end, taken = match.groups()
        move = f"{start}-{end}" if end else start
        if taken:
            return f"{move}x{taken}"
        choices = [one for one in self.moves() if one.startswith(move + "x")]
        if len(choices) > 1:
            raise AmbiguousMove(
                phrase(
                    "{move} closes a mill and captures a man: {choices}",
                    move=move,
                    choices=listing(choices, "or"),
                )
            )
        return choices[0] if choices else move

    def find_fault(self, move: str) -> str:
        step, _, taken = move.partition("x")
        start, _, end = step.partition("-")
        number = self.geometry.number
        if self.hand[self.side]:
            if end:
                return phrase(
                    "you still have {hand} men to put: write one point", hand=self.hand[self.side]
                )
            if why := self.find_target_fault(start):
                return why
        else:
            if not end:
                return phrase("all your men are put: write from and to")
            if why := self.find_source_fault(start) or self.find_target_fault(end):
                return why
            if number[end] not in self.geometry.near[number[start]] and not self._flies():
                return phrase("no line joins {start} to {end} in one step", start=start, end=end)
        here, there = (number[start], number[end]) if end else (-1, number[start])
        if not self._closes(here, there):
            return phrase("that does not close a mill, so nothing is captured")
        if self.board[number[taken]] != STONES[1 - self.side]:
            return phrase("your opponent has no man on {taken}", taken=taken)
        return phrase("the man on {taken} is in a mill, and others are not", taken=taken)

    def make_move(self, move: str) -> Morris:
        step, _, taken = move.partition("x")
        start, _, end = step.partition("-")
        number, row, hand = self.geometry.number, list(self.board), list(self.hand)
        if end:
            row[number[start]] = EMPTY
        else:
            hand[self.side] -= 1
        row[number[end or start]] = STONES[self.side]
        if taken:
            row[number[taken]] = EMPTY
        after = replace(
            self,
            board="".join(row),
            side=1 - self.side,
            turn=self.turn + 1,
            hand=tuple(hand),
            idle=self.idle + 1 if end and not taken else 0,
            news=(),
        )
        return after._end_if_decided()

    def _end_if_decided(self) -> Morris:
        left = self.hand[self.side] + self.board.count(STONES[self.side])
        if left < 3:
            return self.win(
                1 - self.side,
                phrase("{colour} has {left} men left", colour=self.colour(self.side), left=left),
            )
        if not any(self.hand) and EMPTY not in self.board:
            return self.end_in_draw(phrase("the board is full"))
        if not self.moves():
            return self.win(
                1 - self.side, phrase("{colour} cannot move", colour=self.colour(self.side))
            )
        return (
            self.end_in_draw(phrase("{idle} moves without a man put or captured", idle=IDLE))
            if self.idle >= IDLE
            else self
        )

    @property
    def empty_scene(self) -> Scene:
        geometry = self.geometry
        return point_scene(geometry.names, tuple(geometry.places), tuple(map(tuple, geometry.near)))

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("in hand"), self.colours, self.hand, "man"),)

    def note(self) -> str:
        return OnBoard.note(self) if any(self.hand) else ""


GAMES = (
    two_player_game(
        Morris,
        "morris",
        "Nine Men's Morris",
        ("white", "black"),
        "three men in a row capture an opposing man",
        HELP,
        Option(
            "men",
            "choice",
            "men of each side; 6 play on two squares, 12 also along diagonals",
            "9",
            choices=("6", "9", "12"),
        ),
        Option("nofly", "flag", "three men do not fly"),
        aliases=("ninemensmorris", "mill", "merels"),
        family="capture",
    ),
)
