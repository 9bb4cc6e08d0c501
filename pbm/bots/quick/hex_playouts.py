"""Playouts of Hex and Y without positions: stones are put on a list until the board is full.

Exactly one side is connected then, whatever the order of the stones.
Who is cut at a bridge, two stones that touch the same two empty cells, joins them at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.hexagons import HexBoard, rhombus, triangle
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
    """Return the same of Y."""
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
