"""The orders that can be given in a position, whatever others order.

An order is legal if it could succeed with some orders of all others: an army may be ordered across
the sea where fleets stand that could convoy it, a support may be given to a move that could be
made, and a fleet may be ordered to convoy where it would be needed. All other orders are as if they
had not been written (docs/rules/diplomacy.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pbm.rules.diplomacy.board import (
    ARMY,
    FLEET,
    GameMap,
    Unit,
    province_of,
)
from pbm.rules.diplomacy.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from pbm.rules.errors import IllegalMove
from pbm.rules.phrases import combine, phrase, phrase_number
from pbm.rules.typed import listing


@dataclass(frozen=True, slots=True)
class UnitsOnMap:
    """The units on a map, by province; `fleets` are the provinces of those that may convoy."""

    game_map: GameMap
    at: Mapping[str, Unit]
    fleets: frozenset[str]

    def is_chain(self, start: str, end: str, fleets: frozenset[str]) -> bool:
        """Whether some of these fleets are a chain from one coast to another."""
        goal = self.game_map.list_seas_beside(end) & fleets
        return bool(goal) and not goal.isdisjoint(self._reach(start, fleets))

    def can_convoy(self, start: str, end: str, without: str = "") -> bool:
        """Whether the fleets, but for one, are a chain from one coast to another."""
        return self._are_coasts(start, end) and self.is_chain(start, end, self.fleets - {without})

    def list_landings(self, start: str, without: str = "") -> set[str]:
        """Return the provinces to which the fleets, but for one, could convoy an army."""
        coasts = {
            code
            for sea in self._reach(start, self.fleets - {without})
            for code in self.game_map.list_near(self.at[sea])
            if code in self.game_map.armies
        }
        return coasts - {start}

    def is_needed(self, fleet: str, start: str, end: str) -> bool:
        """Whether the fleet is a link of a chain between two coasts of which none can be spared."""
        beside = self.game_map.list_seas_beside
        last = beside(end)

        def search(path: tuple[str, ...], free: frozenset[str]) -> bool:
            here = path[-1]
            if here in last:
                return fleet in path
            reached = self._reach(here, free)
            if last.isdisjoint(reached) or (fleet not in path and fleet not in reached):
                return False
            near = beside(here) & free
            return any(search((*path, sea), free - near) for sea in sorted(near))

        first = beside(start) & self.fleets
        free = self.fleets - first
        return self._are_coasts(start, end) and any(search((sea,), free) for sea in sorted(first))

    def _are_coasts(self, start: str, end: str) -> bool:
        """Whether an army could be ashore at either end."""
        return start != end and {start, end} <= self.game_map.armies.keys()

    def _reach(self, start: str, fleets: frozenset[str]) -> set[str]:
        """Return the fleets that hang together, and with a province."""
        beside = self.game_map.list_seas_beside
        reached, waiting = set[str](), [*(beside(start) & fleets)]
        while waiting:
            sea = waiting.pop()
            if sea not in reached:
                reached.add(sea)
                waiting.extend(beside(sea) & fleets)
        return reached


def make_standing(game_map: GameMap, units: Iterable[Unit]) -> UnitsOnMap:
    """Return the units by province."""
    at = {unit.province: unit for unit in units}
    provinces = game_map.provinces
    fleets = (code for code, unit in at.items() if unit.kind == FLEET and provinces[code].convoys)
    return UnitsOnMap(game_map, at, frozenset(fleets))


def check_movement(standing: UnitsOnMap, power: str, order: Order) -> MovementOrder:
    """Return the order as it will be adjudicated: of the unit that stands there, with the coast
    where only one is possible. IllegalMove says why it cannot be given."""
    if not isinstance(order, (Hold, Move, SupportHold, SupportMove, Convoy)):
        raise IllegalMove(phrase("{order} is not an order for the movement of units.", order=order))
    unit = find_own_unit(standing, power, order.province)
    order = replace(order, kind=unit.kind, place=unit.place)
    if isinstance(order, Move):
        return replace(order, to=_check_move(standing, unit, order.to, via=order.via))
    if isinstance(order, SupportHold):
        return _check_support_hold(standing, unit, order)
    if isinstance(order, SupportMove):
        return _check_support_move(standing, unit, order)
    if isinstance(order, Convoy):
        return _check_convoy(standing, unit, order)
    return order


def find_own_unit(standing: UnitsOnMap, power: str, code: str) -> Unit:
    """Return the unit of the power in a province; IllegalMove says who is there otherwise."""
    unit = standing.at.get(code)
    if unit is None or unit.power != power:
        raise IllegalMove(describe_absence(standing, power, code))
    return unit


def describe_absence(standing: UnitsOnMap, power: str, code: str) -> str:
    """Return a sentence on who is in a province without a unit of the power, and where its units
    are."""
    unit, place = standing.at.get(code), standing.game_map.describe(code)
    own = list_own_units(standing, power)
    if unit is None:
        found = phrase("No unit stands in {place}.", place=place)
        return combine("{fault} {hint}", fault=found, hint=own) if own else found
    found = phrase(
        "The unit in {place} is {adjective}: {unit}",
        place=place,
        adjective=standing.game_map.power(unit.power).adjective,
        unit=unit,
    )
    return combine("{fault}. {hint}", fault=found, hint=own) if own else found


def list_own_units(standing: UnitsOnMap, power: str) -> str:
    """Return a sentence with the units of a power; "" where it has none."""
    units = sorted(str(unit) for unit in standing.at.values() if unit.power == power)
    if not units:
        return ""
    return phrase_number(
        "Your unit is {units}.", "Your units are {units}.", len(units), units=listing(units)
    )


def _check_move(standing: UnitsOnMap, unit: Unit, to: str, *, via: bool) -> str:
    """Return the place to which the order `unit - to` leads."""
    code = province_of(to)
    if code == unit.province:
        raise IllegalMove(
            phrase(
                "{name} is there already. {steps}",
                name=_name(standing, unit),
                steps=_list_steps(standing, unit),
            )
        )
    if unit.kind == ARMY:
        if code in standing.game_map.list_near(unit) and not via:
            return code
        if standing.can_convoy(unit.place, code):
            return code
        if via:
            raise IllegalMove(
                phrase(
                    "No fleets stand where they could convoy {unit} to {place}.",
                    unit=unit,
                    place=standing.game_map.describe(code),
                )
            )
    elif via:
        raise IllegalMove(
            phrase("{name} is a fleet, and only armies are convoyed.", name=_name(standing, unit))
        )
    elif place := _choose_coast(standing, unit, to):
        return place
    raise IllegalMove(
        phrase(
            "{name} cannot go to {place}. {steps}",
            name=_name(standing, unit),
            place=standing.game_map.describe(to),
            steps=_list_steps(standing, unit),
        )
    )


def _choose_coast(standing: UnitsOnMap, fleet: Unit, to: str) -> str:
    """Return the place that the fleet reaches: `to`, or its only coast within reach; "" if none."""
    steps = standing.game_map.list_steps(fleet)
    if to in steps:
        return to
    coasts = sorted(place for place in steps if province_of(place) == to)
    if len(coasts) > 1:
        raise IllegalMove(
            phrase(
                "{name} can go to either coast of {place}: write {coasts}",
                name=_name(standing, fleet),
                place=standing.game_map.describe(to),
                coasts=listing(coasts, "or"),
            )
        )
    return coasts[0] if coasts else ""


def _check_support_hold(standing: UnitsOnMap, unit: Unit, order: SupportHold) -> SupportHold:
    other = _find_other(standing, unit, order.other)
    _check_support_reach(standing, unit, other.province)
    return replace(order, other_kind=other.kind, other=other.place)


def _check_support_move(standing: UnitsOnMap, unit: Unit, order: SupportMove) -> SupportMove:
    other = _find_other(standing, unit, order.other)
    to = province_of(order.to)
    _check_support_reach(standing, unit, to)
    game_map = standing.game_map
    reachable = to in game_map.list_near(other)
    if other.kind == ARMY:
        order = replace(order, to=to)
        reachable = reachable or standing.can_convoy(other.place, to, without=unit.province)
    else:
        steps = {step for step in game_map.list_steps(other) if province_of(step) == to}
        reachable = order.to in steps or (order.to == to and bool(steps))
        if reachable and len(steps) == 1:
            order = replace(order, to=steps.pop())
    if not reachable or to == other.province:
        raise IllegalMove(
            phrase(
                "{name} cannot support that: {other} cannot go to {place}.",
                name=_name(standing, unit),
                other=other,
                place=game_map.describe(order.to),
            )
        )
    return replace(order, other_kind=other.kind, other=other.place)


def _find_other(standing: UnitsOnMap, unit: Unit, place: str) -> Unit:
    """Return the unit to be supported or convoyed."""
    code = province_of(place)
    other = standing.at.get(code)
    if other is None:
        raise IllegalMove(
            phrase("No unit stands in {place}.", place=standing.game_map.describe(code))
        )
    if other == unit:
        raise IllegalMove(
            phrase("{name} cannot support or convoy itself.", name=_name(standing, unit))
        )
    return other


def _check_support_reach(standing: UnitsOnMap, unit: Unit, code: str) -> None:
    if code not in standing.game_map.list_near(unit):
        raise IllegalMove(
            phrase(
                "{name} gives support only where it could go itself, not in {place}. {steps}",
                name=_name(standing, unit),
                place=standing.game_map.describe(code),
                steps=_list_steps(standing, unit),
            )
        )


def _check_convoy(standing: UnitsOnMap, unit: Unit, order: Convoy) -> Convoy:
    game_map = standing.game_map
    if unit.province not in standing.fleets:
        raise IllegalMove(
            phrase("{name} cannot convoy: only a fleet at sea can.", name=_name(standing, unit))
        )
    army = _find_other(standing, unit, order.other)
    to = province_of(order.to)
    if army.kind != ARMY:
        raise IllegalMove(phrase("{army} is a fleet, and only armies are convoyed.", army=army))
    if not standing.is_needed(unit.province, army.place, to):
        raise IllegalMove(
            phrase(
                "{name} is not needed in any convoy from {place} to {other_place}.",
                name=_name(standing, unit),
                place=game_map.describe(army.place),
                other_place=game_map.describe(to),
            )
        )
    return replace(order, other=army.place, to=to)


def _name(standing: UnitsOnMap, unit: Unit) -> str:
    return f"{unit.kind} {standing.game_map.describe(unit.place)}"


def _list_steps(standing: UnitsOnMap, unit: Unit) -> str:
    """Return a sentence with the places to which the unit may move."""
    places = sorted(_list_destinations(standing, unit))
    listed = listing(places, "or")
    if unit.kind == ARMY:
        return phrase("The army may go to {places}.", places=listed)
    return phrase("The fleet may go to {places}.", places=listed)


def _list_destinations(standing: UnitsOnMap, unit: Unit) -> set[str]:
    found = set(standing.game_map.list_steps(unit))
    if unit.kind == ARMY:
        found |= standing.list_landings(unit.place)
    return found


def list_orders(standing: UnitsOnMap, unit: Unit) -> Iterator[MovementOrder]:
    """Yield every legal order of a unit, each in its recorded spelling."""
    game_map, kind, place = standing.game_map, unit.kind, unit.place
    yield Hold(kind, place)
    for to in sorted(game_map.list_steps(unit)):
        yield Move(kind, place, to)
    if kind == ARMY:
        for to in sorted(standing.list_landings(place)):
            yield Move(kind, place, to, to in game_map.list_near(unit))
    near = game_map.list_near(unit)
    for other in sorted(standing.at.values()):
        if other == unit:
            continue
        if other.province in near:
            yield SupportHold(kind, place, other.kind, other.place)
        steps = set(game_map.list_steps(other))
        if other.kind == ARMY:
            steps |= standing.list_landings(other.place, without=unit.province)
        for to in sorted(steps):
            if province_of(to) in near:
                yield SupportMove(kind, place, other.kind, other.place, to)
    if unit.province in standing.fleets:
        for other in sorted(standing.at.values()):
            if other.kind == ARMY:
                for to in sorted(standing.list_landings(other.place)):
                    if standing.is_needed(unit.province, other.place, to):
                        yield Convoy(kind, place, other.place, to)
