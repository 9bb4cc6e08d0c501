"""Atari Go: go in which the first capture wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.rules import Option, Value
from pbm.rules.families.surrounding import SurroundingPosition, fingerprint
from pbm.rules.families.two_player import EMPTY, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase_number

HELP = """\
ATARI GO, 2 players

AIM. Make the first capture.

MOVES. Black (X) begins. A move puts a stone on an empty point; you cannot
pass. Points are a letter and a number, a1 at the lower left; there is no
column i. Stones of one colour joined along the lines form a group; the empty
points next to it are its liberties. After your stone is on the board, all
groups of the other colour without a liberty are captured. Suicide (leaving
your own group without a liberty) is not allowed, nor is a move after which
the whole board looks as it did after an earlier move (ko).

WRITING MOVES. The point:
  > e5

THE END. The first player to capture a stone wins at once; with -stones=5 the
first to capture five or more in all. A player without a legal move loses.
There are no draws. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class AtariGo(SurroundingPosition):
    """A position of atari go."""

    moves_once = True
    sgf_number = sgf.GO

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> AtariGo:
        size = int(options["size"])
        row, low = [EMPTY] * size**2, size // 2 - 1
        for n, stone in enumerate("XOOX" if options["cross"] else ""):
            row[(low + n // 2) * size + low + n % 2] = stone
        board = "".join(row)
        return cls(options, board, history=(fingerprint(board),))

    def list_moves(self) -> list[str]:
        return self.points()

    def make_move(self, move: str) -> AtariGo:
        after = self.with_stone(move)
        wanted = int(self.options["stones"])
        if after.taken_by[self.side] >= wanted:
            won = phrase_number(
                "{colour} has captured a stone",
                "{colour} has captured {count} stones or more",
                wanted,
                colour=self.colour(self.side),
            )
            return after.win(self.side, won)
        return after.lose_if_stuck()


GAMES = (
    two_player_game(
        AtariGo,
        "atarigo",
        "Atari Go",
        ("black", "white"),
        "the stones of go: the first capture wins",
        HELP,
        Option("size", "int", "lines along a side", 9, low=5, high=19),
        Option("stones", "int", "captured stones that win", 1, low=1, high=20),
        Option("cross", "flag", "two stones of each colour start crossed in the middle"),
        aliases=("capturego",),
        family="capture",
        is_decisive=True,
        length="short",
    ),
)
