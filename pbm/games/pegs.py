"""Pegs and Links, also known as TwixT (a trademark of Hasbro): a chain of knight's moves.

Links are in `pbm.rules.boards.peg_links`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import IllegalMove, Option, Value
from pbm.rules.boards.bitboards import mask_of, select
from pbm.rules.boards.goban import NamedGrid, top_down
from pbm.rules.boards.peg_links import (
    add_link,
    find_linked,
    has_link,
    possible_links,
)
from pbm.rules.boards.stone_groups import put_sign
from pbm.rules.drawing.grid_scene import CROSSINGS, grid_scene
from pbm.rules.drawing.scene import Mark, Scene, Stroke, both_sides
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition
from pbm.rules.families.two_player import EMPTY, NO_SWAP_OPTION, STONES, two_player_game
from pbm.rules.phrases import phrase

HELP = """\
PEGS AND LINKS, 2 players; also known as TwixT

AIM. Red (X) joins the top and bottom rows with one chain of linked pegs, Blue
(O) the left and right columns.

MOVES. Red begins. Players take turns putting a peg into an empty hole, named
by column and row; a1 would be at the upper left, but the four corners have no
holes. The top and bottom rows are for Red alone, the outer columns for Blue.
A peg is linked at once to every peg of your colour a knight's move away (two
holes along and one across), unless an opposing link is in the way. Links
stay. Your own links may cross each other, as in the game on paper, which is
also how most servers play it. Blue may answer the first move with swap: the
players change colours, the peg stays red, and it is Blue's turn. Each colour
keeps its sides.

WRITING MOVES. The hole:
  > l12
  > M10

THE END. The chain wins at once. If the next player has no hole to use, the
game is drawn. Resigning loses.
"""

SIDES = (phrase("top and bottom"), phrase("left and right"))


@cache
def own_cells(size: int, side: int) -> int:
    """Return the holes that a colour may use, as a mask whose highest bit is the first cell."""
    mask = 0
    for cell in range(size * size):
        row, column = divmod(cell, size)
        across, along = (column, row) if side == 0 else (row, column)
        free = 0 < across < size - 1
        mask = mask << 1 | (free and 0 <= along < size)
    return mask


@cache
def hole_scene(size: int) -> Scene:
    """Return the scene of the empty board: its holes, and the sides that each colour joins."""
    low, high, corners = 0.75, size - 0.75, {0, size - 1, size * size - size, size * size - 1}
    holes = grid_scene(top_down(size, size), CROSSINGS)
    ends = {name for cell, name in enumerate(top_down(size, size).names) if cell in corners}
    sides = ((0, (low, low), (high, low)), (0, (high, high), (low, high)))
    others = ((1, (high, low), (high, high)), (1, (low, high), (low, low)))
    return replace(
        holes,
        places=tuple(replace(hole, shade="hole") for hole in holes.places if hole.name not in ends),
        lines=(),
        regions=tuple(
            replace(region, places=tuple(name for name in region.places if name not in ends))
            for region in holes.regions
        ),
        strokes=tuple(Stroke((one, other), "border", seat) for seat, one, other in sides + others),
    )


@dataclass(frozen=True, slots=True)
class PegsPosition(OnSquares, PlacementPosition):
    """A position of Pegs and Links; `links` holds those of both colours, see `boards.peg_links`."""

    moves_once = True
    kinds = both_sides("peg")
    layout = TextLayout(across=3, down=2, left=4, gaps=(2, 2))
    remark = phrase("red joins top and bottom, blue left and right")
    links: str = ""

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> PegsPosition:
        size = int(options["size"])
        row = EMPTY * (size - 2)
        edge = f" {row} "
        board = edge + (EMPTY * size) * (size - 2) + edge
        return cls(options, board, links="0" * (size * size))

    @property
    def geometry(self) -> NamedGrid:
        size = int(self.options["size"])
        return top_down(size, size)

    def moves(self) -> Sequence[str]:
        mask = mask_of(self.board, EMPTY) & own_cells(self.geometry.width, self.side)
        return select(self.geometry.names, mask)

    def place(self, cell: int) -> PegsPosition:
        side, size = self.side, self.geometry.width
        name, last = self.geometry.names[cell], size * size - 1
        if not own_cells(size, side) >> last - cell & 1:
            if own_cells(size, 1 - side) >> last - cell & 1:
                raise IllegalMove(
                    phrase(
                        "{name} is in a border row of {colour}",
                        name=name,
                        colour=self.colour(1 - side),
                    )
                )
            raise IllegalMove(phrase("{name} is a corner, there is no hole", name=name))
        board = put_sign(self.board, cell, STONES[side])
        links = self._linked(board, cell)
        following = replace(
            self, board=board, links=links, side=1 - side, turn=self.turn + 1, news=()
        )
        chain = find_linked(links, cell, size)
        rows = {there // size if side == 0 else there % size for there in chain}
        if 0 in rows and size - 1 in rows:
            return following.win(
                side, phrase("{colour} joins {side}", colour=self.colour(side), side=SIDES[side])
            )
        if not mask_of(board, EMPTY) & own_cells(size, 1 - side):
            return following.end_in_draw(
                phrase("{colour} has no hole to use", colour=self.colour(1 - side))
            )
        return following

    def _linked(self, board: str, cell: int) -> str:
        """Return the links, including those made by a peg just put on `cell`."""
        links, stone, strict = list(self.links), board[cell], self.options["strict"]
        for link in possible_links(self.geometry.width)[cell]:
            if board[link.target] == stone and not any(
                has_link(links, hole_spot) and (strict or board[hole_spot[0]] != stone)
                for hole_spot in link.crossing
            ):
                add_link(links, link.place)
        return "".join(links)

    @property
    def empty_scene(self) -> Scene:
        return hole_scene(self.geometry.width)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        scene, names, size = (
            OnSquares.scene(self, viewer, last),
            self.geometry.names,
            self.geometry.width,
        )
        links = tuple(
            Mark((names[cell], names[link.target]), "link", STONES.index(self.board[cell]))
            for cell, stored in enumerate(self.links)
            if stored != "0"
            for link in possible_links(size)[cell]
            if link.place[0] == cell and has_link(self.links, link.place)
        )
        return replace(scene, marks=links + scene.marks)


GAMES = (
    two_player_game(
        PegsPosition,
        "pegs",
        "Pegs and Links",
        ("red", "blue"),
        "join your two sides by knight's moves (TwixT)",
        HELP,
        Option("size", "int", "rows and columns", default=24, low=6, high=24),
        Option(
            "strict",
            "flag",
            "your own links may not cross either, as in the printed rules; of two that "
            "would, the first is placed, clockwise from two up and one to the right",
        ),
        NO_SWAP_OPTION,
        aliases=("twixt",),
        family="connection",
    ),
)
