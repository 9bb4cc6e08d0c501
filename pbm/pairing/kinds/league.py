"""A league: divisions in which everybody meets everybody, season after season."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from msgspec.structs import replace

from pbm.pairing.kinds.groups import GroupKind
from pbm.pairing.record import Entrant, Options, Record
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import phrase, phrase_number


class League(GroupKind):
    """A league."""

    name = "league"
    title = phrase("league")
    options = GroupKind.options | {"divisions", "exchange", "every"}

    def count_needed(self, options: Options) -> int:
        return options.divisions * options.seats

    def find_late_problem(self, record: Record) -> str:
        return phrase("the season has begun: enter the next one")

    def seed(self, record: Record, by_rating: Sequence[Entrant]) -> Sequence[Entrant]:
        """Divide by rating in the first season; later ones keep the order that `next_season` made,
        with new players at its end."""
        order = by_rating
        if record.season > 1:
            order = sorted(record.present, key=lambda each: each.number)
        divided = [
            replace(each, division=place * record.options.divisions // len(order))
            for place, each in enumerate(order)
        ]
        if record.season > 1:
            divided.sort(key=lambda each: -each.rating)
        return sorted(divided, key=lambda each: each.division)

    def rank_all(self, record: Record) -> tuple[Standing, ...]:
        """Return everybody in one order: division after division."""
        rows = self.rank(record, None, "main", None)
        return tuple(dataclasses.replace(row, place=place) for place, row in enumerate(rows, 1))

    def title_group(self, group: int) -> str:
        return phrase("Division {number}", number=group + 1)

    def name_group(self, options: Options, group: int) -> str:
        return phrase("division {number}", number=group + 1) if options.divisions > 1 else ""

    def list_rules(self, options: Options) -> list[str]:
        rules = [_describe_divisions(options)]
        if options.every:
            days = f"{options.every:g}"
            rules.append(
                phrase("a new season begins every {days} days, for all who stay", days=days)
            )
        return rules


def _describe_divisions(options: Options) -> str:
    """Return how a league divides its players, as a clause."""
    if options.divisions == 1:
        return phrase("one division")
    return phrase_number(
        "{divisions} divisions; the first and the last of each move up and down",
        "{divisions} divisions; the first {count} and the last {count} of each move up and down",
        options.exchange,
        divisions=options.divisions,
    )
