"""Playouts of Pegs and Links without positions: pegs are put into holes drawn at random, and linked
as the rules have it, until a chain joins the sides.

Of a few holes drawn a side prefers the one with most pegs of its own a knight's move away: pegs at
random are hardly ever linked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, runtime_checkable

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.goban import NamedGrid
from pbm.rules.boards.peg_links import possible_links
from pbm.rules.families.two_player import EMPTY, STONES, SWAP

_DRAWN = 3
_LOW, _HIGH = 1, 2
_ACROSS = _LOW | _HIGH
Played = list[tuple[int, str]]


@runtime_checkable
class Pegs(Protocol):
    """A position with pegs and links."""

    @property
    def board(self) -> str:
        """The pegs, hole by hole."""

    @property
    def links(self) -> str:
        """The links, see `pbm.rules.boards.peg_links`."""

    @property
    def geometry(self) -> NamedGrid:
        """The holes, by number and name."""

    @property
    def side(self) -> int:
        """Who is to move."""

    @property
    def swapped(self) -> bool:
        """Whether the players have changed colours."""


@cache
def _list_holes(size: int, side: int) -> Sequence[int]:
    """Return the holes that a colour may use."""
    places = [divmod(cell, size) for cell in range(size * size)]
    return [cell for cell, (row, column) in enumerate(places) if 0 < (column, row)[side] < size - 1]


@cache
def _find_edges(size: int, side: int) -> Sequence[int]:
    """Return for each hole, as bits, those of the two sides to be joined on which it is."""
    places = [divmod(cell, size)[side] for cell in range(size * size)]
    return [_LOW * (place == 0) | _HIGH * (place == size - 1) for place in places]


class PegLinks:
    """Pegs and links; connected pegs have one hole in common as their root."""

    def __init__(self, position: Pegs, is_strict: bool) -> None:
        self.size = position.geometry.width
        self.cells = list(position.board)
        self._links = [int(sign, 16) for sign in position.links]
        self._parents = list(range(len(self.cells)))
        self._touched = [0] * len(self.cells)
        self._possible = possible_links(self.size)
        self._is_strict = is_strict
        self.near = [0] * len(self.cells), [0] * len(self.cells)
        """For each side, how many of its pegs are a knight's move away from each hole."""
        for cell, sign in enumerate(self.cells):
            if sign in STONES:
                self._count(cell, STONES.index(sign))
        for cell, stored in enumerate(self._links):
            if stored:
                for link in self._possible[cell]:
                    if link.place[0] == cell and stored >> link.place[1] & 1:
                        self._join(cell, link.target)

    def _find(self, cell: int) -> int:
        parents = self._parents
        while parents[cell] != cell:
            parents[cell] = cell = parents[parents[cell]]
        return cell

    def _join(self, one: int, other: int) -> None:
        one, other = self._find(one), self._find(other)
        if one != other:
            self._parents[one] = other
            self._touched[other] |= self._touched[one]

    def _count(self, cell: int, side: int) -> None:
        self._touched[cell] = _find_edges(self.size, side)[cell]
        near = self.near[side]
        for link in self._possible[cell]:
            near[link.target] += 1

    def put(self, cell: int, side: int) -> bool:
        """Put a peg into a hole and link it. Return whether that joins the sides."""
        cells, links, stone = self.cells, self._links, STONES[side]
        cells[cell] = stone
        self._count(cell, side)
        for target, (there, bit), crossing in self._possible[cell]:
            if cells[target] != stone:
                continue
            for across, other in crossing:
                if links[across] >> other & 1 and (self._is_strict or cells[across] != stone):
                    break
            else:
                links[there] |= 1 << bit
                self._join(cell, target)
        return self._touched[self._find(cell)] == _ACROSS


def play_out(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Return the moves of a playout and each seat's share."""
    if not isinstance(position, Pegs):
        return None
    board = PegLinks(position, bool(position.options["strict"]))
    names, swapped, played, side = (
        position.geometry.names,
        position.swapped,
        Played(),
        position.side,
    )
    empty = [
        [cell for cell in _list_holes(board.size, each) if board.cells[cell] == EMPTY]
        for each in (0, 1)
    ]
    while (cell := _draw(board, empty[side], board.near[side], dice)) >= 0:
        seat = side ^ swapped
        played.append((seat, names[cell]))
        if board.put(cell, side):
            return played, (float(seat == 0), float(seat == 1))
        side = 1 - side
    return played, (0.5, 0.5)


def _draw(board: PegLinks, empty: list[int], near: Sequence[int], dice: Dice) -> int:
    """Return one of the holes that are empty, which is taken off the list with those that are not
    any more; -1 if there is none."""
    best, most, drawn = -1, -1, 0
    while empty and drawn < _DRAWN:
        index = int(dice.random() * len(empty))
        cell = empty[index]
        if board.cells[cell] != EMPTY:
            empty[index] = empty[-1]
            empty.pop()
            continue
        drawn += 1
        if near[cell] > most:
            best, most = cell, near[cell]
    return best


def list_useful(position: Position, moves: Sequence[str]) -> Sequence[str]:
    """Return the moves a knight's move away from a peg, and to swap; all where there are no
    pegs."""
    if not isinstance(position, Pegs):
        return moves
    board, names = PegLinks(position, is_strict=False), position.geometry.names
    useful = {name for name, own, other in zip(names, *board.near, strict=True) if own or other}
    return [move for move in moves if move in useful | {SWAP}] if useful else moves
