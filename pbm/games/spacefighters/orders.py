"""The legal orders of a team of Space Fighters: where its ships may go and what it may buy.

Rules: docs/rules/spacefighters.md, "Turn"."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations

from pbm.games.spacefighters.battlefield import (
    ADJACENT,
    BIT,
    NAMES,
    PLAN,
    STATION_MASK,
    STATIONS,
    TILES,
    names_of,
)
from pbm.games.spacefighters.fighters_state import FightersState
from pbm.games.spacefighters.teams import CONTROLS, DEPLOY, MOST, PRICE, SHIP
from pbm.rules.boards.floor_plans import bits


@cache
def _within(source: int, steps: int) -> int:
    """The places at most that many steps away on an empty board."""
    return PLAN.reach(source, steps, PLAN.places)


@lru_cache(maxsize=2048)
def _fighter_orders(source: int, die: int, foes: int, own: int) -> tuple[str, ...]:
    """The orders of a fighter; `foes` and `own` are the ships on tiles within reach of the die."""
    reached = PLAN.reach(source, die, TILES & ~foes) & TILES & ~own
    here = NAMES[source]
    return tuple(
        [f"{here}-{there}" for there in names_of(reached & ~foes)]
        + [f"{here}x{there}" for there in names_of(reached & foes)]
    )


@lru_cache(maxsize=2048)
def _control_orders(source: int, steps: int, ships: int) -> tuple[str, ...]:
    """The orders of a control ship; `ships` are those within its reach."""
    reached = PLAN.reach(source, steps, PLAN.places & ~ships) & ~ships
    return tuple([f"{NAMES[source]}-{there}" for there in names_of(reached)])


@cache
def setups(home: int) -> tuple[str, ...]:
    """The set-ups beside a station: two tiles for fighters by row and column, then the tile of the
    control ship."""
    tiles = names_of(ADJACENT[home])
    return tuple(
        f"setup {one} {two} {control}"
        for one, two in combinations(tiles, 2)
        for control in tiles
        if control not in (one, two)
    )


def orders(position: FightersState) -> list[str]:
    """The legal orders of the team on the move, in the order of the turn."""
    team, ships, foes = position.teams[position.seat], position.ships(), position.foes()
    own = ships & ~foes
    legal: list[str] = []
    if position.phase == DEPLOY:
        for kind in "fc":
            vacant = _deployment_places(position, kind) & ~ships
            legal += [f"deploy {kind} {there}" for there in names_of(vacant)]
    if position.phase != CONTROLS:
        die = position.dice[0]
        besieged = [place for place in STATIONS if foes & BIT[place]]
        for source in bits(team.fighters & ~position.spent):
            if not position.moved & BIT[source]:
                near = _within(source, die) & TILES
                legal += _fighter_orders(source, die, foes & near, own & near)
            for place in besieged:
                if ADJACENT[place] & BIT[source]:
                    legal.append(f"{NAMES[source]}x{NAMES[place]}")
    for source in bits(team.controls & ~position.spent):
        steps = position.control_steps
        legal += _control_orders(source, steps, ships & _within(source, steps))
    legal += [f"buy {kind}" for kind in "fc" if not find_purchase_fault(position, kind)]
    legal.append("end")
    return legal


def _deployment_places(position: FightersState, kind: str) -> int:
    """The places to which the team on the move may deploy a ship of that kind, occupied ones
    included; none without such a ship in reserve."""
    team, home = position.teams[position.seat], position.home(position.seat)
    ports = 0
    if kind == "f" and team.spare_fighters:
        for place in bits(team.controls):
            ports |= ADJACENT[place]
        if not position.foes() & BIT[home]:
            ports |= ADJACENT[home]
        ports &= TILES
    if kind == "c" and team.spare_controls:
        for place in bits(team.controls & STATION_MASK):
            ports |= ADJACENT[place]
        ports = ports & TILES | BIT[home]
    return ports


def find_purchase_fault(position: FightersState, kind: str) -> str:
    """Why the team on the move cannot buy a ship of that kind; "" if it can."""
    team = position.teams[position.seat]
    if position.bought:
        return "one ship a turn at most, and you have bought one this turn"
    if team.owned(kind) >= MOST[kind]:
        return f"supply: a team owns at most {MOST[kind]} {SHIP[kind]}s, reserve included"
    if team.resources < PRICE[kind]:
        return f"supply: a {SHIP[kind]} costs {PRICE[kind]}, you have {team.resources}"
    return ""
