"""Movement tables of a variant, built on first use: where each man goes from each cell, and along
which lines it attacks each cell.

Sets of cells are bits of an integer, cell 0 the lowest. A line is (kind, path, hurdle, bit): a path
of cells between a man and its target, and how they must be occupied; `bit` is the cell of the man,
or, in components, the target."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from math import gcd
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from pbm.rules.chess.movement_tables import bits, spell_moves
from pbm.rules.chess.variants.moves_in_betza import BetzaWay, Step, read_betza
from pbm.rules.chess.variants.sections import Section
from pbm.rules.phrases import EnglishWord, Phrase, make_phrase, phrase

# The rules of a variant as its section and those it inherits from give them.

MOST_COLUMNS, MOST_ROWS = 12, 10
Region = int
"""Cells as bits of a frame of 12 columns; the row of White comes first."""
T = TypeVar("T")
ALL = (1 << MOST_COLUMNS * MOST_ROWS) - 1
PAWN, KING, SOLDIER = "pawn", "king", "soldier"
WIN, LOSS, DRAW, NONE = "win", "loss", "draw", "none"
"""The results for the side to move."""
CHESS_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def row_of_frame(row: int) -> Region:
    """Return all cells of a row, counted from 0."""
    return (1 << MOST_COLUMNS) - 1 << row * MOST_COLUMNS


def pair(value: T) -> list[T]:
    """Return the value for both sides."""
    return [copy(value), copy(value)]


def _pawns() -> list[frozenset[str]]:
    return pair(frozenset({PAWN}))


@dataclass(eq=False)
class VariantRules:
    """The rules, in slots and cells of the frame, for White and for Black where they are lists;
    docs/authors/variants.md says what each is.

    said      the keys that the section or one it inherits from sets
    sections  the section as it is written, after those that it inherits from
    """

    name: str
    letters: dict[str, str] = field(default_factory=dict)
    custom: dict[str, str] = field(default_factory=dict)
    rows: int = 8
    columns: int = 8
    start: str = CHESS_FEN
    king_moves: str = ""
    king_is_wazir: bool = False
    mobility: list[dict[str, int]] = field(default_factory=lambda: [{}, {}])
    promotion_region: list[int] = field(default_factory=lambda: [row_of_frame(7), row_of_frame(0)])
    main_pawn: list[str] = field(default_factory=lambda: pair(PAWN))
    promotion_pawns: list[frozenset[str]] = field(default_factory=_pawns)
    promotion_pieces: list[frozenset[str]] = field(default_factory=lambda: pair(frozenset[str]()))
    sittuyin_promotion: bool = False
    promotion_limit: dict[str, int] = field(default_factory=dict)
    promoted: dict[str, str] = field(default_factory=dict)
    promotion_on_capture: bool = False
    mandatory_pawn_promotion: bool = True
    mandatory_piece_promotion: bool = False
    demotion: bool = False
    blast: bool = False
    blast_immune: frozenset[str] = frozenset()
    mutually_immune: frozenset[str] = frozenset()
    double_step: bool = True
    double_step_region: list[int] = field(
        default_factory=lambda: [row_of_frame(1), row_of_frame(6)]
    )
    triple_step_region: list[int] = field(default_factory=lambda: [0, 0])
    passing_region: list[int] = field(default_factory=lambda: [ALL, ALL])
    passing_pieces: list[frozenset[str]] = field(default_factory=_pawns)
    castling: bool = True
    castling_dropped: bool = False
    castling_right_column: int = 6
    castling_left_column: int = 2
    castling_row: int = 0
    castling_king_column: int = 4
    castling_king: list[str] = field(default_factory=lambda: pair(KING))
    castling_rook_right: int = MOST_COLUMNS - 1
    castling_rook_left: int = 0
    castling_rooks: list[frozenset[str]] = field(default_factory=lambda: pair(frozenset({"rook"})))
    checking: bool = True
    drop_checks: bool = True
    must_capture: bool = False
    must_drop: bool = False
    must_drop_piece: str = "*"
    drops: bool = False
    drop_loop: bool = False
    captures_to_hand: bool = False
    two_boards: bool = False
    first_row_pawn_drops: bool = False
    zone_pawn_drops: bool = False
    drop_on_top: bool = False
    drop_region: list[int] = field(default_factory=lambda: [ALL, ALL])
    sittuyin_rook_drop: bool = False
    opposite_bishops: bool = False
    drop_promoted: bool = False
    no_doubled: str = ""
    no_doubled_count: int = 1
    immobility_illegal: bool = False
    gating: bool = False
    seirawan_gating: bool = False
    cambodian: bool = False
    diagonals: Region = 0
    passing_turn: list[bool] = field(default_factory=lambda: [False, False])
    pass_on_stalemate: list[bool] = field(default_factory=lambda: [False, False])
    makpong: bool = False
    flying_general: bool = False
    soldier_row: int = 0
    idle_pieces: list[frozenset[str]] = field(default_factory=_pawns)
    idle_moves: int = 50
    recurring: int = 3
    recurring_value: str = DRAW
    recurring_absolute: bool = False
    perpetual_check: bool = False
    stalemate: str = DRAW
    stalemate_by_count: bool = False
    checkmate: str = LOSS
    no_pawn_drop_mate: bool = False
    facing_kings: bool = False
    extinction: str = NONE
    extinction_claim: bool = False
    pseudo_royal: bool = False
    duple_check: bool = False
    extinction_pieces: frozenset[str] = frozenset()
    extinction_count: int = 0
    extinction_opponent_count: int = 0
    flag_piece: list[str] = field(default_factory=lambda: pair("*"))
    flag_region: list[int] = field(default_factory=lambda: [0, 0])
    flag_count: int = 1
    flag_blocked: bool = False
    flag_move: bool = False
    flag_safe: bool = False
    check_counting: bool = False
    connect: int = 0
    connect_pieces: frozenset[str] = frozenset({"*"})
    connect_rows: bool = True
    connect_columns: bool = True
    connect_diagonals: bool = True
    connect_value: str = WIN
    material: str = NONE
    full_board: bool = False
    counting: str = NONE
    said: frozenset[str] = frozenset()
    sections: tuple[Section, ...] = ()

    def inherit(self, name: str) -> VariantRules:
        """Return a copy for a section that inherits from this one."""
        rules = copy(self)
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, list):
                setattr(rules, one.name, [copy(side) for side in value])
            elif isinstance(value, dict):
                setattr(rules, one.name, dict(value))
        rules.name = name
        return rules

    def add_piece(self, slot: str, letter: str) -> None:
        """Give a slot its letter, which a slot that has it loses."""
        for other, taken in list(self.letters.items()):
            if taken == letter and other != slot:
                self.remove_piece(other)
        self.letters[slot] = letter

    def remove_piece(self, slot: str) -> None:
        """Take a kind of piece out of the game."""
        self.letters.pop(slot, None)
        self.promotion_pieces = [pieces - {slot} for pieces in self.promotion_pieces]

    @property
    def slots(self) -> dict[str, str]:
        """The slot of each letter, in the order of slots."""
        ordered = sorted(self.letters, key=ORDER.__getitem__)
        return {self.letters[slot]: slot for slot in ordered}

    def betza(self, slot: str) -> str:
        """Return the moves of a piece."""
        if slot == KING and self.king_is_wazir:
            return SLOTS["wazir"].moves
        if slot == KING and self.king_moves:
            return self.king_moves
        return self.custom.get(slot) or SLOTS[slot].moves

    def walks_as(self, slot: str) -> str:
        """Return the slot by whose rule a man uses diagonal lines."""
        return MINISTER if slot == KING and self.king_is_wazir else slot

    def follows_diagonals(self, slot: str) -> bool:
        """Whether such a man goes along diagonal lines too, where some are drawn."""
        return self.walks_as(slot) in _DIAGONALS


EMPTY, WALL = ".", "*"
EXACT, OVER_ONE = 0, 1
"""The kinds of lines: the path is occupied by exactly its hurdle (nothing, or what is hopped over
right before the target); exactly one cell of the path is occupied."""
_FORM = re.compile(r"([a-l][0-9]{1,2})([a-l][0-9]{1,2})([a-z+-]?)")
_DROP = re.compile(r"(\+?[A-Z])@([a-l][0-9]{1,2})")
Line = tuple[int, int, int, int]
Keyed = tuple[Step, Line]
"""A line with the axis that it lies on; lame leaps and pawns have one each."""
LAME, PUSH = (0, 0), (0, 9)
CANNON, CHARIOT, MINISTER = "janggiCannon", "rook", "wazir"


def holds(line: Line, occupied: int) -> bool:
    """Whether a path is occupied as its line requires."""
    kind, path, hurdle, _ = line
    on_path = occupied & path
    return on_path == hurdle if kind == EXACT else on_path.bit_count() == 1


class MenTargets(dict[int, int]):
    """The targets of some lines, by which of their cells are occupied; computed on first use."""

    __slots__ = ("_lines", "relevant")

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = tuple(lines)
        self.relevant = 0
        for _, path, _, _ in self._lines:
            self.relevant |= path

    def __missing__(self, occupied: int) -> int:
        targets = 0
        for line in self._lines:
            if holds(line, occupied):
                targets |= line[3]
        self[occupied] = targets
        return targets


Targets = tuple[int, tuple[tuple[int, MenTargets], ...]]
"""The targets that nothing can block, and the components with the cells that they depend on."""
NOWHERE: Targets = (0, ())


class Man:
    """A kind of man of one side, cell by cell.

    sign, slot, side  its sign on the board, what kind of piece it is, and whose
    moves, captures   its targets; the same object where it captures as it moves
    first             more targets from the region of double steps; () if it has none
    threats           for each cell where it attacks from, and along which lines
    fits              the cells where it may be
    stuck             the cells from which it could never move
    comes_back, first_reach  where it could move on an empty board, and by first moves
    is_cannon         whether it neither hops over nor takes its like
    """

    def __init__(self, tables: MenTables, letter: str, slot: str, side: int) -> None:
        self.sign, self.slot, self.side = letter.lower() if side else letter, slot, side
        rules = tables.rules
        region = rules.mobility[side].get(slot, 0)
        self.fits = tables.cells_of(region) & tables.open if region else tables.open
        self.is_cannon = slot == CANNON
        cells = range(tables.size)
        ways = read_betza(rules.betza(slot))
        plain = [way for way in ways if not way.first]
        lines = [list(self._lines(tables, plain, cell)) for cell in cells]
        pushes = [list(self._pushes(tables, cell)) for cell in cells]
        self.captures = tuple(_gather(line for c, _, line in one if c) for one in lines)
        if all(way.moves and way.captures for way in plain) and not any(pushes):
            self.moves = self.captures
        else:
            self.moves = tuple(
                _gather([line for _, m, line in lines[cell] if m] + pushes[cell]) for cell in cells
            )
        first = [way for way in ways if way.first]
        self.first: tuple[Targets, ...] = ()
        if first:
            region = tables.double_step[side]
            self.first = tuple(
                _gather(line for _, _, line in self._lines(tables, first, cell))
                if region >> cell & 1
                else NOWHERE
                for cell in cells
            )
        self.comes_back = tuple(
            tables.reach_of([way for way in plain if way.moves], cell, side) for cell in cells
        )
        self.first_reach = tuple(tables.reach_of(first, cell, side) for cell in cells)
        self.stuck = bits(cell for cell in cells if not tables.can_leave(ways, cell, side))
        threats: list[dict[int, list[Line]]] = [{} for _ in cells]
        for cell, one in enumerate(lines):
            for captures, _, (_, (kind, path, hurdle, target)) in one:
                if captures:
                    at = threats[target.bit_length() - 1]
                    at.setdefault(1 << cell, []).append((kind, path, hurdle, 1 << cell))
        self.threats = tuple(
            (sum(at), {bit: tuple(along) for bit, along in at.items()}) for at in threats
        )

    def _lines(
        self, tables: MenTables, ways: Iterable[BetzaWay], cell: int
    ) -> Iterator[tuple[bool, bool, Keyed]]:
        """Yield the lines from a cell to where the man may be: whether it captures and moves so."""
        row = cell // tables.width
        advanced = tables.height - 1 - row if self.side else row
        is_held = self.slot == SOLDIER and advanced < tables.rules.soldier_row
        for way in ways:
            for step in way.steps:
                if is_held and step[0]:
                    continue
                axis = LAME if way.lame else max(step, (-step[0], -step[1]))
                for line in tables.walk(way, step, cell, self.side):
                    if line[3] & self.fits:
                        yield way.captures, way.moves, (axis, line)
        if tables.diagonals >> cell & 1 and not tables.plain:
            for step, reach, hops in _DIAGONALS.get(tables.rules.walks_as(self.slot), ()):
                way = BetzaWay((), reach, moves=True, captures=True, hops=hops)
                for line in tables.walk(way, step, cell, self.side):
                    if line[3] & self.fits & tables.diagonals:
                        yield True, True, (max(step, (-step[0], -step[1])), line)

    def _pushes(self, tables: MenTables, cell: int) -> Iterator[Keyed]:
        """Yield the double and triple steps of a pawn."""
        if self.slot != PAWN:
            return
        for steps, region in ((2, tables.double_step), (3, tables.triple_step)):
            way = tables.line(cell, (0, 1), self.side, steps)
            if region[self.side] >> cell & 1 and len(way) == steps:
                path = bits(way[:-1])
                if not (path | 1 << way[-1]) & ~self.fits:
                    yield PUSH, (EXACT, path, 0, 1 << way[-1])


_MEN = WeakValueDictionary[tuple[Hashable, ...], Man]()
"""The kinds of men in use, by all that makes them differ."""
_AROUND = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_DIAGONALS = {
    MINISTER: tuple((step, 1, "") for step in _AROUND),
    SOLDIER: tuple((step, 1, "") for step in ((1, 1), (-1, 1))),
    CHARIOT: tuple((step, 99, "") for step in _AROUND),
    CANNON: tuple((step, 99, "p") for step in _AROUND),
}
"""The ways in which pieces use diagonal lines: the steps, their number, and whether over one
piece."""


def _gather(lines: Iterable[Keyed]) -> Targets:
    """Gather targets made of lines: those of one axis are computed together."""
    fixed, axes = 0, dict[Step, list[Line]]()
    for axis, line in lines:
        kind, path, _, target = line
        if kind == EXACT and not path:
            fixed |= target
        else:
            axes.setdefault(axis, []).append(line)
    parts = [MenTargets(axis) for axis in axes.values()]
    return fixed, tuple((part.relevant, part) for part in parts)


class MenEnds(dict[str, tuple[int, int, str]]):
    """Moves taken apart: from, to and what follows; from -1 for a drop with what is dropped, and -2
    if the move names no cells."""

    __slots__ = ("_number",)

    def __init__(self, number: dict[str, int]) -> None:
        self._number = number

    def __missing__(self, move: str) -> tuple[int, int, str]:
        number = self._number
        if (match := _DROP.fullmatch(move)) and match[2] in number:
            return -1, number[match[2]], match[1]
        if (match := _FORM.fullmatch(move)) and match[1] in number and match[2] in number:
            return number[match[1]], number[match[2]], match[3]
        return -2, -2, move


class MenTables:
    """The tables of one variant.

    plain  whether no diagonal lines are drawn
    open   the cells that are no walls
    """

    def __init__(self, rules: VariantRules, walls: int) -> None:
        self.rules = rules
        self.width, self.height = rules.columns, rules.rows
        self.size = self.width * self.height
        self.full = (1 << self.size) - 1
        self.walls, self.open = walls, self.full & ~walls
        self.columns = tuple("abcdefghijkl"[: self.width])
        self.rows = tuple(str(row + 1) for row in range(self.height))
        self.names = tuple(f"{column}{row}" for row in self.rows for column in self.columns)
        self.number = {name: cell for cell, name in enumerate(self.names)}
        self.one = tuple(1 << cell for cell in range(self.size))
        self.file = tuple(
            bits(range(column, self.size, self.width)) for column in range(self.width)
        )
        self.rank = tuple(((1 << self.width) - 1) << row * self.width for row in range(self.height))
        self.around = tuple(
            bits(
                there
                for x in (-1, 0, 1)
                for y in (-1, 0, 1)
                if (x or y) and (there := self.step(cell, (x, y), 0)) is not None
            )
            for cell in range(self.size)
        )
        double = rules.double_step_region if rules.double_step else [0, 0]
        self.double_step = [self.cells_of(region) for region in double]
        self.triple_step = [self.cells_of(region) for region in rules.triple_step_region]
        self.zones = [self.cells_of(region) for region in rules.promotion_region]
        self.passing = [self.cells_of(region) for region in rules.passing_region]
        self.drop_region = [self.cells_of(region) & self.open for region in rules.drop_region]
        self.flags = [self.cells_of(region) for region in rules.flag_region]
        self.diagonals = self.cells_of(rules.diagonals)
        self.plain = not self.diagonals
        self.slot_of = rules.slots
        self.letter_of = {slot: letter for letter, slot in self.slot_of.items()}
        self.men = {
            man.sign: man
            for side in (0, 1)
            for man in (self._find_man(letter, slot, side) for letter, slot in self.slot_of.items())
        }
        self.cannon_signs = tuple(sign for sign, man in self.men.items() if man.is_cannon)
        royal = self.letter_of.get(KING, "")
        self.royal = (royal, royal.lower())
        self.dark = bits(
            cell for cell in range(self.size) if (cell // self.width + cell % self.width) % 2 == 0
        )
        order = sorted(self.letter_of, key=ORDER.__getitem__, reverse=True)
        self.promotions = [
            [slot for slot in order if slot in rules.promotion_pieces[side]] for side in (0, 1)
        ]
        self.ends = MenEnds(self.number)
        self.text = {
            suffix: spell_moves(self.names, self.ends, suffix) for suffix in self._suffixes()
        }
        self.rook_lines = self._look_along_rows()

    def _find_man(self, letter: str, slot: str, side: int) -> Man:
        """Return a kind of man, shared with the variants in which it moves alike."""
        rules = self.rules
        alike = (
            (letter, slot, side, rules.betza(slot), rules.mobility[side].get(slot, 0)),
            (self.width, self.height, self.walls, self.diagonals),
            (self.double_step[side], self.triple_step[side]),
            (rules.soldier_row, rules.king_is_wazir),
        )
        man = _MEN.get(alike)
        if man is None:
            man = _MEN[alike] = Man(self, letter, slot, side)
        return man

    def cells_of(self, region: int) -> int:
        """Return a region of the frame as cells of this board."""
        cells, mask = 0, (1 << self.width) - 1
        for row in range(self.height):
            cells |= (region >> row * MOST_COLUMNS & mask) << row * self.width
        return cells

    def _suffixes(self) -> list[str]:
        return ["", "+", "-", *(letter.lower() for letter in self.slot_of)]

    def drop(self, what: str, end: int) -> str:
        """Return the notation of a drop: of a letter, or + and a letter."""
        move = f"{what}@{self.names[end]}"
        self.ends[move] = -1, end, what
        return move

    def gate(self, move: str, letter: str) -> str:
        """Return the notation of a move behind which a piece enters."""
        text = f"{move}{letter.lower()}"
        start, end, _ = self.ends[move]
        self.ends[text] = start, end, letter.lower()
        return text

    def castle(self, king: int, rook: int, side: int) -> tuple[int, int]:
        """Return where king and rook go when castling."""
        rules, right = self.rules, rook > king
        row = self.height - 1 - rules.castling_row if side else rules.castling_row
        column = rules.castling_right_column if right else rules.castling_left_column
        king_to = row * self.width + column
        return king_to, king_to - 1 if right else king_to + 1

    def step(self, cell: int, step: Step, side: int) -> int | None:
        """Return the cell that a step of that side leads to; None off the board."""
        row, column = divmod(cell, self.width)
        across, along = (-step[0], -step[1]) if side else step
        column, row = column + across, row + along
        inside = 0 <= column < self.width and 0 <= row < self.height
        return row * self.width + column if inside else None

    def line(self, cell: int, step: Step, side: int, reach: int) -> tuple[int, ...]:
        """Return the cells that a repeated step leads to, at most `reach`."""
        cells = list[int]()
        there = self.step(cell, step, side)
        while there is not None and len(cells) < reach:
            cells.append(there)
            there = self.step(there, step, side)
        return tuple(cells)

    def walk(self, way: BetzaWay, step: Step, cell: int, side: int) -> Iterator[Line]:
        """Yield the lines of one way in one direction."""
        if way.lame:
            target = self.step(cell, step, side)
            path = bits(self._lame_path(cell, step, side))
            if target is not None and self.open >> target & 1 and not path & self.walls:
                yield EXACT, path, 0, 1 << target
            return
        cells = self.line(cell, step, side, way.reach)
        path = 0
        for number, to in enumerate(cells):
            if not way.hops:
                yield EXACT, path, 0, 1 << to
            elif way.hops == "g" and number:
                yield EXACT, path, 1 << cells[number - 1], 1 << to
            elif way.hops == "p" and number:
                yield OVER_ONE, path, 0, 1 << to
            path |= 1 << to

    def _lame_path(self, cell: int, step: Step, side: int) -> Iterator[int]:
        """Yield the cells that a lame leap passes: straight first, then diagonally."""
        x, y = step
        part = gcd(x, y) if x and y else max(abs(x), abs(y))
        at = (0, 0)
        if part > 1:
            stride = (x // part, y // part)
            for number in range(1, part):
                yield from self._place(cell, (number * stride[0], number * stride[1]), side)
            return
        while True:
            left_x, left_y = abs(x) - abs(at[0]), abs(y) - abs(at[1])
            across = (x > 0) - (x < 0) if left_x >= left_y else 0
            along = (y > 0) - (y < 0) if left_y >= left_x else 0
            at = at[0] + across, at[1] + along
            if at == step:
                return
            yield from self._place(cell, at, side)

    def _place(self, cell: int, step: Step, side: int) -> Iterator[int]:
        there = self.step(cell, step, side)
        if there is not None:
            yield there

    def reach_of(self, ways: Iterable[BetzaWay], cell: int, side: int) -> int:
        """Return the cells that these ways lead to if nothing stands between."""
        return bits(
            there
            for way in ways
            for step in way.steps
            for there in self.line(cell, step, side, way.reach)
        )

    def between(self, start: int, end: int) -> tuple[int, ...]:
        """Return the cells after one and before another in line with it, the last included."""
        (row, column), (to_row, to_column) = divmod(start, self.width), divmod(end, self.width)
        across, along = to_column - column, to_row - row
        count = max(abs(across), abs(along))
        if across and along and abs(across) != abs(along):
            return (end,)
        step = across // count, along // count
        return self.line(start, step, 0, count)

    def can_leave(self, ways: Iterable[BetzaWay], cell: int, side: int) -> bool:
        """Whether a piece could move from a cell of an empty board, first moves aside."""
        for way in ways:
            if not way.moves or way.first:
                continue
            for step in way.steps:
                there = self.step(cell, step, side)
                if there is not None and self.open >> there & 1:
                    return True
        return False

    def _look_along_rows(self) -> tuple[dict[int, int], ...]:
        """Return for each cell those in line with it, as bits, with the cells between."""
        looks = []
        for cell in range(self.size):
            look = dict[int, int]()
            for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                path = 0
                for there in self.line(cell, step, 0, 99):
                    look[1 << there] = path
                    path |= 1 << there
            looks.append(look)
        return tuple(looks)


# The kinds of pieces that a section names: each has a slot with a name, what it is called, and
# its moves in Betza's notation.

CUSTOM_PIECES = 25


class Slot(NamedTuple):
    """The content of a slot: the name of the piece in words and its moves; "" for those that a
    section defines itself."""

    title: str
    moves: str


_DRAGON_HORSE = EnglishWord("horse", phrase("dragon horse"))
SLOTS: Mapping[str, Slot] = {
    "pawn": Slot("pawn", "fmWfceF"),
    "knight": Slot("knight", "N"),
    "bishop": Slot("bishop", "B"),
    "rook": Slot("rook", "R"),
    "queen": Slot("queen", "Q"),
    "fers": Slot("fers", "F"),
    "alfil": Slot("alfil", "A"),
    "fersAlfil": Slot("elephant", "FA"),
    "silver": Slot("silver general", "FfW"),
    "aiwok": Slot("aiwok", "RNF"),
    "bers": Slot("dragon", "RF"),
    "archbishop": Slot("archbishop", "BN"),
    "chancellor": Slot("chancellor", "RN"),
    "amazon": Slot("amazon", "QN"),
    "knibis": Slot("archer", "mNcB"),
    "biskni": Slot("lancer bishop", "mBcN"),
    "kniroo": Slot("lancer", "mNcR"),
    "rookni": Slot("charging rook", "mRcN"),
    "shogiPawn": Slot("pawn", "fW"),
    "lance": Slot("lance", "fR"),
    "shogiKnight": Slot("knight", "fN"),
    "gold": Slot("gold general", "WfF"),
    "dragonHorse": Slot(_DRAGON_HORSE, "BW"),
    "clobber": Slot("stone", "cW"),
    "breakthrough": Slot("man", "fmWfF"),
    "immobile": Slot("stone", ""),
    "cannon": Slot("cannon", "mRcpR"),
    "janggiCannon": Slot("cannon", "pR"),
    "soldier": Slot("soldier", "fsW"),
    "horse": Slot("horse", "nN"),
    "elephant": Slot("elephant", "nA"),
    "janggiElephant": Slot("elephant", "nZ"),
    "banner": Slot("banner", "RcpRnN"),
    "wazir": Slot("wazir", "W"),
    "commoner": Slot("commoner", "K"),
    "centaur": Slot("centaur", "KN"),
    **{f"customPiece{number}": Slot("", "") for number in range(1, CUSTOM_PIECES + 1)},
    "king": Slot("king", "K"),
}
"""In the order in which sections are read: of two slots with one letter the later takes it."""
ORDER: Mapping[str, int] = {slot: number for number, slot in enumerate(SLOTS)}


def name_slot(slot: str, letter: str) -> Phrase:
    """Return the name of a slot's piece: its letter if a section has invented it."""
    title = SLOTS[slot].title
    return make_phrase(title) if title else phrase("piece {letter}", letter=letter)
