"""The common part of go and its relatives: stones, captures, no suicide, no repeated board.

Passing and winning are up to the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from pbm.rules.boards.bitboards import mask_of, masks, select
from pbm.rules.boards.goban import NamedGrid, find_centre, goban
from pbm.rules.boards.stone_groups import (
    find_captured,
    find_group,
    find_liberties,
    put_sign,
    zobrist_numbers,
)
from pbm.rules.drawing.grid_scene import CROSSINGS
from pbm.rules.drawing.scene import Panel, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES
from pbm.rules.phrases import Listing, phrase

S = TypeVar("S", bound="SurroundingPosition")


@cache
def _places(size: int, stone: str) -> Mapping[int, int]:
    """Return the cell that each Zobrist number of a stone belongs to."""
    return {mark: cell for cell, mark in enumerate(zobrist_numbers(size, STONES)[stone])}


def fingerprint(board: str) -> int:
    """Return the Zobrist hash of a board."""
    numbers, total = zobrist_numbers(len(board), STONES), 0
    for cell, stone in enumerate(board):
        if stone != EMPTY:
            total ^= numbers[stone][cell]
    return total


@dataclass(frozen=True, slots=True)
class SurroundingPosition(OnSquares, MoveListPosition):
    """A position of such a game.

    history   the fingerprints of all boards so far, this one last
    taken_by  the number of stones that each side has captured
    """

    form = re.compile(r"[a-z][0-9]{1,2}")
    look = CROSSINGS
    history: tuple[int, ...] = (0,)
    taken_by: tuple[int, ...] = (0, 0)

    @property
    def geometry(self) -> NamedGrid:
        return goban(int(self.options["size"]))

    def read(self, word: str) -> str:
        return MoveListPosition.read(self, find_centre(word, self.geometry.names))

    @property
    def extent(self) -> str:
        names = self.geometry.names
        return phrase(
            "it runs from {name} to {name_2}, and there is no column i",
            name=names[0],
            name_2=names[-1],
        )

    @property
    def remark(self) -> str:
        return self.tell_captures()

    def tell_captures(self) -> str:
        """Return the number of stones that each side has captured."""
        black, white = self.taken_by
        return phrase("captured by black {black}, by white {white}", black=black, white=white)

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("captured"), self.colours, self.taken_by, "stone"),)

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        swap = OnSquares.notes(self, viewer)
        if self.outcome or not any(self.taken_by):
            return swap
        allowed = {*self.points()}
        names = [
            name
            for name, stone in zip(self.geometry.names, self.board, strict=True)
            if stone == EMPTY and name not in allowed and self.find_fault(name).startswith("ko")
        ]
        return (
            (*swap, phrase("Ko, not to be played now: {places}.", places=Listing(names)))
            if names
            else swap
        )

    def points(self) -> list[str]:
        """Return the points where the side to move may put a stone."""
        board, geometry = self.board, self.geometry
        of = masks(geometry.width, geometry.height)
        own, other = mask_of(board, STONES[self.side]), mask_of(board, STONES[1 - self.side])
        empty = of.full ^ own ^ other
        lone = empty & ~of.beside(empty)
        free = empty ^ lone
        repeats = any(self.taken_by)
        if not lone and not repeats:
            return select(geometry.names, free)
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
        return select(geometry.names, free)

    def _repeating(self, kills: Mapping[int, int]) -> list[int]:
        """Return the points, as bits, where a stone would repeat an earlier board. `kills` maps a
        point to the stones that a stone there captures."""
        of = masks(self.geometry.width, self.geometry.height)
        numbers = zobrist_numbers(len(self.board), STONES)
        stone, other = STONES[self.side], STONES[1 - self.side]
        now = self.history[-1]
        points = [bit for bit in self._list_earlier() if bit not in kills]
        for bit, stones in kills.items():
            then = now ^ numbers[stone][of.cells(bit)[0]]
            for cell in of.cells(stones):
                then ^= numbers[other][cell]
            if then in self.history:
                points.append(bit)
        return points

    def _list_earlier(self) -> list[int]:
        """Return the points, as bits, where a stone that captures nothing would repeat an earlier
        board."""
        of = masks(self.geometry.width, self.geometry.height)
        now, places = self.history[-1], _places(len(self.board), STONES[self.side])
        cells = [places.get(was ^ now) for was in self.history]
        return [of.bit(cell) for cell in cells if cell is not None]

    def has_open_point(self) -> bool:
        """Whether a stone can be put beside an empty point and no stone of the other side:
        easily told, and enough to know that there is a move."""
        board, geometry = self.board, self.geometry
        of = masks(geometry.width, geometry.height)
        own, other = mask_of(board, STONES[self.side]), mask_of(board, STONES[1 - self.side])
        empty = of.full ^ own ^ other
        free = empty & of.beside(empty) & ~of.beside(other)
        if free and any(self.taken_by):
            for bit in self._list_earlier():
                free &= ~bit
        return bool(free)

    def with_stone(self: S, move: str) -> S:
        """Return the position after a legal stone, with the other side to move."""
        geometry, stone, other = self.geometry, STONES[self.side], STONES[1 - self.side]
        cell = geometry.number[move]
        board = put_sign(self.board, cell, stone)
        numbers = zobrist_numbers(len(board), STONES)
        print_ = self.history[-1] ^ numbers[stone][cell]
        gone = find_captured(board, cell, geometry.orthogonal)
        taken = list(self.taken_by)
        if gone:
            row = list(board)
            for there in gone:
                row[there] = EMPTY
                print_ ^= numbers[other][there]
            board = "".join(row)
            taken[self.side] += len(gone)
        history = (*self.history, print_)
        after = self.end_turn(board, history=history, taken_by=tuple(taken))
        return replace(after, news=self.tell_captured(gone)) if gone else after

    def find_fault(self, move: str) -> str:
        geometry, stone = self.geometry, STONES[self.side]
        cell = geometry.number[move]
        if self.board[cell] != EMPTY:
            return phrase(
                "a {colour} stone stands there", colour=self.colour(STONES.index(self.board[cell]))
            )
        board = put_sign(self.board, cell, stone)
        if not find_captured(board, cell, geometry.orthogonal):
            own = find_group(board, cell, geometry.orthogonal)
            if not find_liberties(board, own, geometry.orthogonal):
                return phrase(
                    "suicide is not allowed: the stone would have no liberty and capture nothing"
                )
        return phrase("ko: it would repeat an earlier board")
