"""Havannah: a ring, a bridge or a fork on a hexagon."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pbm.rules import Option
from pbm.rules.boards.hexagons import HexBoard, hexagon
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import closes_ring, connects
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, two_player_game

HELP = """\
HAVANNAH, 2 players, after Christian Freeling

AIM. With one unbroken group of your stones make one of these:
- a ring: around at least one cell, whatever is on it, even your own stones;
- a bridge: joining two of the six corner cells;
- a fork: joining three of the six sides; corner cells belong to no side.

MOVES. White (X) begins. Players take turns putting a stone on an empty cell,
named by column and row. Row 1 is at the top; columns lean from the letter at
their upper end to the lower left. Each inner cell touches six others: e5
touches d5, f5, d4, e4, e6 and f6. Black may answer the first move with swap:
the players change colours, the stone stays white, and it is Black's turn.

WRITING MOVES. The cell:
  > e5
  > H8

THE END. A ring, bridge or fork wins at once. A full board without any is a
draw. Resigning loses.
"""
CORNERS, SIDES = 0b111111, 0b111111000000


@cache
def touching(side: int) -> tuple[int, ...]:
    """The corner (bits 0 to 5) or side (bits 6 to 11) that each cell belongs to, or 0."""
    bits: list[int] = []
    for six in hexagon(side).around:
        off = [way for way in range(6) if six[way] < 0]
        # A cell of a side has two directions off the board, a corner three in a row.
        first = next((way for way in off if (way - 1) % 6 not in off), 0)
        bits.append({0: 0, 2: 1 << 6 + first, 3: 1 << first}[len(off)])
    return tuple(bits)


@dataclass(frozen=True, slots=True)
class HavannahPosition(OnHexagons, PlacementPosition):
    """A position of Havannah."""

    @property
    def geometry(self) -> HexBoard:
        return hexagon(int(self.options["side"]))

    def place(self, cell: int) -> HavannahPosition:
        following, on, who = self.put_stone(cell), self.geometry, self.colour(self.side)
        bits = connects(following.board, cell, on, touching(int(self.options["side"])))
        if (bits & SIDES).bit_count() >= 3:
            return following.win(self.side, f"{who} has a fork")
        if (bits & CORNERS).bit_count() >= 2:
            return following.win(self.side, f"{who} has a bridge")
        if closes_ring(following.board, cell, on):
            return following.win(self.side, f"{who} has a ring")
        return following.draw_if_full()


GAMES = (
    two_player_game(
        HavannahPosition,
        "havannah",
        "Havannah",
        ("white", "black"),
        "a ring, a bridge or a fork on a hexagon",
        HELP,
        Option("side", "int", "cells along each side", default=8, low=3, high=10),
        NO_SWAP_OPTION,
        family="connection",
    ),
)
