"""Hex: join your two sides of a rhombus."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import Option, Played, RecordError, Value
from pbm.rules.boards.hexagons import HexBoard, rhombus
from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.hexagon_scene import borders, hexagon_scene
from pbm.rules.drawing.scene import Scene
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import connects
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, SWAP, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

HELP = """\
HEX, 2 players, after Piet Hein and John Nash

AIM. Red (X) joins the top and bottom sides of the board with an unbroken
chain of stones, Blue (O) the left and right sides. Corner cells belong to
both sides that meet there. One of the two always succeeds: there are no
draws.

MOVES. Red begins. Players take turns putting a stone on an empty cell, named
by column and row; a1 is at the upper left. Each cell touches six others:
left, right, two above and two below; f6 touches e6, g6, f5, g5, e7 and f7.
Blue may answer the first move with swap: the players change colours, the
stone stays red, and it is Blue's turn. Each colour keeps its sides.

WRITING MOVES. The cell:
  > f6
  > D3

THE END. The chain wins at once. Resigning loses.

KNOWN. Without the swap the first player could always win, as John Nash showed
without saying how. With the swap it is the second player who could.
"""
TOP, BOTTOM, LEFT, RIGHT = 1, 2, 4, 8
GOALS = (TOP | BOTTOM, LEFT | RIGHT)
SIDES_SWAPPED = "swap-sides"
SWAPS = (SWAP, "swap-pieces", SIDES_SWAPPED)
_CELL = re.compile(r"([a-s])([1-9][0-9]?)")
SIDES = (phrase("top and bottom"), phrase("left and right"))


@cache
def touching(size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for each colour which of its own sides each cell touches."""
    cells = rhombus(size, size).cells
    last = size - 1
    return (
        tuple(TOP * (row == 0) | BOTTOM * (row == last) for _, row in cells),
        tuple(LEFT * (column == 0) | RIGHT * (column == last) for column, _ in cells),
    )


@cache
def bordered_board(size: int) -> Scene:
    """Return the scene of the empty board, with the sides that each colour joins."""
    board = rhombus(size, size)
    top, left = range(size), range(0, size * size, size)
    bottom, right = (
        range(size * size - 1, size * (size - 1) - 1, -1),
        range(size - 1, size * size, size),
    )
    sides = ((0, top, (4, 5)), (0, bottom, (1, 2)), (1, right, (5, 0)), (1, left[::-1], (2, 3)))
    return replace(hexagon_scene(board, right=True), strokes=borders(board, sides))


def _exchange_colours(line: sgf.SgfLine) -> None:
    """After a swap of the sides, give the rest of the record to the players who then have these
    colours, unless the record goes on as if nobody had swapped."""
    at = line.turns.index((1, SWAP)) + 1 if (1, SWAP) in line.turns else 0
    if at == len(line.turns) or line.turns[at][0] == 1:
        line.turns[at:] = [(1 - seat, move) for seat, move in line.turns[at:]]
        line.black = 1 - line.black
        line.gone = None if line.gone is None else 1 - line.gone


@dataclass(frozen=True, slots=True)
class HexPosition(OnHexagons, PlacementPosition):
    """A position of Hex."""

    moves_once = True
    sgf_game = sgf.HEX
    swaps = SWAPS
    numbered_right = True
    remark = phrase("red joins top and bottom, blue left and right")

    @property
    def geometry(self) -> HexBoard:
        size = int(self.options["size"])
        return rhombus(size, size)

    @property
    def empty_scene(self) -> Scene:
        return bordered_board(int(self.options["size"]))

    def place(self, cell: int) -> HexPosition:
        following, side = self.put_stone(cell), self.side
        touch = touching(int(self.options["size"]))[side]
        if connects(following.board, cell, self.geometry, touch) == GOALS[side]:
            return following.win_by_goal(
                side, phrase("{colour} joins {side}", colour=self.colour(side), side=SIDES[side])
            )
        return following

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF as hex programs write it: red is B, a swap is swap-sides."""
        turns, swapped = sgf.stone_turns(played, lambda move: move, swap="swap-sides")
        return sgf.sgf(sgf.HEX, int(played.options["size"]), turns, played, swapped=swapped)

    @classmethod
    def read_record(cls, text: str) -> Played:
        """Return the game in SGF, with cells such as c2 or, on Little Golem, cb. After swap-sides
        the players have each other's colour; after swap-pieces and Little Golem's swap the colours
        stay, and the stone is mirrored, so that here all that follows is."""
        tree = sgf.read(text)
        size = sgf.read_size(tree, 11)
        start = sgf.settle_options(cls.game, {"size": size})
        if {"AB", "AW"} & set(tree.root):
            raise RecordError(phrase("the game begins with stones on the board (AB, AW)"))
        swaps = list[str]()

        def read(value: str) -> str:
            if value.lower() in SWAPS:
                swaps.append(value.lower())
                return SWAP
            match = _CELL.fullmatch(value.lower())
            pair = sgf.read_point(value.lower(), size)
            if match:
                pair = ord(match[1]) - ord("a"), int(match[2]) - 1
            if pair is None:
                raise ValueError(f"{quoted(value)} is no cell, such as c2")
            column, row = pair
            if swaps and swaps[0] != SIDES_SWAPPED:
                column, row = row, column
            return f"{column_name(column)}{row + 1}"

        line = sgf.read_line(tree, read)
        if swaps == [SIDES_SWAPPED]:
            _exchange_colours(line)
        return sgf.replay(tree, start, line, start.options)


_SMALL: Mapping[str, Value] = {"size": 5}
_BRIDGE = ("c3", "e3", "b5")
_LESSONS = (
    Lesson(
        phrase(
            "Red has begun in the middle of a small board. Blue may answer with a stone, or with "
            "swap: then blue's player has the red stone and its sides."
        ),
        _BRIDGE[:1],
        options=_SMALL,
        can=("swap", "d2"),
    ),
    Lesson(
        phrase(
            "A bridge: red's stones on c3 and b5 do not touch, and are as good as joined. Two "
            "cells, b4 and c4, touch both: where blue takes one, red takes the other."
        ),
        _BRIDGE,
        options=_SMALL,
        can=("b4", "c4"),
        cannot=("swap",),
    ),
    Lesson(
        phrase("Blue has tried, on c4, and red has answered on b4: the stones are joined."),
        (*_BRIDGE, "c4", "b4"),
        options=_SMALL,
    ),
    Lesson(
        phrase(
            "Red's chain leads from d1 at the top to b5 at the bottom, and wins at once. It parts "
            "blue's sides, so that blue can never join them: one of the two always succeeds."
        ),
        (*_BRIDGE, "c4", "b4", "d2", "c2", "c1", "d1"),
        options=_SMALL,
    ),
)
GAMES = (
    two_player_game(
        HexPosition,
        "hex",
        "Hex",
        ("red", "blue"),
        "join your two sides of the board",
        HELP,
        Option("size", "int", "rows and columns", default=11, low=3, high=19),
        NO_SWAP_OPTION,
        Option("misere", "flag", "joining your own sides loses"),
        family="connection",
        is_decisive=True,
        lessons=_LESSONS,
    ),
)
