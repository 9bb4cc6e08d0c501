"""Connections on boards of hexagons: what a group of stones touches, and whether it closes a ring.

What a cell touches (sides, corners) is a number whose bits the game defines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pbm.rules.boards.hexagons import HexBoard, hexagon

CORNERS, SIDES = 0b111111, 0b111111000000
"""The bits of the corners and of the sides of a hexagon."""


def run_starts(board: Sequence[str], six: Sequence[int], stone: str) -> list[int]:
    """Return the first cell of each run of like stones around a cell; a run of all six counts
    once."""
    like = [there >= 0 and board[there] == stone for there in six]
    firsts = [six[way] for way in range(6) if like[way] and not like[way - 1]]
    return firsts or ([six[0]] if like[0] else [])


def touched_bits(
    board: Sequence[str], cell: int, neighbours: Sequence[Sequence[int]], touch: Sequence[int]
) -> int:
    """Return the bits of `touch` over all cells of the group of `cell`."""
    stone, seen, frontier, bits = board[cell], {cell}, [cell], touch[cell]
    while frontier:
        for there in neighbours[frontier.pop()]:
            if board[there] == stone and there not in seen:
                seen.add(there)
                frontier.append(there)
                bits |= touch[there]
    return bits


def connects(board: Sequence[str], cell: int, on: HexBoard, touch: Sequence[int]) -> int:
    """Return the edges that the group of a stone just put on `cell` touches, or 0 if the stone
    joined nothing new."""
    links = len(run_starts(board, on.around[cell], board[cell])) + (touch[cell] != 0)
    return touched_bits(board, cell, on.neighbours, touch) if links > 1 else 0


def closes_ring(board: Sequence[str], cell: int, on: HexBoard) -> bool:
    """Whether a stone just put on `cell` closes a ring: like stones around at least one cell,
    whatever is on it. Assumes that there was no ring before."""
    stone = board[cell]
    ends = run_starts(board, on.around[cell], stone)
    # Two runs around the cell that are joined elsewhere enclose what lies between them.
    for index, end in enumerate(ends[:-1]):
        joined, frontier = {cell, end}, [end]
        while frontier:
            for there in on.neighbours[frontier.pop()]:
                if board[there] == stone and there not in joined:
                    joined.add(there)
                    frontier.append(there)
        if not joined.isdisjoint(ends[index + 1 :]):
            return True
    # Six stones around a stone of their own colour.
    return any(
        there >= 0 and all(near >= 0 and board[near] == stone for near in on.around[there])
        for there in on.around[cell]
    )


@cache
def find_rim(side: int) -> tuple[int, ...]:
    """Return to which corner (bits 0 to 5) or side (bits 6 to 11) of a hexagon each cell belongs,
    or 0."""
    bits: list[int] = []
    for six in hexagon(side).around:
        off = [way for way in range(6) if six[way] < 0]
        # A cell of a side has two directions off the board, a corner three in a row.
        first = next((way for way in off if (way - 1) % 6 not in off), 0)
        bits.append({0: 0, 2: 1 << 6 + first, 3: 1 << first}[len(off)])
    return tuple(bits)
