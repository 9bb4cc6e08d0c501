"""Stacks of pieces of four triangles: which placements there are, how they are written, and which
would lie level on what is there.

Heights are all that is known of a stack. It knows no game and no supply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress

from pbm.rules.game import InvalidMove
from pbm.rules.triangles import ROUND, STAR, STRAIGHT, TriangleBoard, tetriamonds
from pbm.rules.typed import SEPARATORS, listing, quoted

FORMS = (ROUND, STRAIGHT, STAR)
"""The forms in the order in which placements are numbered."""

Row = tuple[int, int, int, int, int]
"""A placement as the inner loop reads it: its bit, its ends, its middle."""

LONGEST = 200
"""The longest typed text that is read: four cells need 19 characters and some blanks."""

_WORD = re.compile(rf"[^{re.escape(SEPARATORS)}-]+")
_CELLS = re.compile(r"(?:[a-z]{1,2}[0-9]{1,3})+")
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
_FORM = "write its four cells, like b1,c1,d1,d2"
_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


class Placements:
    """All placements of the first `forms` of FORMS on a board, numbered form by form and within a
    form in the order of their cells; sets of them are bit masks."""

    def __init__(self, board: TriangleBoard, forms: int = len(FORMS)) -> None:
        self.board = board
        every = tetriamonds(board)
        self.form_of = {piece.cells: FORMS.index(piece.form) for piece in every}
        """The form of any four cells that have one, counted in or not."""
        self.pieces = tuple(
            sorted(
                (piece for piece in every if piece.form in FORMS[:forms]),
                key=lambda piece: (FORMS.index(piece.form), piece.cells),
            )
        )
        self.names = tuple(self.name(piece.cells) for piece in self.pieces)
        self.number = {name: number for number, name in enumerate(self.names)}
        self.of_form = [0] * forms
        self.by_first_end = [0] * len(board)
        """For each cell the placements whose first end it is: those rest at its height."""
        self.rows: list[list[Row]] = [[] for _ in FORMS]
        """The rows of all placements by form."""
        touching = [0] * len(board)
        for number, piece in enumerate(self.pieces):
            bit, form = 1 << number, self.form_of[piece.cells]
            a, b, c, d = piece.ends + piece.middle
            self.rows[form].append((bit, a, b, c, d))
            self.of_form[form] |= bit
            self.by_first_end[a] |= bit
            for cell in piece.cells:
                touching[cell] |= bit
        self.near: list[tuple[int, list[list[Row]]]] = []
        """For each placement: those that share no cell with it, as a mask; the rows of those that
        do, itself included, by form."""
        for a, b, c, d in (piece.cells for piece in self.pieces):
            mask = touching[a] | touching[b] | touching[c] | touching[d]
            near = [[row for row in rows if row[0] & mask] for rows in self.rows]
            self.near.append((~mask, near))

    def name(self, cells: Sequence[int]) -> str:
        """The names of cells, with commas."""
        return ",".join(self.board.names[cell] for cell in cells)

    def read(self, text: str) -> tuple[int, ...]:
        """The four joined cells that a text names in any order and case, with blanks, commas,
        hyphens or nothing between; InvalidMove tells what is wrong with which cell."""
        if len(text) > LONGEST:
            raise InvalidMove(f"{quoted(text)} is too long for a move: {_FORM}")
        cells: list[int] = []
        for word in _WORD.findall(text.lower()):
            if not _CELLS.fullmatch(word):
                raise InvalidMove(f"{quoted(word)} is not a cell: {_FORM}")
            for name in _CELL.findall(word):
                cell = self.board.cell(name)
                if cell is None:
                    raise InvalidMove(f"{name} is not on the board: {self.board.extent(name)}")
                if cell in cells:
                    raise InvalidMove(f"{name} is named twice: {_FORM}")
                cells.append(cell)
        if len(cells) != 4:
            named = f"{len(cells)} are named" if len(cells) != 1 else "1 is named"
            raise InvalidMove(f"a piece covers four cells, {named}: {_FORM}")
        found = tuple(sorted(cells))
        if found not in self.form_of:
            raise InvalidMove(_scattered(self.board, found))
        return found

    def listing(self, mask: int) -> list[str]:
        """The names of the placements in a mask, in order."""
        return list(compress(self.names, bin(mask)[:1:-1].encode().translate(_DIGITS)))


def _scattered(board: TriangleBoard, cells: Sequence[int]) -> str:
    """Why four cells are no piece. Any four that are joined edge to edge are one."""
    names, around = board.names, board.neighbours
    for cell in cells:
        if not set(around[cell]).intersection(cells):
            return f"{names[cell]} touches none of the other three cells over an edge"
    one = {cells[0], *around[cells[0]]}.intersection(cells)
    pair = listing([names[cell] for cell in cells if cell in one])
    rest = listing([names[cell] for cell in cells if cell not in one])
    return f"{pair} are not joined to {rest} over an edge"


def fitting(rows: Sequence[Sequence[Row]], height: Sequence[int], top: Sequence[int]) -> int:
    """The mask of those placements in `rows` that lie level on stacks of that `height`.

    All ends rest at the greatest height h below the piece; of the middle of a round piece at most
    one cell is lower. The four cells do not show the same piece, where `top` numbers the topmost
    pieces from 1."""
    rounds, straights, stars = rows
    fits = [
        bit
        for bit, a, d, b, c in rounds
        if (h := height[a]) == height[d]
        and ((height[b] == h and height[c] <= h) or (height[c] == h and height[b] < h))
        and (not h or not top[a] == top[b] == top[c] == top[d])
    ]
    if straights:
        fits += [
            bit
            for bit, a, d, b, c in straights
            if (h := height[a]) == height[d]
            and height[b] <= h
            and height[c] <= h
            and (not h or not top[a] == top[b] == top[c] == top[d])
        ]
    if stars:
        fits += [
            bit
            for bit, a, b, d, c in stars
            if (h := height[a]) == height[b] == height[d]
            and height[c] <= h
            and (not h or not top[a] == top[b] == top[c] == top[d])
        ]
    return sum(fits)
