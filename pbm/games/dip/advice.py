"""Orders that a computer player gives: legal, and not silly. They follow from the board alone.

Each province is worth what there is to win or to lose in it, and part of what its neighbours are
worth. Units go where most is to be had; where somebody stands in the way, others support them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from zlib import crc32

from pbm.rules.diplomacy.board import FLEET, GameMap, Season, Unit, province_of
from pbm.rules.diplomacy.order_choices import list_power_orders
from pbm.rules.diplomacy.orders import (
    Build,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
)
from pbm.rules.diplomacy.phases import PhaseState, Stage

_THEIRS, _NOBODYS, _THREATENED, _OWN = 10.0, 12.0, 7.0, 0.5
"""The value of a centre: another power's, nobody's, one's own with an enemy near it or without."""
_PASSED_ON = 0.45
"""The part of a province's worth that its neighbours share."""
_ROUNDS = 4
_FAIR = 0.9
"""A goal worth at least this part of the best one may be chosen instead, for variety."""


def advise(state: PhaseState, power: str) -> list[Order]:
    """Return the orders for all that a power has to decide in this phase."""
    legal = list_power_orders(state, power)
    worth = _rate_provinces(state, power)
    if state.stage is Stage.RETREATS:
        return _retreat(legal, worth)
    if state.stage is Stage.ADJUSTMENTS:
        return _adjust(state, power, legal, worth)
    return _move(state, power, legal, worth)


def _rate_provinces(state: PhaseState, power: str) -> Mapping[str, float]:
    game_map, worth = state.game_map, dict[str, float]()
    for code, province in game_map.provinces.items():
        owner = state.owners.get(code)
        if not province.centre:
            worth[code] = 0.0
        elif owner == power:
            worth[code] = _THREATENED if _list_enemies(state, power, code) else _OWN
        else:
            worth[code] = _THEIRS if owner else _NOBODYS
    near = {code: _list_around(game_map, code) for code in game_map.provinces}
    shared = dict(worth)
    for _ in range(_ROUNDS):
        shared = {
            code: worth[code] + _PASSED_ON * max((shared[other] for other in around), default=0.0)
            for code, around in near.items()
        }
    return shared


def _list_around(game_map: GameMap, code: str) -> frozenset[str]:
    """Return the neighbours of a province, by land or sea."""
    sailing = {
        province_of(to) for at in game_map.list_places(code) for to in game_map.fleets.get(at, ())
    }
    return game_map.armies.get(code, frozenset()) | sailing


def _list_enemies(state: PhaseState, power: str, code: str) -> list[Unit]:
    """Return the units of others that stand in a province or could enter it."""
    return [
        unit
        for unit in state.units
        if unit.power != power and (unit.province == code or code in state.game_map.list_near(unit))
    ]


def _retreat(legal: Iterable[Order], worth: Mapping[str, float]) -> list[Order]:
    chosen = dict[str, Order]()
    taken = set[str]()
    retreats = [order for order in legal if isinstance(order, Retreat)]
    for away in sorted(retreats, key=lambda each: -worth[province_of(each.to)]):
        if away.province not in chosen and province_of(away.to) not in taken:
            chosen[away.province] = away
            taken.add(province_of(away.to))
    for order in legal:
        if isinstance(order, Disband):
            chosen.setdefault(order.province, order)
    return [*chosen.values()]


def _adjust(
    state: PhaseState, power: str, legal: Iterable[Order], worth: Mapping[str, float]
) -> list[Order]:
    """Build where most can be gained, with fleets where they are few; disband where least can."""
    due = state.count_due(power)
    if due < 0:
        units = [order for order in legal if isinstance(order, Disband)]
        return list[Order](sorted(units, key=lambda order: worth[order.province])[:-due])
    fleets = sum(unit.kind == FLEET for unit in state.list_units(power))
    armies = len(state.list_units(power)) - fleets
    wants_fleet = fleets <= armies
    chosen = dict[str, Order]()
    builds = [order for order in legal if isinstance(order, Build)]
    builds.sort(key=lambda each: (-worth[each.province], (each.kind == FLEET) != wants_fleet))
    for order in builds:
        if len(chosen) < due:
            chosen.setdefault(order.province, order)
    return [*chosen.values()]


def _move(
    state: PhaseState, power: str, legal: Iterable[Order], worth: Mapping[str, float]
) -> list[Order]:
    """Order moves to the best provinces that units can enter, with support where somebody is in the
    way; units without a goal support or hold."""
    orders = [*legal]
    idle = {unit.province: unit for unit in state.list_units(power)}
    chosen, goals = dict[str, Order](), set[str]()
    steps = [order for order in orders if isinstance(order, Move) and not order.via]
    steps = [each for each in steps if province_of(each.to) in _near(state, each)]
    for step in sorted(steps, key=lambda each: -_rate_step(state, each, worth)):
        goal = province_of(step.to)
        if step.province not in idle or goal in goals or goal in idle:
            continue
        if _rate_step(state, step, worth) <= worth[step.province] * _FAIR:
            continue
        enemies = _list_enemies(state, power, goal)
        helpers = _find_helpers(orders, step, idle, len(enemies))
        stands = any(unit.province == goal for unit in enemies)
        if stands and not helpers:
            continue
        chosen[step.province] = step
        chosen |= {helper.province: helper for helper in helpers}
        for order in (step, *helpers):
            idle.pop(order.province)
        goals.add(goal)
    for code in sorted(idle):
        chosen[code] = _stay(orders, code, chosen)
    return [*chosen.values()]


def _near(state: PhaseState, step: Move) -> frozenset[str]:
    return state.game_map.list_near(state.standing.at[step.province])


def _rate_step(state: PhaseState, step: Move, worth: Mapping[str, float]) -> float:
    """Return the value of a step: that of its goal, a little chance so that games differ, and in
    the fall less if there is no centre to enter."""
    goal = province_of(step.to)
    rated = worth[goal]
    if state.season is Season.FALL and not state.game_map.provinces[goal].centre:
        rated *= _FAIR
    if state.owners.get(step.province) not in (None, state.standing.at[step.province].power):
        rated *= _PASSED_ON if state.season is Season.FALL else 1.0  # it holds what it has entered
    noise = crc32(f"{state.code} {len(state.units)} {step}".encode()) % 1000
    return rated * (_FAIR + (1 - _FAIR) * noise / 1000)


def _find_helpers(
    orders: Iterable[Order], step: Move, idle: Mapping[str, Unit], most: int
) -> list[SupportMove]:
    """Return supports of a step, at most `most`, by units without an order."""
    helpers = dict[str, SupportMove]()
    for order in orders:
        if (
            isinstance(order, SupportMove)
            and province_of(order.other) == step.province
            and province_of(order.to) == province_of(step.to)
            and order.province in idle
            and order.province != step.province
            and len(helpers) < most
        ):
            helpers.setdefault(order.province, order)
    return [*helpers.values()]


def _stay(orders: Iterable[Order], code: str, chosen: Mapping[str, Order]) -> Order:
    """Support for a step that was chosen, else for a unit that stays; else to stay."""
    staying, hold = list[Order](), None
    for order in orders:
        if getattr(order, "place", "") and province_of(getattr(order, "place", "")) != code:
            continue
        if isinstance(order, SupportMove):
            step = chosen.get(province_of(order.other))
            if isinstance(step, Move) and province_of(step.to) == province_of(order.to):
                return order
        elif isinstance(order, SupportHold) and isinstance(
            chosen.get(province_of(order.other)), (Hold, SupportMove)
        ):
            staying.append(order)
        elif isinstance(order, Hold):
            hold = order
    if staying:
        return staying[0]
    assert hold is not None  # noqa: S101 (every unit may stay)
    return hold
