"""A board prepared for the side to move: masks of the men, and whether cells are attacked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from pbm.rules.chess.variants.men_tables import (
    EMPTY,
    EXACT,
    KING,
    WALL,
    Line,
    Man,
    MenTables,
    Targets,
)


class Arena:
    """The men of a board.

    mine      (bit, sign) of each man of the side to move
    men       the masks of all men by their signs
    own, other, occupied  the cells of the side to move, of the other, of all men and walls
    cannons   the cannons that neither hop over nor take their like
    """

    __slots__ = ("board", "cannons", "men", "mine", "occupied", "other", "own", "side", "tables")

    def __init__(self, tables: MenTables, board: str, side: int) -> None:
        self.tables, self.board, self.side = tables, board, side
        self.mine = mine = list[tuple[int, str]]()
        self.men = men = dict[str, int]()
        own = other = 0
        for bit, sign in zip(tables.one, board, strict=True):
            if sign in (EMPTY, WALL):
                continue
            if (sign < "a") != side:  # capitals come before small letters
                mine.append((bit, sign))
                own |= bit
            else:
                other |= bit
            men[sign] = men.get(sign, 0) | bit
        self.own, self.other = own, other
        self.occupied = own | other | tables.walls
        self.cannons = 0
        if tables.cannon_signs:
            for sign in tables.cannon_signs:
                self.cannons |= men.get(sign, 0)

    def count(self, side: int, slot: str) -> int:
        """Return how many men of a kind a side has on the board; "*" for all."""
        return self.mask(side, slot).bit_count()

    def mask(self, side: int, slot: str) -> int:
        """Return the men of a kind of a side; "*" for all."""
        if slot == "*":
            return self.own if side == self.side else self.other
        letter = self.tables.letter_of.get(slot, "")
        return self.men.get(letter.lower() if side else letter, 0)

    def king(self, side: int) -> int:
        """Return the cell of the king; -1 without one."""
        return self.mask(side, KING).bit_length() - 1

    def targets(self, cell: int, man: Man, *, first: bool = True) -> tuple[int, int]:
        """Return the cells where a man may capture and those where it may move, considering only
        what stands in its way."""
        captures = self.reach(man.captures[cell], man)
        moves = captures if man.moves is man.captures else self.reach(man.moves[cell], man)
        if man.first and first:
            moves |= self.reach(man.first[cell], man)
        return captures & self.other, moves & ~self.occupied

    def reach(self, targets: Targets, man: Man) -> int:
        """Return the targets that are not blocked."""
        reached, parts = targets
        if man.is_cannon:
            cannons = self.cannons
            for relevant, part in parts:
                reached |= (
                    part[self.occupied & relevant] & part[self.occupied & ~cannons & relevant]
                )
            return reached & ~cannons
        for relevant, part in parts:
            reached |= part[self.occupied & relevant]
        return reached

    def attackers(self, cell: int, by: int, occupied: int) -> int:
        """Return the men of a side that attack a cell if these cells are occupied."""
        return reduce(or_, self._find_attackers(cell, by, occupied), 0)

    def is_attacked(
        self, cell: int, by: int, occupied: int, gone: int = 0, cannons: int | None = None
    ) -> bool:
        """Whether a side attacks a cell if these cells are occupied, without the men that are
        gone."""
        return any(self._find_attackers(cell, by, occupied, gone, cannons))

    def _find_attackers(
        self, cell: int, by: int, occupied: int, gone: int = 0, cannons: int | None = None
    ) -> Iterator[int]:
        """Yield the men that attack a cell, a man once for each line."""
        tables = self.tables
        if cannons is None:
            cannons = self.cannons
        for sign, mask in self.men.items():
            if (sign >= "a") != by:
                continue
            man = tables.men[sign]
            sources, along = man.threats[cell]
            near = mask & sources & ~gone
            while near:
                bit = near & -near
                for kind, path, hurdle, _ in along[bit]:
                    on_path = occupied & path
                    if kind == EXACT:
                        if on_path == hurdle:
                            yield bit
                    elif on_path.bit_count() == 1 and not (man.is_cannon and on_path & cannons):
                        yield bit
                near ^= bit

    def lines_to(self, cell: int, by: int) -> list[tuple[Line, bool]]:
        """Return the lines along which a side could attack a cell, and whether a cannon's."""
        lines = list[tuple[Line, bool]]()
        for sign, mask in self.men.items():
            if (sign >= "a") != by:
                continue
            man = self.tables.men[sign]
            sources, along = man.threats[cell]
            near = mask & sources
            while near:
                bit = near & -near
                lines += [(line, man.is_cannon) for line in along[bit]]
                near ^= bit
        return lines

    def sees_along_row(self, cell: int, other: int, occupied: int) -> bool:
        """Whether two cells are in line with nothing between."""
        path = self.tables.rook_lines[cell].get(1 << other)
        return path is not None and not path & occupied
