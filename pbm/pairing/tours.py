"""Tours: points over several events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.pairing.game_points import score_ranks, show_points
from pbm.pairing.record import Leg, Record
from pbm.pairing.tie_breaks import Break, Standing


def score_leg(leg: Leg) -> dict[str, float]:
    """Return the points of an event for a tour: one for each entrant left behind, half a point for
    each who shares the place."""
    names = [(name, rank) for rank, place in enumerate(leg.places) for name in place]
    points = score_ranks([rank for _, rank in names])
    return {name: score for (name, _), score in zip(names, points, strict=True)}


def rank_tour(record: Record) -> tuple[Standing, ...]:
    """Return the standings over all events; if the tour has `rounds`, only that
    many of each player's results count, the best. Who is level shares the place."""
    scores = [(leg.name, score_leg(leg)) for leg in record.legs]
    names = sorted({name for _, points in scores for name in points})
    numbers = {entrant.name: entrant.number for entrant in record.entrants}
    totals = {name: _sum_best(record, name, scores) for name in names}
    ranked = sorted(names, key=lambda name: (-totals[name][0], name))
    values = [totals[name][0] for name in ranked]
    return tuple(
        Standing(
            place=values.index(totals[name][0]) + 1,
            number=numbers.get(name, 0),
            name=name,
            points=totals[name][0],
            played=sum(name in points for _, points in scores),
            wins=sum((name,) == leg.places[0] for leg in record.legs if leg.places),
            draws=0,
            losses=0,
            breaks=(Break("legs", totals[name][0], totals[name][1]),),
            left=False,
            group=0,
        )
        for name in ranked
    )


def _sum_best(
    record: Record, name: str, scores: Sequence[tuple[str, Mapping[str, float]]]
) -> tuple[float, str]:
    """Return a player's total, and the sum that makes it."""
    own = [(points[name], event) for event, points in scores if name in points]
    own.sort(key=lambda part: -part[0])
    kept = own[: record.options.rounds] if record.options.rounds else own
    total = sum(points for points, _ in kept)
    parts = " + ".join(f"{show_points(points)} ({event})" for points, event in kept)
    return total, f"{parts} = {show_points(total)}"


def make_leg(record: Record, rows: Sequence[Standing], now: float) -> Leg:
    """Return an event that is over as a leg of a tour. `rows` are its final order; equal places
    stand together."""
    places: dict[int, list[str]] = {}
    for row in rows:
        places.setdefault(row.place, []).append(row.name)
    return Leg(
        event=record.event,
        name=record.name,
        ended=record.ended if record.ended is not None else now,
        places=tuple(tuple(places[place]) for place in sorted(places)),
    )
