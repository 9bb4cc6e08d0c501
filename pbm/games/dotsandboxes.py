"""Dots and Boxes: draw lines between dots, close boxes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import Option, Value
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.edge_scene import dot_scene
from pbm.rules.drawing.scene import (
    Mark,
    Panel,
    Piece,
    Scene,
    both_sides,
    mark_told,
    pieces_on,
    tally,
)
from pbm.rules.families.board_positions import OnBoard
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import Listing, join_phrases, phrase

HELP = """\
DOTS AND BOXES, 2 players

AIM. Close more boxes than your opponent.

MOVES. The first player (X) begins. A move draws a line between two dots next
to each other in a row or column that are not joined yet. If you draw the
fourth side of a box (or of two at once) you own it, as your sign in it shows,
and you must draw another line if any is left.

WRITING MOVES. Both dots, in either order; several lines on one line of your
mail, with blanks or commas between them:
  > a2-b2
  > b2-a2
  > a2b2

THE END. When all lines are drawn, the player with more boxes wins; equal
numbers are a draw. Resigning loses.

KNOWN. On 4 by 5 boxes the game is a draw with best play (Joseph Barker and
Richard Korf, 2012).
"""
LINE = "|"


class Dots(Grid):
    """The dots, the lines between them, and the boxes they form."""

    def __init__(self, columns: int, rows: int) -> None:
        Grid.__init__(self, columns + 1, rows + 1)
        ends = [
            (cell, there)
            for step in ((1, 0), (0, 1))
            for cell in range(len(self))
            if (there := self.step(cell, *step)) is not None
        ]
        self.ends = ends
        self.lines = [f"{self.names[a]}-{self.names[b]}" for a, b in ends]
        self.line = {name: number for number, name in enumerate(self.lines)}
        line_of = {pair: number for number, pair in enumerate(ends)}
        wide = columns + 1
        corners = [row * wide + column for row in range(rows) for column in range(columns)]
        pairs = ((0, 1), (wide, wide + 1), (0, wide), (1, wide + 1))
        self.sides = [tuple(line_of[at + a, at + b] for a, b in pairs) for at in corners]
        """For each box its four lines."""
        ends = [self.ends[four[0]] for four in self.sides]
        self.box_names = [f"box {self.names[first]}" for first, _ in ends]
        self.boxes = [
            [b for b, four in enumerate(self.sides) if n in four] for n in line_of.values()
        ]
        """For each line the boxes that it borders."""


@cache
def dots(columns: int, rows: int) -> Dots:
    """Return the board of that many boxes."""
    return Dots(columns, rows)


@dataclass(frozen=True, slots=True)
class DotsAndBoxes(OnBoard, MoveListPosition):
    """A position of the game: `board` has one character per line, `owners` one per box."""

    form = re.compile(r"([a-z][0-9]{1,2})-?([a-z][0-9]{1,2})")
    ground = "paper"
    owners: str = ""

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> DotsAndBoxes:
        board = dots(int(options["columns"]), int(options["rows"]))
        return cls(options, EMPTY * len(board.lines), owners=EMPTY * len(board.sides))

    @property
    def geometry(self) -> Dots:
        return dots(int(self.options["columns"]), int(self.options["rows"]))

    def list_moves(self) -> list[str]:
        return [
            name
            for name, drawn in zip(self.geometry.lines, self.board, strict=True)
            if drawn == EMPTY
        ]

    def canonicalize(self, match: re.Match[str]) -> str:
        number = self.geometry.number
        return "-".join(sorted(match.groups(), key=lambda name: number[name]))

    def find_fault(self, move: str) -> str:
        if move in self.geometry.line:
            return phrase("this line is already drawn")
        return phrase("a line joins two dots next to each other in a row or a column")

    def make_move(self, move: str) -> DotsAndBoxes:
        geometry = self.geometry
        line = geometry.line[move]
        board = self.board[:line] + LINE + self.board[line + 1 :]
        owners, closed = list(self.owners), list[str]()
        for box in geometry.boxes[line]:
            if all(board[side] == LINE for side in geometry.sides[box]):
                owners[box] = STONES[self.side]
                closed.append(geometry.box_names[box])
        after = replace(self, board=board, owners="".join(owners), news=())
        if EMPTY not in board:
            closes = phrase(
                "{colour} has closed {boxes}",
                colour=self.colour(self.side),
                boxes=Listing(closed),
            )
            return replace(after, turn=self.turn + 1, news=(closes,))._end_by_count()
        if closed:
            news = (
                phrase(
                    "{colour} has closed {boxes} and draws another line",
                    colour=self.colour(self.side),
                    boxes=Listing(closed),
                ),
            )
            return replace(after, news=news)
        return replace(after, side=1 - self.side, turn=self.turn + 1)

    def _end_by_count(self) -> DotsAndBoxes:
        first, second = self.boxes()
        reason = phrase("boxes: first {first}, second {second}", first=first, second=second)
        if first == second:
            return self.end_in_draw(reason)
        fewer = bool(self.options["misere"])
        if fewer:
            reason = phrase("{count}, fewer win", count=reason)
        return self.win(int((second > first) != fewer), reason)

    @property
    def empty_scene(self) -> Scene:
        return dot_scene(self.geometry, tuple(self.geometry.ends))

    def scene_pieces(self) -> tuple[Piece, ...]:
        geometry = self.geometry
        boxes = geometry.box_names
        lines = zip(geometry.lines, self.board, strict=True)
        return (
            *pieces_on(boxes, self.owners, both_sides("box")),
            *(Piece(name, "line") for name, drawn in lines if drawn == LINE),
        )

    def boxes(self) -> tuple[int, int]:
        """Return the number of boxes that each side has closed."""
        first, second = (self.owners.count(stone) for stone in STONES)
        return first, second

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("boxes"), self.colours, self.boxes()),)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        lines, scene = self.geometry.line, OnBoard.scene(self, viewer)
        drawn = tuple(Mark((move,), "last") for move in last if move in lines)
        return mark_told(replace(scene, marks=drawn), self.news if last else ())

    def note(self) -> str:
        note = OnBoard.note(self)
        if LINE not in self.board:
            return note
        return join_phrases("; ", (note, phrase("drawn last: === and #")))


GAMES = (
    two_player_game(
        DotsAndBoxes,
        "dotsandboxes",
        "Dots and Boxes",
        ("first", "second"),
        "draw lines between dots; own the boxes you close",
        HELP,
        Option("columns", "int", "boxes in a row", 5, low=1, high=10),
        Option("rows", "int", "rows of boxes", 5, low=1, high=10),
        Option("misere", "flag", "fewer boxes win"),
        aliases=("dots", "boxes"),
        family="territory",
    ),
)
