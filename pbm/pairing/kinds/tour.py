"""A tour: points over several events."""

from __future__ import annotations

from collections.abc import Collection

from pbm.pairing.kinds.kind import EventKind
from pbm.pairing.record import Game, Options, Record, Stage
from pbm.pairing.tie_breaks import Standing
from pbm.pairing.tours import rank_tour
from pbm.rules.phrases import phrase


class Tour(EventKind):
    """A tour. It has no boards of its own: who plays in its events takes part."""

    name = "tour"
    title = phrase("tour")
    options = frozenset()
    usual_days = 364.0
    has_boards = False
    seats_many = True

    def count_needed(self, options: Options) -> int:
        return 0

    def find_late_problem(self, record: Record) -> str:
        return ""

    def is_over(self, record: Record, now: float, games: Collection[Game]) -> bool:
        return record.ends is not None and now >= record.ends and not record.open_games

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        return rank_tour(record)
