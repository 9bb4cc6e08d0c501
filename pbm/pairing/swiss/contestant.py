"""What the Dutch System knows of a player: score, opponents, colours, floats (C.04.3 A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WHITE, BLACK = 1, -1
"""The sides of a colour preference; white has the first move. 0: no preference."""
NONE, MILD, STRONG, ABSOLUTE = range(4)
"""The strengths of a colour preference (A.6)."""
UP, DOWN = 1, -1
"""Floats (A.4); 0: none."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a Swiss before a round."""

    number: int
    """The pairing number, from 1."""
    score: int
    """In half points."""
    opponents: frozenset[int]
    colours: tuple[int, ...]
    """WHITE or BLACK for each game played, byes and forfeits left out."""
    is_barred_from_bye: bool
    """Whether the player has had a pairing-allocated bye or has won by forfeit (C.2)."""
    floats: tuple[int, int]
    """In the last round and in the one before."""
    is_topscorer: bool
    """In the last round: more than half of the points that could be made (A.7)."""
    side: int
    strength: int
    imbalance: int
    """Games with white minus games with black."""
    is_doubled: bool
    """Whether the last two games were played with the same colour."""

    @property
    def rank(self) -> tuple[int, int]:
        """Sorts contestants from the first to the last (A.2)."""
        return -self.score, self.number


def build_contestant(
    number: int,
    score: int,
    *,
    opponents: frozenset[int] = frozenset(),
    colours: Sequence[int] = (),
    is_barred_from_bye: bool = False,
    floats: tuple[int, int] = (0, 0),
    is_topscorer: bool = False,
) -> Contestant:
    """Return a contestant with the colour preference that follows from the colours so far (A.6)."""
    imbalance = sum(colours)
    is_doubled = len(colours) > 1 and colours[-1] == colours[-2]
    side = -colours[-1] if colours else 0
    if imbalance:
        side = BLACK if imbalance > 0 else WHITE
    if abs(imbalance) > 1 or is_doubled:
        strength = ABSOLUTE
    elif imbalance:
        strength = STRONG
    else:
        strength = MILD if side else NONE
    return Contestant(
        number=number,
        score=score,
        opponents=opponents,
        colours=tuple(colours),
        is_barred_from_bye=is_barred_from_bye,
        floats=floats,
        is_topscorer=is_topscorer,
        side=side,
        strength=strength,
        imbalance=imbalance,
        is_doubled=is_doubled,
    )


def may_meet(first: Contestant, second: Contestant) -> bool:
    """Whether the absolute criteria C.1 and C.3 let two players meet."""
    return second.number not in first.opponents and not (
        first.strength == second.strength == ABSOLUTE
        and first.side == second.side
        and not (first.is_topscorer or second.is_topscorer)
    )


def choose_white(
    first: Contestant, second: Contestant, initial: int = WHITE
) -> tuple[Contestant, Contestant, str]:
    """Return who has white, who has black, and the rule that says so (E.1 to E.5). `initial` is the
    colour of the player with pairing number 1 in the first round."""
    higher, lower = sorted((first, second), key=lambda contestant: contestant.rank)
    side, rule = _allocate(higher, lower, initial)
    return (higher, lower, rule) if side == WHITE else (lower, higher, rule)


def _allocate(higher: Contestant, lower: Contestant, initial: int) -> tuple[int, str]:
    """Return the colour of the higher ranked player, and the rule."""
    if higher.side and lower.side and higher.side != lower.side:
        return higher.side, "E.1"
    if higher.strength != lower.strength:
        stronger = higher.strength > lower.strength
        return (higher.side if stronger else -lower.side), "E.2"
    if higher.strength == ABSOLUTE and abs(higher.imbalance) != abs(lower.imbalance):
        wider = abs(higher.imbalance) > abs(lower.imbalance)
        return (higher.side if wider else -lower.side), "E.2"
    for own, others in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if own != others:
            return -own, "E.3"
    if higher.side:
        return higher.side, "E.4"
    return (initial if higher.number % 2 else -initial), "E.5"
