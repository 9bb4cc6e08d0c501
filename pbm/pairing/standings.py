"""The standings of an event of any kind, and why somebody has a place."""

from __future__ import annotations

import dataclasses

from pbm.pairing.game_points import show_points
from pbm.pairing.knockout import rank_knockout
from pbm.pairing.record import Leg, Record, Stage
from pbm.pairing.round_robin import rank_group
from pbm.pairing.rungs import rank_ladder
from pbm.pairing.tie_breaks import TITLES, Break, Standing, choose_breaks, rank_by_points
from pbm.pairing.tours import make_leg, rank_tour

__all__ = [
    "TITLES", "Break", "Standing", "choose_breaks", "explain_place", "leg_of", "rank_all",
    "standings",
]  # fmt: skip


def standings(
    record: Record, group: int | None = None, stage: Stage = "main", now: float | None = None
) -> tuple[Standing, ...]:
    """The rows from the first place to the last: of one group, division or stage or, without
    `group`, of all groups one after another. A ladder's are those of the moment `now`, by default
    that of its last change."""
    match record.options.kind:
        case "swiss":
            return rank_by_points(record, record.entrants, record.games)
        case "knockout" | "doubleknockout":
            return rank_knockout(record)
        case "ladder":
            return rank_ladder(record, _find_last_change(record) if now is None else now)
        case "tour":
            return rank_tour(record)
    if group is not None or stage == "final":
        return rank_group(record, group or 0, stage)
    groups = sorted({entrant.division for entrant in record.entrants})
    return tuple(row for each in groups for row in rank_group(record, each))


def _find_last_change(record: Record) -> float:
    times = [record.begins, record.ended or 0]
    times += [entrant.left or entrant.entered for entrant in record.entrants]
    times += [game.ended or game.begun for game in record.games]
    return max(times)


def rank_all(record: Record) -> tuple[Standing, ...]:
    """The prize list: everybody in one order. In groups with a final its players come first; then
    those who had the same place in different groups share one. Divisions follow one another."""
    rows = standings(record)
    if record.options.kind not in ("roundrobin", "league"):
        return rows
    if record.options.kind == "league" or len({row.group for row in rows}) == 1:
        return tuple(dataclasses.replace(row, place=place) for place, row in enumerate(rows, 1))
    final = standings(record, stage="final")
    finalists = {row.number for row in final}
    others = sorted(
        (row for row in rows if row.number not in finalists), key=lambda row: (row.place, row.group)
    )
    places = [row.place for row in others]
    return final + tuple(
        dataclasses.replace(row, place=len(final) + places.index(row.place) + 1) for row in others
    )


def leg_of(record: Record, now: float = 0) -> Leg:
    """An event that is over as a leg of a tour."""
    return make_leg(record, rank_all(record), now)


def explain_place(record: Record, number: int, now: float | None = None) -> str:
    """Why an entrant has this place: the points, and each tie-break with its sum."""
    rows = standings(record, now=now)
    row = next((row for row in rows if row.number == number), None)
    if row is None:
        return f"{record.name_of(number)} has no place."
    text = [f"{row.name} has place {row.place} with {_count(row.points)}."]
    if record.options.kind in ("knockout", "doubleknockout", "ladder", "tour"):
        return " ".join([f"{row.name} has place {row.place}:", f"{row.breaks[0].sum}."])
    level = [
        each
        for each in rows
        if each.group == row.group and each.points == row.points and each.number != number
    ]
    if not level:
        text.append("Nobody else has as many.")
        return " ".join(text)
    text.append(f"As many: {', '.join(each.name for each in level)}.")
    text.append("What decides, in this order:")
    text += [f"{each.title}: {each.sum}." for each in row.breaks]
    return " ".join(text)


def _count(points: float) -> str:
    return f"{show_points(points)} point" + ("" if points in (0.5, 1) else "s")
