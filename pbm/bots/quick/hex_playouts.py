"""Playouts of Hex, Y and Havannah without positions: stones are put on a list until the board is
full, or until a stone wins.

In Hex and Y exactly one side is connected on a full board, whatever the order of the stones. Who is
cut at a bridge, two stones that touch the same two empty cells, joins them at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.hexagons import HexBoard, rhombus, triangle
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import CORNERS, SIDES, find_rim
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition

Played = list[tuple[int, str]]
"""The moves of a playout, each with its seat."""
Edges = Sequence[int]
"""For each cell, as bits, those sides of the board that the first colour is to join."""


@cache
def _find_hex_edges(size: int) -> Edges:
    board = rhombus(size, size)
    return [(row == 0) | 2 * (row == size - 1) for _, row in board.cells]


@cache
def _find_y_edges(side: int) -> Edges:
    board = triangle(side)
    return [
        (column == 0) | 2 * (column == row) | 4 * (row == side - 1) for column, row in board.cells
    ]


@cache
def list_bridges(board: HexBoard) -> Sequence[Sequence[tuple[int, int, int]]]:
    """Return for each cell the two cells that it joins as half of a bridge, and in the middle the
    other half."""
    return [
        [
            (six[way - 2], six[way - 1], six[way])
            for way in range(6)
            if min(six[way - 2], six[way - 1], six[way]) >= 0
        ]
        for six in board.around
    ]


def play_hex(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Return the moves of a playout of Hex and each seat's share; None while the colours may
    change."""
    size = int(position.options["size"])
    return _play_out(position, dice, rhombus(size, size), _find_hex_edges(size))


def play_y(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Play out Y."""
    side = int(position.options["side"])
    return _play_out(position, dice, triangle(side), _find_y_edges(side))


def _play_out(
    position: Position, dice: Dice, board: HexBoard, edges: Edges
) -> tuple[Played, tuple[float, ...]] | None:
    if not isinstance(position, TwoPlayerPosition) or position.may_swap:
        return None
    row, played = fill(position, board, dice)
    side = 0 if is_connected(row, board, edges) else 1
    winner = side ^ position.swapped ^ bool(position.options["misere"])
    return played, (float(winner == 0), float(winner == 1))


def fill(position: TwoPlayerPosition, board: HexBoard, dice: Dice) -> tuple[list[str], Played]:
    """Return a full board that may come of a position, and the moves to it."""
    row, names, bridges = list(position.board), board.names, list_bridges(board)
    side, swapped, played = position.side, position.swapped, list[tuple[int, str]]()
    empty = [(dice.random(), cell) for cell, stone in enumerate(row) if stone == EMPTY]
    empty.sort()
    forced = -1
    order = [cell for _, cell in empty]
    while order or forced >= 0:
        if forced >= 0:
            cell = forced
        else:
            cell = order.pop()
            if row[cell] != EMPTY:
                continue
        row[cell] = STONES[side]
        played.append((side ^ swapped, names[cell]))
        side = 1 - side
        forced = find_cut(row, bridges[cell], STONES[side])
    return row, played


def find_cut(row: Sequence[str], bridges: Sequence[tuple[int, int, int]], stone: str) -> int:
    """Return the cell at which a bridge of these stones has to be saved, after the other half of it
    was taken; -1 if there is none. `bridges` are those of the cell that was taken."""
    for one, half, other in bridges:
        if row[one] == stone and row[other] == stone and row[half] == EMPTY:
            return half
    return -1


def is_connected(row: Sequence[str], board: HexBoard, edges: Edges) -> bool:
    """Whether the first colour joins all sides that `edges` knows, on a full board."""
    every, stone, seen = reduce(or_, edges), STONES[0], set[int]()
    for start, touched in enumerate(edges):
        if not touched & 1 or row[start] != stone or start in seen:
            continue
        seen.add(start)
        frontier, bits = [start], touched
        while frontier:
            for there in board.neighbours[frontier.pop()]:
                if row[there] == stone and there not in seen:
                    seen.add(there)
                    frontier.append(there)
                    bits |= edges[there]
        if bits == every:
            return True
    return False


# Playouts of Havannah: stones are put on a list until one of them makes a fork, a bridge or a ring.
# Who is cut between two stones that touch the same two empty cells joins them at once.


class HexStones:
    """Stones on a hexagon; joined stones have one cell in common as their root."""

    def __init__(self, geometry: HexBoard, touched: list[int], stones: str) -> None:
        self._around = geometry.around
        self.cells = [EMPTY] * len(stones)
        self._parents = list(range(len(stones)))
        self._touched = touched
        self._beside = [0] * len(stones), [0] * len(stones)
        """For each side, how many of its stones are next to each cell."""
        for cell, stone in enumerate(stones):
            if stone != EMPTY:
                self.put(cell, STONES.index(stone))

    def _find(self, cell: int) -> int:
        parents = self._parents
        while parents[cell] != cell:
            parents[cell] = cell = parents[parents[cell]]
        return cell

    def put(self, cell: int, side: int) -> bool:
        """Put a stone on a cell. Return whether that makes a fork, a bridge or a ring."""
        cells, six, beside, stone = self.cells, self._around[cell], self._beside[side], STONES[side]
        cells[cell] = stone
        bits, joined, wins = self._touched[cell], list[int](), False
        before = six[-1] >= 0 and cells[six[-1]] == stone
        for there in six:
            is_own = False
            if there >= 0:
                beside[there] += 1
                is_own = cells[there] == stone
                wins = wins or (is_own and beside[there] == 6)
                if is_own and not before:
                    root = self._find(there)
                    # two runs around the cell that are joined elsewhere enclose what is between
                    wins = wins or root in joined
                    joined.append(root)
                    bits |= self._touched[root]
            before = is_own
        for root in joined or ([self._find(six[0])] if before else []):
            self._parents[root] = cell
        self._touched[cell] = bits
        return wins or (bits & SIDES).bit_count() >= 3 or (bits & CORNERS).bit_count() >= 2


def play_havannah(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Return the moves of a playout and each seat's share; None while the colours may change."""
    if not isinstance(position, OnHexagons) or position.may_swap:
        return None
    geometry = position.geometry
    touched = [*find_rim(int(position.options["side"]))]
    board = HexStones(geometry, touched, position.board)
    cells, bridges, names = board.cells, list_bridges(geometry), geometry.names
    order = [(dice.random(), cell) for cell, stone in enumerate(cells) if stone == EMPTY]
    order.sort()
    side, played, forced = position.side, Played(), -1
    while order or forced >= 0:
        cell = order.pop()[1] if forced < 0 else forced
        if cells[cell] != EMPTY:
            continue
        seat = side ^ position.swapped
        played.append((seat, names[cell]))
        if board.put(cell, side):
            return played, (float(seat == 0), float(seat == 1))
        side = 1 - side
        forced = find_cut(cells, bridges[cell], STONES[side])
    return played, (0.5, 0.5)
