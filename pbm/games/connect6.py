"""Connect6: six in a row, two stones a turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbm.rules import Option
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.drawing.grid_scene import CROSSINGS
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
CONNECT6, 2 players, after I-Chen Wu

AIM. Get six or more of your stones in an unbroken row: horizontal, vertical
or diagonal.

MOVES. Black (X) begins with one stone. From then on each turn puts two stones
on any empty points, named by column and row; a1 is at the bottom left.

WRITING MOVES. Both stones on one line, or one at a time; the turn is over
after the second:
  > j10
  > k10 k11
  > J9K9

THE END. A row of six wins at once, even with the first stone of a turn. A
full board without one is a draw. Resigning loses.
"""
_JOINED = re.compile(r"(?<=[0-9])[-+/]?(?=[a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Connect6Position(OnSquares, PlacementPosition):
    """A position of Connect6.

    left     how many stones the side on the move is still to put
    earlier  the first stone of the running turn, for marking it; -1 when there is none"""

    look = CROSSINGS
    left: int = 1
    earlier: int = -1

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return PlacementPosition.parse(self, _JOINED.sub(" ", text[:4000]), seat)

    def place(self, cell: int) -> Connect6Position:
        board = put_sign(self.board, cell, STONES[self.side])
        if self.left == 2:
            following = replace(self, board=board, left=1, earlier=cell, news=())
        else:
            following = self.end_turn(board, left=2, earlier=-1)
        if max(row_lengths(board, cell, self.geometry.axes)) >= 6:
            return following.win(
                self.side, phrase("six in a row for {colour}", colour=self.colour(self.side))
            )
        return following.draw_if_full()

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        return PlacementPosition.named_cells(self, moves) | ({self.earlier} - {-1})

    @property
    def remark(self) -> str:
        waiting = self.earlier >= 0 and not self.outcome
        return phrase("one stone of this turn is left") if waiting else ""


GAMES = (
    two_player_game(
        Connect6Position,
        "connect6",
        "Connect6",
        ("black", "white"),
        "six in a row, two stones a turn",
        HELP,
        Option("size", "int", "rows and columns", default=19, low=9, high=19),
        aliases=("connectsix", "sixinarow"),
        family="lines",
    ),
)
