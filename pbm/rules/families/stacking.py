"""Stacks of pieces of four triangles: the placements on a board, their notation, and which lie
level.

Only heights and topmost pieces of stacks are known here; supply and turns are up to the game.
Rules: docs/rules/cradle.md, "Placing"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice

from pbm.rules.boards.triangles import ROUND, STAR, STRAIGHT, TriangleBoard, tetriamonds
from pbm.rules.errors import InvalidMove
from pbm.rules.phrases import phrase, phrase_number
from pbm.rules.typed import SEPARATORS, listing, quoted

FORMS = (ROUND, STRAIGHT, STAR)
"""The forms, in the order in which placements are numbered."""

Row = tuple[int, int, int, int, int]
"""A placement as the inner loop reads it: its bit, its ends, its middle."""

LONGEST = 200
"""The longest text that is parsed: four cells need 19 characters and some blanks."""

_WORD = re.compile(rf"[^{re.escape(SEPARATORS)}-]+")
_CELLS = re.compile(r"(?:[a-z]{1,2}[0-9]{1,3})+")
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
_FORM = phrase("write its four cells, like b1,c1,d1,d2")
_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


_ANY = -1
"""The sign of a cell that is bare, or whose piece is partly covered."""
_SUNK = -1
"""The height of a cell on which nothing can rest any more."""


@dataclass(frozen=True, slots=True)
class StackState:
    """What still matters about stacks.

    heights  of the cells on which something may yet rest, without the levels that nothing can
             reach; -1 for the other cells, which can at most be bridged
    live     the mask of the placements that may still happen
    exposed  the mask of the pieces that nothing covers
    """

    heights: tuple[int, ...]
    live: int
    exposed: int


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
        self._by_cells = {piece.cells: number for number, piece in enumerate(self.pieces)}
        self.of_form = [0] * forms
        self.by_first_end = [0] * len(board)
        """For each cell the placements whose first end it is: those rest at its height."""
        self.rows: list[list[Row]] = [[] for _ in FORMS]
        """The rows of all placements by form."""
        self.touching = [0] * len(board)
        """For each cell the placements that cover it; some of them with an end, some with their
        middle."""
        self.by_end = [0] * len(board)
        self.by_middle = [0] * len(board)
        self.bridging = 0
        """The placements whose whole middle may be bridged."""
        for number, piece in enumerate(self.pieces):
            bit, form = 1 << number, self.form_of[piece.cells]
            a, b, c, d = piece.ends + piece.middle
            self.rows[form].append((bit, a, b, c, d))
            self.of_form[form] |= bit
            self.by_first_end[a] |= bit
            self.bridging |= bit if piece.form != ROUND else 0
            for cell in piece.cells:
                self.touching[cell] |= bit
            for cell in piece.ends:
                self.by_end[cell] |= bit
            for cell in piece.middle:
                self.by_middle[cell] |= bit
        self.near: list[tuple[int, list[list[Row]]]] = []
        """For each placement: those that share no cell with it, as a mask; the rows of those that
        do, itself included, by form."""
        self._masks = list(zip(self.touching, self.by_end, self.by_middle, strict=True))
        for a, b, c, d in (piece.cells for piece in self.pieces):
            mask = self.touching[a] | self.touching[b] | self.touching[c] | self.touching[d]
            near = [[row for row in rows if row[0] & mask] for rows in self.rows]
            self.near.append((~mask, near))

    def name(self, cells: Sequence[int]) -> str:
        """Return the names of cells, joined by commas."""
        return ",".join(self.board.names[cell] for cell in cells)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the four joined cells that a text names, in any order and case, separated by
        blanks, commas, hyphens or nothing; InvalidMove says what is wrong with which cell."""
        if len(text) > LONGEST:
            raise InvalidMove(
                phrase("{text} is too long for a move: {form}", text=quoted(text), form=_FORM)
            )
        cells: list[int] = []
        for word in _WORD.findall(text.lower()):
            if not _CELLS.fullmatch(word):
                raise InvalidMove(
                    phrase("{word} is not a cell: {form}", word=quoted(word), form=_FORM)
                )
            for name in _CELL.findall(word):
                cell = self.board.cell(name)
                if cell is None:
                    raise InvalidMove(
                        phrase(
                            "{name} is not on the board: {extent}",
                            name=name,
                            extent=self.board.extent(name),
                        )
                    )
                if cell in cells:
                    raise InvalidMove(
                        phrase("{name} is named twice: {form}", name=name, form=_FORM)
                    )
                cells.append(cell)
        if len(cells) != 4:
            raise InvalidMove(
                phrase_number(
                    "a piece covers four cells, {count} is named: {form}",
                    "a piece covers four cells, {count} are named: {form}",
                    len(cells),
                    form=_FORM,
                )
            )
        piece = tuple(sorted(cells))
        if piece not in self.form_of:
            raise InvalidMove(_explain_not_joined(self.board, piece))
        return piece

    def stack_state(self, height: Sequence[int], top: Sequence[int]) -> StackState:
        """Return what still matters about stacks with these heights and topmost pieces.

        Stacks with the same state allow the same placements from now on, and the same placement
        leads to the same state again. Which pieces may come to lie on which level is computed level
        by level, whoever places and in whatever order: an overestimate rather than an
        underestimate. A placement never lies on itself alone."""
        exposed = self._exposed(top)
        bare = [_ANY] * len(height)
        for number in exposed:
            for cell in self.pieces[number].cells:
                bare[cell] = 1 << number
        lowest = min(height)
        groups = [list[int]() for _ in range(lowest, max(height) + 1)]
        for cell, h in enumerate(height):
            groups[h - lowest].append(cell)
        higher = self._cover_higher(groups)
        resting, live, levels = 0, 0, set[int]()
        lower: list[tuple[int, int, int]] = []
        for level, (here, above) in enumerate(zip(groups, higher, strict=True), lowest):
            if level > _SUNK:
                shown = [(cell, bare[cell]) for cell in here]
                resting = self._resting(resting, lower, shown) & ~above
                live |= resting
                if resting:
                    levels.add(level + 1)
            lower += [self._masks[cell] for cell in here]
        every, seen = (1 << len(self.pieces)) - 1, set[int]()
        while resting and live != every and resting not in seen:
            seen.add(resting)
            resting = self._resting(resting, lower, ())
            live |= resting
        heights = [_SUNK] * len(height)
        bearing = list[tuple[int, list[int]]]()
        for level, (cells, above) in enumerate(zip(groups, higher, strict=True), lowest):
            mask = live & ~above
            if cells := [cell for cell in cells if self.touching[cell] & mask]:
                bearing.append((level, cells))
                levels.add(level)
        rank = {level: number for number, level in enumerate(sorted(levels))}
        for level, cells in bearing:
            for cell in cells:
                heights[cell] = rank[level]
        return StackState(tuple(heights), live, sum(1 << number for number in exposed))

    def _cover_higher(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """Return for each level the mask of the placements that cover a cell higher than that."""
        higher, masks = 0, list[int]()
        for cells in reversed(groups):
            masks.append(higher)
            for cell in cells:
                higher |= self.touching[cell]
        return masks[::-1]

    def _exposed(self, top: Sequence[int]) -> list[int]:
        """Return the placements of the pieces that nothing covers."""
        cells: dict[int, list[int]] = {}
        for cell, piece in enumerate(top):
            cells.setdefault(piece, []).append(cell)
        cells.pop(0, None)
        return [
            number
            for covered in cells.values()
            if (number := self._by_cells.get(tuple(covered))) is not None
        ]

    def _resting(
        self,
        below: int,
        lower: Iterable[tuple[int, int, int]],
        here: Sequence[tuple[int, int]],
    ) -> int:
        """Return the mask of the placements that may come to rest on a level, as far as the cells
        that are not higher decide: those that are `lower`, as their masks, which the placements of
        the mask `below` may raise to that level, and those that are `here`, each with what it
        shows: a piece that nothing covers (its bit) or anything else."""
        barred, supported, alone = 0, self.bridging, 0
        for touching, by_end, by_middle in lower:
            source = below & touching
            if source & (source - 1):
                supported |= by_middle
            elif source:
                supported |= by_middle
                alone |= source
            else:
                barred |= by_end
        for cell, source in here:
            supported |= self.by_middle[cell]
            if source != _ANY:
                source |= below & self.touching[cell]
                if not source & (source - 1):
                    alone |= source
        resting = supported & ~barred
        if resting & alone:
            shown = dict(here)
            for number in _numbers(resting & alone):
                for cell in self.pieces[number].ends:
                    if shown.get(cell, 0) | below & self.touching[cell] != 1 << number:
                        break
                else:
                    resting ^= 1 << number
        return resting

    def listing(self, mask: int) -> list[str]:
        """Return the names of the placements in a mask, in order."""
        return list(self._name(mask))

    def middle(self, mask: int) -> str:
        """Return the name in the middle of the listing."""
        return next(islice(self._name(mask), mask.bit_count() // 2, None))

    def _name(self, mask: int) -> Iterator[str]:
        return compress(self.names, bin(mask)[:1:-1].encode().translate(_DIGITS))


def _numbers(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _explain_not_joined(board: TriangleBoard, cells: Sequence[int]) -> str:
    """Return why four cells are not a piece. Any four cells joined edge to edge are one."""
    names, around = board.names, board.neighbours
    for cell in cells:
        if not set(around[cell]).intersection(cells):
            return phrase(
                "{name} touches none of the other three cells over an edge", name=names[cell]
            )
    one = {cells[0], *around[cells[0]]}.intersection(cells)
    pair = listing([names[cell] for cell in cells if cell in one])
    rest = listing([names[cell] for cell in cells if cell not in one])
    return phrase("{pair} are not joined to {rest} over an edge", pair=pair, rest=rest)


def find_fitting(rows: Sequence[Sequence[Row]], height: Sequence[int], top: Sequence[int]) -> int:
    """Return the mask of the placements in `rows` that lie level on stacks with these heights.

    All ends rest at the greatest height h below the piece; of the middle of a round piece at most
    one cell is lower. The four cells must not show the same piece; `top` numbers the topmost pieces
    from 1."""
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
