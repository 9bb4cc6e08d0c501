"""Draughts boards by the parameters of a federation's rules: squares, their two notations, moves
and captures.

A board is one character per cell of the whole grid. Endings and parsing are in
`draughts_family`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pbm.rules.boards.squares import DIAGONAL, ORTHOGONAL, Grid
from pbm.rules.families.two_player import EMPTY

MEN, KINGS = "XO", "#@"
"""The signs of the men and kings of side 0 and 1."""
LIGHT = " "
"""The sign of a square that is not used."""
JUMPED = "!"
"""The sign on the square of a captured piece until the capture is complete."""
STAYS, STOPS, GOES_ON = "stays a man", "stops", "goes on as a king"
"""What a man does when it reaches the last row in the middle of a capture."""

Chain = tuple[tuple[int, ...], tuple[int, ...]]
"""A move: the squares it visits, first and last included, and the squares it captures."""


@dataclass(frozen=True, slots=True)
class DraughtsRules:
    """The parameters of a federation's rules.

    size      squares along a side
    rows      rows of men on each side
    behind    empty rows behind them
    numbers   whether squares are written as numbers (from the top left) or like a1
    cross     the sign between the squares of a capture
    downward  whether side 0 begins at the top
    straight  whether all squares are used and pieces move along rows and columns
    flying    whether kings move and capture over any distance
    backward  whether men capture backward too
    most      whether a player must capture as many pieces as possible
    crowning  STAYS, STOPS or GOES_ON
    at_once   whether captured pieces leave the board one by one, not when the capture is complete
    """

    size: int = 8
    rows: int = 3
    behind: int = 0
    numbers: bool = False
    cross: str = "x"
    downward: bool = False
    straight: bool = False
    flying: bool = True
    backward: bool = False
    most: bool = False
    crowning: str = STAYS
    at_once: bool = False


class Draughtboard(Grid):
    """The tables of a board. Directions are numbered clockwise, so that `way ^ 2` is the opposite.

    square_names  the name of each cell in canonical moves
    cell_named    the cells by both of their names, numbers included
    """

    def __init__(self, rules: DraughtsRules) -> None:
        size = rules.size
        plain = Grid(size, size)
        dark = [rules.straight or sum(divmod(cell, size)) % 2 == 0 for cell in range(size * size)]
        light = [name for name, plays in zip(plain.names, dark, strict=True) if not plays]
        Grid.__init__(self, size, size, missing=light)
        self.rules = rules
        self.squares = [cell for cell in range(len(self)) if dark[cell]]
        by_number = sorted(self.squares, key=lambda cell: (-(cell // size), cell))
        self.count = {cell: str(n) for n, cell in enumerate(by_number, 1)}
        """The number of each square, from the top left."""
        self.square_names = [
            self.count.get(c, "") if rules.numbers else self.names[c] for c in range(len(self))
        ]
        self.cell_named = {**{n: cell for cell, n in self.count.items()}, **self.number}
        ups = (-1, 1) if rules.downward else (1, -1)
        self.last = tuple(
            frozenset(cell for cell in self.squares if cell // size == (size - 1 if up > 0 else 0))
            for up in ups
        )
        """For each side the row on which its men are crowned."""
        ways = ORTHOGONAL if rules.straight else DIAGONAL
        self.lines = [rays[0 if rules.straight else 1 :: 2] for rays in self.rays]
        """For each cell and direction the cells straight on."""
        onward = [[way for way, (_, rise) in enumerate(ways) if rise * up >= 0] for up in ups]
        taking = [[0, 1, 2, 3] if rules.backward else men for men in onward]
        self.steps = [[self._steps(cell, men) for cell in range(len(self))] for men in onward]
        """For each side and cell the steps of a man: (cell, move, chain)."""
        self.slides = [
            [
                [self._step(cell, there) for there in (line if rules.flying else line[:1])]
                for line in self.lines[cell]
            ]
            for cell in range(len(self))
        ]
        """For each cell and direction the steps of a king."""
        self.jumps = [[self._jumps(cell, men) for cell in range(len(self))] for men in taking]
        """For each side and cell the jumps of a man: (piece, landing, direction)."""
        self.short = [self._jumps(cell, range(4)) for cell in range(len(self))]
        """The same for a king that does not fly."""

    def _step(self, cell: int, there: int) -> tuple[int, str, Chain]:
        return there, f"{self.square_names[cell]}-{self.square_names[there]}", ((cell, there), ())

    def _steps(self, cell: int, ways: Sequence[int]) -> list[tuple[int, str, Chain]]:
        lines = self.lines[cell]
        return [self._step(cell, lines[way][0]) for way in ways if lines[way]]

    def _jumps(self, cell: int, ways: Sequence[int]) -> list[tuple[int, int, int]]:
        lines = self.lines[cell]
        return [(lines[way][0], lines[way][1], way) for way in ways if len(lines[way]) > 1]

    def first(self) -> str:
        """Return the board at the start."""
        rules, size = self.rules, self.rules.size
        men = MEN[::-1] if rules.downward else MEN
        row = [EMPTY if cell in self.count else LIGHT for cell in range(len(self))]
        for cell in self.squares:
            deep = min(cell // size, size - 1 - cell // size)
            if rules.behind <= deep < rules.behind + rules.rows:
                row[cell] = men[0] if cell // size == deep else men[1]
        return "".join(row)

    def notation(self, chain: Chain) -> str:
        """Return the canonical notation of a move."""
        path, taken = chain
        return (self.rules.cross if taken else "-").join([self.square_names[cell] for cell in path])

    def moves(self, board: str, side: int) -> dict[str, Chain]:
        """Return every legal move of a side by its canonical notation.

        Captures that start and end alike and take the same pieces are one move, written by the way
        over the lowest cells."""
        chains = self.captures(board, side)
        if not chains:
            return self._quiet(board, side)
        if self.rules.most:
            most = max(len(taken) for _, taken in chains)
            chains = [chain for chain in chains if len(chain[1]) == most]
        if len(chains) == 1:
            return {self.notation(chains[0]): chains[0]}
        different: dict[object, Chain] = {}
        for chain in sorted(chains):
            different.setdefault(self.effect(chain, board, side), chain)
        return {self.notation(chain): chain for chain in different.values()}

    def effect(self, chain: Chain, board: str, side: int) -> object:
        """Return the effect of a move: equal for moves that differ only in the way."""
        path, taken = chain
        return path[0], path[-1], frozenset(taken), self.crowns(chain, board, side)

    def crowns(self, chain: Chain, board: str, side: int) -> bool:
        """Whether a move makes a king."""
        path, _ = chain
        if board[path[0]] != MEN[side]:
            return False
        if self.rules.crowning == GOES_ON:
            return not self.last[side].isdisjoint(path)
        return path[-1] in self.last[side]

    def _quiet(self, board: str, side: int) -> dict[str, Chain]:
        man, king, moves = MEN[side], KINGS[side], dict[str, Chain]()
        steps = self.steps[side]
        for cell, sign in enumerate(board):
            if sign == man:
                for there, move, chain in steps[cell]:
                    if board[there] == EMPTY:
                        moves[move] = chain
            elif sign == king:
                for line in self.slides[cell]:
                    for there, move, chain in line:
                        if board[there] != EMPTY:
                            break
                        moves[move] = chain
        return moves

    def captures(self, board: str, side: int) -> list[Chain]:
        """Return every complete capture of a side, whether or not another takes more."""
        man, king = MEN[side], KINGS[side]
        foes = MEN[1 - side] + KINGS[1 - side]
        captures: list[Chain] = []
        jumps, row = self.jumps[side], list[str]()
        for cell, sign in enumerate(board):
            if sign == man:
                for over, there, _ in jumps[cell]:
                    if board[there] == EMPTY and board[over] in foes:
                        break
                else:
                    continue
            elif sign != king:
                continue
            row = row or list(board)
            row[cell] = EMPTY
            self._follow(row, side, foes, sign == king, -1, (cell,), (), captures)
            row[cell] = sign
        return captures

    def _follow(
        self,
        row: list[str],
        side: int,
        foes: str,
        king: bool,
        way: int,
        path: tuple[int, ...],
        taken: tuple[int, ...],
        captures: list[Chain],
    ) -> bool:
        """Add every complete capture that begins with `path`; returns False if it cannot go on.

        A flying king chooses its landing square, but may not stop on one from which it could go on
        if another landing square allows that."""
        rules, goes_on = self.rules, False
        for over, landings, onward in self._next(row, side, foes, king, way, path[-1]):
            goes_on = True
            jumped, row[over] = row[over], EMPTY if rules.at_once else JUMPED
            now, ends = (*taken, over), list[int]()
            for there in landings:
                last = not king and there in self.last[side]
                crowned = king or (last and rules.crowning == GOES_ON)
                if (last and rules.crowning == STOPS) or not self._follow(
                    row, side, foes, crowned, onward, (*path, there), now, captures
                ):
                    ends.append(there)
            if len(ends) == len(landings):
                captures += [((*path, there), now) for there in ends]
            row[over] = jumped
        return goes_on

    def _next(
        self, row: list[str], side: int, foes: str, king: bool, way: int, cell: int
    ) -> Iterator[tuple[int, Sequence[int], int]]:
        """Yield the pieces that can be jumped next: (piece, landing squares, direction)."""
        if not (king and self.rules.flying):
            for over, there, onward in self.short[cell] if king else self.jumps[side][cell]:
                if row[there] == EMPTY and row[over] in foes:
                    yield over, (there,), onward
            return
        for onward, line in enumerate(self.lines[cell]):
            if onward == way ^ 2:
                continue  # a king may not turn back on the same line
            for at, over in enumerate(line):
                sign = row[over]
                if sign == EMPTY:
                    continue
                if sign in foes:
                    end = at + 1
                    while end < len(line) and row[line[end]] == EMPTY:
                        end += 1
                    if end > at + 1:
                        yield over, line[at + 1 : end], onward
                break


@cache
def draughtboard(rules: DraughtsRules) -> Draughtboard:
    """Return the board for those rules, built once."""
    return Draughtboard(rules)
