"""Stones on boards of neighbouring cells: groups, liberties, captures, fingerprints.

A board is one character per cell; geometry comes in as `neighbours`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b

Neighbours = Sequence[Sequence[int]]
"""For each cell the cells next to it."""


def find_group(board: Sequence[str], cell: int, neighbours: Neighbours) -> set[int]:
    """Return the cells connected to `cell` that hold the same sign, itself included."""
    stone, cells, frontier = board[cell], {cell}, [cell]
    while frontier:
        for there in neighbours[frontier.pop()]:
            if there not in cells and board[there] == stone:
                cells.add(there)
                frontier.append(there)
    return cells


def find_liberties(
    board: Sequence[str], stones: Iterable[int], neighbours: Neighbours, empty: str = "."
) -> set[int]:
    """Return the empty cells next to a group."""
    return {there for cell in stones for there in neighbours[cell] if board[there] == empty}


def find_without_liberties(
    board: Sequence[str], cell: int, neighbours: Neighbours, empty: str = "."
) -> set[int]:
    """Return the group of `cell` if it has no liberty; otherwise nothing."""
    stone, cells, frontier = board[cell], {cell}, [cell]
    while frontier:
        for there in neighbours[frontier.pop()]:
            what = board[there]
            if what == empty:
                return set()
            if what == stone and there not in cells:
                cells.add(there)
                frontier.append(there)
    return cells


def find_captured(
    board: Sequence[str], cell: int, neighbours: Neighbours, empty: str = "."
) -> set[int]:
    """Return the stones of other colours without a liberty next to the stone just put on `cell`."""
    own, gone = board[cell], set[int]()
    for there in neighbours[cell]:
        if board[there] not in (own, empty) and there not in gone:
            gone |= find_without_liberties(board, there, neighbours, empty)
    return gone


def clear_cells(board: str, cells: Iterable[int], empty: str = ".") -> str:
    """Return the board with `cells` emptied."""
    row = list(board)
    for cell in cells:
        row[cell] = empty
    return "".join(row)


def put_sign(board: str, cell: int, stone: str) -> str:
    """Return the board with `stone` on `cell`."""
    return board[:cell] + stone + board[cell + 1 :]


def move_sign(board: str, start: int, end: int, empty: str = ".") -> str:
    """Return the board with the sign of `start` moved to `end`, replacing what was there."""
    return put_sign(put_sign(board, end, board[start]), start, empty)


@cache
def zobrist_numbers(size: int, stones: str) -> dict[str, tuple[int, ...]]:
    """Return a number for each stone and cell; the fingerprint of a board is the exclusive or of
    those of its stones (48 bits, which JSON preserves)."""
    return {
        stone: tuple(
            int.from_bytes(blake2b(f"{stone}{cell}".encode(), digest_size=6).digest(), "big")
            for cell in range(size)
        )
        for stone in stones
    }


def fingerprint(text: str) -> int:
    """Return a 48-bit hash of a text that identifies a position in a history."""
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")
