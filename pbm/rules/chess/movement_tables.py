"""Movement tables of a chess-like game, built once from its row of data.

Sets of cells are bits of an integer, cell 0 the lowest. The targets of a piece are a fixed set and
some components; each component depends on few cells only and caches its results for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

from pbm.rules.boards.squares import column_name
from pbm.rules.chess.variant import Rules

EMPTY = "."
LONG, SHORT = "o-o-o", "o-o"
"""Castling to the left and to the right."""
Way = tuple[tuple[int, ...], int]
"""The cells on a line, nearest first, and how many pieces must be hopped over on it."""


class Component(dict[int, int]):
    """The targets along some lines, by which of their cells are occupied; computed on first use."""

    __slots__ = ("_fits", "_ways", "relevant")

    def __init__(self, ways: Iterable[Way], fits: int) -> None:
        self._ways, self._fits = tuple(ways), fits
        self.relevant = 0
        for cells, _ in self._ways:
            self.relevant |= bits(cells)

    def __missing__(self, occupied: int) -> int:
        targets = 0
        for cells, hops in self._ways:
            over = 0
            for cell in cells:
                if over == hops:
                    targets |= 1 << cell
                if occupied >> cell & 1:
                    over += 1
                    if over > hops:
                        break
        self[occupied] = targets & self._fits
        return self[occupied]


class LameLeaps(Component):
    """The targets of lame leaps: pairs of the cell that must be empty and the target."""

    __slots__ = ("_leaps",)

    def __init__(self, leaps: Iterable[tuple[int, int]], fits: int) -> None:
        self._leaps = tuple(leaps)
        Component.__init__(self, [((leg,), 0) for leg, _ in self._leaps], fits)

    def __missing__(self, occupied: int) -> int:
        targets = bits(to for leg, to in self._leaps if not occupied >> leg & 1)
        self[occupied] = targets & self._fits
        return self[occupied]


Targets = tuple[int, tuple[tuple[int, Component], ...]]
"""The fixed targets, and the components with the cells that they depend on."""
Threat = tuple[int, int]
"""The cells between, and how many of them must be occupied for an attack."""


class Mover:
    """A kind of piece of one side, cell by cell.

    moves, captures  its targets; the same object where it captures as it moves
    threats          for each cell those from which it attacks it on some board, and how from each
    stuck            the cells that it could never leave
    suffixes         how its promotions are written
    """

    def __init__(self, tables: MovementTables, letter: str, side: int) -> None:
        kind, size = tables.rules.kinds[letter], tables.size
        self.sign = letter.lower() if side else letter
        self.kind, self.side = kind, side
        self.suffixes = ("+",) if tables.rules.optional else tuple(kind.becomes.lower())
        self.fits = tables.area(kind.zone, side) if kind.zone else tables.full
        ways = atoms(kind.moves)
        self.captures = tuple(
            tables.targets([a for a in ways if a.captures], cell, side, self.fits)
            for cell in range(size)
        )
        if all(atom.moves and atom.captures for atom in ways):
            self.moves = self.captures
        else:
            self.moves = tuple(
                tables.targets([a for a in ways if a.moves], cell, side, self.fits)
                for cell in range(size)
            )
        self.stuck = bits(
            cell
            for cell in range(size)
            if not any(fixed or parts for fixed, parts in (self.moves[cell], self.captures[cell]))
        )
        self.threats = self._threats(tables, [a for a in ways if a.captures], self.fits)
        self.royal_attack: tuple[tuple[int, dict[int, Threat]], ...] = ()
        if kind.royal_attack:
            self.royal_attack = self._threats(tables, atoms(kind.royal_attack), tables.full)

    def _threats(
        self, tables: MovementTables, ways: Iterable[Atom], fits: int
    ) -> tuple[tuple[int, dict[int, Threat]], ...]:
        threats: list[dict[int, Threat]] = [{} for _ in range(tables.size)]
        for cell in range(tables.size):
            for atom in ways:
                for to, threat in tables.attacks(atom, cell, self.side):
                    if fits >> to & 1:
                        threats[to].setdefault(1 << cell, threat)
        return tuple((sum(sources), sources) for sources in threats)


class CellNames(dict[int, str]):
    """Notations by the bit of a cell, built on first use."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int], str]) -> None:
        self._make = make

    def __missing__(self, bit: int) -> str:
        self[bit] = self._make(bit.bit_length() - 1)
        return self[bit]


class Ends(dict[str, tuple[int, int, str]]):
    """Moves taken apart: from, to, promotion; from -1 for a drop with the dropped kind, and -2 if
    the move names no cells."""

    __slots__ = ("_drop", "_form", "_number")

    def __init__(self, names: tuple[str, ...], drops: str) -> None:
        cell = "|".join(sorted(names, key=len, reverse=True))
        self._form = re.compile(f"({cell})({cell})(.?)")
        self._drop = re.compile(f"([a-z]){re.escape(drops)}({cell})" if drops else "(?!)")
        self._number = {name: cell for cell, name in enumerate(names)}

    def __missing__(self, move: str) -> tuple[int, int, str]:
        number = self._number
        if match := self._form.fullmatch(move):
            return number[match[1]], number[match[2]], match[3]
        if match := self._drop.fullmatch(move):
            return -1, number[match[2]], match[1].upper()
        return -2, -2, ""


def spell_moves(
    names: Sequence[str], ends: dict[str, tuple[int, int, str]], suffix: str
) -> tuple[CellNames, ...]:
    """Return for each cell the notations of the moves from it with that suffix; `ends` learns what
    they mean."""

    def make(start: int) -> Callable[[int], str]:
        def text(end: int) -> str:
            move = f"{names[start]}{names[end]}{suffix}"
            ends[move] = start, end, suffix
            return move

        return text

    return tuple(CellNames(make(cell)) for cell in range(len(names)))


class MovementTables:
    """The tables of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.width, self.height = rules.width, rules.height
        self.size = self.width * self.height
        self.full = (1 << self.size) - 1
        columns = rules.columns or [column_name(column) for column in range(self.width)]
        rows = rules.rows or [str(row + 1) for row in range(self.height)]
        self.columns, self.rows = tuple(columns), tuple(rows)
        self.names = tuple(f"{column}{row}" for row in rows for column in columns)
        self.number = {name: cell for cell, name in enumerate(self.names)}
        self.one = tuple(1 << cell for cell in range(self.size))
        self.column = tuple(
            bits(range(cell % self.width, self.size, self.width)) for cell in range(self.size)
        )
        kinds = rules.kinds
        self.movers = {
            mover.sign: mover
            for side in (0, 1)
            for mover in (Mover(self, letter, side) for letter in kinds)
        }
        self.royal = (rules.royal, rules.royal.lower())
        self.ends = Ends(self.names, rules.drops)
        self.text = {
            suffix: spell_moves(self.names, self.ends, suffix) for suffix in self._suffixes()
        }
        self.drop = {letter: CellNames(self._drop(letter)) for letter in kinds}
        far = (1 << self.width * rules.zone) - 1
        self.zones = (far << self.size - self.width * rules.zone, far)

    def _suffixes(self) -> list[str]:
        """Return what may follow a move: nothing, or the promotion."""
        if self.rules.optional:
            return ["", "+"]
        return ["", *sorted({one.lower() for k in self.rules.kinds.values() for one in k.becomes})]

    def _drop(self, letter: str) -> Callable[[int], str]:
        def text(end: int) -> str:
            move = f"{letter.lower()}{self.rules.drops}{self.names[end]}"
            self.ends[move] = -1, end, letter
            return move

        return text

    def area(self, rows: tuple[str, ...], side: int) -> int:
        """Return the cells marked `#` in a drawing for side 0, seen from that side."""
        drawn = "".join(rows if side else reversed(rows))
        return bits(cell for cell, sign in enumerate(drawn) if sign == "#")

    def step(self, cell: int, step: Step, side: int) -> int | None:
        """Return the cell that a step of that side leads to; None off the board."""
        row, column = divmod(cell, self.width)
        column, row = column + step[0], row + (-step[1] if side else step[1])
        inside = 0 <= column < self.width and 0 <= row < self.height
        return row * self.width + column if inside else None

    def line(self, cell: int, step: Step, side: int, reach: int = 0) -> tuple[int, ...]:
        """Return the cells that a repeated step leads to, at most `reach`."""
        cells: list[int] = []
        there = self.step(cell, step, side)
        while there is not None and (not reach or len(cells) < reach):
            cells.append(there)
            there = self.step(there, step, side)
        return tuple(cells)

    def is_marked(self, cell: int, side: int) -> bool:
        """Whether a cell is on a row where that side has its restricted moves."""
        row = cell // self.width
        return (self.height - 1 - row if side else row) in self.rules.marked_rows

    def targets(self, ways: Iterable[Atom], cell: int, side: int, fits: int) -> Targets:
        """Return the targets of a piece that moves in these ways from a cell."""
        fixed, lame, parts = 0, list[tuple[int, int]](), list[Component]()
        for atom in ways:
            if atom.first and not self.is_marked(cell, side):
                continue
            lines: dict[Step, list[Way]] = {}
            for step in atom.steps:
                cells = self.line(cell, step, side, atom.reach)
                if not cells:
                    continue
                if atom.reach == 1 and not atom.hops:
                    if atom.lame:
                        lame.append((self._leg(cell, step, side), cells[0]))
                    else:
                        fixed |= 1 << cells[0]
                else:
                    axis = max(step, (-step[0], -step[1]))
                    lines.setdefault(axis, []).append((cells, int(atom.hops)))
            parts += [Component(both, fits) for both in lines.values()]
        parts += [LameLeaps(lame, fits)] if lame else []
        return fixed & fits, tuple((part.relevant, part) for part in parts)

    def _leg(self, cell: int, step: Step, side: int) -> int:
        """Return the cell that a lame leap passes first."""
        x, y = step
        part = gcd(x, y)
        first = (
            (x // part, y // part)
            if part > 1
            else ((x // abs(x), 0) if abs(x) > abs(y) else (0, y // abs(y)))
        )
        leg = self.step(cell, first, side)
        assert leg is not None  # noqa: S101 (between two cells of the board)
        return leg

    def attacks(self, atom: Atom, cell: int, side: int) -> Iterator[tuple[int, Threat]]:
        """Yield the cells that a piece attacks in one way on some board, and on which boards."""
        if atom.first and not self.is_marked(cell, side):
            return
        for step in atom.steps:
            cells = self.line(cell, step, side, atom.reach)
            if atom.reach == 1 and atom.lame and cells:
                yield cells[0], (1 << self._leg(cell, step, side), 0)
                continue
            for n, to in enumerate(cells):
                if n >= atom.hops:
                    yield to, (bits(cells[:n]), int(atom.hops))


def bits(cells: Iterable[int]) -> int:
    """Return a set of cells as an integer."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_in(mask: int) -> Iterator[int]:
    """Yield the cells of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@cache
def tables(rules: Rules) -> MovementTables:
    """Return the tables of a game, built once."""
    return MovementTables(rules)


# Parses Betza's notation of piece movement into atoms: `K`, `fmWfcF`, `nN`, `mRcpR`.
#
# An atom is a capital: W F D A N H C Z G leap (0,1) (1,1) (0,2) (2,2) (1,2) (0,3) (1,3) (2,3)
# (3,3); K is WF, R, B and Q ride W, F and both; `W2` goes up to two steps, `W0` any number, `WW`
# too. Prefixes: m moves only, c captures only, n lame (the square it passes first must be
# empty), p hops over exactly one piece, i from some rows only, such as those where pawns start;
# and directions: f b l r forward, backward, left, right, v vertical, s sideways, ff far forward
# of an oblique leap.

Step = tuple[int, int]
"""(columns to the right, rows forward)"""

_LEAPS: dict[str, Step] = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "A": (2, 2),
    "N": (1, 2),
    "H": (0, 3),
    "C": (1, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
_RIDERS = {"R": "W", "B": "F", "Q": "WF"}
_PART = re.compile(r"([a-z]*)([A-Z])(\2?)([0-9]*)")
_WAY = re.compile(r"ff|bb|[fb][lr]|[fblrvs]")


@dataclass(frozen=True, slots=True)
class Atom:
    """One way of moving.

    steps    where to, each repeated up to `reach` times (0: as far as it goes)
    moves    whether it goes to empty squares; captures: whether to those of the other side
    lame     whether the square next to it on its way must be empty
    hops     whether it goes over exactly one piece
    first    whether it is for some rows only
    """

    steps: tuple[Step, ...]
    reach: int
    moves: bool
    captures: bool
    lame: bool
    hops: bool
    first: bool


@cache
def atoms(text: str) -> tuple[Atom, ...]:
    """Return the atoms of a piece. ValueError if the text is not in this notation."""
    if _PART.sub("", text):
        raise ValueError(f"{text} is not Betza's notation")
    return tuple(atom for part in _PART.finditer(text) for atom in _atoms_of(*part.groups()))


def _atoms_of(how: str, letter: str, again: str, number: str) -> list[Atom]:
    reach = int(number) if number else (0 if again else 1)
    letters = "WF" if letter == "K" else letter
    if letter in _RIDERS:
        letters, reach = _RIDERS[letter], int(number or 0)
    ways = "".join(char for char in how if char in "fblrvs")
    return [
        Atom(
            steps=tuple(step for step in _images(_LEAPS[one]) if _fits(step, ways)),
            reach=reach,
            moves="c" not in how or "m" in how,
            captures="m" not in how or "c" in how,
            lame="n" in how,
            hops="p" in how,
            first="i" in how,
        )
        for one in letters
    ]


def _images(leap: Step) -> list[Step]:
    x, y = leap
    both = {(x, y), (y, x)}
    return sorted({(i * a, j * b) for a, b in both for i in (1, -1) for j in (1, -1)})


def _fits(step: Step, ways: str) -> bool:
    """Whether a step goes one of the given ways; all do if none is given."""
    x, y = step
    simple = {"f": y > 0, "b": y < 0, "l": x < 0, "r": x > 0, "v": not x, "s": not y}
    simple |= {"ff": y > abs(x), "bb": -y > abs(x)}
    if not ways:
        return True
    if 0 in step:
        return any(simple[way] for way in ways)
    return any(
        simple[way] if way in simple else simple[way[0]] and simple[way[1]]
        for way in _WAY.findall(ways)
    )
