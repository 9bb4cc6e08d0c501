"""Long lists of moves as lazy products of prefixes and suffixes, in blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import overload


class MoveProduct(Sequence[str]):
    """For each block, every prefix followed by every suffix; blocks one after the other."""

    __slots__ = ("_blocks", "_ends")

    def __init__(self, blocks: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        self._blocks = list(blocks)
        self._ends = list(accumulate(len(heads) * len(tails) for heads, tails in self._blocks))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError("no such move")
        block = bisect_right(self._ends, at)
        heads, tails = self._blocks[block]
        head, tail = divmod(at - (self._ends[block - 1] if block else 0), len(tails))
        return heads[head] + tails[tail]

    def __iter__(self) -> Iterator[str]:
        for heads, tails in self._blocks:
            for head in heads:
                for tail in tails:
                    yield head + tail
