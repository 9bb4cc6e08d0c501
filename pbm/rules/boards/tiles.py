"""Square tiles whose edges must match: rotations, fitting, features that span several tiles.

The board is a torus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbm.rules.boards.squares import ORTHOGONAL, Grid

DIRECTIONS = "nesw"
"""Directions are numbered clockwise from north; a quarter turn adds one, the opposite is two on."""
VACANT = 0
"""The face of a cell without a tile."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Edges that belong together on a tile, in ascending order; no edges for what lies inside
    it."""

    kind: str
    edges: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile before rotation: `edges` has one letter each for north, east, south and west."""

    name: str
    edges: str
    segments: tuple[Segment, ...]

    def rotated(self, quarters: int) -> Tile:
        """Return the tile after that many quarter turns clockwise; segments keep their order."""
        return Tile(
            self.name,
            "".join(self.edges[(direction - quarters) % 4] for direction in range(4)),
            tuple(
                Segment(one.kind, tuple(sorted((edge + quarters) % 4 for edge in one.edges)))
                for one in self.segments
            ),
        )


class Feature(NamedTuple):
    """Segments joined over edges.

    parts   (cell, number of the segment on its tile), each once
    closed  no edge of it faces a vacant cell
    wraps   two of its segments are joined over the border of the board"""

    parts: tuple[tuple[int, int], ...]
    closed: bool
    wraps: bool


class Tiling:
    """The tables of a set of tiles on a torus.

    A board is a sequence of faces, one a cell: VACANT, or a tile in a rotation (`face`). A cell's
    pattern is a number that tells which edge each neighbour shows to it, 0 where all are vacant."""

    def __init__(self, grid: Grid, tiles: Sequence[Tile]) -> None:
        if not grid.torus:
            raise ValueError("a tiling covers a torus")
        self.grid, self.tiles = grid, tuple(tiles)
        nothing = Tile("", "", ())
        self.faces = (nothing, *(tile.rotated(turn) for tile in tiles for turn in range(4)))
        self.segment_at = tuple(
            tuple(
                next((n for n, one in enumerate(face.segments) if edge in one.edges), -1)
                for edge in range(4)
            )
            for face in self.faces
        )
        kinds = sorted({edge for tile in tiles for edge in tile.edges})
        self._bits = len(kinds).bit_length()
        self._codes = tuple(
            tuple(kinds.index(edge) + 1 for edge in face.edges) or (0, 0, 0, 0)
            for face in self.faces
        )
        patterns = range(1 << 4 * self._bits)
        self.fitting = tuple(
            tuple(self._rotations(tile, pattern) for pattern in patterns)
            for tile in range(len(tiles))
        )
        """For each tile and pattern the rotations that fit, as a mask: bit 2 is two quarters."""
        self.alike = tuple(
            next(first for first, other in enumerate(self.faces) if _look(face) == _look(other))
            for face in self.faces
        )
        """For each face the first one that looks the same."""
        self.across = grid.orthogonal
        self._over = tuple(
            tuple(
                not (0 <= column + dx < grid.width and 0 <= row + dy < grid.height)
                for dx, dy in ORTHOGONAL
            )
            for row in range(grid.height)
            for column in range(grid.width)
        )

    def _rotations(self, tile: int, pattern: int) -> int:
        mask = 0
        for turn in range(4):
            codes = self._codes[self.face(tile, turn)]
            wanted = (pattern >> self._bits * edge & (1 << self._bits) - 1 for edge in range(4))
            if all(want in (0, code) for want, code in zip(wanted, codes, strict=True)):
                mask |= 1 << turn
        return mask

    def face(self, tile: int, rotation: int) -> int:
        """Return the number of a tile, given by its place in the set, in a rotation."""
        return 1 + 4 * tile + rotation

    def tile(self, face: int) -> int:
        """Return the place in the set of the tile that shows that face."""
        return (face - 1) >> 2

    def rotation(self, face: int) -> int:
        """Return the quarter turns clockwise of a face."""
        return (face - 1) & 3

    def pattern(self, board: Sequence[int], cell: int) -> int:
        """Return the pattern of what the neighbours of a cell show to it."""
        return sum(
            self._codes[board[there]][edge ^ 2] << self._bits * edge
            for edge, there in enumerate(self.across[cell])
        )

    def shown(self, face: int, edge: int) -> int:
        """Return what a face contributes to the pattern of its neighbour in direction `edge`."""
        return self._codes[face][edge] << self._bits * (edge ^ 2)

    def without(self, pattern: int, edge: int) -> int:
        """Return the pattern with the neighbour in direction `edge` taken as vacant."""
        return pattern & ~((1 << self._bits) - 1 << self._bits * edge)

    def clashes(self, board: Sequence[int], cell: int, face: int) -> tuple[int, ...]:
        """Return the directions in which `face` on that cell would not match its neighbour."""
        return tuple(
            edge
            for edge, there in enumerate(self.across[cell])
            if board[there] and self._codes[board[there]][edge ^ 2] != self._codes[face][edge]
        )

    def exchanges(
        self, board: Sequence[int], cells: Sequence[int]
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield the ways for two placed tiles of `cells` to change places so that all edges match:
        (cell, rotations of the tile that comes to it, other cell, rotations there), the rotations
        as masks of which any goes with any; pairs in the order of `cells`."""
        placed = [cell for cell in cells if board[cell]]
        tiles = {cell: self.tile(board[cell]) for cell in placed}
        patterns = {cell: self.pattern(board, cell) for cell in placed}
        room = {cell: [fits[patterns[cell]] for fits in self.fitting] for cell in placed}
        for number, one in enumerate(placed):
            tile, rooms, around = tiles[one], room[one], self.across[one]
            for other in placed[number + 1 :]:
                if other not in around:
                    if (here := rooms[tiles[other]]) and (there := room[other][tile]):
                        yield one, here, other, there
                    continue
                # Neighbours must also match each other after the exchange.
                edge = around.index(other)
                alone = self.fitting[tiles[other]][self.without(patterns[one], edge)]
                for turn in turns(alone):
                    pattern = self.without(patterns[other], edge ^ 2)
                    pattern |= self.shown(self.face(tiles[other], turn), edge)
                    if there := self.fitting[tile][pattern]:
                        yield one, 1 << turn, other, there

    def feature(self, board: Sequence[int], cell: int, segment: int) -> Feature:
        """Return the feature that contains a segment of the tile on that cell."""
        closed, wraps = True, False
        parts = [(cell, segment)]
        seen = set(parts)
        for here, number in parts:
            for edge in self.faces[board[here]].segments[number].edges:
                there = self.across[here][edge]
                if not board[there]:
                    closed = False
                    continue
                wraps = wraps or self._over[here][edge]
                part = there, self.segment_at[board[there]][edge ^ 2]
                if part not in seen:
                    seen.add(part)
                    parts.append(part)
        return Feature(tuple(parts), closed, wraps)


def turns(mask: int) -> tuple[int, ...]:
    """Return the rotations in a mask."""
    return _TURNS[mask]


_TURNS = tuple(tuple(turn for turn in range(4) if mask >> turn & 1) for mask in range(16))


def _look(face: Tile) -> tuple[str, frozenset[Segment]]:
    return face.edges, frozenset(face.segments)
