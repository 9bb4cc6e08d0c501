"""Cradle on the smallest board, solved: what `help cradle` says about it.

    python -m tools.games.small_cradle

Positions that a rotation or reflection makes equal, or that have the same outlook, are one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from pbm.rules.boards.triangles import hexagon
from pbm.rules.families.stacking import Placements

PLACES = Placements(hexagon(2), 1)
PIECES = PLACES.pieces
CELLS = range(len(PLACES.board))
DEPTH = 7
"""So many placements are looked ahead."""

Node: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Heights, exposed pieces, placements that may still come, pieces on each level (if they count)."""


def symmetries() -> list[tuple[int, ...]]:
    """Return the ways in which the board lies on itself: for each cell, the one that comes
    there."""
    around = [set(cells) for cells in PLACES.board.neighbours]

    def extended(image: dict[int, int]) -> Iterator[tuple[int, ...]]:
        free = [cell for cell in CELLS if cell not in image]
        if not free:
            yield tuple(image[cell] for cell in CELLS)
            return
        cell = next((c for c in free if around[c] & image.keys()), free[0])
        for there in set(CELLS).difference(image.values()):
            if len(around[there]) == len(around[cell]) and all(
                (known in around[cell]) == (image[known] in around[there]) for known in image
            ):
                yield from extended(image | {cell: there})

    return list(extended({}))


SYMMETRIES = symmetries()
IMAGES = [
    [PLACES.number[PLACES.name(sorted(there[cell] for cell in piece.cells))] for piece in PIECES]
    for there in SYMMETRIES
]
SOURCES = [sorted(CELLS, key=there.__getitem__) for there in SYMMETRIES]


def node(
    height: Sequence[int],
    top: Sequence[int],
    levels: tuple[int, ...] = (),
    among: Iterable[int] = range(len(PIECES)),
) -> Node:
    """Return the position, as all that are equal to it are written, when only the placements
    `among` these may still come. Where levels count, heights do, and all may."""
    stack_state = PLACES.stack_state(height, top)
    heights = tuple(height) if levels else stack_state.heights
    exposed = [number for number in range(len(PIECES)) if stack_state.exposed >> number & 1]
    live = [] if levels else [number for number in among if stack_state.live >> number & 1]
    return min(
        (
            tuple([heights[cell] for cell in source]),
            tuple(sorted([image[number] for number in exposed])),
            tuple(sorted([image[number] for number in live])),
            levels,
        )
        for source, image in zip(SOURCES, IMAGES, strict=True)
    )


START = node([0] * 24, [0] * 24)
START_REDUCING = node([0] * 24, [0] * 24, (0,))


@cache
def after(position: Node) -> dict[Node, list[int]]:
    """Return what may come of a position, and by which placements."""
    height, exposed, live, levels = position
    top = [-1 - cell for cell in CELLS]
    for number in exposed:
        for cell in PIECES[number].cells:
            top[cell] = 1 + number
    graph: dict[Node, list[int]] = {}
    for number in range(len(PIECES)) if levels else live:
        a, d = PIECES[number].ends
        b, c = PIECES[number].middle
        h = height[a]
        level = (height[b] == h and height[c] <= h) or (height[c] == h and height[b] < h)
        if height[d] != h or not level or number in exposed:
            continue
        pieces = list(levels)
        if levels:
            pieces[h] += 1
            if 4 * pieces[h] >= (24 if h == 0 else 4 * pieces[h - 1]):
                continue
            pieces += [0] * (h + 2 - len(pieces))
        higher, newer = list(height), list(top)
        for cell in PIECES[number].cells:
            higher[cell], newer[cell] = h + 1, 1000
        graph.setdefault(node(higher, newer, tuple(pieces), live), []).append(number)
    return graph


WON: dict[Node, int] = {}
LOST: dict[Node, int] = {}
OPEN: dict[tuple[Node, bool], int] = {}


def wins(position: Node, depth: int) -> bool:
    """Whether who is to move has the last placement within `depth` more."""
    if WON.get(position, depth + 1) <= depth:
        return True
    if OPEN.get((position, True), -1) >= depth:
        return False
    if depth and any(loses(following, depth - 1) for following in after(position)):
        WON[position] = depth
        return True
    OPEN[position, True] = depth
    return False


def loses(position: Node, depth: int) -> bool:
    """Whether the other one has, whatever is played."""
    if LOST.get(position, depth + 1) <= depth:
        return True
    if OPEN.get((position, False), -1) >= depth:
        return False
    following = sorted(after(position), key=lambda each: WON.get(each, depth))
    if not following or (depth and all(wins(each, depth - 1) for each in following)):
        LOST[position] = depth
        return True
    OPEN[position, False] = depth
    return False


def openings(start: Node, depth: int) -> dict[str, bool]:
    """Return each first placement, and whether it loses within `depth` more."""
    return {
        PLACES.names[number]: wins(position, depth)
        for position, numbers in after(start).items()
        for number in numbers
    }


def drawn(start: Node) -> bool | None:
    """Say whether neither can force a win: what is not decided within DEPTH is followed until
    nothing new comes, and then decided backwards. None when a win of a player was found."""
    graph: dict[Node, list[Node]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position not in graph:
            graph[position] = [each for each in after(position) if not wins(each, DEPTH)]
            waiting += graph[position]
    lost: set[Node] = set()
    won: set[Node] = set()
    changed = True
    while changed:
        changed = False
        for position, following in graph.items():
            if position in lost or position in won:
                continue
            if not lost.isdisjoint(following) or loses(position, 0):
                (lost if loses(position, 0) else won).add(position)
                changed = True
            elif all(each in won for each in following):
                lost.add(position)
                changed = True
    return None if start in won | lost else True


def answers(opening: str) -> list[str]:
    """Return, with -must_reduce, the placements that win against an opening; none can rest on it
    yet."""
    cells = PIECES[PLACES.number[opening]].cells
    height = [int(cell in cells) for cell in CELLS]
    top = [int(cell in cells) for cell in CELLS]
    replies = []
    for number, piece in enumerate(PIECES):
        if set(piece.cells) & set(cells):
            continue
        higher = [h or int(cell in piece.cells) for cell, h in enumerate(height)]
        newer = [t or 2 * (cell in piece.cells) for cell, t in enumerate(top)]
        if loses(node(higher, newer, (2, 0)), 24):
            replies.append(PLACES.names[number])
    return replies


def main() -> None:
    """Say what the help says, or fail."""
    losing = openings(START, DEPTH)
    sys.stdout.write(f"{sum(losing.values())} of {len(losing)} openings lose within {DEPTH}\n")
    assert sum(losing.values()) == 30
    assert not losing["b1,c1,d1,d2"]
    assert drawn(START)
    sys.stdout.write("the others hold, neither player can force a win\n")
    reducing = openings(START_REDUCING, 9)
    assert all(reducing.values())
    assert answers("b1,c1,d1,d2") == ["b3,c3,d3,d4"]
    sys.stdout.write("with -must_reduce all lose within 9; to b1,c1,d1,d2 only b3,c3,d3,d4 wins\n")


if __name__ == "__main__":
    main()
