"""Adjudicates the orders of a movement phase.

Each order is a question or two with the answers yes and no: does the move succeed, does its convoy
arrive, does the support count, does the fleet carry on convoying? The answers depend on each other
by the equations of strengths in Lucas B. Kruijswijk's "The Math of Adjudication" (Diplomatic Pouch,
Spring 2009) and chapter 5 of his Diplomacy Adjudicator Test Cases, version 3. An answer is given as
soon as the others that are known leave no choice (`equations`). What then still depends on itself
is taken ring by ring (`rings`): if one set of answers alone satisfies its equations it is taken,
otherwise units that follow each other in a circle all move, and a ring with a convoy is a paradox,
for which `Rules.paradox` names the rule. Illegal orders are as if they had not been written, and
the later of two orders to a unit counts. The choices are listed in docs/rules/diplomacy.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbm.rules.diplomacy.board import Unit, province_of
from pbm.rules.diplomacy.equations import Equations, Paradox
from pbm.rules.diplomacy.legality import Standing, check_movement
from pbm.rules.diplomacy.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from pbm.rules.diplomacy.results import Dislodged, Given, Judged, Result
from pbm.rules.diplomacy.rings import answer_all
from pbm.rules.errors import IllegalMove


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement phase adjudicated: a `Judged` for each order given, in their order."""

    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    judged: tuple[Judged, ...]


def adjudicate(
    standing: Standing, given: Sequence[Given], paradox: Paradox = Paradox.SZYKMAN
) -> Movement:
    """Move the units as ordered; those without a legal order hold."""
    orders, judged = sort_out(standing, given)
    holding: dict[str, MovementOrder] = {
        code: orders.get(code, Hold(unit.kind, unit.place)) for code, unit in standing.at.items()
    }
    equations = Equations(standing, holding, paradox)
    answer_all(equations)
    final = tuple(
        each
        if each.result is not Result.DONE
        else Judged(each.power, each.order, _name_result(equations, each.order))
        for each in judged
    )
    units, dislodged = _move_units(standing, equations)
    return Movement(units, dislodged, final)


def sort_out(
    standing: Standing, given: Sequence[Given]
) -> tuple[Mapping[str, MovementOrder], list[Judged]]:
    """Return the legal order of each unit that has one, by province, and the orders with those
    marked that are illegal or replaced."""
    orders, judged, last = dict[str, MovementOrder](), list[Judged](), dict[str, int]()
    for number, each in enumerate(given):
        try:
            order = check_movement(standing, each.power, each.order)
        except IllegalMove as refusal:
            judged.append(Judged(each.power, each.order, Result.ILLEGAL, str(refusal)))
            continue
        judged.append(Judged(each.power, order, Result.DONE))
        code = order.province
        if code in last:
            earlier = judged[last[code]]
            judged[last[code]] = Judged(earlier.power, earlier.order, Result.REPLACED)
        orders[code], last[code] = order, number
    return orders, judged


def _name_result(equations: Equations, order: Order) -> Result:
    if isinstance(order, Move):
        if equations.moves(order.province):
            return Result.DONE
        return Result.BOUNCED if equations.arrives(order.province) else Result.NO_CONVOY
    if isinstance(order, (SupportHold, SupportMove)):
        if order.province not in equations.supports:
            return Result.UNMATCHED
        return Result.DONE if equations.counts(order.province) else Result.CUT
    if isinstance(order, Convoy):
        if order.province not in equations.convoys:
            return Result.UNMATCHED
        return Result.DONE if equations.carries(order.province) else Result.NO_CONVOY
    return Result.DONE


def _move_units(
    standing: Standing, equations: Equations
) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...]]:
    after, by = dict[str, Unit](), dict[str, str]()
    for code, move in equations.moving.items():
        if equations.moves(code):
            unit = standing.at[code]
            after[province_of(move.to)] = Unit(unit.power, unit.kind, move.to)
            by[province_of(move.to)] = code
    lost = list[Unit]()
    for code, unit in standing.at.items():
        if code in equations.moving and equations.moves(code):
            continue
        if code in after:
            lost.append(unit)
        else:
            after[code] = unit
    contested = {
        code
        for code, movers in equations.attackers.items()
        if code not in after and any(equations.prevents(mover) for mover in movers)
    }
    dislodged = tuple(
        Dislodged(
            unit,
            by[unit.province],
            _list_retreats(standing, unit, {*after, *contested, *_barred(equations, by, unit)}),
        )
        for unit in sorted(lost)
    )
    return tuple(sorted(after.values())), dislodged


def _barred(equations: Equations, by: Mapping[str, str], unit: Unit) -> set[str]:
    """Return the province from which the unit was dislodged over the border."""
    attacker = by[unit.province]
    return set() if attacker in equations.convoyed else {attacker}


def _list_retreats(standing: Standing, unit: Unit, closed: set[str]) -> tuple[str, ...]:
    steps = standing.game_map.list_steps(unit)
    return tuple(sorted(place for place in steps if province_of(place) not in closed))
