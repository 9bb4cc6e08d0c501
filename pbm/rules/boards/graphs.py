"""Boards that are graphs: named spaces joined by links, with distances and shortest paths."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property


class Graph:
    """Spaces numbered in the order of `names`; `links` name the pairs that are one step apart."""

    def __init__(self, names: Iterable[str], links: Iterable[tuple[str, str]]) -> None:
        self.names = tuple(names)
        self.number = {name: space for space, name in enumerate(self.names)}
        around: list[list[int]] = [[] for _ in self.names]
        for one, other in links:
            a, b = self.number[one], self.number[other]
            around[a].append(b)
            around[b].append(a)
        self.neighbours = tuple(tuple(spaces) for spaces in around)
        """For each space those one step away, in the order of the links."""

    def __len__(self) -> int:
        return len(self.names)

    def space(self, text: str) -> int | None:
        """Return the number of the space with that name in any case; None if there is none."""
        return self.number.get(text.lower())

    @cached_property
    def distance(self) -> tuple[tuple[int | None, ...], ...]:
        """`distance[a][b]`: the length of a shortest path from a to b; None if there is none."""
        return tuple(self._distances_from(space) for space in range(len(self)))

    def _distances_from(self, start: int) -> tuple[int | None, ...]:
        distances: list[int | None] = [None] * len(self)
        distances[start] = steps = 0
        frontier = [start]
        while frontier:
            steps += 1
            reached = {there for here in frontier for there in self.neighbours[here]}
            frontier = [space for space in sorted(reached) if distances[space] is None]
            for space in frontier:
                distances[space] = steps
        return tuple(distances)

    def way(self, start: int, end: int) -> tuple[int, ...]:
        """Return the spaces of a shortest path from start to end, excluding start; of several the
        one through the first neighbours. Empty if there is none."""
        spaces: list[int] = []
        left = self.distance[start][end] or 0
        while left:
            left -= 1
            start = next(n for n in self.neighbours[start] if self.distance[n][end] == left)
            spaces.append(start)
        return tuple(spaces)
