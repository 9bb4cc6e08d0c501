"""Whether players can all be paired under the absolute criteria C.1 to C.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbm.pairing.swiss.contestant import Contestant, may_meet
from pbm.pairing.swiss.weighted_matching import Matching


def can_complete(players: Sequence[Contestant]) -> bool:
    """Whether all can be paired, but for one who may have the bye if their number is odd."""
    count = len(players)
    if count % 2 == 0:
        return can_pair_all(players, lambda first, second: may_meet(first, second))
    return _is_perfect(
        count + 1,
        lambda first, second: (
            not players[first].is_barred_from_bye
            if second == count
            else may_meet(players[first], players[second])
        ),
    )


def can_pair_all(
    players: Sequence[Contestant], allowed: Callable[[Contestant, Contestant], bool]
) -> bool:
    """Whether all can be paired, nobody left over."""
    return len(players) % 2 == 0 and _is_perfect(
        len(players), lambda first, second: allowed(players[first], players[second])
    )


def _is_perfect(count: int, allowed: Callable[[int, int], bool]) -> bool:
    """Whether a graph of an even number of vertices has a perfect matching. A graph in which each
    has at least half of the others for a neighbour has one (Dirac)."""
    rows = [[0] * count for _ in range(count)]
    for second in range(count):
        for first in range(second):
            if allowed(first, second):
                rows[first][second] = rows[second][first] = 1
    if all(2 * sum(row) >= count for row in rows):
        return True
    matching = Matching(rows)
    return all(rows[vertex][matching.mate[vertex]] for vertex in range(count))
