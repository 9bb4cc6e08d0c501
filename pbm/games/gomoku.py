"""Gomoku: five in a row, free or exact.

The rules only; rows of stones come from `pbm.rules.placing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.rules import GameInfo, Option, Picture, Played, Value, sgf
from pbm.rules.duel import EMPTY, SWAP, SWAP_OPTION, TWO, DuelGame
from pbm.rules.gridpicture import draw
from pbm.rules.placing import Placing, row_lengths, square_axes
from pbm.rules.squares import Grid, cached_grid

HELP = """\
GOMOKU, 2 players

AIM. Five of your stones in an unbroken row: across, up or slanting.

MOVES. Black (X) begins. In turn you put a stone on an empty point, named by
its column and row; a1 is at the bottom left. Stones stay where they are:
  > h8
  > I9

OPTIONS. -size=9..19 rows and columns. -exact: only a row of exactly five
counts, six or more in a row count for nothing; without it they win like five.
-swap: white may answer the first move with swap, which exchanges the colours:
the stone stays black, and it is white's turn. -misere: who completes a row
that counts loses.

ENDING. A row that counts decides at once. A full board without one is a draw.
Who resigns loses. No move is forbidden to black (that would be renju).
"""


@dataclass(frozen=True, slots=True)
class GomokuPosition(Placing):
    """A moment of Gomoku."""

    @property
    def surface(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    def placed(self, cell: int) -> GomokuPosition:
        following, size = self.stone_on(cell), int(self.options["size"])
        lengths = row_lengths(following.board, cell, square_axes(size, size))
        if 5 in lengths or (max(lengths) > 5 and not self.options["exact"]):
            winner = 1 - self.side if self.options["misere"] else self.side
            return following.won(winner, f"five in a row for {self.colour(self.side)}")
        return following.or_full()

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.surface, self.board, self.cells_of(last))
        self.caption(canvas)
        return canvas.picture()


class Gomoku(DuelGame):
    """The game."""

    position = GomokuPosition
    info = GameInfo(
        name="gomoku",
        title="Gomoku",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="five in a row on a large board, free or exact",
        help=HELP,
        aliases=("gobang", "fiveinarow"),
        options=(
            Option("size", "int", "rows and columns", default=15, low=9, high=19),
            Option("exact", "flag", "six in a row do not count"),
            SWAP_OPTION,
            Option("misere", "flag", "a row loses"),
        ),
        features=frozenset({"swap"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> GomokuPosition:
        return GomokuPosition(options, EMPTY * int(options["size"]) ** 2)

    def record(self, played: Played) -> str:
        """The game in SGF, which knows no swap: a stone has the colour that it has on the
        board."""
        size = int(played.options["size"])
        number = cached_grid(size, size).number
        stones = [move for _, move in played.moves if move != SWAP]
        turns = [
            ("BW"[n % 2], sgf.point(number[move] % size, size - 1 - number[move] // size))
            for n, move in enumerate(stones)
        ]
        swapped = len(stones) < len(played.moves)
        return sgf.sgf(sgf.GOMOKU, size, turns, played, swapped=swapped)


GomokuPosition.game = Gomoku()
GAMES = (GomokuPosition.game,)
