"""The orders of a team of Space Fighters: where its ships may go and what it may buy, how orders
are typed, and why one is refused.

Rules: docs/rules/spacefighters.md, "Turn" and "Notation"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

from pbm.games.spacefighters.battle import (
    ADJACENT,
    BIT,
    CONTROLS,
    DEPLOY,
    GRID,
    MOST,
    NAMES,
    NUMBER,
    PLAN,
    PRICE,
    SETUP,
    STATION_MASK,
    STATIONS,
    TILES,
    FightersState,
    names_of,
)
from pbm.rules import IllegalMove, InvalidMove, MoveError
from pbm.rules.boards.floor_plans import bits
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import SEPARATORS, left_of, listing, quoted


@cache
def _within(source: int, steps: int) -> int:
    """Return the places at most that many steps away on an empty board."""
    return PLAN.reach(source, steps, PLAN.places)


@lru_cache(maxsize=2048)
def _fighter_orders(source: int, die: int, foes: int, own: int) -> tuple[str, ...]:
    """Return the orders of a fighter; `foes` and `own` are the ships on tiles within reach of the
    die."""
    reached = PLAN.reach(source, die, TILES & ~foes) & TILES & ~own
    here = NAMES[source]
    return tuple(
        [f"{here}-{there}" for there in names_of(reached & ~foes)]
        + [f"{here}x{there}" for there in names_of(reached & foes)]
    )


@lru_cache(maxsize=2048)
def _control_orders(source: int, steps: int, blockers: int, ships: int) -> tuple[str, ...]:
    """Return the orders of a control ship; `ships` are those within its reach, `blockers` those of
    them over which it does not pass."""
    reached = PLAN.reach(source, steps, PLAN.places & ~blockers) & ~ships
    return tuple([f"{NAMES[source]}-{there}" for there in names_of(reached)])


@cache
def setups(home: int) -> tuple[str, ...]:
    """Return the set-ups beside a station: two tiles for fighters by row and column, then the tile
    of the control ship."""
    tiles = names_of(ADJACENT[home])
    return tuple(
        f"setup {one} {two} {control}"
        for one, two in combinations(tiles, 2)
        for control in tiles
        if control not in (one, two)
    )


def orders(position: FightersState) -> list[str]:
    """Return the legal orders of the team on the move, in the order of the turn."""
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
        near = _within(source, steps)
        legal += _control_orders(source, steps, position.blockers() & near, ships & near)
    legal += [f"buy {kind}" for kind in "fc" if not find_purchase_fault(position, kind)]
    legal.append("end")
    return legal


def _deployment_places(position: FightersState, kind: str) -> int:
    """Return the places to which the team on the move may deploy a ship of that kind, occupied ones
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
    """Return why the team on the move cannot buy a ship of that kind; "" if it can."""
    team = position.teams[position.seat]
    if position.bought:
        return phrase("one ship a turn at most, and you have bought one this turn")
    if team.owned(kind) >= MOST[kind]:
        if kind == "f":
            return phrase(
                "supply: a team owns at most {most} fighters, reserve included", most=MOST[kind]
            )
        return phrase(
            "supply: a team owns at most {most} control ships, reserve included", most=MOST[kind]
        )
    if team.resources < PRICE[kind]:
        cost = {"price": PRICE[kind], "resources": team.resources}
        if kind == "f":
            return phrase("supply: a fighter costs {price}, you have {resources}", **cost)
        return phrase("supply: a control ship costs {price}, you have {resources}", **cost)
    return ""


FORM = phrase("a set-up is 'setup FIGHTER FIGHTER CONTROLSHIP' with a tile for each")
_SETUP = re.compile(
    r"(set-?\s?up[\s:]+)?([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})(?![a-z0-9])"
)
_BUY = re.compile(r"buy\s+(?:a\s+)?([fc])(?:ighter|ontrol(?:\s+ship)?)?")
_DEPLOY = re.compile(r"deploy\s+([fc])(?:ighter|ontrol(?:\s+ship)?)?\s+(?:to\s+)?([a-z]+\d*)")
_GO = re.compile(r"([a-wyz]+\d*)\s*([-x])\s*([a-z]+\d*)")


def _place(word: str) -> int:
    """Return the place with that name; InvalidMove if there is none."""
    place = PLAN.place(word)
    if place is not None:
        return place
    if GRID.looks_like_cell(word):
        raise InvalidMove(
            phrase("{word} is off the board: columns are a to m, rows 1 to 13", word=quoted(word))
        )
    raise InvalidMove(
        phrase(
            "{word} is neither a tile nor a station (red, blue, green, yellow, star)",
            word=quoted(word),
        )
    )


def read(position: FightersState, text: str, seat: int) -> tuple[str, str]:
    """Return the first order of a list, and the rest. Accepts any case and blanks, long names of
    ships, cells of stations, and `-` for `x` if the target holds an enemy."""
    if len(text) > 2000:
        raise InvalidMove(phrase("that is more text than the orders of a turn"))
    text = left_of(text, 0).lower()
    if (match := _SETUP.match(text)) and (match[1] or position.phase == SETUP):
        *fighters, control = (_place(word) for word in match.groups()[1:])
        names = [NAMES[place] for place in (*sorted(fighters), control)]
        return f"setup {' '.join(names)}", left_of(text, match.end())
    first = re.split("[,;]", text, maxsplit=1)[0]
    if not first:
        raise InvalidMove(phrase("an order is missing; 'end' ends the turn"))
    words = re.findall(r"\S+", first)
    for count in range(len(words), 0, -1):  # a comma may be missing
        start = re.match(r"\s*\S+" * count, first)
        if start is not None and (order := _find_order(position, start[0], seat)):
            return order, left_of(text, start.end())
    return _order(position, first.strip(SEPARATORS), seat), left_of(text, len(first))


def _find_order(position: FightersState, text: str, seat: int) -> str:
    """Return an order in canonical notation; "" when the text is none."""
    try:
        return _order(position, text.strip(SEPARATORS), seat)
    except InvalidMove:
        return ""


def _order(position: FightersState, text: str, seat: int) -> str:
    if text in ("end", "end turn", "done"):
        return "end"
    if match := _BUY.fullmatch(text):
        return f"buy {match[1]}"
    if match := _DEPLOY.fullmatch(text):
        return f"deploy {match[1]} {NAMES[_place(match[2])]}"
    if text.startswith("deploy"):
        raise InvalidMove(
            phrase(
                "{text}: write 'deploy f c1' for a fighter, 'deploy c c1' for a control ship",
                text=quoted(text),
            )
        )
    if match := _GO.fullmatch(text):
        source, target = _place(match[1]), _place(match[3])
        fights = match[2] == "x" or (
            position.holder_of(source) == seat
            and position.kind_on(source) == "f"
            and position.holder_of(target) not in (None, seat)
        )
        return f"{NAMES[source]}{'x' if fights else '-'}{NAMES[target]}"
    if text.startswith("set"):
        raise InvalidMove(
            phrase("{text}: {form}, as 'setup c1 a3 c3'", text=quoted(text), form=FORM)
        )
    raise InvalidMove(
        phrase(
            "{text} is no order; orders look like 'deploy f c1', 'c3-c6', 'c3xd5', 'buy f' "
            "and 'end'",
            text=quoted(text),
        )
    )


def build_refusal(position: FightersState, move: str) -> MoveError:
    """Return the refusal of an order that is not legal."""
    try:
        order, rest = position.parse(move, position.seat)
    except MoveError as error:
        return error
    if rest or order in position.legal_moves(position.seat):
        return InvalidMove(
            phrase(
                "{move} is not one order as it is stored; write '{order}'",
                move=quoted(move),
                order=order,
            )
        )
    reason = _find_fault(position, order)
    return IllegalMove(
        reason
        if reason.startswith(order)
        else combine("{order}: {reason}", order=order, reason=reason)
    )


def _find_fault(position: FightersState, order: str) -> str:
    """Return why an order in canonical notation is illegal."""
    word, _, rest = order.partition(" ")
    if position.phase == SETUP:
        return _find_setup_fault(position, rest.split() if word == "setup" else [])
    if word == "setup":
        return phrase("wrong phase: the set-up is over")
    if word == "buy":
        return find_purchase_fault(position, rest)
    if word == "deploy":
        return _find_deployment_fault(position, rest[0], NUMBER[rest[2:]])
    here, there = re.split("[-x]", order)
    source, target = NUMBER[here], NUMBER[there]
    holder = position.holder_of(source)
    if holder is None:
        return phrase("no ship is on {here}", here=here)
    if holder != position.seat:
        return phrase(
            "not yours: {here} holds {holding}", here=here, holding=position.holding(source)
        )
    if source == target:
        return phrase("a ship that moves leaves its place")
    if position.kind_on(source) == "c":
        return _find_control_fault(position, order, source, target)
    if position.phase == CONTROLS:
        return phrase("wrong phase: fighters act before the first control ship order of a turn")
    if position.spent & BIT[source]:
        return phrase("the fighter on {here} has fought and does nothing more this turn", here=here)
    return _find_fighter_fault(position, order, source, target)


def _find_setup_fault(position: FightersState, names: Sequence[str]) -> str:
    """Return why those tiles are not a legal set-up."""
    tiles = names_of(ADJACENT[position.home(position.seat)])
    beside = phrase("the tiles beside your station are {tiles}", tiles=listing(tiles))
    if not names:
        return phrase("wrong phase: first set up; {form}; {beside}", form=FORM, beside=beside)
    for name in names:
        if name not in tiles:
            return phrase("{name} is not beside your station; {beside}", name=name, beside=beside)
    return phrase("a set-up names three different tiles; {beside}", beside=beside)


def _find_deployment_fault(position: FightersState, kind: str, target: int) -> str:
    """Return why a ship of that kind cannot be deployed there."""
    home, there = position.home(position.seat), NAMES[target]
    if position.phase != DEPLOY:
        return phrase(
            "wrong phase: ships are deployed before the first fighter or control ship order"
        )
    team = position.teams[position.seat]
    if not (team.spare_fighters if kind == "f" else team.spare_controls):
        if kind == "f":
            return phrase("supply: no fighter is in your reserve")
        return phrase("supply: no control ship is in your reserve")
    if target in STATIONS and kind == "f":
        return phrase("fighters never enter a coloured station or the star")
    if target in STATIONS and target != home:
        return phrase(
            "a control ship is deployed to a tile or into your own station, {name}",
            name=NAMES[home],
        )
    if position.holder_of(target) is not None:
        return phrase(
            "occupied: {there} holds {holding}", there=there, holding=position.holding(target)
        )
    if kind == "c":
        return phrase("{there} is not adjacent to a station that you own", there=there)
    return phrase("{there} is not adjacent to one of your control ships or stations", there=there)


def _find_fighter_fault(position: FightersState, order: str, source: int, target: int) -> str:
    """Return why a fighter that may act cannot go there, or fight there."""
    here, there = NAMES[source], NAMES[target]
    holder, fights = position.holder_of(target), "x" in order
    if fights and holder in (None, position.seat):
        if holder is None:
            return phrase("only enemies are fought, and {there} holds no ship", there=there)
        what = position.holding(target)
        return phrase("only enemies are fought, and {there} holds {what}", there=there, what=what)
    if target in STATIONS and fights:
        tiles = listing(names_of(ADJACENT[target] & TILES))
        return phrase(
            "out of reach: {there} is attacked from an adjacent tile ({tiles})",
            there=there,
            tiles=tiles,
        )
    if position.moved & BIT[source]:
        return phrase(
            "the fighter on {here} has moved and may only attack a station beside it", here=here
        )
    if target in STATIONS:
        return phrase("fighters never enter a coloured station or the star")
    if holder == position.seat:
        return phrase(
            "occupied: {there} holds {holding}", there=there, holding=position.holding(target)
        )
    far = _explain_distance(order, source, target, position.dice[0], TILES, position.foes())
    return phrase("{far}, the fighter die shows {dice}", far=far, dice=position.dice[0])


def _find_control_fault(position: FightersState, order: str, source: int, target: int) -> str:
    """Return why a control ship cannot go there."""
    if "x" in order:
        return phrase("control ships do not fight, and {name} holds one", name=NAMES[source])
    if position.spent & BIT[source]:
        return phrase("the control ship on {name} has moved this turn", name=NAMES[source])
    if position.holder_of(target) is not None:
        return phrase(
            "occupied: {name} holds {holding}", name=NAMES[target], holding=position.holding(target)
        )
    steps = position.control_steps
    far = _explain_distance(order, source, target, steps, PLAN.places, position.blockers())
    return phrase("{far}, the control die allows {steps}", far=far, steps=steps)


def _explain_distance(order: str, source: int, target: int, die: int, free: int, ships: int) -> str:
    """Return the number of steps that an order takes, and the reasons for a detour."""
    way = PLAN.distance(source, target, free & ~ships)
    if way is None:
        return phrase(
            "{order}: out of reach, every way is closed by ships, walls and stations", order=order
        )
    if (PLAN.distance(source, target, free) or 0) <= die:
        return phrase("{order} is {way} steps round the ships on the way", order=order, way=way)
    if max(source, target) < len(GRID):
        (row, column), (to_row, to_column) = divmod(source, 13), divmod(target, 13)
        if abs(row - to_row) + abs(column - to_column) <= die:
            return phrase("{order} is {way} steps round walls and stations", order=order, way=way)
    return phrase("{order} is {way} steps", order=order, way=way)
