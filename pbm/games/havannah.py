"""Havannah: a ring, a bridge or a fork on a hexagon."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbm.rules import Option, Played, RecordError
from pbm.rules.boards.hexagons import HexBoard, hexagon
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import CORNERS, SIDES, closes_ring, connects, find_rim
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import NO_SWAP_OPTION, SWAP, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

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

_CELL = re.compile(r"([a-s])([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class HavannahPosition(OnHexagons, PlacementPosition):
    """A position of Havannah."""

    moves_once = True

    @property
    def geometry(self) -> HexBoard:
        return hexagon(int(self.options["side"]))

    def place(self, cell: int) -> HavannahPosition:
        following, on, who = self.put_stone(cell), self.geometry, self.colour(self.side)
        bits = connects(following.board, cell, on, find_rim(int(self.options["side"])))
        if (bits & SIDES).bit_count() >= 3:
            return following.win(self.side, phrase("{who} has a fork", who=who))
        if (bits & CORNERS).bit_count() >= 2:
            return following.win(self.side, phrase("{who} has a bridge", who=who))
        if closes_ring(following.board, cell, on):
            return following.win(self.side, phrase("{who} has a ring", who=who))
        return following.draw_if_full()

    @classmethod
    def read_record(cls, text: str) -> Played:
        """Return the game in SGF as Little Golem and HavannahGui write it, with rows counted from
        the other end than here."""
        tree = sgf.read(text)
        side = sgf.read_size(tree, 8)
        start = sgf.settle_options(cls.game, {"side": side})
        if {"AB", "AW"} & set(tree.root):
            raise RecordError(phrase("the game begins with stones on the board (AB, AW)"))

        def read(value: str) -> str:
            if value.lower() == SWAP:
                return SWAP
            match = _CELL.fullmatch(value.lower())
            name = f"{match[1]}{2 * side - int(match[2])}" if match else ""
            if name not in hexagon(side).number:
                raise ValueError(f"{quoted(value)} is no cell of side {side}, such as D4")
            return name

        return sgf.replay(tree, start, sgf.read_line(tree, read), start.options)


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
