"""What a master sets: the units or the centres of a power, as a move that no player can make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.rules import InvalidMove
from pbm.rules.diplomacy.board import ARMY, FLEET, GameMap, Unit, province_of
from pbm.rules.diplomacy.phases import PhaseState, Stage
from pbm.rules.diplomacy.province_names import find_names, split_name
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing, quoted

SET = "set "
"""The beginning of such a move."""
_KINDS = {"a": ARMY, "army": ARMY, "f": FLEET, "fleet": FLEET}
_COAST = re.compile(r"[(/\s]\s*([nsew])\.?\s*c(?:oast)?\.?\s*\)?\s*$")


def read_setting(text: str, state: PhaseState, power: str) -> str:
    """Return the move that sets the units of a power (`A PAR, F BRE`, or `no units`) or its centres
    (`centres PAR BRE`, or `no centres`). Refuses what cannot stand on the map, and a phase of
    retreats."""
    if state.stage is Stage.RETREATS:
        raise InvalidMove(phrase("a position is set when the retreats are over"))
    words = text.replace(",", " ").split()
    lowered = [word.lower() for word in words]
    if lowered in (["no", "units"], ["no", "centres"]):
        return f"{SET}{lowered[1]}"
    if lowered[:1] in (["centres"], ["centers"]):
        codes = [_find_province(part, state.game_map) for part in words[1:]]
        wrong = [code for code in codes if not state.game_map.provinces[code].centre]
        if wrong or not codes:
            raise InvalidMove(
                phrase("{wrong} is no supply centre", wrong=listing(wrong))
                if wrong
                else phrase("name centres")
            )
        return f"{SET}centres {' '.join(sorted(codes))}".lower()
    units = [_read_unit(part, state.game_map, power) for part in _split_units(words)]
    taken = {unit.province: unit.power for unit in state.units if unit.power != power}
    for unit in units:
        if unit.province in taken:
            raise InvalidMove(
                phrase(
                    "{taken} has a unit in {province}",
                    taken=taken[unit.province],
                    province=unit.province,
                )
            )
        taken[unit.province] = power
    if not units:
        raise InvalidMove(
            phrase("name the units, such as A PAR, F BRE, or the centres: centres PAR BRE")
        )
    return f"{SET}units {', '.join(map(str, sorted(units)))}".lower()


def apply_setting(state: PhaseState, power: str, move: str) -> PhaseState:
    """Return the state with what `read_setting` read."""
    kind, _, rest = move.removeprefix(SET).partition(" ")
    if kind == "centres":
        others = {code: owner for code, owner in state.owners.items() if owner != power}
        owners = {**others, **dict.fromkeys(rest.upper().split(), power)}
        return replace(state, owners=dict(sorted(owners.items())))
    units = [Unit(power, *each.upper().split()) for each in rest.split(", ") if each]
    others_units = [unit for unit in state.units if unit.power != power]
    return replace(state, units=tuple(sorted([*others_units, *units])))


def describe_setting(move: str) -> str:
    """Return a setting for everybody to read: `units A PAR, F BRE`."""
    kind, _, rest = move.removeprefix(SET).partition(" ")
    if kind == "centres":
        return phrase("centres {codes}", codes=rest.upper()) if rest else phrase("no centres")
    return phrase("units {units}", units=rest.upper()) if rest else phrase("no units")


def tell_setting(power: str, move: str) -> str:
    """Return a setting as news: the units of France are A PAR, F BRE now."""
    kind, _, rest = move.removeprefix(SET).partition(" ")
    if kind == "centres" and rest:
        return phrase("the centres of {power} are {codes} now", power=power, codes=rest.upper())
    if kind == "centres":
        return phrase("the centres of {power} are none now", power=power)
    if rest:
        return phrase("the units of {power} are {units} now", power=power, units=rest.upper())
    return phrase("the units of {power} are none now", power=power)


def _split_units(words: Sequence[str]) -> Iterator[str]:
    """Yield the parts that begin with the name of a kind of unit."""
    part = list[str]()
    for word in words:
        if word.lower() in _KINDS and part:
            yield " ".join(part)
            part = []
        part.append(word)
    if part:
        yield " ".join(part)


def _find_province(text: str, game_map: GameMap) -> str:
    found = [*find_names(game_map).find(split_name(text))]
    if len(found) != 1:
        raise InvalidMove(
            phrase("{text} may be {found}", text=quoted(text), found=listing(found, "or"))
            if found
            else phrase("there is no province {text} on this map", text=quoted(text))
        )
    return found[0]


def _read_unit(text: str, game_map: GameMap, power: str) -> Unit:
    """Read `A PAR`, `F STP/SC` or `fleet Spain (nc)`."""
    word, _, rest = text.partition(" ")
    kind = _KINDS.get(word.lower())
    if kind is None or not rest.strip():
        raise InvalidMove(
            phrase("{text} is no unit: one looks like this: A PAR, or F STP/SC", text=quoted(text))
        )
    coast = _COAST.search(rest.lower())
    code = _find_province(rest[: coast.start()] if coast else rest, game_map)
    place = f"{code}/{coast[1].upper()}C" if coast and kind == FLEET else code
    if place not in (game_map.armies if kind == ARMY else game_map.fleets):
        places = [each for each in game_map.list_places(code) if each in game_map.fleets]
        if kind == ARMY:
            raise InvalidMove(phrase("no army can stand in {place}", place=place))
        if not places:
            raise InvalidMove(phrase("no fleet can stand in {place}", place=place))
        raise InvalidMove(
            phrase(
                "no fleet can stand in {place}: name a coast, {coasts}",
                place=place,
                coasts=listing(places, "or"),
            )
        )
    return Unit(power, kind, place if province_of(place) in game_map.provinces else code)
