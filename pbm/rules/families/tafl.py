"""Tafl games: a king and his men break through a ring of attackers; moves, captures, endings.

When the king is captured is up to the game."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import ClassVar

from pbm.rules.boards.bitboards import masks
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Panel, Scene, both_sides
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import FROM_TO, MoveListPosition
from pbm.rules.families.two_player import EMPTY
from pbm.rules.options import Value
from pbm.rules.phrases import phrase

PAGE = """\
{title}, 2 players, {size}

AIM. The king (K) tries to reach a corner; the attackers (X) try to capture
him.

MOVES. The attackers begin. Every piece moves like a rook in chess, any number
of empty squares along its row or column. Only the king may stop on the square
in the middle (the throne, +) and on the corners (*); any piece may pass over
the empty throne.

CAPTURING. A move captures each enemy next to the piece that moved if another
piece of the mover's side, an empty corner or the empty throne is right behind
that enemy, in the same straight line: those five squares are hostile to all.
The king captures like his men. Moving between two enemies is safe, and a move
may capture several.

{king}

WRITING MOVES. From and to:
  > {example}

THE END. The defenders win when the king stands on a corner, the attackers
when he is captured{ring}.
A player who cannot move loses. After {idle} moves in a row, counting both
sides, without a capture the game is drawn. {repeated} Resigning loses.
"""
CLAIMED = """\
A draw can also be claimed when a
position occurs for the third time."""
ATTACKER, DEFENDER, KING = "XOK"
IDLE = 200
"""The number of moves without a capture after which the game is drawn."""


class TaflBoard(Grid):
    """A board with its special squares: `barred` to all but the king, and `lines`, for each cell
    and each of the four directions the cells ahead with the notation of the move."""

    def __init__(self, size: int) -> None:
        Grid.__init__(self, size, size)
        self.throne = len(self) // 2
        self.corners = frozenset((0, size - 1, len(self) - size, len(self) - 1))
        self.barred = self.corners | {self.throne}
        self.straight = tuple(tuple(ray for ray in rays[::2] if ray) for rays in self.rays)
        self.lines = tuple(
            tuple(
                tuple((there, f"{self.names[cell]}-{self.names[there]}") for there in ray)
                for ray in rays
            )
            for cell, rays in enumerate(self.straight)
        )
        of = masks(size, size)
        self.border = of.full & ~(of.not_first & of.not_last) | (1 << size) - 1
        self.border |= ((1 << size) - 1) << len(self) - size


@cache
def tafl_board(size: int) -> TaflBoard:
    """Return the board of that size."""
    return TaflBoard(size)


@dataclass(frozen=True, slots=True)
class TaflPosition(OnSquares, MoveListPosition):
    """A position of such a game; `idle` counts the moves since the last capture, `first` is the
    board at the start."""

    form = FROM_TO
    kinds = MappingProxyType({**both_sides("man"), KING: ("king", 1)})
    remark = phrase("K the king, + the throne, * corners")
    first: ClassVar[str]
    idle: int = 0

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> TaflPosition:
        return cls(options, cls.first)

    @property
    def geometry(self) -> TaflBoard:
        return tafl_board(math.isqrt(len(self.first)))

    @property
    def key(self) -> str | None:
        return f"{self.side}{self.board}"

    def list_moves(self) -> list[str]:
        geometry, board = self.geometry, self.board
        own, moves = (DEFENDER + KING if self.side else ATTACKER), list[str]()
        for cell, piece in enumerate(board):
            if piece not in own:
                continue
            barred = geometry.barred if piece != KING else ()
            for line in geometry.lines[cell]:
                for there, move in line:
                    if board[there] != EMPTY:
                        break
                    if there not in barred:
                        moves.append(move)
        return moves

    def find_fault(self, move: str) -> str:
        start, end = move.split("-")
        geometry = self.geometry
        here, there = geometry.number[start], geometry.number[end]
        piece = self.board[here]
        if piece == EMPTY:
            return phrase("{start} is empty", start=start)
        if piece not in (DEFENDER + KING if self.side else ATTACKER):
            return phrase("the piece on {start} is not yours", start=start)
        ray = next((ray for ray in geometry.straight[here] if there in ray), None)
        if ray is None:
            return phrase("a piece moves along its row or column")
        if any(self.board[cell] != EMPTY for cell in ray[: ray.index(there) + 1]):
            return phrase("a piece stands in the way")
        return phrase("only the king may stop on the throne and the corners")

    def make_move(self, move: str) -> TaflPosition:
        start, end = move.split("-")
        geometry, row = self.geometry, list(self.board)
        here, there = geometry.number[start], geometry.number[end]
        row[there], row[here] = row[here], EMPTY
        own, foe = (DEFENDER + KING, ATTACKER) if self.side else (ATTACKER, DEFENDER)
        taken = list[int]()
        for ray in geometry.straight[there]:
            if row[ray[0]] == foe and len(ray) > 1:
                behind = row[ray[1]]
                if behind in own or (behind == EMPTY and ray[1] in geometry.barred):
                    row[ray[0]] = EMPTY
                    taken.append(ray[0])
        after = self.end_turn("".join(row), idle=0 if taken else self.idle + 1)
        after = replace(after, news=self.tell_captured(taken)) if taken else after
        return after._end_if_decided(there)

    def _end_if_decided(self, moved: int) -> TaflPosition:
        king, geometry = self.board.index(KING), self.geometry
        if king in geometry.corners:
            return self.win(1, phrase("the king has reached a corner"))
        if self.side == 1:
            if king in geometry.orthogonal[moved] and self.is_king_taken(king, moved):
                return self.win(0, phrase("the king is captured"))
            if self.is_surrounded():
                return self.win(0, phrase("the king and his men are surrounded"))
        if not self.moves():
            return self.win(
                1 - self.side, phrase("{colour} cannot move", colour=self.colour(self.side))
            )
        return (
            self.end_in_draw(phrase("{idle} moves without a capture", idle=IDLE))
            if self.idle >= IDLE
            else self
        )

    @abstractmethod
    def is_king_taken(self, king: int, moved: int) -> bool:
        """Whether the attacker that just moved next to the king captures him."""

    def is_surrounded(self) -> bool:
        """Whether the attackers have won by surrounding all defenders."""
        return False

    @property
    def empty_scene(self) -> Scene:
        board = self.geometry
        special = (("throne", frozenset({board.throne})), ("corner", board.corners))
        return grid_scene(board, shades=special)

    def panels(self) -> tuple[Panel, ...]:
        return ()


def mirror(*quarter: str) -> str:
    """Return a board from its lower rows up to the middle one; the upper rows are their mirror
    image."""
    return "".join((*quarter, *reversed(quarter[:-1])))
