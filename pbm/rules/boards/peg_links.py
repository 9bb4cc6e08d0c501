"""Knight's-move links between pegs on a square board: crossings, connected pegs, drawing.

A board is one character per cell; links are also one character per cell, a hexadecimal digit whose
bits say which of the four upward links start there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

UP = ((1, 2), (2, 1), (-2, 1), (-1, 2))
"""The steps (columns, rows) of the links stored with a cell, bits 0 to 3."""
AROUND = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""All eight steps, clockwise from north-north-east."""

Point = tuple[int, int]


class PegLink(NamedTuple):
    """A possible link of a peg: its target cell, where it is stored, and the places (cell, bit) of
    the links that would cross it."""

    target: int
    place: tuple[int, int]
    crossing: tuple[tuple[int, int], ...]


def _side(a: Point, b: Point, c: Point) -> int:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd cross between their ends."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


@cache
def _crossings(bit: int) -> tuple[tuple[int, int, int], ...]:
    """Return the links (column, row, bit) that cross the link starting at (0, 0)."""
    near = range(-3, 4)
    return tuple(
        (x, y, other)
        for x in near
        for y in near
        for other, (dx, dy) in enumerate(UP)
        if _cross((0, 0), UP[bit], (x, y), (x + dx, y + dy))
    )


@cache
def possible_links(size: int) -> tuple[tuple[PegLink, ...], ...]:
    """Return for each cell of a board its possible links, clockwise from north-north-east."""

    def inside(column: int, row: int) -> bool:
        return 0 <= column < size and 0 <= row < size

    def link(column: int, row: int, step: Point) -> PegLink:
        x, y = column + step[0], row + step[1]
        low = (column, row) if step in UP else (x, y)
        bit = UP.index(step if step in UP else (-step[0], -step[1]))
        crossing = tuple(
            (size * (low[1] + dy) + low[0] + dx, other)
            for dx, dy, other in _crossings(bit)
            if inside(low[0] + dx, low[1] + dy)
        )
        return PegLink(size * y + x, (size * low[1] + low[0], bit), crossing)

    return tuple(
        tuple(link(column, row, s) for s in AROUND if inside(column + s[0], row + s[1]))
        for row in range(size)
        for column in range(size)
    )


def has_link(links: Sequence[str], place: tuple[int, int]) -> bool:
    """Whether there is a link at (cell, bit)."""
    return bool(int(links[place[0]], 16) >> place[1] & 1)


def add_link(links: list[str], place: tuple[int, int]) -> None:
    """Add a link to the list at (cell, bit)."""
    links[place[0]] = f"{int(links[place[0]], 16) | 1 << place[1]:x}"


def find_linked(links: Sequence[str], cell: int, size: int) -> set[int]:
    """Return the cells whose pegs are connected to that of `cell` by links, itself included."""
    links_of = possible_links(size)
    pegs, frontier = {cell}, [cell]
    while frontier:
        for link in links_of[frontier.pop()]:
            if link.target not in pegs and has_link(links, link.place):
                pegs.add(link.target)
                frontier.append(link.target)
    return pegs
