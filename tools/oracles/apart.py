"""Second implementations of games of territory, capture and blockade that no oracle package has:
slow, from the printed rules, with dictionaries of coordinates, sharing no code with the games."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from tools.oracles.plain import EIGHT, LETTERS, Cell, plus, square_name

FOUR = [(0, 1), (1, 0), (0, -1), (-1, 0)]


class Board:
    """What stands on each cell (a character, "." for nothing), whose move it is, the result."""

    def __init__(self, rows: list[str]) -> None:
        """Take `rows` from the bottom."""
        self.at: dict[Cell, str] = {
            (x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)
        }
        self.cell = {self.name(cell): cell for cell in self.at}
        self.seat = 0
        self.result: tuple[int, ...] | None = None

    def name(self, cell: Cell) -> str:
        return square_name(cell)

    @property
    def own(self) -> str:
        return "XO"[self.seat]

    @property
    def other(self) -> str:
        return "OX"[self.seat]

    def ranks(self) -> tuple[int, ...] | None:
        return self.result

    def win(self, seat: int) -> None:
        self.result = (1, 2) if seat == 0 else (2, 1)

    def count(self) -> None:
        first, second = (sum(sign == s for sign in self.at.values()) for s in "XO")
        self.result = (1, 1) if first == second else ((1, 2) if first > second else (2, 1))

    def moves(self) -> Iterable[str]:
        raise NotImplementedError

    def pass_or(self, last_mover: int) -> None:
        """Let the other side move. A side that cannot is passed over; when neither can, count."""
        self.seat = 1 - last_mover
        if not list(self.moves()):
            self.seat = last_mover
            if not list(self.moves()):
                self.count()


def chequerboard(width: int, height: int) -> list[str]:
    return ["".join("XO"[(x + y) % 2] for x in range(width)) for y in range(height)]


class OldReversi(Board):
    """Reversi of 1883, or of today when discs stand in the middle; row 1 is the top one."""

    def __init__(self, size: int, *, crossed: bool = False, fewer: bool = False) -> None:
        self.size, self.fewer = size, fewer
        Board.__init__(self, ["." * size] * size)
        low = size // 2 - 1
        self.middle = [(x, y) for x in (low, low + 1) for y in (low, low + 1)]
        if crossed:
            for x, y in self.middle:
                self.at[x, y] = "X" if x == y else "O"

    def name(self, cell: Cell) -> str:
        return f"{LETTERS[cell[0]]}{self.size - cell[1]}"

    def flips(self, cell: Cell) -> list[Cell]:
        found = []
        for step in EIGHT:
            row = 1
            while self.at.get(plus(cell, step, row)) == self.other:
                row += 1
            if self.at.get(plus(cell, step, row)) == self.own:
                found += [plus(cell, step, n) for n in range(1, row)]
        return found

    def moves(self) -> Iterable[str]:
        free = [cell for cell in self.middle if self.at[cell] == "."]
        if free:
            return [self.name(cell) for cell in free]
        return [n for n, cell in self.cell.items() if self.at[cell] == "." and self.flips(cell)]

    def play(self, move: str) -> None:
        cell = self.cell[move]
        if all(self.at[one] != "." for one in self.middle):
            for there in self.flips(cell):
                self.at[there] = self.own
        self.at[cell] = self.own
        self.pass_or(self.seat)
        if self.result and self.fewer:
            self.result = tuple(self.result[::-1])


class HexAtaxx(Board):
    """Hexxagon; cells are (column, row) as in its notation, rows from the top."""

    def __init__(self, size: int, *, holes: bool) -> None:
        self.size, last = size, size - 1
        self.idle = 0
        Board.__init__(self, [])
        for row in range(2 * size - 1):
            for column in range(2 * size - 1):
                if abs(column - row) < size:
                    self.at[column, row] = "."
        self.cell = {self.name(cell): cell for cell in self.at}
        corners = [(2 * last, last), (2 * last, 2 * last), (last, 2 * last), (0, last), (0, 0)]
        for n, cell in enumerate([*corners, (last, 0)]):
            self.at[cell] = "XO"[n % 2]
        for step in [(1, 0), (0, 1), (-1, -1)] if holes else []:
            self.at[plus((last, last), step)] = "#"

    @staticmethod
    def distance(one: Cell, other: Cell) -> int:
        x, y = other[0] - one[0], other[1] - one[1]
        return max(abs(x), abs(y), abs(x - y))

    def moves(self) -> Iterable[str]:
        found = set()
        for start, sign in self.at.items():
            for end, there in self.at.items():
                if sign == self.own and there == ".":
                    far = self.distance(start, end)
                    if far == 1:
                        found.add(self.name(end))
                    if far == 2:
                        found.add(f"{self.name(start)}-{self.name(end)}")
        return found

    def play(self, move: str) -> None:
        *start, end = move.split("-")
        self.idle = self.idle + 1 if start else 0
        for name in start:
            self.at[self.cell[name]] = "."
        self.at[self.cell[end]] = self.own
        for cell, sign in self.at.items():
            if sign == self.other and self.distance(cell, self.cell[end]) == 1:
                self.at[cell] = self.own
        if self.other not in self.at.values():
            self.win(self.seat)
        elif self.idle >= 100 and "." in self.at.values():
            self.result = (1, 1)
        else:
            self.pass_or(self.seat)


class Octopus(Board):
    """Cephalopod; a die is its owner's sign and what it shows."""

    def __init__(self, columns: int, rows: int) -> None:
        Board.__init__(self, ["." * columns] * rows)

    def moves(self) -> Iterable[str]:
        for name, cell in self.cell.items():
            if self.at[cell] != ".":
                continue
            beside = [
                n
                for n, one in self.cell.items()
                if abs(one[0] - cell[0]) + abs(one[1] - cell[1]) == 1
            ]
            dice = [n for n in beside if self.at[self.cell[n]] != "."]
            sets = [
                some
                for count in (2, 3, 4)
                for some in combinations(dice, count)
                if sum(int(self.at[self.cell[n]][1]) for n in some) <= 6
            ]
            for some in sets:
                yield f"{name}:{'+'.join(sorted(some, key=lambda n: (self.cell[n][1], n)))}"
            if not sets:
                yield name

    def play(self, move: str) -> None:
        name, *captured = move.replace(":", "+").split("+")
        shown = 0
        for die in captured:
            shown += int(self.at[self.cell[die]][1])
            self.at[self.cell[die]] = "."
        self.at[self.cell[name]] = f"{self.own}{shown or 1}"
        self.seat = 1 - self.seat
        if "." not in self.at.values():
            first = sum(sign[0] == "X" for sign in self.at.values())
            self.win(0 if 2 * first > len(self.at) else 1)


class Jumps(Board):
    """Konane."""

    def __init__(self, size: int) -> None:
        self.size, self.played = size, 0
        Board.__init__(self, chequerboard(size, size))

    def moves(self) -> Iterable[str]:
        if self.played == 0:
            last, half = self.size - 1, self.size // 2
            squares = [(0, 0), (0, last), (last, 0), (last, last)]
            squares += [(half, half), (half - 1, half), (half, half - 1), (half - 1, half - 1)]
            return [self.name(cell) for cell in squares if self.at[cell] == self.own]
        if self.played == 1:
            gap = next(cell for cell, sign in self.at.items() if sign == ".")
            return [self.name(plus(gap, s)) for s in FOUR if self.at.get(plus(gap, s)) == self.own]
        return [f"{self.name(start)}-{self.name(end)}" for start, end, _ in self.jumps()]

    def jumps(self) -> Iterator[tuple[Cell, Cell, list[Cell]]]:
        for start, sign in self.at.items():
            for step in FOUR if sign == self.own else []:
                over, here = [], start
                while (
                    self.at.get(plus(here, step)) == self.other
                    and self.at.get(plus(here, step, 2)) == "."
                ):
                    over.append(plus(here, step))
                    here = plus(here, step, 2)
                    yield start, here, list(over)

    def play(self, move: str) -> None:
        start, *end = (self.cell[name] for name in move.split("-"))
        if end:
            over = next(o for s, e, o in self.jumps() if (s, e) == (start, end[0]))
            for cell in over:
                self.at[cell] = "."
            self.at[end[0]] = self.own
        self.at[start] = "."
        self.played += 1
        self.seat = 1 - self.seat
        if not list(self.moves()):
            self.win(1 - self.seat)


class Siege(Board):
    """Hnefatafl with a strong king and surrounding, or Brandubh with a weak king and without."""

    def __init__(self, rows: list[str], *, weak: bool) -> None:
        Board.__init__(self, rows)
        self.weak, last = weak, len(rows) - 1
        self.corners = {(x, y) for x in (0, last) for y in (0, last)}
        self.throne = (last // 2, last // 2)
        self.idle = 0

    def mine(self, cell: Cell) -> bool:
        return self.at.get(cell, "#") in ("X" if self.seat == 0 else "OK")

    def moves(self) -> Iterable[str]:
        for start, sign in self.at.items():
            for step in FOUR if self.mine(start) else []:
                far = 1
                while self.at.get(plus(start, step, far)) == ".":
                    end = plus(start, step, far)
                    if sign == "K" or end not in {*self.corners, self.throne}:
                        yield f"{self.name(start)}-{self.name(end)}"
                    far += 1

    def hostile(self, cell: Cell) -> bool:
        """Whether a piece of the side that does not move is pressed against that cell."""
        bare = self.at.get(cell) == "." and cell in {*self.corners, self.throne}
        return self.mine(cell) or bare

    def play(self, move: str) -> None:
        start, end = (self.cell[name] for name in move.split("-"))
        self.at[end], self.at[start] = self.at[start], "."
        foe, taken = ("O" if self.seat == 0 else "X"), False
        for step in FOUR:
            there = plus(end, step)
            if self.at.get(there) == foe and self.hostile(plus(end, step, 2)):
                self.at[there], taken = ".", True
        self.idle = 0 if taken else self.idle + 1
        king = next(cell for cell, sign in self.at.items() if sign == "K")
        if king in self.corners:
            self.win(1)
        elif self.seat == 0 and (self.caught(king, end) or (not self.weak and self.enclosed())):
            self.win(0)
        self.seat = 1 - self.seat
        if self.result is None and not list(self.moves()):
            self.win(1 - self.seat)
        if self.result is None and self.idle >= 200:
            self.result = (1, 1)

    def caught(self, king: Cell, moved: Cell) -> bool:
        step = king[0] - moved[0], king[1] - moved[1]
        if step not in FOUR:
            return False
        around = [plus(king, one) for one in FOUR]
        four = all(self.at.get(one) == "X" or one == self.throne for one in around)
        if not self.weak or king == self.throne or self.throne in around:
            return four
        behind = plus(king, step)
        return self.at.get(behind) == "X" or behind in self.corners

    def enclosed(self) -> bool:
        todo = [cell for cell, sign in self.at.items() if sign in "OK"]
        seen = set(todo)
        while todo:
            here = todo.pop()
            for step in FOUR:
                there = plus(here, step)
                if there not in self.at:
                    return False
                if there not in seen and self.at[there] != "X":
                    seen.add(there)
                    todo.append(there)
        return True


HNEFATAFL = [
    "...XXXXX...",
    ".....X.....",
    "...........",
    "X....O....X",
    "X...OOO...X",
    "XX.OOKOO.XX",
    "X...OOO...X",
    "X....O....X",
    "...........",
    ".....X.....",
    "...XXXXX...",
]
BRANDUBH = ["...X...", "...X...", "...O...", "XXOKOXX", "...O...", "...X...", "...X..."]
