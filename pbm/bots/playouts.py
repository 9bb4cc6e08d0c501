"""Playouts without positions, many times as fast: of go, and of connection games, where stones are
put on a list until the board is full.

In Hex and Y exactly one side is connected when the board is full, whatever the order of the stones.
Who is cut at a bridge, two stones that touch the same two empty cells, joins them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from operator import or_

from pbm.bots.quick import go_endings, go_playouts, peg_playouts
from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.hexagons import HexBoard, rhombus, triangle
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition

Played = list[tuple[int, str]]
"""The moves of a playout, each with its seat."""
PlayOut = Callable[[Position, Dice], tuple[Played, tuple[float, ...]] | None]
"""The moves of a playout and each seat's share; None where it has to be played move by move."""
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
def _list_bridges(board: HexBoard) -> Sequence[Sequence[tuple[int, int, int]]]:
    """For each cell the two cells that it joins as half of a bridge, and in the middle the other
    half."""
    return [
        [
            (six[way - 2], six[way - 1], six[way])
            for way in range(6)
            if min(six[way - 2], six[way - 1], six[way]) >= 0
        ]
        for six in board.around
    ]


def _build(
    option: str, shape: Callable[[int], HexBoard], find_edges: Callable[[int], Edges]
) -> PlayOut:
    """The playout of a game whose board has so many cells along each side."""

    def play_out(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
        if not isinstance(position, TwoPlayerPosition) or position.may_swap:
            return None
        size = int(position.options[option])
        board = shape(size)
        row, played = fill(position, board, dice)
        side = 0 if is_connected(row, board, find_edges(size)) else 1
        winner = side ^ position.swapped ^ bool(position.options["misere"])
        return played, (float(winner == 0), float(winner == 1))

    return play_out


def fill(position: TwoPlayerPosition, board: HexBoard, dice: Dice) -> tuple[list[str], Played]:
    """A full board that may come of a position, and the moves to it."""
    row, names, bridges = list(position.board), board.names, _list_bridges(board)
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
        stone, forced = STONES[side], -1
        for one, half, other in bridges[cell]:
            if row[one] == stone and row[other] == stone and row[half] == EMPTY:
                forced = half
                break
    return row, played


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


PLAY_OUTS: Mapping[str, PlayOut] = {
    "hex": _build("size", lambda size: rhombus(size, size), _find_hex_edges),
    "gameofy": _build("side", triangle, _find_y_edges),
    "go": go_playouts.play_out,
    "atarigo": go_playouts.play_to_capture,
    "gonnect": go_playouts.play_to_join,
    "pegs": peg_playouts.play_out,
}

Finish = Callable[[Position, Dice], Sequence[str]]
"""A turn that ends the game or helps to end it; none while there is something to play for."""
FINISHES: Mapping[str, Finish] = {"go": go_endings.finish_go}
Prune = Callable[[Position, Sequence[str]], Sequence[str]]
"""The moves that are worth a look."""
PRUNINGS: Mapping[str, Prune] = {"go": go_endings.list_useful}
