"""Random positions and orders of Diplomacy. Units are strewn over the whole map, so that convoys
meet; half of them support or convoy what others were ordered to do."""

from __future__ import annotations

import random

from pbm.rules.diplomacy.board import ARMY, FLEET, GameMap, Season, Terrain, Unit
from pbm.rules.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Given,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, Stage


def strew(game_map: GameMap, rng: random.Random, rules: DiplomacyRules | None = None) -> PhaseState:
    """Units of a few powers on random provinces, and random owners of the centres."""
    names = [power.name for power in game_map.powers]
    some = names[: rng.choice([2, 3, len(names)])]
    units = []
    for code in rng.sample(sorted(game_map.provinces), rng.randrange(12, 35)):
        terrain = game_map.provinces[code].terrain
        stands = [] if terrain is Terrain.SEA else [(ARMY, code)]
        if terrain is not Terrain.LAND:
            stands += [(FLEET, place) for place in game_map.list_places(code)]
        units.append(Unit(rng.choice(some), *rng.choice(stands)))
    owners = {code: rng.choice(names) for code in game_map.centres if rng.random() < 0.9}
    return PhaseState(
        game_map,
        1901,
        Season.SPRING,
        Stage.MOVEMENT,
        tuple(sorted(units)),
        owners,
        rules=rules or DiplomacyRules(),
    )


def give_orders(state: PhaseState, rng: random.Random) -> list[Given]:
    """Random orders of all powers, one for each unit; in winter as many as are due, or fewer."""
    given = []
    if state.stage is Stage.MOVEMENT:
        return _give_moves(state, rng)
    for power in state.list_powers_to_order():
        listed = state.list_orders(power)
        rng.shuffle(listed)
        most = len(listed) if state.stage is Stage.RETREATS else abs(state.count_due(power))
        taken = set[str]()
        for order in listed:
            if not isinstance(order, (Retreat, Disband, Build)) or order.province in taken:
                continue
            if len(taken) < most and rng.random() < 0.7:
                given.append(Given(power, order))
                taken.add(order.province)
    return given


def _give_moves(state: PhaseState, rng: random.Random) -> list[Given]:
    listed: dict[str, list[Given]] = {}
    for power in state.list_powers_to_order():
        for order in state.list_orders(power):
            if not isinstance(order, Waive):
                listed.setdefault(order.place, []).append(Given(power, order))
    chosen = {}
    for place, orders in listed.items():
        moves = [each for each in orders if isinstance(each.order, Move)]
        chosen[place] = rng.choice(moves if moves and rng.random() < 0.8 else orders)
    for place, orders in listed.items():
        helpful = [each for each in orders for _ in range(_count_help(each.order, chosen))]
        if helpful and rng.random() < 0.6:
            chosen[place] = rng.choice(helpful)
    return list(chosen.values())


def _count_help(order: Order, chosen: dict[str, Given]) -> int:
    """The lots of an order in the draw: some if it fits what was chosen, else none."""
    if not isinstance(order, (SupportHold, SupportMove, Convoy)):
        return 0
    other = chosen[order.other].order
    if isinstance(order, SupportHold):
        return int(not isinstance(other, Move))
    fits = isinstance(other, Move) and other.to == order.to
    return 6 * fits if isinstance(order, Convoy) else int(fits)


def give_paradoxes(state: PhaseState, rng: random.Random) -> list[Given]:
    """Orders of which as many as possible are convoys, landings on those who support attacks on
    convoying fleets, and such supports."""
    listed = [
        Given(power.name, order)
        for power in state.game_map.powers
        for order in state.list_orders(power.name)
    ]
    rng.shuffle(listed)
    chosen: dict[str, Given] = {}
    for each in listed:
        convoy = each.order
        if isinstance(convoy, Convoy) and convoy.province not in chosen:
            landing = chosen.get(convoy.other)
            if landing is None and convoy.to in state.standing.at:
                power = state.standing.at[convoy.other].power
                sailing = Move("A", convoy.other, convoy.to, via=True)
                chosen[convoy.other] = Given(power, sailing)
                chosen[convoy.province] = each
            elif landing and isinstance(landing.order, Move) and landing.order.to == convoy.to:
                chosen[convoy.province] = each
    fleets = {code for code, each in chosen.items() if isinstance(each.order, Convoy)}
    landings = {each.order.to for each in chosen.values() if isinstance(each.order, Move)}
    listed.sort(
        key=lambda each: not isinstance(each.order, Waive) and each.order.place[:3] not in landings
    )
    for each in listed:
        order = each.order
        if isinstance(order, SupportMove) and order.to in fleets and order.province not in chosen:
            attack = chosen.get(order.other)
            if attack is None:
                power = state.standing.at[order.other[:3]].power
                move = Move(order.other_kind, order.other, order.to)
                chosen[order.other[:3]] = Given(power, move)
                chosen[order.province] = each
        elif isinstance(order, SupportHold) and order.other in fleets:
            chosen.setdefault(order.province, each)
    return list(chosen.values())
