"""Second implementations for games that no oracle package has: slow, each written from the printed
rules with nothing but dictionaries of coordinates, and sharing no code with the games."""

import string
from collections.abc import Iterable, Iterator

LETTERS = string.ascii_lowercase
EIGHT = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
Cell = tuple[int, int]


def square_name(cell: Cell) -> str:
    return f"{LETTERS[cell[0]]}{cell[1] + 1}"


def plus(cell: Cell, step: Cell, times: int = 1) -> Cell:
    return cell[0] + times * step[0], cell[1] + times * step[1]


class Plain:
    """A board of named cells with a stone (0 or 1) or None, and whose move it is."""

    def __init__(self, names: dict[str, Cell]) -> None:
        self.cells = names
        self.at: dict[Cell, int | None] = dict.fromkeys(names.values())
        self.seat = 0
        self.played = 0
        self.result: tuple[int, ...] | None = None

    def moves(self) -> Iterable[str]:
        return [name for name, cell in self.cells.items() if self.at[cell] is None]

    def ranks(self) -> tuple[int, ...] | None:
        return self.result

    def win(self, seat: int) -> None:
        self.result = (1, 2) if seat == 0 else (2, 1)

    def play(self, move: str) -> None:
        self.put(self.cells[move])
        self.played += 1
        if self.result is None and None not in self.at.values():
            self.result = (1, 1)
        self.seat = self.next_seat()

    def next_seat(self) -> int:
        return 1 - self.seat

    def put(self, cell: Cell) -> None:
        raise NotImplementedError

    def rows_of(self, seat: int, steps: Iterable[Cell]) -> Iterator[int]:
        """Yield the lengths of all unbroken rows of a seat on the whole board."""
        for cell, stone in self.at.items():
            for step in steps:
                if stone == seat and self.at.get(plus(cell, step, -1)) != seat:
                    length = 1
                    while self.at.get(plus(cell, step, length)) == seat:
                        length += 1
                    yield length

    def region(self, start: Cell, steps: Iterable[Cell]) -> set[Cell]:
        found, ways = {start}, list(steps)
        while True:
            more = {
                there
                for cell in found
                for there in (plus(cell, s) for s in ways)
                if there in self.at and self.at[there] == self.at[start]
            }
            if more <= found:
                return found
            found |= more


def square(size: int) -> dict[str, Cell]:
    return {square_name((x, y)): (x, y) for y in range(size) for x in range(size)}


FOUR_LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


class Pente(Plain):
    def __init__(self, size: int, *, tournament: bool, keryo: bool) -> None:
        Plain.__init__(self, square(size))
        self.size, self.tournament, self.keryo = size, tournament, keryo
        self.taken = [0, 0]

    def moves(self) -> Iterable[str]:
        middle = self.size // 2
        for name in Plain.moves(self):
            x, y = self.cells[name]
            if self.played == 0 and (x, y) != (middle, middle):
                continue
            close = abs(x - middle) <= 2 and abs(y - middle) <= 2
            if self.played == 2 and self.tournament and close:
                continue
            yield name

    def put(self, cell: Cell) -> None:
        self.at[cell] = self.seat
        enemy, gone = 1 - self.seat, set[Cell]()
        for step in EIGHT:
            for many in (2, 3):
                caught = [plus(cell, step, n) for n in range(1, many + 1)]
                closed = self.at.get(plus(cell, step, many + 1)) == self.seat
                if closed and all(self.at.get(c) == enemy for c in caught):
                    gone.update(caught if many == 2 or self.keryo else ())
        for caught_cell in gone:
            self.at[caught_cell] = None
        self.taken[self.seat] += len(gone)
        enough = self.taken[self.seat] >= (15 if self.keryo else 10)
        if enough or max(self.rows_of(self.seat, FOUR_LINES)) >= 5:
            self.win(self.seat)


class Connect6(Plain):
    def put(self, cell: Cell) -> None:
        self.at[cell] = self.seat
        if max(self.rows_of(self.seat, FOUR_LINES)) >= 6:
            self.win(self.seat)

    def next_seat(self) -> int:
        return (self.played + 1) // 2 % 2


class ExactFive(Plain):
    def put(self, cell: Cell) -> None:
        self.at[cell] = self.seat
        if 5 in self.rows_of(self.seat, FOUR_LINES):
            self.win(self.seat)


def hexagon(side: int) -> dict[str, Cell]:
    """Return cells (x, y) with neighbours at (1, 0), (0, 1), (1, 1) and the reverse; y from the
    top."""
    span = range(2 * side - 1)
    return {square_name((x, y)): (x, y) for y in span for x in span if abs(x - y) < side}


class Yavalath(Plain):
    def put(self, cell: Cell) -> None:
        self.at[cell] = self.seat
        rows = list(self.rows_of(self.seat, [(1, 0), (0, 1), (1, 1)]))
        if max(rows) >= 4:
            self.win(self.seat)
        elif max(rows) == 3:
            self.win(1 - self.seat)


ROOK = [(1, 0), (0, 1), (-1, 0), (0, -1)]


class Gonnect(Plain):
    def __init__(self, size: int) -> None:
        names = {
            f"{'abcdefghjklmnopqrst'[x]}{y + 1}": (x, y) for y in range(size) for x in range(size)
        }
        Plain.__init__(self, names)
        self.size = size
        self.before = {tuple(self.at.values())}

    def _after(self, cell: Cell) -> dict[Cell, int | None] | None:
        """Return the stones after a move, None where it is suicide or brings back a board."""
        kept, self.at = self.at, dict(self.at)
        self.at[cell] = self.seat
        for there in (plus(cell, s) for s in ROOK):
            if self.at.get(there) == 1 - self.seat and not self._breath(there):
                for dead in self.region(there, ROOK):
                    self.at[dead] = None
        alive, found = self._breath(cell), self.at
        self.at = kept
        return found if alive and tuple(found.values()) not in self.before else None

    def _breath(self, cell: Cell) -> bool:
        chain = self.region(cell, ROOK)
        near = (plus(c, s) for c in chain for s in ROOK)
        return any(there in self.at and self.at[there] is None for there in near)

    def moves(self) -> Iterable[str]:
        return [n for n in Plain.moves(self) if self._after(self.cells[n]) is not None]

    def put(self, cell: Cell) -> None:
        after = self._after(cell)
        assert after is not None
        self.at = after
        self.before.add(tuple(after.values()))
        chain = self.region(cell, ROOK)
        for axis in (0, 1):
            if {0, self.size - 1} <= {there[axis] for there in chain}:
                self.win(self.seat)
        if self.result is None:
            self.seat = 1 - self.seat
            stuck = not self.moves()
            self.seat = 1 - self.seat
            if stuck:
                self.win(self.seat)


KNIGHT = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]


class Pegs(Plain):
    """Links of one colour may cross each other; rows are numbered from the top."""

    def __init__(self, size: int) -> None:
        corners = {(x, y) for x in (0, size - 1) for y in (0, size - 1)}
        Plain.__init__(self, {n: c for n, c in square(size).items() if c not in corners})
        self.size = size
        self.links: dict[frozenset[Cell], int] = {}

    def moves(self) -> Iterable[str]:
        for name in Plain.moves(self):
            if self.cells[name][self.seat] not in (0, self.size - 1):
                yield name

    def put(self, cell: Cell) -> None:
        self.at[cell] = self.seat
        for there in (plus(cell, s) for s in KNIGHT):
            if self.at.get(there) == self.seat and not any(
                owner != self.seat and cross(cell, there, *tuple(link))
                for link, owner in self.links.items()
            ):
                self.links[frozenset((cell, there))] = self.seat
        chain = {cell}
        for _ in range(self.size**2):
            chain |= {c for link in self.links if link & chain for c in link}
        along = 1 - self.seat
        if {0, self.size - 1} <= {there[along] for there in chain}:
            self.win(self.seat)
            return
        self.seat = 1 - self.seat
        if not list(self.moves()):
            self.result = (1, 1)
        self.seat = 1 - self.seat


def cross(a: Cell, b: Cell, c: Cell, d: Cell) -> bool:
    """Whether the segments share an inner point: solved as two linear equations."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    det = ux * vy - uy * vx
    if det == 0:
        return False
    s = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / det
    t = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / det
    return 0 < s < 1 and 0 < t < 1


class Halma(Plain):
    def __init__(self, size: int) -> None:
        Plain.__init__(self, square(size))
        deep, most = {8: (4, 4), 10: (5, 5), 16: (6, 5)}[size]
        corner = [(x, y) for x in range(most) for y in range(most) if x + y < deep]
        self.camps = [set(corner), {(size - 1 - x, size - 1 - y) for x, y in corner}]
        for seat in (0, 1):
            for cell in self.camps[seat]:
                self.at[cell] = seat

    def _jumps(self, cell: Cell, seen: frozenset[Cell]) -> set[Cell]:
        found = set[Cell]()
        for step in EIGHT:
            over, there = plus(cell, step), plus(cell, step, 2)
            if self.at.get(over) is None or there not in self.at or self.at[there] is not None:
                continue
            if there not in seen | found:
                found |= {there} | self._jumps(there, seen | found | {there})
        return found

    def moves(self) -> Iterable[str]:
        found = []
        for cell in [c for c, stone in self.at.items() if stone == self.seat]:
            self.at[cell] = None
            ends = self._jumps(cell, frozenset({cell}))
            ends |= {t for s in EIGHT if (t := plus(cell, s)) in self.at and self.at[t] is None}
            self.at[cell] = self.seat
            goal = self.camps[1 - self.seat]
            found += [(cell, end) for end in ends - {cell} if cell not in goal or end in goal]
        return [f"{square_name(a)}-{square_name(b)}" for a, b in found] or ["pass"]

    def play(self, move: str) -> None:
        if move != "pass":
            source, target = (self.cells[name] for name in move.split("-"))
            self.at[source], self.at[target] = None, self.seat
        camp = [self.at[cell] for cell in self.camps[1 - self.seat]]
        if None not in camp and camp.count(self.seat) > len(camp) / 2:
            self.win(self.seat)
        self.seat = 1 - self.seat
