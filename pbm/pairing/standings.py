"""The standings of an event of any kind, and why somebody has a place."""

from __future__ import annotations

from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Leg, Record, Stage
from pbm.pairing.tie_breaks import TITLES, Break, Standing, choose_breaks
from pbm.pairing.tours import make_leg
from pbm.rules.phrases import phrase

__all__ = [
    "TITLES", "Break", "Standing", "choose_breaks", "explain_place", "leg_of", "rank_all",
    "standings",
]  # fmt: skip


def standings(
    record: Record, group: int | None = None, stage: Stage = "main", now: float | None = None
) -> tuple[Standing, ...]:
    """Return the rows from the first place to the last: of one group, division or stage or, without
    `group`, of all groups one after another. A ladder's are those of the moment `now`, by default
    that of its last change."""
    return get_kind(record.options.kind).rank(record, group, stage, now)


def rank_all(record: Record) -> tuple[Standing, ...]:
    """Return the prize list: everybody in one order. In groups with a final its players come first;
    then those who had the same place in different groups share one. Divisions follow one
    another."""
    return get_kind(record.options.kind).rank_all(record)


def leg_of(record: Record, now: float = 0) -> Leg:
    """Return an event that is over as a leg of a tour."""
    return make_leg(record, rank_all(record), now)


def explain_place(record: Record, number: int, now: float | None = None) -> str:
    """Return why an entrant has this place: the points, and each tie-break with its sum."""
    rows = standings(record, now=now)
    row = next((row for row in rows if row.number == number), None)
    if row is None:
        return phrase("{player} has no place.", player=record.name_of(number))
    return get_kind(record.options.kind).explain_place(row, rows)
