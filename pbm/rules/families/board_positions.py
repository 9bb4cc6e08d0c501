"""Two-player positions on boards of squares and of hexagons: the empty board, the picture, the
record.

A game's position class derives from one of these and from `PlacementPosition` or
`MoveListPosition`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.drawing.grid_drawing import STONE_ROLES, draw
from pbm.rules.drawing.picture import Picture
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition
from pbm.rules.formats import sgf
from pbm.rules.game import Played
from pbm.rules.options import Value

B = TypeVar("B", bound="_OnBoard")


class _OnBoard(TwoPlayerPosition):
    """The common part of both."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def geometry(self) -> Grid | HexBoard:
            """The board, its cells in the order of `board`."""

        def named_cells(self, moves: Sequence[str]) -> set[int]:
            """The cells named in moves."""

    @classmethod
    def initial(cls: type[B], options: Mapping[str, Value]) -> B:
        """The empty board."""
        first = cls(options, "")
        return replace(first, board=EMPTY * len(first.geometry))

    def counts(self) -> tuple[int, int]:
        """The number of stones of each side on the board."""
        return self.board.count(STONES[0]), self.board.count(STONES[1])


def chequerboard(columns: int, rows: int) -> str:
    """A full board with stones alternating like the squares of a chessboard, X on the first
    cell."""
    return "".join(STONES[(row + column) % 2] for row in range(rows) for column in range(columns))


class OnSquares(_OnBoard):
    """A position on squares: -size of them along a side, or -columns by -rows."""

    __slots__ = ()
    roles: ClassVar[Mapping[str, str]] = STONE_ROLES
    """The role of each sign in the picture."""
    sgf_number: ClassVar[int] = 0
    """The number of the game in SGF if its moves put stones on points; otherwise 0."""

    @property
    def geometry(self) -> Grid:
        options = self.options
        if "size" in options:
            size = int(options["size"])
            return cached_grid(size, size)
        return cached_grid(int(options["columns"]), int(options["rows"]))

    @classmethod
    def record(cls, played: Played) -> str:
        """The game in SGF. SGF knows no swap, so a stone is given the colour that it has on the
        board."""
        if not cls.sgf_number:
            return ""
        grid = cls(played.options, "").geometry
        turns, swapped = sgf.stone_turns(played, lambda move: sgf.point_on(grid, move))
        return sgf.sgf(cls.sgf_number, grid.width, turns, played, swapped=swapped)

    def signs(self) -> Sequence[str]:
        """The sign shown on each cell of the picture."""
        return self.board

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = draw(self.geometry, self.signs(), self.named_cells(last), roles=self.roles)
        self.caption(canvas, note=self.remark)
        return canvas.picture()


class OnHexagons(_OnBoard):
    """A position on hexagons."""

    __slots__ = ()
    numbered_right: ClassVar[bool] = False
    """Whether row numbers also stand to the right of the board."""

    if TYPE_CHECKING:

        @property
        def geometry(self) -> HexBoard:
            """The board."""

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = self.geometry.draw(self.board, self.named_cells(last), right=self.numbered_right)
        self.caption(canvas, note=self.remark)
        return canvas.picture()
