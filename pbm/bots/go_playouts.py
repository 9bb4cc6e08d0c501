"""Playouts of go without positions: stones on a list with a border, captures looked for where a
stone falls.

Nobody fills an own eye; a group in atari is captured, or runs, more often than chance would have
it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.families.surrounding import SurroundingPosition
from pbm.rules.families.two_player import STONES

_EMPTY, _BORDER = 0, 3
_URGENT = 0.8
"""How often atari is answered at once."""
_TRIES = 12
"""Empty points that are tried before a side passes."""
Played = list[tuple[int, str]]


@runtime_checkable
class Counting(Protocol):
    """A position that is counted at the end, when both have passed."""

    stage: int

    def count(self) -> tuple[float, str]:
        """How far Black is ahead as things stand."""


class Board:
    """Stones: 1 and 2 for the sides, on points counted with a border around them."""

    def __init__(self, position: SurroundingPosition) -> None:
        width = position.geometry.width
        self.stride = stride = width + 2
        self.ways = (1, -1, stride, -stride)
        self.points = [
            (row + 1) * stride + column + 1 for row in range(width) for column in range(width)
        ]
        self.cells = [_BORDER] * (stride * stride)
        for point, stone in zip(self.points, position.board, strict=True):
            self.cells[point] = STONES.find(stone) + 1
        self.empty = [point for point in self.points if not self.cells[point]]
        self.ko = 0
        self.taken = [0, 0]

    def find_liberties(self, start: int, most: int = 1) -> tuple[list[int], set[int]]:
        """The stones of a group, or some of them, and its liberties, as many as are asked for."""
        cells, colour = self.cells, self.cells[start]
        group, seen, free = [start], {start}, set[int]()
        for point in group:
            for way in self.ways:
                there = point + way
                what = cells[there]
                if not what:
                    free.add(there)
                    if len(free) >= most:
                        return group, free
                elif what == colour and there not in seen:
                    seen.add(there)
                    group.append(there)
        return group, free

    def is_eye(self, point: int, colour: int) -> bool:
        """Whether only stones of that colour are around an empty point, which cannot be cut."""
        cells, stride = self.cells, self.stride
        for way in self.ways:
            if cells[point + way] not in (colour, _BORDER):
                return False
        corners = (stride + 1, stride - 1, 1 - stride, -1 - stride)
        around = [cells[point + way] for way in corners]
        return around.count(3 - colour) + (_BORDER in around) < 2

    def put(self, point: int, colour: int) -> bool:
        """Put a stone there and capture; False, with nothing done, if the rules forbid it."""
        if point == self.ko:
            return False
        cells = self.cells
        cells[point] = colour
        gone = list[int]()
        for way in self.ways:
            there = point + way
            if cells[there] == 3 - colour and there not in gone:
                group, free = self.find_liberties(there)
                if not free:
                    gone += group
        if not gone and not self.find_liberties(point)[1]:
            cells[point] = _EMPTY
            return False
        for there in gone:
            cells[there] = _EMPTY
        self.empty += gone
        self.taken[colour - 1] += len(gone)
        alone = len(gone) == 1 and len(self.find_liberties(point, 2)[1]) == 1
        self.ko = gone[0] if alone else 0
        return True

    def find_urgent(self, last: int, colour: int) -> int:
        """A point where a colour captures the stones just put, or saves its own; 0 if none."""
        cells = self.cells
        if self.cells[last] == 3 - colour:
            _, free = self.find_liberties(last, 2)
            if len(free) == 1:
                return free.pop()
        for way in self.ways:
            if cells[last + way] == colour:
                _, free = self.find_liberties(last + way, 2)
                if len(free) == 1:
                    return free.pop()
        return 0

    def move(self, colour: int, last: int, dice: Dice) -> int:
        """Put a stone somewhere; the point, or 0 for a pass."""
        empty = self.empty
        urgent = self.find_urgent(last, colour) if last and dice.random() < _URGENT else 0
        if urgent and self.put(urgent, colour):
            empty.remove(urgent)
            return urgent
        for _ in range(min(_TRIES, len(empty))):
            index = int(dice.random() * len(empty))
            point = empty[index]
            if not self.is_eye(point, colour) and self.put(point, colour):
                # what was captured came to the end of the list
                empty[index] = empty[-1]
                empty.pop()
                return point
        self.ko = 0
        return 0

    def count(self) -> int:
        """How many points Black has more, empty ones by the colour beside them."""
        cells = self.cells
        ahead = cells.count(1) - cells.count(2)
        for point in self.empty:
            around = {cells[point + way] for way in self.ways} - {_EMPTY, _BORDER}
            if len(around) == 1:
                ahead += 1 if 1 in around else -1
        return ahead


def play_out(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """The moves of a playout and each seat's share; None where dead stones are being named."""
    if not isinstance(position, SurroundingPosition) or not isinstance(position, Counting):
        return None
    if position.stage:
        return None
    board, played, side = Board(position), Played(), position.side
    names = dict(zip(board.points, position.geometry.names, strict=True))
    last, passes = 0, 0
    for _ in range(2 * len(board.points)):
        last = board.move(side + 1, last, dice)
        passes = 0 if last else passes + 1
        if passes == 2:
            break
        if last:
            played.append((side ^ position.swapped, names[last]))
        side = 1 - side
    black = _share(board.count() - _find_komi(position))
    return played, ((black, 1 - black) if not position.swapped else (1 - black, black))


def play_to_capture(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """The same in Atari Go: whoever first has captured so many stones wins."""
    if not isinstance(position, SurroundingPosition):
        return None
    board, played, side = Board(position), Played(), position.side
    board.taken[:] = position.taken_by
    names = dict(zip(board.points, position.geometry.names, strict=True))
    wanted, last = int(position.options["stones"]), 0
    for _ in range(2 * len(board.points)):
        last = board.move(side + 1, last, dice)
        if last:
            played.append((side ^ position.swapped, names[last]))
        if board.taken[side] >= wanted:
            seat = side ^ position.swapped
            return played, (float(seat == 0), float(seat == 1))
        side = 1 - side
    return played, (0.5, 0.5)


def _share(ahead: float) -> float:
    return 0.5 if not ahead else float(ahead > 0)


def _find_komi(position: Position) -> float:
    """What White is given, handicap stones aside: the empty board is counted."""
    first = position.game.setup(2, position.options)
    if not isinstance(first, SurroundingPosition) or not isinstance(first, Counting):
        return 0.0
    ahead, _ = first.count()
    return (len(first.board) if STONES[0] in first.board else 0) - ahead
