"""Two-player positions on boards of squares and of hexagons: the empty board, the picture, the
record.

A game's position class derives from one of these and from `PlacementPosition` or
`MoveListPosition`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar, TypeVar

from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.drawing.grid_scene import PLAIN, grid_scene
from pbm.rules.drawing.hexagon_scene import hexagon_scene
from pbm.rules.drawing.scene import (
    STONE_KINDS,
    Kinds,
    Panel,
    Piece,
    Scene,
    mark_told,
    marks_on,
    pieces_on,
    remark,
)
from pbm.rules.drawing.scene_text import sign_of
from pbm.rules.errors import RecordError
from pbm.rules.families.move_lists import Geometry
from pbm.rules.families.two_player import EMPTY, STONES, SWAP, TwoPlayerPosition
from pbm.rules.formats import sgf
from pbm.rules.options import Value
from pbm.rules.outcome import Played
from pbm.rules.phrases import Listing, Phrase, fill_in, phrase

B = TypeVar("B", bound="OnBoard")
_CAPTURES = phrase("{colour} captures {places}")
_TURNS = phrase("{colour} turns over {places}")


class OnBoard(TwoPlayerPosition):
    """A position on a board with named cells."""

    __slots__ = ()
    kinds: ClassVar[Kinds] = STONE_KINDS
    """What each sign of the board is in the scene."""
    ground: ClassVar[str] = ""
    """What the board is made of in the scene."""

    if TYPE_CHECKING:

        @property
        def geometry(self) -> Geometry:
            """The board, its cells in the order of `board`."""

        def named_cells(self, moves: Sequence[str]) -> set[int]:
            """Return the cells named in moves."""

    @classmethod
    def initial(cls: type[B], options: Mapping[str, Value]) -> B:
        """Return the empty board."""
        first = cls(options, "")
        return replace(first, board=EMPTY * len(first.geometry.names))

    def counts(self) -> tuple[int, ...]:
        """Return the number of stones of each side on the board."""
        return tuple(self.board.count(sign) for sign in self.stones)

    @property
    @abstractmethod
    def empty_scene(self) -> Scene:
        """The scene of the empty board."""

    @property
    def place_names(self) -> Sequence[str]:
        """The names of the cells in moves, in the order of `board`."""
        return self.geometry.names

    def panels(self) -> tuple[Panel, ...]:
        """Return the scene's panels beside the board."""
        return remark(self.remark)

    def scene_pieces(self) -> tuple[Piece, ...]:
        """Return the scene's pieces on the board."""
        return pieces_on(self.place_names, self.board, self.kinds)

    def sign(self, piece: Piece) -> str:
        return find_signs(type(self)).get((piece.kind, piece.seat)) or sign_of(piece)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        names = self.place_names
        scene = replace(
            self.empty_scene,
            pieces=self.scene_pieces(),
            marks=marks_on(names, self.named_cells(last)),
            panels=self.panels(),
            ground=self.ground,
        )
        return mark_told(scene, self.news) if last else scene

    def tell_captured(self, cells: Collection[int]) -> tuple[str, ...]:
        """Return as news that the side to move has captured what stood on these cells, none for
        none."""
        return self._tell(_CAPTURES, cells)

    def tell_turned(self, cells: Collection[int]) -> tuple[str, ...]:
        """Return as news that the side to move has turned over the pieces on these cells."""
        return self._tell(_TURNS, cells)

    def _tell(self, message: Phrase, cells: Collection[int]) -> tuple[str, ...]:
        if not cells:
            return ()
        names = self.place_names
        places = Listing(names[cell] for cell in sorted(cells))
        return (fill_in(message, colour=self.colour(self.side), places=places),)


@cache
def find_signs(position: type[OnBoard]) -> dict[tuple[str, int | None], str]:
    """Return the sign of each kind of piece and seat."""
    return {what: sign for sign, what in position.kinds.items()}


def chequerboard(columns: int, rows: int) -> str:
    """Return a full board with stones alternating like the squares of a chessboard, X on the first
    cell."""
    return "".join(STONES[(row + column) % 2] for row in range(rows) for column in range(columns))


class OnSquares(OnBoard):
    """A position on squares: -size of them along a side, or -columns by -rows."""

    __slots__ = ()
    look: ClassVar[str] = PLAIN
    """How the scene shows the board; see `grid_scene`."""
    sgf_number: ClassVar[int] = 0
    """The number of the game in SGF if its moves put stones on points; otherwise 0."""
    is_read_as_sgf: ClassVar[bool] = False
    """Whether records in SGF without such a number are read, too."""

    @property
    def geometry(self) -> Grid:
        options = self.options
        if "size" in options:
            size = int(options["size"])
            return cached_grid(size, size)
        return cached_grid(int(options["columns"]), int(options["rows"]))

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF. SGF knows no swap, so a stone is given the colour that it has on
        the board."""
        if not cls.sgf_number:
            return ""
        grid = cls(played.options, "").geometry
        turns, swapped = sgf.stone_turns(played, lambda move: sgf.point_on(grid, move))
        return sgf.sgf(cls.sgf_number, grid.width, turns, played, swapped=swapped)

    @classmethod
    def read_record(cls, text: str) -> Played:
        """Return the game in SGF, whose side that begins may have either colour. A stone that
        changes colours is a swap."""
        if not cls.sgf_number and not cls.is_read_as_sgf:
            return super().read_record(text)
        tree, info = sgf.read(text), cls.game.info
        usual = {option.name: option.default for option in info.options}
        size = sgf.read_size(tree, int(usual["size"] or 0))
        start = sgf.settle_options(cls.game, {"size": size})
        names = cls(start.options, "").geometry.names
        if {"AB", "AW"} & set(tree.root):
            raise RecordError(phrase("the game begins with stones on the board (AB, AW)"))
        line = sgf.read_line(
            tree,
            lambda at: SWAP if at.lower() == SWAP else sgf.name_point(at, size, names),
        )
        return sgf.replay(tree, start, line, start.options)

    @property
    def empty_scene(self) -> Scene:
        return grid_scene(self.geometry, self.look)


class OnHexagons(OnBoard):
    """A position on hexagons."""

    __slots__ = ()
    numbered_right: ClassVar[bool] = False
    """Whether row numbers also stand to the right of the board."""

    if TYPE_CHECKING:

        @property
        def geometry(self) -> HexBoard:
            """The board."""

    @property
    def empty_scene(self) -> Scene:
        return hexagon_scene(self.geometry, right=self.numbered_right)
