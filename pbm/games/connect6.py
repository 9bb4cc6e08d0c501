"""Connect6: six in a row, two stones a turn.

The rules only; rows of stones come from `pbm.rules.placing`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import GameInfo, Option, Picture, Value
from pbm.rules.duel import EMPTY, STONES, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.placing import Placing, row_lengths, square_axes
from pbm.rules.squares import Grid, cached_grid
from pbm.rules.stones import filled

HELP = """\
CONNECT6, 2 players, after I-Chen Wu

AIM. Six or more of your stones in an unbroken row: across, up or slanting.

MOVES. Black (X) begins with one stone. From then on you put two stones in
each turn, on any empty points, named by column and row; a1 is at the bottom
left. Write both in one line, or one at a time; the turn is over after the
second:
  > j10
  > k10 k11
  > J9K9

OPTIONS. -size=9..19 rows and columns.

ENDING. A row of six decides at once, also with the first stone of two. A full
board without one is a draw. Who resigns loses.
"""

_JOINED = re.compile(r"(?<=[0-9])[-+/]?(?=[a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Connect6Position(Placing):
    """A moment of Connect6.

    left     how many stones the side on the move is still to put
    earlier  the first stone of the running turn, for marking it; -1 when there is none"""

    left: int = 1
    earlier: int = -1

    @property
    def surface(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return Placing.parse(self, _JOINED.sub(" ", text[:4000]), seat)

    def placed(self, cell: int) -> Connect6Position:
        board, size = filled(self.board, cell, STONES[self.side]), int(self.options["size"])
        if self.left == 2:
            following = replace(self, board=board, left=1, earlier=cell, news=())
        else:
            side, turn = 1 - self.side, self.turn + 1
            following = replace(
                self, board=board, side=side, turn=turn, left=2, earlier=-1, news=()
            )
        if max(row_lengths(board, cell, square_axes(size, size))) >= 6:
            return following.won(self.side, f"six in a row for {self.colour(self.side)}")
        return following.or_full()

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        marked = self.cells_of(last)
        if self.earlier >= 0:
            marked.add(self.earlier)
        canvas = draw(self.surface, self.board, marked)
        note = "one stone of this turn is left" if self.earlier >= 0 else ""
        self.caption(canvas, note="" if self.outcome else note)
        return canvas.picture()


class Connect6(DuelGame):
    """The game."""

    position = Connect6Position
    info = GameInfo(
        name="connect6",
        title="Connect6",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="six in a row, two stones a turn",
        help=HELP,
        aliases=("connectsix", "sixinarow"),
        options=(Option("size", "int", "rows and columns", default=19, low=9, high=19),),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Connect6Position:
        return Connect6Position(options, EMPTY * int(options["size"]) ** 2)


Connect6Position.game = Connect6()
GAMES = (Connect6Position.game,)
