"""A round robin: everybody meets everybody, in one group or in several with a final."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from msgspec.structs import replace

from pbm.pairing.kinds.groups import GroupKind
from pbm.pairing.record import Entrant, Options, Record
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import phrase


class RoundRobin(GroupKind):
    """A round robin."""

    name = "roundrobin"
    title = phrase("round robin")
    options = GroupKind.options | {"groups", "advance"}
    has_final = True

    def count_needed(self, options: Options) -> int:
        return options.groups * options.seats

    def seed(self, record: Record, by_rating: Sequence[Entrant]) -> Sequence[Entrant]:
        groups = record.options.groups
        return [
            replace(each, division=_deal(place, groups)) for place, each in enumerate(by_rating)
        ]

    def rank_all(self, record: Record) -> tuple[Standing, ...]:
        """Return everybody in one order: the players of the final, then those who had the same
        place in different groups share one."""
        rows = self.rank(record, None, "main", None)
        if len({row.group for row in rows}) == 1:
            return tuple(dataclasses.replace(row, place=place) for place, row in enumerate(rows, 1))
        final = self.rank(record, None, "final", None)
        finalists = {row.number for row in final}
        others = sorted(
            (row for row in rows if row.number not in finalists),
            key=lambda row: (row.place, row.group),
        )
        places = [row.place for row in others]
        return final + tuple(
            dataclasses.replace(row, place=len(final) + places.index(row.place) + 1)
            for row in others
        )

    def title_group(self, group: int) -> str:
        return phrase("Group {number}", number=group + 1)

    def name_group(self, options: Options, group: int) -> str:
        return phrase("group {number}", number=group + 1) if options.groups > 1 else ""

    def describe(self, options: Options) -> str:
        kind = phrase("double round robin") if options.boards == 2 else self.title
        if options.groups > 1:
            groups = options.groups
            return phrase("{kind} in {groups} groups with a final", kind=kind, groups=groups)
        return kind

    def list_rules(self, options: Options) -> list[str]:
        if options.groups == 1:
            return []
        first = options.advance
        return [phrase("the first {count} of each group play the final", count=first)]


def _deal(place: int, groups: int) -> int:
    """Return the group of a place in the order of ratings: to and fro, for groups of equal
    strength."""
    lap, step = divmod(place, groups)
    return groups - 1 - step if lap % 2 else step
