"""Bitboards: sets of cells of a rectangular board as the bits of an integer, the first cell
highest.

A board is one character per cell, in the order of a `Grid` without gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import compress
from typing import TypeVar

T = TypeVar("T")
_ONLY = {chr(one): b"0" * one + b"1" + b"0" * (255 - one) for one in range(33, 127)}
_BITS = bytes.maketrans(b"01", b"\x00\x01")


def mask_of(board: str, sign: str) -> int:
    """Return the cells that hold a sign."""
    return int(board.encode().translate(_ONLY[sign]), 2)


def select(items: Sequence[T], mask: int) -> list[T]:
    """Return the items of a sequence, one item per cell, whose bits are set."""
    return list(compress(items, f"{mask:0{len(items)}b}".encode().translate(_BITS)))


class Masks:
    """Masks for boards of one size, so that nothing wraps around the edges."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.size = width, width * height
        self.full = (1 << self.size) - 1
        rows = self.full // ((1 << width) - 1)
        self.not_first = rows * ((1 << width - 1) - 1)
        """The cells that have one to the left."""
        self.not_last = self.not_first << 1
        """The cells that have one to the right."""

    def bit(self, cell: int) -> int:
        """Return the mask of one cell."""
        return 1 << self.size - 1 - cell

    def cells(self, mask: int) -> list[int]:
        """Return the numbers of the cells of a mask."""
        return select(range(self.size), mask)

    def beside(self, mask: int) -> int:
        """Return the cells next to a cell of the mask."""
        return (
            mask << self.width
            | mask >> self.width
            | (mask & self.not_first) << 1
            | (mask & self.not_last) >> 1
        ) & self.full

    def spread(self, mask: int) -> int:
        """Return the cells of the mask and those next to them."""
        return mask | self.beside(mask)

    def joined(self, seed: int, within: int) -> int:
        """Return the cells of `within` that are connected to those of `seed`."""
        while True:
            grown = self.spread(seed) & within
            if grown == seed:
                return seed
            seed = grown

    def groups(self, mask: int) -> Iterator[int]:
        """Yield the connected parts of a mask."""
        while mask:
            group = self.joined(mask & -mask, mask)
            mask ^= group
            yield group


@cache
def masks(width: int, height: int) -> Masks:
    """Return the masks for boards of that size, built once."""
    return Masks(width, height)
