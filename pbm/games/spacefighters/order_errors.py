"""The reasons for which an order of Space Fighters is refused, a sentence each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbm.games.spacefighters.battlefield import (
    ADJACENT,
    BIT,
    GRID,
    NAMES,
    NUMBER,
    PLAN,
    STATIONS,
    TILES,
    names_of,
)
from pbm.games.spacefighters.fighters_state import FightersState
from pbm.games.spacefighters.order_notation import FORM
from pbm.games.spacefighters.orders import find_purchase_fault
from pbm.games.spacefighters.teams import CONTROLS, DEPLOY, SETUP, SHIP
from pbm.rules import IllegalMove, InvalidMove, MoveError
from pbm.rules.typed import listing, quoted


def build_refusal(position: FightersState, move: str) -> MoveError:
    """The refusal of an order that is not legal."""
    try:
        order, rest = position.parse(move, position.seat)
    except MoveError as error:
        return error
    if rest or order in position.legal_moves(position.seat):
        return InvalidMove(f"{quoted(move)} is not one order as it is stored; write '{order}'")
    reason = _find_fault(position, order)
    return IllegalMove(reason if reason.startswith(order) else f"{order}: {reason}")


def _find_fault(position: FightersState, order: str) -> str:
    """Why an order in canonical notation is illegal."""
    word, _, rest = order.partition(" ")
    if position.phase == SETUP:
        return _find_setup_fault(position, rest.split() if word == "setup" else [])
    if word == "setup":
        return "wrong phase: the set-up is over"
    if word == "buy":
        return find_purchase_fault(position, rest)
    if word == "deploy":
        return _find_deployment_fault(position, rest[0], NUMBER[rest[2:]])
    here, there = re.split("[-x]", order)
    source, target = NUMBER[here], NUMBER[there]
    holder = position.holder_of(source)
    if holder is None:
        return f"no ship is on {here}"
    if holder != position.seat:
        return f"not yours: {here} holds {position.holding(source)}"
    if source == target:
        return "a ship that moves leaves its place"
    if position.kind_on(source) == "c":
        return _find_control_fault(position, order, source, target)
    if position.phase == CONTROLS:
        return "wrong phase: fighters act before the first control ship order of a turn"
    if position.spent & BIT[source]:
        return f"the fighter on {here} has fought and does nothing more this turn"
    return _find_fighter_fault(position, order, source, target)


def _find_setup_fault(position: FightersState, names: Sequence[str]) -> str:
    """Why those tiles are not a legal set-up."""
    tiles = names_of(ADJACENT[position.home(position.seat)])
    beside = f"the tiles beside your station are {listing(tiles)}"
    if not names:
        return f"wrong phase: first set up; {FORM}; {beside}"
    for name in names:
        if name not in tiles:
            return f"{name} is not beside your station; {beside}"
    return f"a set-up names three different tiles; {beside}"


def _find_deployment_fault(position: FightersState, kind: str, target: int) -> str:
    """Why a ship of that kind cannot be deployed there."""
    home, there = position.home(position.seat), NAMES[target]
    if position.phase != DEPLOY:
        return "wrong phase: ships are deployed before the first fighter or control ship order"
    team = position.teams[position.seat]
    if not (team.spare_fighters if kind == "f" else team.spare_controls):
        return f"supply: no {SHIP[kind]} is in your reserve"
    if target in STATIONS and kind == "f":
        return "fighters never enter a coloured station or the star"
    if target in STATIONS and target != home:
        return f"a control ship is deployed to a tile or into your own station, {NAMES[home]}"
    if position.holder_of(target) is not None:
        return f"occupied: {there} holds {position.holding(target)}"
    if kind == "c":
        return f"{there} is not adjacent to a station that you own"
    return f"{there} is not adjacent to one of your control ships or stations"


def _find_fighter_fault(position: FightersState, order: str, source: int, target: int) -> str:
    """Why a fighter that may act cannot go there, or fight there."""
    here, there = NAMES[source], NAMES[target]
    holder, fights = position.holder_of(target), "x" in order
    if fights and holder in (None, position.seat):
        what = "no ship" if holder is None else position.holding(target)
        return f"only enemies are fought, and {there} holds {what}"
    if target in STATIONS and fights:
        tiles = listing(names_of(ADJACENT[target] & TILES))
        return f"out of reach: {there} is attacked from an adjacent tile ({tiles})"
    if position.moved & BIT[source]:
        return f"the fighter on {here} has moved and may only attack a station beside it"
    if target in STATIONS:
        return "fighters never enter a coloured station or the star"
    if holder == position.seat:
        return f"occupied: {there} holds {position.holding(target)}"
    far = _explain_distance(order, source, target, position.dice[0], TILES, position.foes())
    return f"{far}, the fighter die shows {position.dice[0]}"


def _find_control_fault(position: FightersState, order: str, source: int, target: int) -> str:
    """Why a control ship cannot go there."""
    if "x" in order:
        return f"control ships do not fight, and {NAMES[source]} holds one"
    if position.spent & BIT[source]:
        return f"the control ship on {NAMES[source]} has moved this turn"
    if position.holder_of(target) is not None:
        return f"occupied: {NAMES[target]} holds {position.holding(target)}"
    steps = position.control_steps
    far = _explain_distance(order, source, target, steps, PLAN.places, position.ships())
    return f"{far}, the control die allows {steps}"


def _explain_distance(order: str, source: int, target: int, die: int, free: int, ships: int) -> str:
    """How many steps an order takes, and what makes the way longer than it looks."""
    way = PLAN.distance(source, target, free & ~ships)
    if way is None:
        return f"{order}: out of reach, every way is closed by ships, walls and stations"
    if (PLAN.distance(source, target, free) or 0) <= die:
        return f"{order} is {way} steps round the ships on the way"
    if max(source, target) < len(GRID):
        (row, column), (to_row, to_column) = divmod(source, 13), divmod(target, 13)
        if abs(row - to_row) + abs(column - to_column) <= die:
            return f"{order} is {way} steps round walls and stations"
    return f"{order} is {way} steps"
