"""Floor plans: a square grid with walled rooms, doors, and squares joined into single places.

Sets of places are bit masks, so that occupancy and reach are a few integer operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from pbm.rules.boards.squares import DIAGONAL, ORTHOGONAL, Grid, column_name
from pbm.rules.drawing.picture import LABEL, Canvas


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


_LEFT = 5
"""The column of a drawing in which the board begins; a cell is four columns wide."""


class FloorPlan:
    """Places are numbered like the grid's cells; joined places follow after the last cell.

    joined   name of a place -> the cells it covers; they stop being places of their own
    rooms    (cells, doors): a wall runs round the cells; a door is a pair of cells over it
    renamed  cell -> another name for it
    """

    def __init__(
        self,
        grid: Grid,
        *,
        joined: Mapping[str, Iterable[str]] | None = None,
        rooms: Iterable[tuple[Iterable[str], Iterable[tuple[str, str]]]] = (),
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        if grid.torus:
            raise ValueError("a floor plan has borders")
        joined, renamed = joined or {}, renamed or {}
        self.grid = grid
        self.names = tuple(renamed.get(name, name) for name in grid.names) + tuple(joined)
        """The name of each place; a covered cell keeps its own."""
        self.bit = tuple(1 << place for place in range(len(self.names)))
        owner = list(range(len(grid)))
        for place, covered in enumerate(joined.values(), len(grid)):
            for name in covered:
                owner[grid.number[name]] = place
        self._owner = owner
        self._covered = tuple(tuple(grid.number[name] for name in c) for c in joined.values())
        self.cells = sum(self.bit[cell] for cell in range(len(grid)) if owner[cell] == cell)
        """The mask of the places that are single cells."""
        self.places = self.cells | sum(self.bit[len(grid) :])
        """The mask of all places."""
        self.number = {self.names[place]: place for place in bits(self.places)}
        self._spoken = self.number | {name: owner[cell] for name, cell in grid.number.items()}
        self._room = [0] * len(grid)
        self._doors: set[frozenset[int]] = set()
        for number, (inside, doors) in enumerate(rooms, 1):
            for name in inside:
                self._room[grid.number[name]] = number
            self._doors |= {frozenset(grid.number[end] for end in door) for door in doors}
        edges, adjacent = [0] * len(self.names), [0] * len(self.names)
        shifts: list[int] = []
        for columns, rows in ORTHOGONAL + DIAGONAL:
            mask = 0
            for cell in range(len(grid)):
                there = grid.step(cell, columns, rows)
                if there is None or not self._open(cell, there):
                    continue
                adjacent[owner[cell]] |= self.bit[owner[there]]
                if not columns or not rows:
                    edges[owner[cell]] |= self.bit[owner[there]]
                    if owner[cell] == cell and owner[there] == there:
                        mask |= self.bit[cell]
            shifts.append(mask)
        self._north, self._east, self._south, self._west = shifts[:4]
        self._joined = tuple((self.bit[p], edges[p]) for p in range(len(grid), len(self.names)))
        self.edges = tuple(edges)
        """For each place the mask of those one step away: over an edge, no wall between."""
        self.adjacent = tuple(adjacent)
        """For each place the mask of those over an edge or a corner; over a wall only through a
        door, never diagonally."""

    def _open(self, cell: int, there: int) -> bool:
        if self._owner[cell] == self._owner[there]:
            return False
        return self._room[cell] == self._room[there] or frozenset((cell, there)) in self._doors

    def _drawn(self, one: int | None, other: int | None) -> bool:
        """Whether a line is drawn between two neighbouring cells, None meaning outside the
        board."""
        if one is None or other is None:
            inside = other if one is None else one
            return inside is not None and self._owner[inside] != inside
        a, b = self._owner[one], self._owner[other]
        return a != b and (a != one or b != other or not self._open(one, other))

    @cached_property
    def _lines(self) -> tuple[tuple[int, tuple[bool, ...]], ...]:
        """For each row from the bottom with a line under it, and past the top row, the columns
        over which that line runs."""
        width, lines = self.grid.width, []
        for row in range(self.grid.height + 1):
            under = tuple(
                self._drawn(self._cell(column, row - 1), self._cell(column, row))
                for column in range(width)
            )
            if any(under):
                lines.append((row, under))
        return tuple(lines)

    def _cell(self, column: int, row: int) -> int | None:
        inside = 0 <= column < self.grid.width and 0 <= row < self.grid.height
        return row * self.grid.width + column if inside else None

    def _height_of(self, row: int) -> int:
        """Return the line of a drawing for a row of cells; -1 is the row of letters at the
        bottom."""
        return self.grid.height - row + sum(gap > row for gap, _ in self._lines)

    @cached_property
    def spots(self) -> tuple[tuple[int, int], ...]:
        """Line and column of each place in a drawing; for a joined place the middle of its lowest
        row."""
        return tuple(map(self._spot, range(len(self.names))))

    def _spot(self, place: int) -> tuple[int, int]:
        if place < len(self.grid):
            row, column = divmod(place, self.grid.width)
            return self._height_of(row), _LEFT + 2 + 4 * column
        rows, columns = self.extent(place)
        return self._height_of(min(rows)), _LEFT + 2 * (min(columns) + max(columns) + 1)

    def extent(self, place: int) -> tuple[set[int], set[int]]:
        """Return the rows and the columns of the cells that a joined place covers."""
        cells = [divmod(cell, self.grid.width) for cell in self._covered[place - len(self.grid)]]
        return {row for row, _ in cells}, {column for _, column in cells}

    def draw(self) -> Canvas:
        """Draw letters, numbers, walls, and a named box for each joined place, from line 0 on.
        Cells stay blank; `spots` says where they are."""
        return self._sheet.copy()

    @cached_property
    def _sheet(self) -> Canvas:
        canvas = Canvas()
        width, height = self.grid.width, self.grid.height
        letters = "".join(f"{column_name(column):^4}" for column in range(width))
        for line in (0, self._height_of(-1)):
            canvas.put(line, _LEFT + 1, letters, LABEL)
        for row in range(height):
            line = self._height_of(row)
            canvas.put(line, _LEFT - 4, f"{row + 1:2}", LABEL)
            canvas.put(line, _LEFT + 4 * width + 3, str(row + 1), LABEL)
            for column in range(width + 1):
                if self._drawn(self._cell(column - 1, row), self._cell(column, row)):
                    canvas.put(line, _LEFT + 4 * column, "|")
        for row, under in self._lines:
            line = self._height_of(row) + 1
            for column, (west, east) in enumerate(
                zip((False, *under), (*under, False), strict=True)
            ):
                if west or east:
                    canvas.put(line, _LEFT + 4 * column, "-" if west and east else "+")
                if east:
                    canvas.put(line, _LEFT + 4 * column + 1, "---")
        for place in range(len(self.grid), len(self.names)):
            rows, columns = self.extent(place)
            name = self.names[place].center(4 * len(columns) - 1)
            canvas.put(self._height_of(max(rows)), _LEFT + 4 * min(columns) + 1, name)
        return canvas

    def walls(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of neighbouring cells with a wall between them: left and right, or lower
        and upper."""
        for cell in bits(self.cells):
            for columns, rows in ((1, 0), (0, 1)):
                there = self.grid.step(cell, columns, rows)
                if there is not None and self.cells >> there & 1 and not self._open(cell, there):
                    yield cell, there

    def place(self, text: str) -> int | None:
        """Return the place with that name in any case, or the one that covers the cell with that
        name."""
        return self._spoken.get(text.lower())

    def step(self, mask: int) -> int:
        """Return the places one step away from any place of `mask`."""
        width = self.grid.width
        there = (
            ((mask & self._north) << width)
            | ((mask & self._south) >> width)
            | ((mask & self._east) << 1)
            | ((mask & self._west) >> 1)
        )
        for place, around in self._joined:
            if mask & around:
                there |= place
            if mask & place:
                there |= around
        return there

    def reach(self, start: int, steps: int, passable: int) -> int:
        """Return the places reachable in 1 to `steps` steps from place `start` if each place on the
        way, the last excepted, is in `passable`. Excludes the start."""
        seen = front = self.bit[start]
        for _ in range(steps):
            front = self.step(front) & ~seen
            if not front:
                break
            seen |= front
            front &= passable
        return seen ^ self.bit[start]

    def distance(self, start: int, goal: int, passable: int) -> int | None:
        """Return the smallest number of steps between two places with each place on the way in
        `passable`; None if there is no way."""
        seen = front = self.bit[start]
        steps = 0
        while front:
            if seen & self.bit[goal]:
                return steps
            front = self.step(front & (passable | self.bit[start])) & ~seen
            seen |= front
            steps += 1
        return None
