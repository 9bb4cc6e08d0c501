"""What go and its relatives share: stones, captures, no suicide, no board that was there before.

It knows neither passing nor how a game is won."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from pbm.rules.boards.bitboards import chosen, mask_of, masks
from pbm.rules.boards.goban import NamedGrid, goban
from pbm.rules.boards.stone_groups import captured, filled, group, liberties, marks
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.listed_moves import Listed
from pbm.rules.families.two_player import EMPTY, STONES

S = TypeVar("S", bound="Stones")


@cache
def _places(size: int, stone: str) -> Mapping[int, int]:
    """The cell that each mark of a stone belongs to."""
    return {mark: cell for cell, mark in enumerate(marks(size, STONES)[stone])}


def fingerprint(board: str) -> int:
    """What tells a board from all others of a game."""
    numbers, total = marks(len(board), STONES), 0
    for cell, stone in enumerate(board):
        if stone != EMPTY:
            total ^= numbers[stone][cell]
    return total


@dataclass(frozen=True, slots=True)
class Stones(OnSquares, Listed):
    """A moment of such a game.

    history  the fingerprint of every board there was, this one last
    taken_by the stones that each side has captured
    """

    form = re.compile(r"[a-z][0-9]{1,2}")
    history: tuple[int, ...] = (0,)
    taken_by: tuple[int, ...] = (0, 0)

    @property
    def surface(self) -> NamedGrid:
        return goban(int(self.options["size"]))

    @property
    def extent(self) -> str:
        names = self.surface.names
        return f"it goes from {names[0]} to {names[-1]}, and there is no column i"

    @property
    def remark(self) -> str:
        black, white = self.taken_by
        return f"captured by black {black}, by white {white}"

    def points(self) -> list[str]:
        """The points where the side on the move may put a stone."""
        board, surface = self.board, self.surface
        of = masks(surface.width, surface.height)
        own, other = mask_of(board, STONES[self.side]), mask_of(board, STONES[1 - self.side])
        empty = of.full ^ own ^ other
        lone = empty & ~of.beside(empty)
        free = empty ^ lone
        repeats = any(self.taken_by)
        if not lone and not repeats:
            return chosen(surface.names, free)
        kills: dict[int, int] = {}
        for stones in of.groups(other if repeats else of.joined(of.spread(lone) & other, other)):
            around = of.spread(stones) & empty
            if around & around - 1 == 0:
                kills[around] = kills.get(around, 0) | stones
                free |= around
        tight = lone & ~free
        if tight:
            for stones in of.groups(of.joined(of.spread(tight) & own, own)):
                around = of.spread(stones) & empty
                if around & around - 1:
                    free |= around
        if repeats:
            for bit in self._repeating(kills):
                free &= ~bit
        return chosen(surface.names, free)

    def _repeating(self, kills: Mapping[int, int]) -> list[int]:
        """The points, as bits, where a stone would bring back a board that was there. `kills` are
        the stones that one on a point captures."""
        size = len(self.board)
        of = masks(self.surface.width, self.surface.height)
        numbers = marks(size, STONES)
        stone, other = STONES[self.side], STONES[1 - self.side]
        now, places, found = self.history[-1], _places(size, stone), []
        for was in self.history:
            cell = places.get(was ^ now)
            if cell is not None and (bit := of.bit(cell)) not in kills:
                found.append(bit)
        for bit, stones in kills.items():
            then = now ^ numbers[stone][of.cells(bit)[0]]
            for cell in of.cells(stones):
                then ^= numbers[other][cell]
            if then in self.history:
                found.append(bit)
        return found

    def with_stone(self: S, move: str) -> S:
        """The position after a legal stone, the other side on the move."""
        surface, stone, other = self.surface, STONES[self.side], STONES[1 - self.side]
        cell = surface.number[move]
        board = filled(self.board, cell, stone)
        numbers = marks(len(board), STONES)
        print_ = self.history[-1] ^ numbers[stone][cell]
        gone = captured(board, cell, surface.orthogonal)
        taken = list(self.taken_by)
        if gone:
            row = list(board)
            for there in gone:
                row[there] = EMPTY
                print_ ^= numbers[other][there]
            board = "".join(row)
            taken[self.side] += len(gone)
        history = (*self.history, print_)
        return self.turned(board, history=history, taken_by=tuple(taken))

    def fault(self, move: str) -> str:
        surface, stone = self.surface, STONES[self.side]
        cell = surface.number[move]
        if self.board[cell] != EMPTY:
            return f"a {self.colour(STONES.index(self.board[cell]))} stone stands there"
        board = filled(self.board, cell, stone)
        if not captured(board, cell, surface.orthogonal):
            own = group(board, cell, surface.orthogonal)
            if not liberties(board, own, surface.orthogonal):
                return "suicide is not allowed: the stone would have no liberty and capture nothing"
        return "ko: it would bring back a board that was there before"
