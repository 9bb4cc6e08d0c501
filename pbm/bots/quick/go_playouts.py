"""Playouts of go without positions: stones on a list with a border, captures looked for where a
stone falls.

Nobody fills an own eye; a group in atari is captured, or runs, more often than chance would have
it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.goban import NamedGrid
from pbm.rules.boards.stone_groups import find_group
from pbm.rules.families.surrounding import SurroundingPosition
from pbm.rules.families.two_player import STONES

_EMPTY, _BORDER = 0, 3
_URGENT = 0.8
"""How often atari is answered at once."""
_TRIES = 12
"""Empty points that are tried before a side passes."""
Played = list[tuple[int, str]]


class Stones(Protocol):
    """A position with stones on a square board."""

    @property
    def board(self) -> str:
        """The stones, point by point."""

    @property
    def geometry(self) -> NamedGrid:
        """The points, by number and name."""


@runtime_checkable
class Counting(Stones, Protocol):
    """A position that is counted at the end, when both have passed."""

    @property
    def side(self) -> int:
        """Who is to move: 0 is Black."""

    @property
    def turn(self) -> int:
        """The number of turns so far."""

    @property
    def stage(self) -> int:
        """0, or how far the agreement on dead stones has come."""

    @property
    def passes(self) -> int:
        """The number of passes in a row."""

    @property
    def resumed(self) -> bool:
        """Whether play was resumed, so that stones are counted where they stand."""

    @property
    def dead(self) -> tuple[int, ...]:
        """The first point of each group marked dead."""

    def groups(self) -> list[int]:
        """Return the first point of every group."""

    def count(self) -> tuple[float, str]:
        """Return how far Black is ahead as things stand."""


class GoStones:
    """Stones: 1 and 2 for the sides, on points counted with a border around them."""

    def __init__(self, position: Stones) -> None:
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
        """Return the stones of a group, or some of them, and its liberties, as many as are asked
        for."""
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
        """Return a point where a colour captures the stones just put, or saves its own; 0 if
        none."""
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
        """Put a stone somewhere. Return the point, or 0 for a pass."""
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

    def move_anywhere(self, colour: int) -> int:
        """Put a stone where the rules allow it, even in an own eye. Return the point, or 0 if it is
        allowed nowhere."""
        for index, point in enumerate(self.empty):
            if self.put(point, colour):
                self.empty.pop(index)
                return point
        return 0

    def is_across(self, start: int) -> bool:
        """Whether the group of a stone just put touches two opposite sides of the board."""
        cells, colour = self.cells, self.cells[start]
        around = [cells[start + way] for way in self.ways]
        if around.count(colour) + (_BORDER in around) < 2:
            return False
        group, _ = self.find_liberties(start, len(self.cells))
        width = self.stride - 2
        if len(group) < width:
            return False
        return any(
            {1, width} <= {divmod(point, self.stride)[axis] for point in group} for axis in (0, 1)
        )

    def fill(self, side: int, dice: Dice) -> list[tuple[int, int]]:
        """Let both sides put stones until they pass; each with its point."""
        played, last, passes = list[tuple[int, int]](), 0, 0
        for _ in range(2 * len(self.points)):
            last = self.move(side + 1, last, dice)
            passes = 0 if last else passes + 1
            if passes == 2:
                break
            if last:
                played.append((side, last))
            side = 1 - side
        return played

    def list_owners(self) -> list[int]:
        """Return for each point the colour that has it, an empty one by what is beside it; 0 if
        none."""
        cells, owners = self.cells, list[int]()
        for point in self.points:
            owner = cells[point]
            if not owner:
                around = {cells[point + way] for way in self.ways} - {_EMPTY, _BORDER}
                owner = around.pop() if len(around) == 1 else 0
            owners.append(owner)
        return owners

    def count(self) -> int:
        """Return how many points Black has more, empty ones by the colour beside them."""
        owners = self.list_owners()
        return owners.count(1) - owners.count(2)


def play_out(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Return the moves of a playout and each seat's share; None where dead stones are being
    named."""
    if not isinstance(position, SurroundingPosition) or not isinstance(position, Counting):
        return None
    if position.stage:
        return None
    board = GoStones(position)
    names = dict(zip(board.points, position.geometry.names, strict=True))
    played = [
        (side ^ position.swapped, names[point]) for side, point in board.fill(position.side, dice)
    ]
    black = _share(board.count() - find_komi(position))
    return played, ((black, 1 - black) if not position.swapped else (1 - black, black))


def play_to_capture(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Play out Atari Go: whoever first has captured enough stones wins."""
    if not isinstance(position, SurroundingPosition):
        return None
    board, played, side = GoStones(position), Played(), position.side
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


def play_to_join(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Play out Gonnect: whoever joins two opposite sides wins, and whoever cannot move loses."""
    if not isinstance(position, SurroundingPosition):
        return None
    board, played, side = GoStones(position), Played(), position.side
    names = dict(zip(board.points, position.geometry.names, strict=True))
    last, winner = 0, -1
    while winner < 0 and len(played) < 3 * len(board.points):
        last = board.move(side + 1, last, dice) or board.move_anywhere(side + 1)
        if last:
            played.append((side ^ position.swapped, names[last]))
        if not last or board.is_across(last):
            winner = side if last else 1 - side
        side = 1 - side
    if winner < 0:
        return played, (0.5, 0.5)
    seat = winner ^ position.swapped
    return played, (float(seat == 0), float(seat == 1))


def _share(ahead: float) -> float:
    return 0.5 if not ahead else float(ahead > 0)


def find_komi(position: Position) -> float:
    """Return what White is given, handicap stones aside: the empty board is counted."""
    first = position.game.setup(2, position.options)
    if not isinstance(first, SurroundingPosition) or not isinstance(first, Counting):
        return 0.0
    ahead, _ = first.count()
    return (len(first.board) if STONES[0] in first.board else 0) - ahead


# The end of a game: passing where nothing is left to gain, and naming dead stones.
#
# Playouts show whose a point is going to be. A side passes when all points are settled, or when the
# other has passed and it wins without those that are not. Until then it neither passes nor fills
# its own eyes.

_PLAYOUTS = 24
_SETTLED = 0.5
"""How much more often one side than the other has a point that is settled."""
_DEAD = 0.5
"""How much more often the other side has the points of a group that is dead."""


def finish_go(position: Position, dice: Dice) -> Sequence[str]:
    """Return a turn that ends the game or helps to end it; none while there is something to play
    for."""
    if not isinstance(position, Counting):
        return ()
    if not position.stage and not position.passes and position.turn < len(position.board) // 2:
        return ()
    owners = foresee_owners(position, dice)
    ahead = sum((owner > 0) - (owner < 0) for owner in owners) - find_komi(position)
    if not position.stage:
        return ("pass",) if _may_pass(position, owners, ahead) else ()
    (seat,) = position.to_move
    return _settle(position, owners, ahead, position.legal_moves(seat))


def list_useful(position: Position, moves: Sequence[str]) -> Sequence[str]:
    """Return the moves without passes and without stones in own eyes; all if there are no
    others."""
    if not isinstance(position, Counting) or position.stage:
        return moves
    board, points = GoStones(position), position.geometry.number
    return [
        move
        for move in moves
        if move != "pass" and not board.is_eye(board.points[points[move]], position.side + 1)
    ] or moves


def foresee_owners(position: Counting, dice: Dice) -> list[float]:
    """Foresee whose each point is going to be, from -1 (White) to 1 (Black)."""
    totals = [0] * len(position.board)
    for _ in range(_PLAYOUTS):
        board = GoStones(position)
        board.fill(position.side, dice)
        for cell, owner in enumerate(board.list_owners()):
            totals[cell] += (0, 1, -1)[owner]
    return [total / _PLAYOUTS for total in totals]


def _may_pass(position: Counting, owners: Sequence[float], ahead: float) -> bool:
    """Whether to pass: if nothing is left to gain, or if that ends the game and is enough. `ahead`
    is how far Black is going to be; after play was resumed no stone is taken off."""
    open_points = sum(abs(owner) < _SETTLED for owner in owners)
    if position.resumed:
        is_won = _leads(position, position.count()[0])
        return is_won if position.passes or _leads(position, ahead) else not open_points
    return not open_points or bool(position.passes and _leads(position, ahead, 2 * open_points))


def _settle(
    position: Counting, owners: Sequence[float], ahead: float, answers: Sequence[str]
) -> list[str]:
    """Return the answer to which stones are dead: agree if it costs nothing, or else correct it."""
    dead = {cell for cell in position.groups() if _is_dead(position, cell, owners)}
    names = position.geometry.names
    marks = [
        f"{'dead' if cell in dead else 'alive'} {names[cell]}"
        for cell in sorted(dead ^ {*position.dead})
    ]
    if "agree" not in answers:
        return [*marks, "done"]
    if not marks or _leads(position, position.count()[0]) or not _leads(position, ahead):
        return ["agree"]
    return [*marks, "done"] if marks[0] in answers else ["resume"]


def _is_dead(position: Counting, cell: int, owners: Sequence[float]) -> bool:
    """Whether a group, given by a point of it, is going to be the other side's."""
    group = find_group(position.board, cell, position.geometry.orthogonal)
    black = sum(owners[there] for there in group) / len(group)
    return (black if position.board[cell] == STONES[0] else -black) < -_DEAD


def _leads(position: Counting, ahead: float, by: float = 0) -> bool:
    """Whether the side to move is ahead, and by more than that, if Black is so far ahead."""
    return (-ahead if position.side else ahead) > by
