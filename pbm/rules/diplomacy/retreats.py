"""Retreats: their orders, and the units that are lost by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbm.rules.diplomacy.board import GameMap, Unit, province_of
from pbm.rules.diplomacy.orders import Disband, Dislodged, Given, Judged, Order, Result, Retreat
from pbm.rules.errors import IllegalMove
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing


def list_retreat_orders(dislodged: Sequence[Dislodged], power: str) -> Iterator[Order]:
    """Yield every legal order of a power for its dislodged units."""
    for each in dislodged:
        if each.unit.power == power:
            for to in each.options:
                yield Retreat(each.unit.kind, each.unit.place, to)
            yield Disband(each.unit.kind, each.unit.place)


def check_retreat(
    game_map: GameMap, dislodged: Sequence[Dislodged], power: str, order: Order
) -> Retreat | Disband:
    """Return the order as it will be adjudicated; IllegalMove says why it cannot be given."""
    if not isinstance(order, (Retreat, Disband)):
        raise IllegalMove(
            phrase(
                "{order} is not an order for dislodged units: they retreat or disband.", order=order
            )
        )
    found = next((each for each in dislodged if each.unit.province == order.province), None)
    if found is None:
        raise IllegalMove(
            phrase("No unit was dislodged in {place}.", place=game_map.describe(order.province))
        )
    unit = found.unit
    if unit.power != power:
        adjective = game_map.power(unit.power).adjective
        raise IllegalMove(
            phrase(
                "The unit dislodged in {place} is {adjective}: {unit}",
                place=game_map.describe(order.province),
                adjective=adjective,
                unit=unit,
            )
        )
    if isinstance(order, Disband):
        return Disband(unit.kind, unit.place)
    places = [place for place in found.options if order.to in (place, province_of(place))] or [
        place for place in found.options if province_of(order.to) == place
    ]
    if len(places) > 1:
        raise IllegalMove(
            phrase(
                "{unit} can retreat to either coast of {place}: write {places}",
                unit=unit,
                place=game_map.describe(order.to),
                places=listing(places, "or"),
            )
        )
    if not places:
        options = listing(found.options, "or")
        raise IllegalMove(
            phrase(
                "{unit} cannot retreat to {place}. It may retreat to {options}, or disband.",
                unit=unit,
                place=game_map.describe(order.to),
                options=options,
            )
            if options
            else phrase(
                "{unit} cannot retreat to {place}. It can only disband.",
                unit=unit,
                place=game_map.describe(order.to),
            )
        )
    return Retreat(unit.kind, unit.place, places[0])


def retreat(
    game_map: GameMap,
    units: Sequence[Unit],
    dislodged: Sequence[Dislodged],
    given: Sequence[Given],
) -> tuple[tuple[Unit, ...], tuple[Judged, ...]]:
    """Return the units after the retreats, and what became of the orders: units that retreat to one
    province are lost, as are those without a legal order; of two orders to a unit the later
    counts."""
    judged, last = list[Judged](), dict[str, int]()
    for number, each in enumerate(given):
        try:
            order = check_retreat(game_map, dislodged, each.power, each.order)
        except IllegalMove as refusal:
            judged.append(Judged(each.power, each.order, Result.ILLEGAL, str(refusal)))
            continue
        judged.append(Judged(each.power, order, Result.DONE))
        if order.province in last:
            earlier = judged[last[order.province]]
            judged[last[order.province]] = Judged(earlier.power, earlier.order, Result.REPLACED)
        last[order.province] = number
    counted = [judged[number].order for number in last.values()]
    goals = Counter(province_of(order.to) for order in counted if isinstance(order, Retreat))
    after = list(units)
    for number in last.values():
        power, move = judged[number].power, judged[number].order
        if not isinstance(move, Retreat):
            continue
        if goals[province_of(move.to)] > 1:
            judged[number] = Judged(power, move, Result.LOST)
        else:
            after.append(Unit(power, move.kind, move.to))
    return tuple(sorted(after)), tuple(judged)
