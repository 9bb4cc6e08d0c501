"""The end of a game, and the game as its record stores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.rules.chance import CHANCE
from pbm.rules.options import Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a rank for each seat (1 plus the number of seats that did better), and the
    reason."""

    ranks: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def outcome_of(groups: Iterable[Iterable[int]], reason: str) -> Outcome:
    """Build an outcome from groups of seats, best first, each group sharing a rank. Empty groups
    are ignored; every seat must be in exactly one group."""
    ranks: dict[int, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        ranks.update(dict.fromkeys(group, rank))
    return Outcome(tuple(ranks[seat] for seat in range(len(ranks))), reason)


@dataclass(frozen=True, slots=True)
class Played:
    """A game in progress or finished, for its record.

    moves     (seat, move) in order, the answers of chance (seat CHANCE) included
    outcome   how it ended, even if the board does not show it; None while it is in progress
    headers   the headers that PGN has names for: Event, Site, Date, Round, White and Black (the
              first and second of two seats), Result, Termination
    comments  remarks, by the number of `moves` before them
    remarks what the original record does not say
    """

    players: int
    options: Mapping[str, Value]
    moves: Sequence[tuple[int, str]]
    outcome: Outcome | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def comments_by_turn(self) -> dict[int, str]:
        """Return the comments by the number of moves of seats before them."""
        by_turn: dict[int, str] = {}
        for at, text in sorted(self.comments.items()):
            turn = sum(seat != CHANCE for seat, _ in self.moves[:at])
            by_turn[turn] = f"{by_turn[turn]} {text}" if turn in by_turn else text
        return by_turn
