"""The smallest board of Cradle, solved: which moves win, hold or lose.

What becomes of a game without a mistake is read from a file (`solved_classes`). The rest, who wins
soon after a mistake, is found by a proof search that goes deeper step by step, over the classes of
positions that `Placements.stack_state` tells apart; the table that it fills serves the next
questions. A position that is not in the file counts as held if neither side is found to win: only
mistakes of both players lead there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pkgutil import get_data
from typing import TypeAlias

from pbm.rules import Value
from pbm.rules.boards.triangles import hexagon
from pbm.rules.families.stacking import Placements, find_fitting
from pbm.rules.solutions import Solution

Class: TypeAlias = tuple[tuple[int, ...], int]
"""Data that a position shares with all others that allow the same: the heights that still matter
and the mask of the uncovered pieces."""

HELD = 255
"""The value of a class in which neither player can force a win."""
_NAME = "solved.bin"
_BYTES = 5
"""Of the digest of a class: two classes in a billion that are not in the file seem to be."""


def digest(each: Class) -> bytes:
    """Return the name of a class in the file."""
    heights, exposed = each
    text = f"{','.join(map(str, heights))}/{exposed:x}"
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()


@cache
def read_classes() -> Mapping[bytes, int]:
    """Return the value of each class in the file, by its digest: the number of placements until the
    game ends, even if the mover loses, odd if the mover wins; or HELD."""
    data = get_data(__package__, _NAME)
    if data is None:
        raise FileNotFoundError(_NAME)
    width = _BYTES + 1
    return {data[at : at + _BYTES]: data[at + _BYTES] for at in range(0, len(data), width)}


SIZE = 2
DEEPEST = 13
"""Placements within which the search looks for a win."""
_MOST = 4_000
"""Classes of positions that one question may cost: a second or two. Those in the file cost none."""
_NEVER = 99

State = tuple[tuple[int, ...], tuple[int, ...], int]
"""The height and the topmost piece of each cell, and the mask of the placements that fit."""


class _TooManyError(Exception):
    """The question costs too much."""


class Solver:
    """The proof search and its table. `known` is what the file has; `most` bounds the classes of
    positions that one question may cost."""

    def __init__(self, known: Mapping[bytes, int], most: int = _MOST) -> None:
        self._places = Placements(hexagon(SIZE), 1)
        self._symmetries = list(_list_symmetries(self._places))
        self._bounds: dict[Class, tuple[int, int]] = {}
        """For a class of positions: within how many placements the mover loses, and within how many
        not."""
        self._known = known
        self._most = self._left = most

    def solve(
        self, height: Sequence[int], top: Sequence[int], *, wants_all: bool = False
    ) -> Solution:
        """Return how the game ends after each move in the position with these stacks; of those
        that win only the soonest unless `wants_all`."""
        height, top = tuple(height), tuple(top)
        fits = find_fitting(self._places.rows, height, top)
        after = {
            self._places.names[number]: state
            for number, state in self.list_next((height, top, fits))
        }
        wins, loses, unknown = dict[str, int](), dict[str, int](), dict[str, State]()
        for move, state in after.items():
            value = self._find_known(state)
            if value is None:
                unknown[move] = state
            elif value != HELD:
                (loses if value % 2 else wins)[move] = value + 1
        self._left = self._most
        try:
            for depth in range(DEEPEST):
                if not unknown or (not wants_all and depth >= min(wins.values(), default=DEEPEST)):
                    break
                decided = [move for move in unknown if self.is_decided(unknown[move], depth)]
                for move in decided:
                    (loses if depth % 2 else wins)[move] = depth + 1
                    del unknown[move]
        except _TooManyError:
            pass
        holds = tuple(move for move in after if move not in wins and move not in loses)
        return Solution(wins, loses, holds)

    def _find_known(self, state: State) -> int | None:
        """Return the value of a position in the file."""
        height, top, _ = state
        return self._known.get(digest(self.classify(height, top)))

    def is_decided(self, state: State, depth: int) -> bool:
        """Whether the mover wins (odd depth) or loses (even depth) within that many placements."""
        return self._is_won(state, depth) if depth % 2 else self._is_lost(state, depth)

    def list_next(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the placements and the states after them."""
        height, top, fits = state
        piece = max(top) + 1
        while fits:
            bit = fits & -fits
            fits ^= bit
            number = bit.bit_length() - 1
            cells, ends = self._places.pieces[number].cells, self._places.pieces[number].ends
            higher, covered = list(height), list(top)
            for cell in cells:
                higher[cell], covered[cell] = height[ends[0]] + 1, piece
            after = tuple(higher), tuple(covered)
            yield number, (*after, find_fitting(self._places.rows, *after))

    def _list_states(self, state: State) -> list[State]:
        """Return the states after each placement, those with the fewest answers first."""
        return sorted(
            (after for _, after in self.list_next(state)), key=lambda after: after[2].bit_count()
        )

    def classify(self, height: Sequence[int], top: Sequence[int]) -> Class:
        """Return the class of a position: equal for those that a turn or a reflection makes
        equal."""
        state = self._places.stack_state(height, top)
        exposed = [
            number for number in range(len(self._places.pieces)) if state.exposed >> number & 1
        ]
        return min(
            (
                tuple([state.heights[cell] for cell in cells]),
                sum(1 << placements[number] for number in exposed),
            )
            for cells, placements in self._symmetries
        )

    def _is_lost(self, state: State, depth: int) -> bool:
        """Whether the mover loses within `depth` placements."""
        height, top, fits = state
        if not fits:
            return True
        if depth <= 0:
            return False
        key = self.classify(height, top)
        if (known := self._known.get(digest(key))) is not None:
            return known % 2 == 0 and known <= depth
        lost, safe = self._bounds.get(key, (_NEVER, 0))
        if lost <= depth or safe >= depth:
            return lost <= depth
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        if all(self._is_won(after, depth - 1) for after in self._list_states(state)):
            lost = depth
        else:
            safe = depth
        self._bounds[key] = lost, safe
        return lost == depth

    def _is_won(self, state: State, depth: int) -> bool:
        """Whether the mover wins within `depth` placements."""
        if depth <= 0:
            return False
        if depth == 1:
            return any(not after[2] for _, after in self.list_next(state))
        return any(self._is_lost(after, depth - 1) for after in self._list_states(state))


def _list_symmetries(places: Placements) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the turns and reflections of the board: the cell that comes to lie on each cell, and
    where each placement goes."""
    number = {piece.cells: number for number, piece in enumerate(places.pieces)}
    for image in _extend(places.board.neighbours, []):
        moved = [tuple(sorted(image[cell] for cell in piece.cells)) for piece in places.pieces]
        yield sorted(range(len(image)), key=image.__getitem__), [number[cells] for cells in moved]


def _extend(around: Sequence[Sequence[int]], image: list[int]) -> Iterator[list[int]]:
    """Yield the ways to map cells one to one so that neighbours stay neighbours."""
    if len(image) == len(around):
        yield image
        return
    cell = len(image)
    for place in range(len(around)):
        if place in image or len(around[place]) != len(around[cell]):
            continue
        if all((n in around[cell]) == (image[n] in around[place]) for n in range(cell)):
            yield from _extend(around, [*image, place])


@cache
def get_solver() -> Solver:
    """Return the solver of this process."""
    return Solver(read_classes())


def is_solved(players: int, options: Mapping[str, Value]) -> bool:
    """Whether the solver knows that board: the smallest, for two, with cradles alone and neither a
    supply nor levels that have to shrink."""
    if players != 2 or options["size"] != SIZE or "num_each" in options:
        return False
    return not (options["all_shapes"] or options["must_reduce"])
