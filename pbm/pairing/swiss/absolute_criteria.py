"""Whether players can all be paired under the absolute criteria C.1 to C.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbm.pairing.swiss.contestant import ABSOLUTE, Contestant, may_meet
from pbm.pairing.swiss.weighted_matching import Matching


def can_complete(players: Sequence[Contestant]) -> bool:
    """Whether all can be paired, but for one who may have the bye if their number is odd."""
    if len(players) % 2 == 0:
        return can_pair_all(players)
    free = sum(1 for player in players if not player.is_barred_from_bye)
    if 2 * free >= len(players) + 1 and _have_many_opponents(players, len(players) + 1):
        return True
    return 2 * count_pairs(players, has_bye=True) == len(players) + 1


def can_pair_all(players: Sequence[Contestant]) -> bool:
    """Whether all can be paired, nobody left over."""
    if len(players) % 2:
        return False
    return _have_many_opponents(players, len(players)) or 2 * count_pairs(players) == len(players)


def _have_many_opponents(players: Sequence[Contestant], count: int) -> bool:
    """Whether each player may meet half of all, which is enough for a graph of `count` vertices to
    have a perfect matching (Dirac's theorem). No player is counted as an opponent too many."""
    numbers = {player.number for player in players}
    sides = Counter(player.side for player in players if player.strength == ABSOLUTE)
    return all(
        2
        * (
            len(players)
            - 1
            - len(player.opponents & numbers)
            - (sides[player.side] - 1 if player.strength == ABSOLUTE else 0)
        )
        >= count
        for player in players
    )


def count_pairs(players: Sequence[Contestant], has_bye: bool = False) -> int:
    """Return how many pairs can be made at the most; the bye may be one of them."""
    count = len(players) + len(players) % 2
    rows = [[0] * count for _ in range(count)]
    for second, lower in enumerate(players):
        for first in range(second):
            rows[first][second] = rows[second][first] = int(may_meet(players[first], lower))
        if has_bye and not lower.is_barred_from_bye:
            rows[second][-1] = rows[-1][second] = 1
    matching = Matching(rows)
    return sum(rows[vertex][matching.mate[vertex]] for vertex in matching.alive) // 2
