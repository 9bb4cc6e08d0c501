"""Playouts of games of rows without positions: stones are put on a list, near those that are there.

A side completes a row if it can, otherwise it stops one that the other side could complete in its
next turn. The tree looks at nothing else either: where nobody can, at cells near stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol, runtime_checkable

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.two_player import EMPTY, STONES, SWAP

_REACH = 2
"""How far from a stone a cell is near it, along the lines."""
LONGEST = 200
"""Stones of a playout; one that takes longer is a draw."""
_CAPTURED = 10
Played = list[tuple[int, str]]


@runtime_checkable
class InTwo(Protocol):
    """A position with more than one stone in a turn."""

    @property
    def left(self) -> int:
        """How many stones the side on the move is still to put."""


@runtime_checkable
class Capturing(Protocol):
    """A position in which pairs are captured."""

    @property
    def taken(self) -> tuple[int, int]:
        """The stones that each side has captured."""


class Places:
    """Where rows may be on a square board, and what is near.

    rows     the cells of each row that there may be
    through  for each cell the numbers of the rows through it
    near     for each cell those near it
    rays     for each cell the cells straight ahead in the eight directions, nearest first
    """

    def __init__(self, board: OnSquares, length: int) -> None:
        self.rays = board.geometry.rays
        self.near = [[cell for ray in rays for cell in ray[:_REACH]] for rays in self.rays]
        self.rows = [
            (cell, *ray[: length - 1])
            for cell, rays in enumerate(self.rays)
            for ray in rays[:4]
            if len(ray) >= length - 1
        ]
        self.through: list[list[int]] = [[] for _ in self.rays]
        for number, row in enumerate(self.rows):
            for cell in row:
                self.through[cell].append(number)


@cache
def _find_places(size: int, length: int, board: type[OnSquares]) -> Places:
    return Places(board.initial({"size": size}), length)


class RowStones:
    """Stones, with how many of each side stand in each place for a row."""

    def __init__(self, position: OnSquares, rule: Rule) -> None:
        self.places = _find_places(position.geometry.width, rule.length, type(position))
        self.cells = [-1] * len(position.board)
        self.near = list[int]()
        """Cells near stones, more often those near more of them; some are taken by now."""
        self.taken = [*position.taken] if isinstance(position, Capturing) else None
        self._rule = rule
        self._counts = [0] * len(self.places.rows), [0] * len(self.places.rows)
        self._threats = list[int](), list[int]()
        """For each side, the rows that it could complete in one turn when they were noted."""
        for cell, stone in enumerate(position.board):
            if stone != EMPTY:
                self._count(cell, STONES.index(stone))
        if not self.near:
            middle = len(self.cells) // 2
            self.near = [middle, *self.places.near[middle]]

    def _count(self, cell: int, side: int) -> bool:
        """Put a stone there; whether it completes a row."""
        own, other, threats = self._counts[side], self._counts[1 - side], self._threats[side]
        length = self._rule.length
        wanted, completes = length - self._rule.stones, False
        self.cells[cell] = side
        self.near += self.places.near[cell]
        for row in self.places.through[cell]:
            own[row] += 1
            if own[row] >= wanted and not other[row]:
                threats.append(row)
                completes = completes or own[row] == length
        return completes

    def put(self, cell: int, side: int) -> bool:
        """Put a stone on a cell and capture. Return whether that wins."""
        wins, cells = self._count(cell, side), self.cells
        if self.taken is None:
            return wins
        foe = 1 - side
        for ray in self.places.rays[cell]:
            if len(ray) > 2 and cells[ray[2]] == side and cells[ray[0]] == cells[ray[1]] == foe:
                self.taken[side] += 2
                for caught in ray[:2]:
                    cells[caught] = -1
                    self.near.append(caught)
                    for row in self.places.through[caught]:
                        self._counts[foe][row] -= 1
        return wins or self.taken[side] >= _CAPTURED

    def list_gaps(self, side: int, stones: int) -> list[int]:
        """Return the empty cells of the rows that a side could complete with that many stones."""
        own, other, threats = self._counts[side], self._counts[1 - side], self._threats[side]
        found = list[int]()
        for row in reversed(threats):
            if not other[row] and self._rule.length - own[row] <= stones:
                found += [cell for cell in self.places.rows[row] if self.cells[cell] < 0]
        return found

    def find_gaps(self, side: int, stones: int) -> list[int]:
        """Return the empty cells of one such row; rows that are stopped are forgotten."""
        own, other, threats = self._counts[side], self._counts[1 - side], self._threats[side]
        length, wanted = self._rule.length, self._rule.length - self._rule.stones
        for index in range(len(threats) - 1, -1, -1):
            row = threats[index]
            if other[row] or own[row] < wanted:
                threats.pop(index)
            elif own[row] < length and length - own[row] <= stones:
                return [cell for cell in self.places.rows[row] if self.cells[cell] < 0]
        return []

    def list_captures(self, side: int) -> list[int]:
        """Return the empty cells on which a side captures."""
        cells = self.cells
        if self.taken is None:
            return []
        return [
            cell
            for cell, rays in enumerate(self.places.rays)
            if cells[cell] < 0
            for ray in rays
            if len(ray) > 2 and cells[ray[2]] == side and cells[ray[0]] == cells[ray[1]] == 1 - side
        ]

    def draw(self, dice: Dice) -> int:
        """Return an empty cell near stones, which is taken off the list; -1 if there is none."""
        near, cells = self.near, self.cells
        while near:
            index = int(dice.random() * len(near))
            cell = near[index]
            near[index] = near[-1]
            near.pop()
            if cells[cell] < 0:
                return cell
        return -1


class Rule:
    """A game of rows: how long they are, and how many stones a turn puts."""

    def __init__(self, length: int, stones: int = 1) -> None:
        self.length = length
        self.stones = stones

    def _read(self, position: Position) -> OnSquares | None:
        """Return the position, unless it is played by other rules than those known here."""
        options = position.options
        other = options.get("misere") or options.get("exact") or options.get("keryo")
        return position if isinstance(position, OnSquares) and not other else None

    def play_out(self, position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
        """Return the moves of a playout and each seat's share; None while the colours may change,
        and where rows are counted otherwise."""
        start = self._read(position)
        if start is None or start.may_swap:
            return None
        board, names, played = RowStones(start, self), start.geometry.names, Played()
        side, left = start.side, start.left if isinstance(start, InTwo) else 1
        while len(played) < LONGEST:
            gaps = board.find_gaps(side, left) or board.find_gaps(1 - side, self.stones)
            cell = dice.choice(gaps) if gaps else board.draw(dice)
            if cell < 0:
                break
            seat = side ^ start.swapped
            played.append((seat, names[cell]))
            if board.put(cell, side):
                return played, (float(seat == 0), float(seat == 1))
            left -= 1
            if not left:
                side, left = 1 - side, self.stones
        return played, (0.5, 0.5)

    def list_useful(self, position: Position, moves: Sequence[str]) -> Sequence[str]:
        """Return the moves that complete a row, or that keep the other side from it, or near
        stones; and to swap."""
        start = self._read(position)
        if start is None:
            return moves
        board, side = RowStones(start, self), start.side
        left = start.left if isinstance(start, InTwo) else 1
        useful = board.list_gaps(side, left)
        if not useful and (useful := board.list_gaps(1 - side, self.stones)):
            useful += board.list_captures(side)
        wanted = {SWAP, *(start.geometry.names[cell] for cell in useful or board.near)}
        return [move for move in moves if move in wanted] or moves


RULES: Mapping[str, Rule] = {
    "gomoku": Rule(5),
    "fivepairs": Rule(5),
    "connect6": Rule(6, stones=2),
}
"""The games that are played by such rules."""
