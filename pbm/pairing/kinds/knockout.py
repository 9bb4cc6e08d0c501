"""Knockouts: who loses a match is out, or after a second one."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.pairing.kinds.kind import EventKind
from pbm.pairing.knockout import Tree, pair_knockout, rank_knockout
from pbm.pairing.record import Game, Record, Stage
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import phrase


class Knockout(EventKind):
    """A knockout."""

    name = "knockout"
    title = phrase("knockout")
    options = EventKind.options | {"boards"}
    is_in_rounds = True
    is_drawable = False

    def pair(self, record: Record) -> Iterator[Game]:
        yield from pair_knockout(record)

    def count_rounds(self, record: Record) -> int:
        return Tree(record).depth

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        return rank_knockout(record)


class DoubleKnockout(Knockout):
    """A knockout in which who has lost once plays on in a second half."""

    name = "doubleknockout"
    title = phrase("double knockout")

    def count_rounds(self, record: Record) -> int:
        return 2 * Tree(record).depth + 1
