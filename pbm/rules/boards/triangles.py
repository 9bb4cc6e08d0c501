"""Boards of triangles: cells named by column and row, neighbours, corner points, drawing.

A column is half a triangle wide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from pbm.rules.boards.squares import column_name
from pbm.rules.drawing.picture import LABEL, LAST, Canvas, Ink, Letter, Sheet
from pbm.rules.phrases import phrase

COLUMN_WIDTH, ROW_HEIGHT = 3, 3
"""Characters to half a triangle, lines to a row, in a drawing."""

_ZERO, _STAR = ord("0"), ord("*")
Point = tuple[int, int]
"""A corner of cells: (x in half triangles, y in rows), (0, 0) at the bottom left."""


class TriangleBoard:
    """Cells (column, row), both from 0, numbered row by row from the bottom left. A cell lies
    between x = column and column + 2, y = row and row + 1; it points up where column + row has the
    parity `up`."""

    def __init__(self, cells: Iterable[tuple[int, int]], *, up: int = 0) -> None:
        self.cells = tuple(sorted(set(cells), key=lambda cell: (cell[1], cell[0])))
        self.width = max(column for column, _ in self.cells) + 1
        """The number of columns."""
        self.height = max(row for _, row in self.cells) + 1
        """The number of rows."""
        self.names = tuple(f"{column_name(column)}{row + 1}" for column, row in self.cells)
        self.number = {name: cell for cell, name in enumerate(self.names)}
        self.points_up = tuple((column + row - up) % 2 == 0 for column, row in self.cells)
        self.corners = tuple(map(_corners, self.cells, self.points_up))
        """For each cell its corner points: those of its level edge from left to right, the tip."""
        there = {cell: number for number, cell in enumerate(self.cells)}
        self.neighbours = tuple(
            tuple(
                there[place]
                for place in ((column - 1, row), (column + 1, row), (column, row + (-1) ** up_here))
                if place in there
            )
            for (column, row), up_here in zip(self.cells, self.points_up, strict=True)
        )
        """For each cell those over an edge: left, right, over the level edge."""

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.cells)

    def cell(self, text: str) -> int | None:
        """Return the number of the cell with that name in any case; None if there is none."""
        return self.number.get(text.lower())

    def row(self, number: int) -> tuple[str, ...]:
        """Return the names of the cells of a row, the bottom one being 0, from left to right."""
        return tuple(
            name for name, (_, row) in zip(self.names, self.cells, strict=True) if row == number
        )

    def extent(self, name: str) -> str:
        """Return where the board ends, for a refusal of the cell `name`, which is not on it."""
        row = int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
        if not 1 <= row <= self.height:
            return phrase("its rows are 1 to {height}", height=self.height)
        cells = self.row(row - 1)
        return phrase(
            "row {row} goes from {cell} to {cell_2}", row=row, cell=cells[0], cell_2=cells[-1]
        )


def _corners(cell: tuple[int, int], up: bool) -> tuple[Point, Point, Point]:
    column, row = cell
    base, tip = (row, row + 1) if up else (row + 1, row)
    return (column, base), (column + 2, base), (column + 1, tip)


@cache
def hexagon(side: int) -> TriangleBoard:
    """Return the hexagon with `side` triangles along each side: 6 side^2 cells in 2 side rows."""
    return TriangleBoard(
        (
            (column, row)
            for row in range(2 * side)
            for margin in (max(side - 1 - row, row - side),)
            for column in range(margin, 4 * side - 1 - margin)
        ),
        up=side % 2,
    )


ROUND, STRAIGHT, STAR = "round", "straight", "star"
"""The forms of four joined triangles: round a corner point, in a strip, a cell with all sides."""


class Tetriamond(NamedTuple):
    """Four cells joined edge to edge. `ends` are the first and last, of a star the three outer
    cells; `middle` the others; `cells` all in order."""

    form: str
    ends: tuple[int, ...]
    middle: tuple[int, ...]
    cells: tuple[int, ...]


def tetriamonds(board: TriangleBoard) -> list[Tetriamond]:
    """Return every set of four joined cells of a board, once."""
    around, corners = board.neighbours, board.corners
    pieces: list[Tetriamond] = []
    for middle, sides in enumerate(around):
        if len(sides) == 3:
            pieces.append(Tetriamond(STAR, sides, (middle,), tuple(sorted((middle, *sides)))))
        for other in sides:
            if other < middle:
                continue
            for first in set(sides) - {other}:
                for last in set(around[other]) - {middle}:
                    form = ROUND if set(corners[first]) & set(corners[last]) else STRAIGHT
                    cells = tuple(sorted((first, middle, other, last)))
                    pieces.append(Tetriamond(form, (first, last), (middle, other), cells))
    return pieces


class Lattice:
    """The drawing of a board of triangles: half a triangle is three characters wide, a row three
    lines high, corner points are `+`, column letters stand above and below, row numbers at the
    sides."""

    def __init__(self, board: TriangleBoard, columns: int = 78) -> None:
        self.board = board
        # A margin of four columns on each side, the last one blank; less on the left if the
        # board would not fit otherwise.
        self._left = min(4, columns - COLUMN_WIDTH * (board.width + 1) - 3)
        self._middles = tuple(
            (self._line(row + 1) + 1 + up, self._left + COLUMN_WIDTH * (column + 1))
            for (column, row), up in zip(board.cells, board.points_up, strict=True)
        )
        self._sheet = self._draw_sheet()
        self._last_columns = tuple(self._sheet.find(*middle) for middle in self._middles)
        """Where the sheet has the last digit of each cell's number."""
        self._level: list[tuple[int, int, Ink]] = []
        """Neighbours over a level edge, with that border."""
        self._slanted: list[tuple[int, int, tuple[Letter, Letter]]] = []
        """Other neighbours, with the two strokes of the border between them."""
        for cell, around in enumerate(board.neighbours):
            for there in around:
                if cell < there:
                    self._add_border(cell, there)

    def _line(self, y: int) -> int:
        return 2 + ROW_HEIGHT * (self.board.height - y)

    def _edge(self, one: Point, other: Point) -> tuple[tuple[int, int, str], ...]:
        """Return the strokes of an edge: line, column, text."""
        (x, y), (to_x, to_y) = sorted((one, other), key=lambda point: (-point[1], point[0]))
        line, column = self._line(y), self._left + COLUMN_WIDTH * x
        if y == to_y:
            return ((line, column + 1, "-" * (2 * COLUMN_WIDTH - 1)),)
        way, text = (1, "\\") if to_x > x else (-1, "/")
        return (line + 1, column + way, text), (line + 2, column + 2 * way, text)

    def _add_border(self, cell: int, there: int) -> None:
        """Note how the border between two neighbours is drawn."""
        corners = self.board.corners
        one, other = set(corners[cell]) & set(corners[there])
        strokes = [
            (self._sheet.find(line, column), bytearray(text, "ascii"))
            for line, column, text in self._edge(one, other)
        ]
        if len(strokes) == 1:
            ((start, dashes),) = strokes
            self._level.append((cell, there, (start, start + len(dashes), dashes)))
        else:
            (above, first), (below, second) = strokes
            self._slanted.append((cell, there, ((above, first[0]), (below, second[0]))))

    def _draw_sheet(self) -> Sheet:
        """Return the empty board: outline, corner points, coordinates."""
        canvas, board = Canvas(), self.board
        edges: dict[frozenset[Point], int] = {}
        for left, right, tip in board.corners:
            for pair in ((left, right), (left, tip), (right, tip)):
                edges[frozenset(pair)] = edges.get(frozenset(pair), 0) + 1
        for edge, cells in edges.items():
            one, other = edge
            for line, column, text in self._edge(one, other) if cells == 1 else ():
                canvas.put(line, column, text)
            for x, y in edge:
                canvas.put(self._line(y), self._left + COLUMN_WIDTH * x, "+")
        for column in range(board.width):
            at = self._left + COLUMN_WIDTH * (column + 1)
            canvas.put(0, at, column_name(column), LABEL)
            canvas.put(self._line(0) + 2, at, column_name(column), LABEL)
        for row in range(board.height):
            # The number of a row stands four columns from the edge, on the line further in.
            name = f"{row + 1}"
            inside = [cell for cell, (_, y) in enumerate(board.cells) if y == row]
            for cell, shift in ((inside[0], -4 - len(name)), (inside[-1], 5)):
                line = self._line(row + 1) + (1 if board.points_up[cell] else 2)
                canvas.put(line, self._middles[cell][1] + shift, name, LABEL)
        return Sheet(canvas.picture())

    def draw(
        self, owners: Sequence[int], numbers: Sequence[int], marked: Collection[int] = ()
    ) -> Canvas:
        """Return the board with borders between all neighbours whose owners differ, with a number
        in each cell whose number is not 0, and with a star after the numbers of marked cells.

        A number's last digit stands in the cell's middle column. There is room for two digits and
        a star, or three and none, which then begin one further to the right."""
        texts = [ink for cell, there, ink in self._level if owners[cell] != owners[there]]
        letters = [
            stroke
            for cell, there, strokes in self._slanted
            if owners[cell] != owners[there]
            for stroke in strokes
        ]
        for last, number in zip(self._last_columns, numbers, strict=True):
            if number > 9:
                digits = _write_number(number)
                end = last + 1 + (len(digits) > 2)
                texts.append((end - len(digits), end, digits))
            elif number:
                letters.append((last, _ZERO + number))
        letters += [(self._last_columns[cell] + 1, _STAR) for cell in marked if numbers[cell] < 100]
        canvas = self._sheet.ink(texts, letters)
        for cell in marked:
            line, column = self._middles[cell]
            width = len(_write_number(numbers[cell]))
            canvas.colour(line, column + 1 - width + (width > 2), min(width + 1, 3), LAST)
        return canvas


def _write_number(number: int) -> bytearray:
    """Return the last three digits of a number; none of 0."""
    return bytearray(str(number)[-3:] if number else "", "ascii")
