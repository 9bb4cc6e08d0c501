"""Hexxagon: Ataxx on a board of hexagons with three holes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pbm.rules import Option, Value
from pbm.rules.boards.hexagons import hexagon
from pbm.rules.families.spreading import GAP, PAGE, Field, Spreading
from pbm.rules.families.two_player import EMPTY, STONES, duel


@cache
def hexagons(size: int) -> Field:
    """The board with its jumps."""
    return Field(hexagon(size))


@dataclass(frozen=True, slots=True)
class Hexxagon(Spreading):
    """A moment of the game."""

    @property
    def field(self) -> Field:
        return hexagons(int(self.options["size"]))

    @classmethod
    def laid_out(cls, options: Mapping[str, Value]) -> Hexxagon:
        board = hexagon(int(options["size"]))
        row = [EMPTY] * len(board)
        middle = len(board) // 2
        for way in (0, 2, 4) if not options["full"] else ():
            row[board.around[middle][way]] = GAP
        for way in range(6):
            row[board.rays[middle][way][-1]] = STONES[way % 2]
        return cls(options, "".join(row))


GAMES = (
    duel(
        Hexxagon,
        "hexxagon",
        "Hexxagon",
        ("black", "white"),
        "Ataxx on a board of hexagons with three holes",
        PAGE.format(
            title="HEXXAGON",
            near="A cell has up to six neighbours and up to twelve cells two steps away, also\n"
            "across a hole (# in the picture).",
            grow="b1",
            jump="a1-b3",
            options="-size=4..6: cells along a side. -full: no holes.",
        ),
        Option("size", "int", "cells along a side", 5, low=4, high=6),
        Option("full", "flag", "no holes"),
    ),
)
