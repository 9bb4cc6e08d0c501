"""The maps that come with the game, a text file each, and the reader of such files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pkgutil import get_data

from pbm.rules.diplomacy.board import (
    ARMY,
    FLEET,
    GameMap,
    Power,
    Province,
    Season,
    Spot,
    Terrain,
    Unit,
    province_of,
)
from pbm.rules.phrases import EnglishWord, Phrase, combine
from pbm.rules.typed import quoted

NAMES = (
    "standard",
    "fleetrome",
    "chaos",
    "colonial",
    "modern",
    "ancmed",
    "western",
    "franceaustria",
)


@cache
def find_map(name: str) -> GameMap:
    """Return the map of that name, one of `NAMES`."""
    return read_map(find_file(name), name, find_file)


def find_file(name: str) -> str:
    """Return the file of that map, with which another may begin (`like standard`)."""
    data = get_data(__name__, f"{name}.txt") if name in NAMES else None
    if data is None:
        raise MapError(f"There is no map {name}; there are {', '.join(NAMES)}.")
    return data.decode()


# Reads a map from text and says everything that is wrong with it.
#
# A line is a keyword and its words; "#" begins a comment. After `power NAME ADJECTIVE` come `home`
# and `units`; after `land`, `sea` or `coast`, with abbreviation and name of a province, come
# `army`, `fleet` or `fleet/NC` for each coast with the neighbours, `convoys` where fleets on a
# coast may convoy, and `also` with what else people call it, separated by commas. `country` after a
# power names the provinces of its country that are no centres. `at PAR 2.7 6.9` says where a place
# is drawn; on a map of areas `area PAR 2.1 6.5, 2.9 6.5, 2.6 7.2` is the outline of a province and
# `impassable` with such points that of land that nobody enters, `more` goes on with an outline, and
# `unit PAR 2.7 6.8` and `name PAR 2.7 7.2` say where the unit and the abbreviation are. `like NAME`
# begins with another map: a power that is there already gets the new lines alone, and `alone`
# leaves all its powers out.

_CODE = re.compile(r"[A-Z][A-Z0-9]{1,4}")
_UNIT = re.compile(r"([AF]) ([A-Z0-9]+(?:/[A-Z]{2})?)")
_COUNT = re.compile(r"\d{1,4}")
_FIRST = re.compile(r"(Spring|Fall|Winter) (\d{1,4})")
_SPOT = re.compile(
    r"([A-Z0-9]+(?:/[A-Z]{2})?) +(-?\d{1,3}(?:\.\d{1,3})?) +(-?\d{1,3}(?:\.\d{1,3})?)"
)
_POINT = re.compile(r"(-?\d{1,3}(?:\.\d{1,3})?) +(-?\d{1,3}(?:\.\d{1,3})?)")
_FEWEST_POINTS = 3
_LONGEST = 60
"""Characters of a title, and of a line that is quoted."""
_MOST_FAULTS = 100
_TERRAINS = {each.value: each for each in Terrain}


class MapError(ValueError):
    """A map that cannot be played on; `faults` has a sentence for each fault."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(slots=True)
class _Power:
    adjective: str
    homes: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    country: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Province:
    name: str
    terrain: Terrain
    army: list[str] | None = None
    fleets: dict[str, list[str]] = field(default_factory=dict)
    """The neighbours of each coast, those of the only one under ""."""
    convoys: bool = False
    also: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A map as it was written, and the faults found so far."""

    title: str = ""
    season: Season = Season.SPRING
    year: int = 0
    victory: int = 0
    anywhere: bool = False
    powers: dict[str, _Power] = field(default_factory=dict)
    provinces: dict[str, _Province] = field(default_factory=dict)
    centres: list[str] = field(default_factory=list)
    neutral: list[str] = field(default_factory=list)
    spots: dict[str, Spot] = field(default_factory=dict)
    stands: dict[str, Spot] = field(default_factory=dict)
    names: dict[str, Spot] = field(default_factory=dict)
    areas: dict[str, list[Spot]] = field(default_factory=dict)
    impassable: list[list[Spot]] = field(default_factory=list)
    outline: list[Spot] | None = None
    """That to which the next line may add."""
    faults: list[str] = field(default_factory=list)
    power: _Power | None = None
    province: _Province | None = None
    """Those that the next lines are about."""

    def list_places(self, code: str) -> list[str]:
        """Return the places of a province for a fleet."""
        return [f"{code}/{coast}" if coast else code for coast in self.provinces[code].fleets]


def read_map(text: str, name: str, read_file: Callable[[str], str]) -> GameMap:
    """Return the map that a text describes; `read_file` finds the text of one that it names. Raise
    a MapError that has every fault, of very many the first."""
    draft = _Draft()
    _read_lines(draft, text, read_file)
    if not draft.faults:
        draft.faults.extend(_list_faults(draft))
    if draft.faults:
        more = len(draft.faults) - _MOST_FAULTS
        others = [f"There are {more} more faults."] if more > 0 else []
        raise MapError(*draft.faults[:_MOST_FAULTS], *others)
    return _build(draft, name)


def _read_lines(draft: _Draft, text: str, read_file: Callable[[str], str]) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        keyword, _, rest = line.partition("#")[0].strip().partition(" ")
        words = rest.strip()
        if not keyword:
            continue
        if keyword == "like":
            _read_lines(draft, read_file(words), _refuse_second)
            draft.power = draft.province = None
        elif not (
            _read_general(draft, keyword, words)
            or _read_detail(draft, keyword, words)
            or _read_outline(draft, keyword, words)
        ):
            draft.faults.append(f"Line {number} cannot be read: {quoted(line.strip(), _LONGEST)}")


def _refuse_second(name: str) -> str:
    raise MapError(f"A map that others are like cannot itself be like {name}.")


def _read_general(draft: _Draft, keyword: str, words: str) -> bool:
    """Read a line about the whole map, or the first one of a power or province."""
    first = _FIRST.fullmatch(words)
    if keyword == "title" and 0 < len(words) <= _LONGEST and words.isprintable():
        draft.title = words
    elif keyword == "first" and first:
        draft.season, draft.year = Season(first[1]), int(first[2])
    elif keyword == "victory" and _COUNT.fullmatch(words):
        draft.victory = int(words)
    elif keyword == "builds" and words == "anywhere":
        draft.anywhere = True
    elif keyword == "alone" and not words:
        draft.powers.clear()
        draft.neutral.clear()
    elif keyword in ("centres", "neutral") and words:
        (draft.centres if keyword == "centres" else draft.neutral).extend(words.split())
    elif keyword in ("at", "unit", "name") and (spot := _SPOT.fullmatch(words)):
        spots = {"at": draft.spots, "unit": draft.stands, "name": draft.names}
        spots[keyword][spot[1]] = float(spot[2]), float(spot[3])
    elif keyword == "power" and words:
        name, _, adjective = words.partition(" ")
        draft.power = draft.powers.setdefault(name, _Power(adjective.strip() or name))
        draft.province = None
    elif keyword in _TERRAINS and (code := words.partition(" ")[0]) and _CODE.fullmatch(code):
        if code in draft.provinces:
            draft.faults.append(f"{code} is there twice.")
        name = words.partition(" ")[2].strip() or code
        draft.province = draft.provinces[code] = _Province(name, _TERRAINS[keyword])
        draft.power = None
    else:
        return False
    return True


def _read_detail(draft: _Draft, keyword: str, words: str) -> bool:
    """Read a line about the power or province that was named last."""
    power, province = draft.power, draft.province
    keyword, _, coast = keyword.partition("/")
    if keyword == "home" and power:
        power.homes = words.split()
    elif keyword == "country" and power:
        power.country = words.split()
    elif keyword == "units" and power:
        power.units = [each.strip() for each in words.split(",") if each.strip()]
    elif keyword == "army" and province and province.army is None:
        province.army = words.split()
    elif keyword == "fleet" and province and coast not in province.fleets:
        province.fleets[coast] = words.split()
    elif keyword == "convoys" and province and not words:
        province.convoys = True
    elif keyword == "also" and province and words:
        province.also = [each.strip() for each in words.split(",") if each.strip()]
    else:
        return False
    return True


def _read_outline(draft: _Draft, keyword: str, words: str) -> bool:
    """Read a line of an outline: of a province, of land that nobody enters, or one that goes on."""
    code, _, rest = words.partition(" ") if keyword == "area" else ("", "", words)
    points = [_POINT.fullmatch(each.strip()) for each in rest.split(",")]
    found = [(float(point[1]), float(point[2])) for point in points if point]
    if len(found) < len(points):
        return False
    if keyword == "area" and _CODE.fullmatch(code):
        draft.outline = draft.areas[code] = found
    elif keyword == "impassable":
        draft.outline = found
        draft.impassable.append(found)
    elif keyword == "more" and draft.outline is not None:
        draft.outline.extend(found)
    else:
        return False
    return True


def _list_faults(draft: _Draft) -> Iterator[str]:
    if not draft.title:
        yield "The map has no title."
    if not draft.year:
        yield "The map does not say when it begins: first Spring 1901."
    if not draft.powers:
        yield "The map has no powers."
    if not 0 < draft.victory <= len(draft.centres):
        yield f"Nobody can win with {draft.victory} of {len(draft.centres)} centres."
    for code, each in draft.provinces.items():
        yield from _list_province_faults(code, each)
    yield from _list_neighbour_faults(draft)
    yield from _list_centre_faults(draft)
    yield from _list_unit_faults(draft)
    yield from _list_spot_faults(draft)


def _list_province_faults(code: str, each: _Province) -> Iterator[str]:
    if each.terrain is Terrain.SEA and each.army is not None:
        yield f"{code} is a sea, where no army can stand."
    if each.terrain is Terrain.LAND and each.fleets:
        yield f"{code} is inland, where no fleet can stand."
    if each.terrain is not Terrain.SEA and each.army is None:
        yield f"{code} has no line for armies."
    if each.terrain is not Terrain.LAND and not each.fleets:
        yield f"{code} has no line for fleets."
    if "" in each.fleets and len(each.fleets) > 1:
        yield f"{code} has coasts and a line for fleets without a coast."
    if each.convoys and each.terrain is not Terrain.COAST:
        yield f"{code} is no coast; only for one does the map say that fleets convoy there."


def _list_neighbour_faults(draft: _Draft) -> Iterator[str]:
    armies = {code: each.army for code, each in draft.provinces.items() if each.army is not None}
    fleets = {
        f"{code}/{coast}" if coast else code: near
        for code, each in draft.provinces.items()
        for coast, near in each.fleets.items()
    }
    for kind, table in (("army", armies), ("fleet", fleets)):
        for place, near in table.items():
            for other in near:
                if province_of(other) not in draft.provinces:
                    yield f"{place} has a neighbour {other}, which is not on the map."
                elif other not in table:
                    yield f"{place} has a neighbour {other}, where no {kind} can stand."
                elif place not in table[other]:
                    yield (
                        f"{place} has {other} as a neighbour for an {kind}, but {other} does not "
                        f"have {place}."
                    ).replace("an fleet", "a fleet")
                elif province_of(other) == province_of(place):
                    yield f"{place} is its own neighbour."
    reached, waiting = set[str](), list(draft.provinces)[:1]
    while waiting:
        code = waiting.pop()
        if code in reached or code not in draft.provinces:
            continue
        reached.add(code)
        for place in (code, *draft.list_places(code)):
            near = [*armies.get(place, ()), *fleets.get(place, ())]
            waiting.extend(map(province_of, near))
    for code in draft.provinces:
        if code not in reached:
            yield f"{code} cannot be reached from {next(iter(draft.provinces))}."
    for place, near in (*armies.items(), *fleets.items()):
        if not near and "/" in place:
            yield f"{place} has no neighbours."


def _list_centre_faults(draft: _Draft) -> Iterator[str]:
    homes = [(power, code) for power, each in draft.powers.items() for code in each.homes]
    owners = dict[str, str]()
    for power, code in homes:
        if code not in draft.centres:
            yield f"{code} is a home of {power}, but no centre."
        if code in owners:
            yield f"{code} is a home of both {owners[code]} and {power}."
        owners[code] = power
    for code in draft.centres:
        if code not in draft.provinces:
            yield f"{code} is a centre, but not on the map."
        elif draft.provinces[code].terrain is Terrain.SEA:
            yield f"{code} is a centre at sea."
        if code not in owners and code not in draft.neutral:
            yield f"{code} is a centre without a home: no power's, and not neutral."
    for code in draft.neutral:
        if code not in draft.centres:
            yield f"{code} is neutral, but no centre."
        if code in owners:
            yield f"{code} is neutral, and a home of {owners[code]}."
    for power, each in draft.powers.items():
        if not each.homes:
            yield f"{power} has no home."
        for code in each.country:
            if code in draft.centres:
                yield f"{code} is a centre, and so in no list of the rest of a country."
            if code not in draft.provinces:
                yield f"{code} is of the country of {power}, but not on the map."


def _list_unit_faults(draft: _Draft) -> Iterator[str]:
    taken = dict[str, str]()
    for power, each in draft.powers.items():
        for text in each.units:
            match = _UNIT.fullmatch(text)
            if match is None:
                yield f"{power} has a unit that cannot be read: {text}"
                continue
            kind, place = match.groups()
            code = province_of(place)
            province = draft.provinces.get(code)
            if province is None:
                yield f"{power} has {text}, but {code} is not on the map."
            elif kind == ARMY and (province.army is None or place != code):
                yield f"{power} has {text}, where no army can stand."
            elif kind == FLEET and place not in draft.list_places(code):
                yield f"{power} has {text}, where no fleet can stand."
            if code in taken:
                yield f"{power} has {text}, but {taken[code]} has a unit there."
            taken[code] = power


def _list_spot_faults(draft: _Draft) -> Iterator[str]:
    """Yield the places that are drawn nowhere, on a map that is drawn at all."""
    places = {*draft.provinces, *(p for code in draft.provinces for p in draft.list_places(code))}
    for place in sorted(places - draft.spots.keys() if draft.spots else ()):
        yield f"{place} has no line that says where it is drawn: at {place} 3 4"
    for place in sorted(draft.spots.keys() - places):
        yield f"{place} is drawn, but not on the map."
    codes = draft.provinces.keys()
    for code in sorted((draft.names.keys() | draft.stands.keys()) - codes):
        yield f"{code} has a name or unit in the picture, but is not on the map."
    for code in sorted(codes - draft.areas.keys() if draft.areas else ()):
        yield f"{code} has no outline, and others have: area {code} 3 4, 4 4, 4 5"
    for code in sorted(draft.areas.keys() - codes):
        yield f"{code} has an outline, but is not on the map."
    outlines = [*draft.areas.items(), *(("impassable land", each) for each in draft.impassable)]
    for name, points in outlines:
        if len(points) < _FEWEST_POINTS:
            yield f"The outline of {name} has fewer than {_FEWEST_POINTS} points."


def _build(draft: _Draft, name: str) -> GameMap:
    provinces = {
        code: Province(
            code,
            each.name,
            each.terrain,
            coasts=tuple(coast for coast in each.fleets if coast),
            centre=code in draft.centres,
            convoys=each.convoys or each.terrain is Terrain.SEA,
            also=tuple(each.also),
        )
        for code, each in sorted(draft.provinces.items())
    }
    powers = [
        Power(
            Phrase(power),
            EnglishWord(each.adjective, combine("{name}", name=Phrase(power))),
            tuple(each.homes),
            tuple(Unit(power, *text.split()) for text in each.units),
            tuple(each.country),
        )
        for power, each in draft.powers.items()
    ]
    return GameMap(
        name=name,
        title=draft.title,
        provinces=provinces,
        powers=tuple(powers),
        armies={
            code: frozenset(each.army)
            for code, each in draft.provinces.items()
            if each.army is not None
        },
        fleets={
            f"{code}/{coast}" if coast else code: frozenset(near)
            for code, each in draft.provinces.items()
            for coast, near in each.fleets.items()
        },
        season=draft.season,
        year=draft.year,
        victory=draft.victory,
        anywhere=draft.anywhere,
        spots=draft.spots,
        stands=draft.stands,
        names=draft.names,
        areas={code: tuple(points) for code, points in draft.areas.items()},
        impassable=tuple(map(tuple, draft.impassable)),
    )
