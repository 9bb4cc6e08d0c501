"""Builds and disbandments in winter, and which units a power loses that does not choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum

from pbm.rules.diplomacy.board import (
    ARMY,
    FLEET,
    GameMap,
    Terrain,
    Unit,
    provinces_of,
)
from pbm.rules.diplomacy.orders import Build, Disband, Given, Judged, Order, Result, Waive
from pbm.rules.errors import IllegalMove
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing


class Removal(Enum):
    """The rules by which a power loses units that it does not choose: those farthest away, fleets
    before armies, then by the name of the province.

    RULES_2023 away from the centres it owns, over land and sea for all units
    RULES_2000 away from its home centres, over sea and coast for fleets, land and sea for armies
    """

    RULES_2023 = "2023"
    RULES_2000 = "2000"


def count_adjustments(
    game_map: GameMap, power: str, units: Iterable[Unit], owners: Mapping[str, str]
) -> int:
    """Return the number of units that a power may build, or must disband if negative."""
    own = sum(unit.power == power for unit in units)
    due = sum(owner == power for owner in owners.values()) - own
    if due <= 0:
        return due
    return min(due, len(_list_sites(game_map, power, units, owners)))


def _list_sites(
    game_map: GameMap, power: str, units: Iterable[Unit], owners: Mapping[str, str]
) -> list[str]:
    """Return the provinces where a power may build: homes that it owns, or centres, that are
    empty."""
    taken = {unit.province for unit in units}
    own = [code for code, owner in owners.items() if owner == power and code not in taken]
    return own if game_map.anywhere else [c for c in own if c in game_map.power(power).homes]


def list_build_orders(
    game_map: GameMap, power: str, units: Sequence[Unit], owners: Mapping[str, str]
) -> Iterator[Order]:
    """Yield every legal order of a power that may build."""
    for code in _list_sites(game_map, power, units, owners):
        if game_map.provinces[code].terrain is not Terrain.SEA:
            yield Build(ARMY, code)
        if game_map.provinces[code].terrain is not Terrain.LAND:
            yield from (Build(FLEET, place) for place in game_map.list_places(code))
    yield Waive()


def list_disband_orders(power: str, units: Sequence[Unit]) -> Iterator[Order]:
    """Return every legal order of a power that must disband."""
    return (Disband(unit.kind, unit.place) for unit in units if unit.power == power)


def check_adjustment(
    game_map: GameMap,
    units: Sequence[Unit],
    owners: Mapping[str, str],
    power: str,
    order: Order,
) -> Build | Disband | Waive:
    """Return the order as it will be adjudicated; IllegalMove says why it cannot be given."""
    due = count_adjustments(game_map, power, units, owners)
    if isinstance(order, Disband):
        return _check_disband(game_map, units, power, order, due)
    if not isinstance(order, (Build, Waive)):
        raise IllegalMove(
            phrase(
                "{order} is not an order for the winter: units are built or disbanded.", order=order
            )
        )
    if due <= 0:
        raise IllegalMove(phrase("{power} has no unit to build.", power=power))
    if isinstance(order, Waive):
        return order
    where = game_map.describe(order.province)
    sites = _list_sites(game_map, power, units, owners)
    if order.province not in sites:
        values = {"power": power, "where": where, "sites": listing(sites)}
        if game_map.anywhere:
            raise IllegalMove(
                phrase(
                    "{power} cannot build in {where}: it builds in an empty centre that it owns. "
                    "There it has {sites}.",
                    **values,
                )
            )
        raise IllegalMove(
            phrase(
                "{power} cannot build in {where}: it builds in an empty home centre that it "
                "owns. There it has {sites}.",
                **values,
            )
        )
    return _check_build(game_map, order)


def _check_build(game_map: GameMap, order: Build) -> Build:
    where = game_map.describe(order.province)
    terrain = game_map.provinces[order.province].terrain
    if order.kind == ARMY:
        if terrain is Terrain.SEA:
            raise IllegalMove(phrase("No army can stand in {where}.", where=where))
        return Build(ARMY, order.province)
    if terrain is Terrain.LAND:
        raise IllegalMove(phrase("{where} is inland, where no fleet can stand.", where=where))
    places = game_map.list_places(order.province)
    if order.place not in places:
        raise IllegalMove(
            phrase(
                "A fleet in {where} is built on one of its coasts: write {places}",
                where=where,
                places=listing(places, "or"),
            )
        )
    return order


def _check_disband(
    game_map: GameMap, units: Sequence[Unit], power: str, order: Disband, due: int
) -> Disband:
    unit = next((each for each in units if each.province == order.province), None)
    where = game_map.describe(order.province)
    if due >= 0:
        raise IllegalMove(phrase("{power} has no unit to disband.", power=power))
    if unit is None:
        raise IllegalMove(phrase("No unit stands in {where}.", where=where))
    if unit.power != power:
        raise IllegalMove(
            phrase(
                "The unit in {where} is {adjective}: {unit}",
                where=where,
                adjective=game_map.power(unit.power).adjective,
                unit=unit,
            )
        )
    return Disband(unit.kind, unit.place)


def adjust(
    game_map: GameMap,
    units: Sequence[Unit],
    owners: Mapping[str, str],
    given: Sequence[Given],
    removal: Removal = Removal.RULES_2023,
) -> tuple[tuple[Unit, ...], tuple[Judged, ...]]:
    """Return the units after the winter, and the result of each order. Orders count one by one, in
    their order, as far as they are due. A power waives what it does not build, and loses by
    `removal` what it does not disband."""
    dues = {
        each.name: count_adjustments(game_map, each.name, units, owners) for each in game_map.powers
    }
    left = dict(dues)
    after, judged = list(units), list[Judged]()
    used = set[str]()
    for each in given:
        power = each.power
        try:
            order = check_adjustment(game_map, units, owners, power, each.order)
            province = "" if isinstance(order, Waive) else order.province
            if province in used:
                where = game_map.describe(province)
                raise IllegalMove(
                    phrase("A unit in {place} is built already.", place=where)
                    if dues[power] > 0
                    else phrase("A unit in {place} is disbanded already.", place=where)
                )
        except IllegalMove as refusal:
            judged.append(Judged(power, each.order, Result.ILLEGAL, str(refusal)))
            continue
        if not left[power]:
            judged.append(Judged(power, order, Result.EXCESS))
            continue
        judged.append(Judged(power, order, Result.DONE))
        left[power] -= 1 if left[power] > 0 else -1
        if province:
            used.add(province)
        if isinstance(order, Build):
            after.append(Unit(power, order.kind, order.place))
        elif isinstance(order, Disband):
            after = [unit for unit in after if unit.province != order.province]
    for power, due in left.items():
        if due < 0:
            lost = list_lost(game_map, power, after, owners, removal)[:-due]
            after = [unit for unit in after if unit not in lost]
    return tuple(sorted(after)), tuple(judged)


def list_lost(
    game_map: GameMap,
    power: str,
    units: Iterable[Unit],
    owners: Mapping[str, str],
    removal: Removal,
) -> list[Unit]:
    """Return the units of a power in the order in which it loses them."""
    if removal is Removal.RULES_2023:
        goals = [code for code, owner in owners.items() if owner == power]
    else:
        goals = list(game_map.power(power).homes)
    everywhere = measure(goals, _beside(game_map))
    by_sea = measure(
        [place for code in goals for place in game_map.list_places(code)], game_map.fleets.get
    )

    def key(unit: Unit) -> tuple[int, bool, str]:
        sails = removal is Removal.RULES_2000 and unit.kind == FLEET
        distances, start = (by_sea, unit.place) if sails else (everywhere, unit.province)
        far = len(game_map.provinces)
        name = game_map.provinces[unit.province].name
        return -distances.get(start, far), unit.kind == ARMY, name

    return sorted((unit for unit in units if unit.power == power), key=key)


def _beside(game_map: GameMap) -> Callable[[str], frozenset[str]]:
    """Return the provinces beside one, over land and sea."""

    def beside(code: str) -> frozenset[str]:
        near = set(game_map.armies.get(code, ()))
        for place in game_map.list_places(code):
            near |= provinces_of(game_map.fleets.get(place, ()))
        return frozenset(near)

    return beside


def measure(goals: Iterable[str], beside: Callable[[str], frozenset[str] | None]) -> dict[str, int]:
    """Return the steps from each place to the nearest of `goals`."""
    distances = dict.fromkeys(goals, 0)
    waiting = list(distances)
    for place in waiting:
        for near in beside(place) or ():
            if near not in distances:
                distances[near] = distances[place] + 1
                waiting.append(near)
    return distances
