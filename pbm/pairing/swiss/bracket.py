"""Pairing one bracket: the best candidate, and of several as good the first in the order of D.

The bracket is a graph, its candidates are matchings. Heavier ones are better by C.5 to C.19; among
the heaviest, the order of generation decides player by player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from pbm.pairing.swiss.absolute_criteria import can_pair_all, count_pairs
from pbm.pairing.swiss.contestant import DOWN, Contestant, may_meet
from pbm.pairing.swiss.quality import Quality
from pbm.pairing.swiss.weighted_matching import Matching

Pair = tuple[Contestant, Contestant]


class Role(Enum):
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
    role: Role

    @property
    def players(self) -> tuple[Contestant, ...]:
        """Those of the bracket, in their order."""
        return self.moved_down + self.residents


def pair_bracket(bracket: Bracket) -> tuple[list[Pair], list[Contestant]]:
    """Return the pairs, higher ranked player first, and those who are left: downfloaters or, in the
    last bracket, who gets the bye. NoPairingError if the last bracket cannot be paired."""
    pairs = None if bracket.role is Role.PENULTIMATE else _find_first_candidate(bracket)
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
    is_last = bracket.role is Role.LAST and not left.is_barred_from_bye
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
            if bracket.role is Role.LAST:
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
        if role is Role.PENULTIMATE:
            return []
        quality = Quality(players, 0, role is Role.LAST)
        rows = self._weigh_inside(quality, self.size + self.size % 2)
        if self.size % 2:
            leave = (
                [quality.weigh_bye(player) for player in players]
                if role is Role.LAST
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
        quality = Quality(bracket.players, len(bracket.below), bracket.role is Role.PENULTIMATE)
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
