"""Pairing one bracket: the best candidate, and of several as good the first in the order of D.

The bracket is a graph, its candidates are matchings. Heavier ones are better by C.5 to C.19; among
the heaviest, the order of generation decides player by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from pbm.pairing.swiss.contestant import ABSOLUTE, DOWN, STRONG, UP, Contestant, may_meet
from pbm.pairing.swiss.weighted_matching import Matching

# Whether players can all be paired under the absolute criteria C.1 to C.3.


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


# How good a pair is: the quality criteria C.5 to C.19 of the Dutch System as one weight.
#
# Each criterion has a field of bits, wide enough for the whole bracket; the first has the highest.
# So the sums of the weights of pairs compare brackets as the criteria do, one after another.

POINT = 2
"""Scores are in half points."""


class Quality:
    """Weighs the pairs of a bracket and the ways to leave it."""

    def __init__(self, bracket: Sequence[Contestant], lower: int, bye_matters: bool) -> None:
        """Begin with the players: `lower` counts the players of the next bracket that are in the
        graph. `bye_matters` says that who is left over decides whether the round can be completed
        at all (C.2, C.4)."""
        self.bye_matters = bye_matters
        self._least = min(contestant.score for contestant in bracket)
        width = (len(bracket) + lower).bit_length() + 2
        scores = {contestant.score for contestant in bracket}
        distances = {score - self._least + POINT for score in scores}
        distances |= {high - low for high in scores for low in scores if high >= low}
        self._levels = {distance: width * n for n, distance in enumerate(sorted(distances))}
        spread = width * len(distances)
        shift = 0
        self._shifts: dict[str, int] = {}
        for name, bits in (
            ("C.19", spread), ("C.18", spread), ("C.17", spread), ("C.16", spread),
            ("C.15", width), ("C.14", width), ("C.13", width), ("C.12", width),
            ("C.11", width), ("C.10", width), ("C.9", width), ("C.8", width),
            ("C.7 distance", spread), ("C.7 pairs", width),
            ("C.6", spread), ("C.5", width), ("C.4", width + 1),
        ):  # fmt: skip
            self._shifts[name] = shift
            shift += bits
        self._weights: dict[tuple[object, ...], int] = {}

    def weigh(self, higher: Contestant, lower: Contestant) -> int:
        """Return the weight of a pair within the bracket; 0 if the two may not meet."""
        if not may_meet(higher, lower):
            return 0
        key = (_traits(higher), _traits(lower))
        weight = self._weights.get(key)
        if weight is None:
            weight = self._weights[key] = self._compute(higher, lower)
        return weight

    def weigh_downfloat(self, contestant: Contestant, adds_pair: bool, finds_opponent: bool) -> int:
        """Return the weight of leaving the bracket downwards: whether the next bracket then has one
        pair more, and whether the player is in one of its pairs (C.7)."""
        weight = int(adds_pair) << self._shifts["C.7 pairs"]
        if finds_opponent:
            weight += self._apart("C.7 distance", self._fall(contestant))
        return weight

    def weigh_bye(self, contestant: Contestant) -> int:
        """Return the weight of the pairing-allocated bye; 0 if the player may not have it (C.2)."""
        return 0 if contestant.is_barred_from_bye else 1 << self._shifts["C.4"]

    def weigh_below(self, higher: Contestant, lower: Contestant, is_inside: bool) -> int:
        """Return the weight of a pair that is made in the next bracket: of two players of that
        bracket, or (`is_inside`) of one who comes down with one of them; 0 if the two may not
        meet."""
        if not may_meet(higher, lower):
            return 0
        if self.bye_matters:
            return self._completes(higher, lower)
        return self.weigh_downfloat(higher, adds_pair=True, finds_opponent=is_inside)

    def _fall(self, contestant: Contestant) -> int:
        """Return the score difference of a downfloater (A.8)."""
        return contestant.score - self._least + POINT

    def _apart(self, name: str, distance: int) -> int:
        return 1 << self._shifts[name] + self._levels[distance]

    def _completes(self, higher: Contestant, lower: Contestant) -> int:
        barred = higher.is_barred_from_bye + lower.is_barred_from_bye
        return 1 + barred << self._shifts["C.4"]

    def _compute(self, higher: Contestant, lower: Contestant) -> int:
        """Return the weight of two who may meet; they count for what they do and do not leave
        undone."""
        shifts = self._shifts
        distance = higher.score - lower.score
        conflict = higher.side == lower.side != 0
        topscorers = higher.is_topscorer or lower.is_topscorer
        wide = abs(higher.imbalance) > 1 and abs(lower.imbalance) > 1
        doubled = higher.is_doubled and lower.is_doubled
        strong = higher.strength >= STRONG and lower.strength >= STRONG
        falls = self._fall(higher), self._fall(lower)
        weight = 1 << shifts["C.5"]
        weight += sum(self._apart("C.6", fall) for fall in falls) - self._apart("C.6", distance)
        if self.bye_matters:
            weight += self._completes(higher, lower)
        else:
            weight += sum(self._apart("C.7 distance", fall) for fall in falls)
        weight += (not (topscorers and wide and conflict)) << shifts["C.8"]
        weight += (not (topscorers and doubled and conflict)) << shifts["C.9"]
        weight += (not conflict) << shifts["C.10"]
        weight += (not (strong and conflict)) << shifts["C.11"]
        for ago, down, up, down_distance, up_distance in (
            (0, "C.12", "C.13", "C.16", "C.17"),
            (1, "C.14", "C.15", "C.18", "C.19"),
        ):
            sank, rose = higher.floats[ago] == DOWN, lower.floats[ago] == UP
            if sank:
                weight += self._apart(down_distance, falls[0])
                if distance:
                    weight -= self._apart(down_distance, distance)
                else:
                    weight += 1 << shifts[down]
            if lower.floats[ago] == DOWN:
                weight += self._apart(down_distance, falls[1])
                weight += 1 << shifts[down]
            if rose and distance:
                weight -= self._apart(up_distance, distance)
            else:
                weight += 1 << shifts[up]
        return weight


def _traits(contestant: Contestant) -> tuple[object, ...]:
    """Return all that the weight of a pair depends on, but for whether the two have met."""
    return (
        contestant.score,
        contestant.side,
        contestant.strength,
        abs(contestant.imbalance) > 1,
        contestant.is_doubled,
        contestant.floats,
        contestant.is_topscorer,
        contestant.is_barred_from_bye,
    )


Pair = tuple[Contestant, Contestant]


class BracketRole(Enum):
    """What a bracket is in the pairing of its round (A.9)."""

    USUAL = "usual"
    PENULTIMATE = "penultimate"
    LAST = "last"


class NoPairingError(Exception):
    """The absolute criteria leave no pairing."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Players moved down, the residents, and who is below: the next scoregroup, or all of them
    where the bracket is the penultimate one."""

    moved_down: tuple[Contestant, ...]
    residents: tuple[Contestant, ...]
    below: tuple[Contestant, ...]
    role: BracketRole

    @property
    def players(self) -> tuple[Contestant, ...]:
        """Those of the bracket, in their order."""
        return self.moved_down + self.residents


def pair_bracket(bracket: Bracket) -> tuple[list[Pair], list[Contestant]]:
    """Return the pairs, higher ranked player first, and those who are left: downfloaters or, in the
    last bracket, who gets the bye. NoPairingError if the last bracket cannot be paired."""
    pairs = None if bracket.role is BracketRole.PENULTIMATE else _find_first_candidate(bracket)
    if pairs is None:
        pairs = _Candidates(bracket).find_best()
    paired = {contestant.number for pair in pairs for contestant in pair}
    return pairs, [each for each in bracket.players if each.number not in paired]


def _find_first_candidate(bracket: Bracket) -> list[Pair] | None:
    """Return the first of all candidates, if it meets every criterion; it makes all others
    needless."""
    residents = bracket.residents
    half = len(residents) // 2
    if bracket.moved_down or residents[0].score != residents[-1].score:
        return None
    pairs = list(zip(residents[:half], residents[half : 2 * half], strict=True))
    if any(
        not may_meet(first, second) or first.side == second.side != 0 for first, second in pairs
    ):
        return None
    if len(residents) % 2 == 0:
        return pairs
    left = residents[-1]
    is_last = bracket.role is BracketRole.LAST and not left.is_barred_from_bye
    return pairs if is_last and DOWN not in left.floats else None


class _Candidates:
    """The candidates of a bracket as the matchings of a graph.

    Vertices are the players of the bracket, then, if need be, those below and one that stands for
    the bye. A pair without a weight is not made: both its players stay where they are."""

    def __init__(self, bracket: Bracket) -> None:
        self.bracket = bracket
        self.size = len(bracket.players)
        self.moved = len(bracket.moved_down)
        self.weights = self._weigh_alone()
        self.matching = self._match() if self.weights else None
        if self.matching is None or not self._is_complete(self.matching):
            if bracket.role is BracketRole.LAST:
                raise NoPairingError
            self.weights = self._weigh_with_below()
            self.matching = self._match()

    def _match(self) -> Matching:
        return Matching(self.weights, self._natural_pairs(), self._bound())

    def _bound(self) -> list[int]:
        """Return a bound for each player: of those who did not move down the greatest weight among
        themselves, of the others what their pairs weigh more."""
        moved = self.moved
        bounds = [max(row[moved:]) for row in self.weights]
        for first, row in enumerate(self.weights[:moved]):
            among = max(row[:moved])
            others = zip(row[moved:], bounds[moved:], strict=True)
            bounds[first] = max(among, *(2 * weight - bound for weight, bound in others))
        return bounds

    def _natural_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs that are most likely: moved-down players with the first residents, the
        upper half of the others with the lower."""
        moved = min(self.moved, self.size - self.moved)
        pairs = [(place, self.moved + place) for place in range(moved)]
        rest = range(self.moved + moved, self.size)
        half = len(rest) // 2
        return pairs + list(zip(rest[:half], rest[half : 2 * half], strict=True))

    def _is_complete(self, matching: Matching) -> bool:
        return all(self.weights[vertex][matching.mate[vertex]] for vertex in matching.alive)

    def _weigh_alone(self) -> list[list[int]]:
        """Return the graph in which at most one player leaves the bracket; nothing where that would
        not be enough to judge by."""
        role, players = self.bracket.role, self.bracket.players
        if role is BracketRole.PENULTIMATE:
            return []
        quality = Quality(players, 0, role is BracketRole.LAST)
        rows = self._weigh_inside(quality, self.size + self.size % 2)
        if self.size % 2:
            leave = (
                [quality.weigh_bye(player) for player in players]
                if role is BracketRole.LAST
                else self._weigh_downfloats(quality)
            )
            for vertex, weight in enumerate(leave):
                rows[vertex][-1] = rows[-1][vertex] = weight
        return self._add_order(rows)

    def _weigh_inside(self, quality: Quality, count: int) -> list[list[int]]:
        players = self.bracket.players
        rows = [[0] * count for _ in range(count)]
        for second, lower in enumerate(players):
            for first in range(second):
                rows[first][second] = rows[second][first] = quality.weigh(players[first], lower)
        return rows

    def _weigh_downfloats(self, quality: Quality) -> list[int]:
        """Return the weight of leaving the bracket alone, for each player: what C.7 says of it.
        Some weight is always left, so that leaving is possible."""
        below = self.bracket.below
        are_paired = can_pair_all(below)
        weights = []
        for player in self.bracket.players:
            finds = any(may_meet(player, other) for other in below)
            adds = finds and not are_paired and self._adds_pair(player)
            weights.append(quality.weigh_downfloat(player, adds, finds) or 1)
        return weights

    def _adds_pair(self, player: Contestant) -> bool:
        """Whether the next bracket has one pair more when a player comes down to it."""
        below = self.bracket.below
        return can_pair_all((player, *below)) or count_pairs((player, *below)) > self._pairs_below

    @cached_property
    def _pairs_below(self) -> int:
        """How many pairs the next bracket has by itself."""
        return count_pairs(self.bracket.below)

    def _weigh_with_below(self) -> list[list[int]]:
        """Return the graph of the bracket and those below."""
        bracket = self.bracket
        everybody = bracket.players + bracket.below
        quality = Quality(
            bracket.players, len(bracket.below), bracket.role is BracketRole.PENULTIMATE
        )
        rows = self._weigh_inside(quality, len(everybody) + len(everybody) % 2)
        for second in range(self.size, len(everybody)):
            for first in range(second):
                rows[first][second] = rows[second][first] = quality.weigh_below(
                    everybody[first], everybody[second], first < self.size
                )
        return self._add_order(rows)

    def _add_order(self, rows: list[list[int]]) -> list[list[int]]:
        """Return the weights, with the order in which moved-down players are chosen (D.3) below
        them."""
        moved = self.moved
        if moved:
            rows = [[weight << moved for weight in row] for row in rows]
            for first in range(moved):
                for second in range(moved, self.size):
                    if rows[first][second]:
                        rows[first][second] += 1 << moved - 1 - first
                        rows[second][first] += 1 << moved - 1 - first
        return rows

    def find_best(self) -> list[Pair]:
        """Return the pairs of the best candidate."""
        pairs = self._pair_moved_down()
        rest = [vertex for vertex in self._alive() if self.moved <= vertex < self.size]
        pairs += self._pair_homogeneous(rest)
        players = self.bracket.players
        return [(players[first], players[second]) for first, second in pairs]

    def _alive(self) -> list[int]:
        assert self.matching is not None  # noqa: S101
        return self.matching.alive

    def _is_pair(self, first: int, second: int) -> bool:
        """Whether two vertices are players of the bracket who may be paired."""
        return first < self.size and second < self.size and self.weights[first][second] > 0

    def _pair_moved_down(self) -> list[tuple[int, int]]:
        """Return each moved-down player that is paired at all gets the highest resident that the
        best candidates allow (D.1)."""
        matching = self.matching
        assert matching is not None  # noqa: S101
        pairs = []
        for first in range(self.moved):
            if not self._is_pair(first, matching.mate[first]):
                continue
            for second in range(self.moved, self.size):
                if (
                    second in matching.alive
                    and self._is_pair(first, second)
                    and matching.force(first, second)
                ):
                    pairs.append((first, second))
                    break
        return pairs

    def _pair_homogeneous(self, rest: list[int]) -> list[tuple[int, int]]:
        """Pair residents among themselves: as few exchanges between the halves as possible, in the
        order of D.2, then the first transposition of the lower half (D.1)."""
        mate = self._mates(rest)
        half = sum(1 for vertex in rest if mate[vertex] >= 0) // 2
        if not half:
            return []
        graph = self._alive()
        place = {vertex: n for n, vertex in enumerate(graph)}
        rows = [[self.weights[first][second] for second in graph] for first in graph]
        matching = self._exchange(rows, [place[vertex] for vertex in rest], half, False)
        chosen = self._choose_upper(matching, graph, rest, place)
        if len(set(chosen) & set(rest[:half])) < half:
            matching = self._exchange(rows, [place[vertex] for vertex in rest], half, True)
            chosen = self._choose_upper(matching, graph, rest, place)
        pairs = []
        lower = [vertex for vertex in rest if vertex not in set(chosen)]
        for first in chosen:
            for second in lower:
                if (
                    second > first
                    and self._is_pair(first, second)
                    and matching.force(place[first], place[second])
                ):
                    pairs.append((first, second))
                    lower.remove(second)
                    break
        return pairs

    def _mates(self, rest: Sequence[int]) -> dict[int, int]:
        """Return for each resident the partner within the bracket, or -1."""
        assert self.matching is not None  # noqa: S101
        mate = self.matching.mate
        return {
            vertex: mate[vertex] if self._is_pair(vertex, mate[vertex]) else -1 for vertex in rest
        }

    def _choose_upper(
        self, matching: Matching, graph: list[int], rest: list[int], place: dict[int, int]
    ) -> list[int]:
        """Return the residents who are the higher ranked of a pair: S1 after the exchanges."""
        upper = []
        for vertex in rest:
            other = graph[matching.mate[place[vertex]]]
            if other > vertex and self._is_pair(vertex, other):
                upper.append(vertex)
        return upper

    def _exchange(
        self, rows: list[list[int]], rest: list[int], half: int, is_ordered: bool
    ) -> Matching:
        """Return the best matching with the fewest exchanges and the smallest difference between
        those exchanged (D.2 a, b); `is_ordered`: of these the first (D.2 c, d)."""
        count = len(rest)
        bits = 3 * count.bit_length() + 2
        extra = 2 * count + 2 if is_ordered else 0
        rows = [[weight << bits + extra for weight in row] for row in rows]
        bounds = [max(row) for row in rows]
        for n, first in enumerate(rest):
            bonus = (count * count if n < half else 0) - n << extra
            if is_ordered:
                bonus += -(1 << count + n) if n < half else 1 << count - 1 - n
            bounds[first] += max(2 * bonus, 0)
            for second in rest[n + 1 :]:
                if rows[first][second]:
                    rows[first][second] += bonus
                    rows[second][first] += bonus
        hint = list(zip(rest[:half], rest[half : 2 * half], strict=True))
        return Matching(rows, hint, bounds)
