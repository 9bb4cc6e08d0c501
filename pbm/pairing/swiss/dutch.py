"""Pairing a round of a Swiss: bracket after bracket, from the highest score to the lowest (A.9)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pbm.pairing.swiss.absolute_criteria import can_complete
from pbm.pairing.swiss.bracket import Bracket, NoPairingError, Pair, Role, pair_bracket
from pbm.pairing.swiss.contestant import Contestant


def pair_round(contestants: Iterable[Contestant]) -> tuple[list[Pair], Contestant | None]:
    """Return the pairs of a round, higher ranked player first and in the order of their tables, and
    who has the bye. NoPairingError if the absolute criteria leave no pairing."""
    players = sorted(contestants, key=lambda contestant: contestant.rank)
    if not can_complete(players):
        raise NoPairingError
    groups = [tuple(each) for _, each in groupby(players, key=lambda player: player.score)]
    pairs: list[Pair] = []
    moved_down: list[Contestant] = []
    while groups:
        residents, *others = groups
        bracket = Bracket(
            moved_down=tuple(moved_down),
            residents=residents,
            below=others[0] if others else (),
            role=Role.USUAL if others else Role.LAST,
        )
        made, left = pair_bracket(bracket)
        below = tuple(player for group in others for player in group)
        if others and not can_complete([*left, *below]):
            bracket = Bracket(tuple(moved_down), residents, below, Role.PENULTIMATE)
            made, left = pair_bracket(bracket)
            others = [below]
        pairs += made
        moved_down, groups = left, others
    bye = moved_down[0] if moved_down else None
    pairs.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].number))
    return pairs, bye
