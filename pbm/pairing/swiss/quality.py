"""How good a pair is: the quality criteria C.5 to C.19 of the Dutch System as one weight.

Each criterion has a field of bits, wide enough for the whole bracket; the first has the highest.
So the sums of the weights of pairs compare brackets as the criteria do, one after another."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.pairing.swiss.contestant import DOWN, STRONG, UP, Contestant, may_meet

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
