"""The orders that a power can give in a phase: checking one, listing all, and what a unit may do in
words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbm.rules.diplomacy.adjustments import check_adjustment
from pbm.rules.diplomacy.board import Unit, province_of
from pbm.rules.diplomacy.legality import (
    UnitsOnMap,
    check_movement,
    describe_absence,
    list_orders,
    list_own_units,
)
from pbm.rules.diplomacy.orders import (
    Build,
    Convoy,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    check_place,
)
from pbm.rules.diplomacy.phases import PhaseState, Stage
from pbm.rules.diplomacy.retreats import check_retreat
from pbm.rules.phrases import join_phrases, phrase, phrase_number
from pbm.rules.typed import listing


def check_order(state: PhaseState, power: str, order: Order) -> Order:
    """Return the order as it will be adjudicated and recorded; a MoveError says why it cannot be
    given."""
    _check_places(state, order)
    if state.stage is Stage.RETREATS:
        return check_retreat(state.game_map, state.dislodged, power, order)
    if state.stage is Stage.ADJUSTMENTS:
        return check_adjustment(state.game_map, state.units, state.owners, power, order)
    standing = state.standing
    checked = check_movement(standing, power, order)
    if isinstance(checked, Move) and checked.via:
        unit = standing.at[checked.province]
        return replace(checked, via=province_of(checked.to) in state.game_map.list_near(unit))
    return checked


def _check_places(state: PhaseState, order: Order) -> None:
    """Refuse coasts that the map does not have. A coast of an army's place is ignored."""
    if isinstance(order, Waive):
        return
    game_map = state.game_map
    places = [order.place]
    places += [order.to] if isinstance(order, (Move, SupportMove, Convoy, Retreat)) else []
    places += [order.other] if isinstance(order, (SupportHold, SupportMove, Convoy)) else []
    for place in places:
        check_place(place, game_map)


def list_power_orders(state: PhaseState, power: str) -> list[Order]:
    """Return every order that a power can give, each once: those of `PhaseState.list_orders`, and
    supports of fleets without the coast where there are two."""
    orders = state.list_orders(power)
    if state.stage is not Stage.MOVEMENT:
        return orders
    listed = dict.fromkeys(orders)
    for order in orders:
        if isinstance(order, SupportMove) and "/" in order.to:
            plain = replace(order, to=province_of(order.to))
            if check_movement(state.standing, power, plain) == plain:
                listed.setdefault(plain)
    return list(listed)


def count_due_orders(state: PhaseState, power: str) -> int:
    """Return the number of orders that a power has to give in this phase."""
    if state.winner:
        return 0
    if state.stage is Stage.MOVEMENT:
        return len(state.list_units(power))
    if state.stage is Stage.RETREATS:
        return sum(each.unit.power == power for each in state.dislodged)
    return abs(state.count_due(power))


def describe_choices(state: PhaseState, power: str, province: str) -> str:
    """Return a sentence on the possible orders in a province: of the unit that is there or must
    retreat, or builds; else on the units or builds that the power can order."""
    if state.winner:
        return ""
    if state.stage is Stage.RETREATS:
        return _describe_retreats(state, power, province)
    if state.stage is Stage.ADJUSTMENTS:
        return _describe_adjustments(state, power)
    if province not in state.game_map.provinces:
        return list_own_units(state.standing, power)
    unit = state.standing.at.get(province)
    if unit is None or unit.power != power:
        return describe_absence(state.standing, power, province)
    return describe_unit_choices(state.standing, unit)


def describe_unit_choices(standing: UnitsOnMap, unit: Unit) -> str:
    """Return a sentence on what a unit may do in a movement: "A PAR (Paris) may hold, go to BRE or
    BUR, or support there"."""
    steps, far, convoys = set[str](), set[str](), False
    for order in list_orders(standing, unit):
        if isinstance(order, Move):
            near = province_of(order.to) in standing.game_map.list_near(unit)
            (steps if near and not order.via else far).add(order.to)
        convoys |= isinstance(order, Convoy)
    name = f"{unit.kind} {standing.game_map.describe(unit.place)}"
    goals: list[str] = []
    if steps:
        goals.append(phrase("go to {places}", places=listing(sorted(steps), "or")))
    if far:
        goals.append(phrase("go to {places} by convoy", places=listing(sorted(far), "or")))
    acts = [phrase("hold"), *([phrase("convoy an army")] if convoys else [])]
    acts += [phrase("support what stands or goes beside it")] if steps else []
    choices = join_phrases(", ", acts)
    for goal in goals:
        choices = phrase("{choices}, or {goal}", choices=choices, goal=goal)
    # TRANSLATORS: {choices} are such as "hold, convoy an army, or go to BRE or BUR"
    return phrase("{unit} may {choices}.", unit=name, choices=choices)


def _describe_retreats(state: PhaseState, power: str, province: str) -> str:
    game_map = state.game_map
    own = [each for each in state.dislodged if each.unit.power == power]
    here = [each for each in own if each.unit.province == province]
    if not here:
        return phrase_number(
            "Your dislodged unit is {units}.",
            "Your dislodged units are {units}.",
            len(own),
            units=listing([str(each.unit) for each in own]),
        )
    unit, options = here[0].unit, listing(here[0].options, "or")
    name = f"{unit.kind} {game_map.describe(unit.place)}"
    return phrase(
        "{unit} was dislodged and may retreat to {places}, or disband.", unit=name, places=options
    )


def _describe_adjustments(state: PhaseState, power: str) -> str:
    orders = state.list_orders(power)
    due = state.count_due(power)
    if due < 0:
        units = listing([str(unit) for unit in state.list_units(power)], "or")
        return phrase_number(
            "You have to disband {count} unit: {units}.",
            "You have to disband {count} units: {units}.",
            -due,
            units=units,
        )
    places = listing([each.unit for each in orders if isinstance(each, Build)], "or")
    if not places:
        return phrase("You have nothing to build.")
    return phrase_number(
        "You may build {count} unit: {places}.",
        "You may build {count} units: {places}.",
        due,
        places=places,
    )


def list_missing(state: PhaseState, power: str, given: Iterable[Order]) -> list[str]:
    """Return the units of a power that have no order yet, as they are written."""
    ordered = {each.province for each in given if not isinstance(each, Waive)}
    if state.stage is Stage.RETREATS:
        units = [each.unit for each in state.dislodged if each.unit.power == power]
    else:
        units = list(state.list_units(power))
    return [str(unit) for unit in units if unit.province not in ordered]
