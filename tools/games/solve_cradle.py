"""Solves the smallest board of Cradle, for the file that the game plays from.

    python -m tools.games.solve_cradle > pbm/games/cradle/solved.bin

From the empty board every position is followed in which neither player can force a win within
SOON placements, until nothing new comes; then it is decided backwards which of them are won or lost
later and which never. It takes a few minutes."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping

from pbm.games import get_game
from pbm.games.cradle.cradle_solver import HELD, Class, Solver, State, digest
from pbm.games.cradle.cradle_tables import find_tables
from pbm.rules import Position
from pbm.rules.families.stacking import find_fitting

Graph = Mapping[Class, frozenset[Class] | None]
"""The classes that may follow each class; None for one that is decided soon."""
SOON = 7


def find_state(position: Position) -> State:
    """Return a position of small Cradle as the solver sees it."""
    _, _, _, height, top, *_ = position.dump()
    places = find_tables(position.options).places
    return tuple(height), tuple(top), find_fitting(places.rows, height, top)


def follow(solver: Solver, start: State) -> Graph:
    """Return the graph of the classes that can be reached without a mistake that loses soon."""
    graph: dict[Class, frozenset[Class] | None] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        height, top, _ = state
        each = solver.classify(height, top)
        if each in graph:
            continue
        graph[each] = None
        if not any(solver.is_decided(state, depth) for depth in range(SOON + 1)):
            after = [following for _, following in solver.list_next(state)]
            graph[each] = frozenset(solver.classify(height, top) for height, top, _ in after)
            waiting += after
    return graph


def decide(graph: Graph) -> dict[Class, int]:
    """Return the value of each class that is not decided soon: what is decided soon is won, as no
    mover leads into it but by mistake. Each round finds what ends one placement later."""
    followed = {each: after for each, after in graph.items() if after is not None}
    won, lost = {*graph} - {*followed}, set[Class]()
    values = dict.fromkeys(followed, HELD)
    for depth in itertools.count(SOON + 1):
        found = {
            each
            for each, after in followed.items()
            if values[each] == HELD and (after & lost if depth % 2 else after <= won)
        }
        if not found:
            return values
        (won if depth % 2 else lost).update(found)
        values.update(dict.fromkeys(found, depth))
    raise AssertionError


def pack_classes(values: Mapping[Class, int]) -> bytes:
    """Return the file: the digest of each class and its value, in the order of the digests."""
    rows = sorted((digest(each), value) for each, value in values.items())
    return b"".join(name + bytes([value]) for name, value in rows)


def main() -> None:
    """Write the file."""
    graph = follow(Solver({}, sys.maxsize), find_state(get_game("cradle").setup()))
    sys.stdout.buffer.write(pack_classes(decide(graph)))


if __name__ == "__main__":
    main()
