"""Hexxagon: Ataxx on a board of hexagons with three holes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pbm.rules import Option, Value
from pbm.rules.boards.hexagons import hexagon
from pbm.rules.families.many_sides import SIGNS
from pbm.rules.families.spreading import (
    GAP,
    PAGE,
    CrowdedSpreading,
    SpreadingBoard,
    SpreadingPosition,
)
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game


@cache
def hexagons(size: int) -> SpreadingBoard:
    """Return the board with its jumps."""
    return SpreadingBoard(hexagon(size))


@dataclass(frozen=True, slots=True)
class Hexxagon(SpreadingPosition):
    """A position of the game."""

    moves_once = True

    @property
    def jump_board(self) -> SpreadingBoard:
        return hexagons(int(self.options["size"]))

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Hexxagon:
        board = hexagon(int(options["size"]))
        row = [EMPTY] * len(board)
        middle = len(board) // 2
        for way in (0, 2, 4) if not options["full"] else ():
            row[board.around[middle][way]] = GAP
        for way in range(6):
            row[board.rays[middle][way][-1]] = STONES[way % 2]
        return cls(options, "".join(row))


@dataclass(frozen=True, slots=True)
class CrowdedHexxagon(CrowdedSpreading, Hexxagon):
    """A position for three, with the start of Richard's PBeM Server."""

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedHexxagon:
        size = int(options["size"])
        board, row = hexagon(size), list(Hexxagon.initial(options).board)
        middle = len(board) // 2
        for way in range(6):
            row[board.rays[middle][way][-1]] = SIGNS[way % players]
        return cls(options, "".join(row), count=players)


GAMES = (
    two_player_game(
        Hexxagon,
        "hexxagon",
        "Hexxagon",
        ("black", "white"),
        "Ataxx on a board of hexagons with three holes",
        PAGE.format(
            title="HEXXAGON",
            players="2 or 3",
            crowd="THREE PLAYERS. Each begins in two opposite corners: black, white (O), red (%).\n"
            "Pieces of all others turn. The discs of whoever resigns stay.",
            near="A cell has up to six neighbours and up to twelve cells two steps away, also\n"
            "across a hole (# in the picture).",
            grow="b1",
            jump="a1-b3",
        ),
        Option("size", "int", "cells along a side", 5, low=4, high=6),
        Option("full", "flag", "no holes"),
        family="territory",
        crowd=CrowdedHexxagon,
        crowds=(("black", "white", "red"),),
    ),
)
