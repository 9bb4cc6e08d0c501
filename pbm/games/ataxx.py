"""Ataxx: pieces multiply or jump on squares and convert their neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pbm.rules import Option, OptionError, Value
from pbm.rules.boards.squares import Grid
from pbm.rules.families.many_sides import SIGNS
from pbm.rules.families.spreading import (
    GAP,
    PAGE,
    CrowdedSpreading,
    SpreadingBoard,
    SpreadingPosition,
)
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import phrase


@cache
def squares(size: int) -> SpreadingBoard:
    """Return the board with its jumps."""
    return SpreadingBoard(Grid(size, size))


@dataclass(frozen=True, slots=True)
class Ataxx(SpreadingPosition):
    """A position of the game."""

    @property
    def jump_board(self) -> SpreadingBoard:
        return squares(int(self.options["size"]))

    @classmethod
    def check_options(cls, options: Mapping[str, Value]) -> None:
        if options["gaps"] == "diamond" and int(options["size"]) % 2 == 0:
            raise OptionError(
                phrase("a diamond of gaps needs an odd size, not {size}", size=options["size"])
            )

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Ataxx:
        size = int(options["size"])
        row, last = [EMPTY] * (size * size), size - 1
        row[0] = row[-1] = STONES[1]
        row[last] = row[-size] = STONES[0]
        low, high, middle = (size - 3) // 2, size // 2 + 1, size // 2
        spots = {
            "square": [(low, low), (low, high), (high, low), (high, high)],
            "diamond": [(low, middle), (high, middle), (middle, low), (middle, high)],
        }
        for column, line in spots.get(str(options["gaps"]), ()):
            row[line * size + column] = GAP
        return cls(options, "".join(row))


@dataclass(frozen=True, slots=True)
class CrowdedAtaxx(CrowdedSpreading, Ataxx):
    """A position for four, each beginning in a corner, otherwise with the rules for two."""

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedAtaxx:
        size = int(options["size"])
        row = list(Ataxx.initial(options).board)
        corners = (0, size * (size - 1), size * size - 1, size - 1)
        for side, cell in enumerate(corners):
            row[cell] = SIGNS[side]
        return cls(options, "".join(row), count=players)


GAMES = (
    two_player_game(
        Ataxx,
        "ataxx",
        "Ataxx",
        ("black", "white"),
        "pieces multiply or jump and convert their neighbours",
        PAGE.format(
            title="ATAXX",
            players="2 or 4",
            crowd="FOUR PLAYERS. Each begins with one piece in a corner: black at the lower\n"
            "left, white (O) at the upper left, red (%) at the upper right, blue (@) at\n"
            "the lower right. Pieces of all others turn. The discs of whoever resigns stay.",
            near="Squares that share a corner are next to each other too; all 16 squares\n"
            "of the ring around those are two steps away, also across gaps.",
            grow="b6",
            jump="a7-c5",
        ),
        Option("size", "int", "squares along a side", 7, low=5, high=9),
        Option(
            "gaps",
            "choice",
            "four squares about the middle that do not exist; diamond needs an odd size",
            "none",
            choices=("none", "square", "diamond"),
        ),
        family="territory",
        crowd=CrowdedAtaxx,
        crowds=(("black", "white", "red", "blue"),),
    ),
)
