"""The state of a game of Space Truckin': tiles, ships, bag and points, and where a tile fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.games.spacetruckin.tile_set import (
    CORNERS,
    FACES,
    GRID,
    HOLE,
    KINDS,
    NONE,
    TILING,
    arrow_rotations,
)
from pbm.rules import (
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    Outcome,
    Position,
    Value,
    pick,
    second,
)
from pbm.rules.boards.tiles import turns

_NAMED = re.compile(r"\b[a-i][1-9]\b")


def kind_on(board: Sequence[int], ships: Sequence[int], cell: int) -> str:
    """The kind of segment that the ship on a cell mans; "" without a ship."""
    return FACES[board[cell]].segments[ships[cell] - 1 & 3].kind if ships[cell] else ""


@dataclass(frozen=True, slots=True)
class TruckinState(Position):
    """A position of Space Truckin', without the moves that change it.

    board     a face of the tiling for each cell
    ships     0, or 1 + 4 * seat + segment, for each cell: a tile is manned only when it is placed,
              so it never holds more than one ship
    bag       how many of each kind are left to draw
    drawn     the kind drawn and not yet played, or -1
    corner    the corner that the clock gave for its arrow, or -1
    left      the seats that resigned, in that order
    patterns  derived: the tiling's pattern of each cell
    busy      derived: for each cell, as a mask, the neighbours whose facing feature holds a ship
    """

    players: int
    board: bytes
    ships: bytes
    pools: tuple[int, ...]
    points: tuple[int, ...]
    bag: bytes
    drawn: int
    corner: int
    mover: int
    turn: int
    left: tuple[int, ...]
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)
    patterns: tuple[int, ...] = field(default=(), compare=False, repr=False)
    busy: bytes = field(default=b"", compare=False, repr=False)

    @property
    def options(self) -> Mapping[str, Value]:
        """There are none."""
        return {}

    @property
    def to_move(self) -> frozenset[int]:
        """Chance while a tile or its corner is to be drawn, else the seat on the move."""
        if self.outcome is not None:
            return NOBODY
        return CHANCE_TO_MOVE if self._awaits_chance else SEAT_TO_MOVE[self.mover]

    @property
    def _awaits_chance(self) -> bool:
        return self.drawn == NONE or (KINDS[self.drawn].arrows > 0 and self.corner == NONE)

    @property
    def playing(self) -> frozenset[int]:
        """The seats that have not resigned."""
        return frozenset(range(self.players)).difference(self.left)

    @property
    def chance(self) -> Chance | None:
        """The draw of a tile; then, for a tile with arrows, the second of the clock."""
        if self.outcome is not None or not self._awaits_chance:
            return None
        if self.drawn != NONE:
            return second()
        return pick([kind.name for kind, n in zip(KINDS, self.bag, strict=True) for _ in range(n)])

    def rotations(self, cell: int) -> int:
        """The rotations of the drawn tile, as a mask, that fit a vacant cell and the arrow."""
        kind = KINDS[self.drawn]
        return TILING.fitting[kind.tile][self.patterns[cell]] & arrow_rotations(kind, self.corner)

    def ship_kind_on(self, cell: int) -> str:
        """The kind of segment that the ship on a cell mans; "" without a ship."""
        return kind_on(self.board, self.ships, cell)

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        """The cells named in moves."""
        return {GRID.number[name] for move in moves for name in _NAMED.findall(move)}

    @property
    def set_aside(self) -> int:
        """How many drawn tiles did not fit anywhere."""
        placed, left = sum(face > 0 for face in self.board), sum(self.bag[:HOLE])
        return len(GRID) - placed - left - (0 <= self.drawn < HOLE)

    def choices(self) -> Iterator[tuple[int, str, str]]:
        """The drawn tile in its four rotations: the face, where its arrows point, and how many
        cells it fits. Nothing while no tile is drawn."""
        if self.outcome is not None or self.drawn in (NONE, HOLE):
            return
        kind = KINDS[self.drawn]
        vacant = [cell for cell, face in enumerate(self.board) if not face]
        fits = Counter(turn for cell in vacant for turn in turns(self.rotations(cell)))
        for turn in range(4):
            here, opposite = CORNERS[turn], CORNERS[(turn + 2) % 4]
            arrows = ("", f" arrow {here}", f" arrows {here} {opposite}")[kind.arrows]
            cells = f"fits {fits[turn]} cell{'s' * (fits[turn] > 1)}"
            if self.corner != NONE and not arrow_rotations(kind, self.corner) >> turn & 1:
                cells = "wrong corner"
            elif not fits[turn]:
                cells = "fits nowhere"
            yield TILING.face(kind.tile, turn), f"@{turn}{arrows}", cells
