"""The board of Diplomacy: provinces with their coasts and neighbours, the powers, their units.

A *province* is named by its abbreviation (`PAR`, `MAO`, `STP`); a *place* is where a unit stands: a
province, with the coast for a fleet in a province that has two (`STP/NC`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from pbm.rules.phrases import phrase

ARMY, FLEET = "A", "F"
KIND_NAMES = {ARMY: "army", FLEET: "fleet"}
Spot = tuple[float, float]
"""A point of a map, x to the right and y downwards."""


class Terrain(Enum):
    """The three sorts of provinces; the values are their words in a map file."""

    LAND = "land"
    SEA = "sea"
    COAST = "coast"


class Season(Enum):
    """The three parts of a year; the values are their words in a map file."""

    SPRING = str(phrase("Spring"))
    FALL = str(phrase("Fall"))
    WINTER = str(phrase("Winter"))


@dataclass(frozen=True, slots=True)
class Province:
    """One province of a map.

    coasts   the names of its coasts, where it has more than one: NC, SC
    centre   whether it is a supply centre
    convoys  whether a fleet there may convoy: on every sea, on a coast where the map says so
    also     other names and abbreviations that people write
    """

    code: str
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    centre: bool = False
    convoys: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """An army or fleet, whose it is and where it stands."""

    power: str
    kind: str
    place: str

    @property
    def province(self) -> str:
        """The province it stands in, whatever the coast."""
        return province_of(self.place)

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


@dataclass(frozen=True, slots=True)
class Power:
    """A power, its home centres, the units it begins with, and the other provinces of its country.
    In other languages its name stands for the adjective, which would have to agree."""

    name: str
    adjective: str
    homes: tuple[str, ...]
    units: tuple[Unit, ...] = ()
    country: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GameMap:
    """A map, whole and without contradiction: `maps.read_map` has seen to that.

    armies   for each province that an army can stand in the provinces it can march to
    fleets   for each place that a fleet can stand in the places it can sail to
    victory  the centres with which a power wins
    anywhere whether a power builds in every centre it holds, not only at home
    spots    where each place is drawn, x to the right and y downwards
    stands   where a unit is drawn, on a map that says so: else where its place is
    names    where the abbreviation of each province is written, on a map that says so
    areas    the outline of each province, on a map that has them
    impassable  the outlines of land that nobody enters
    """

    name: str
    title: str
    provinces: Mapping[str, Province]
    powers: tuple[Power, ...]
    armies: Mapping[str, frozenset[str]]
    fleets: Mapping[str, frozenset[str]]
    season: Season
    year: int
    victory: int
    anywhere: bool = False
    spots: Mapping[str, Spot] = field(default_factory=dict)
    stands: Mapping[str, Spot] = field(default_factory=dict)
    names: Mapping[str, Spot] = field(default_factory=dict)
    areas: Mapping[str, tuple[Spot, ...]] = field(default_factory=dict)
    impassable: tuple[tuple[Spot, ...], ...] = ()
    _provinces_by_sea: Mapping[str, frozenset[str]] = field(init=False, repr=False)
    _beside: Mapping[str, frozenset[str]] = field(init=False, repr=False)
    """The seas, or provinces whose fleets may convoy, beside each province."""

    def __post_init__(self) -> None:
        by_sea = {place: provinces_of(to) for place, to in self.fleets.items()}
        beside = {
            code: provinces_of(
                to
                for place in self.list_places(code)
                for to in self.fleets.get(place, ())
                if self.provinces[province_of(to)].convoys
            )
            for code in self.provinces
        }
        object.__setattr__(self, "_provinces_by_sea", by_sea)
        object.__setattr__(self, "_beside", beside)

    @property
    def centres(self) -> tuple[str, ...]:
        """The supply centres."""
        return tuple(code for code, each in self.provinces.items() if each.centre)

    def power(self, name: str) -> Power:
        """Return the power of that name."""
        return next(each for each in self.powers if each.name == name)

    def list_places(self, code: str) -> tuple[str, ...]:
        """Return the places of a province for a fleet: one for each of its coasts."""
        coasts = self.provinces[code].coasts
        return tuple(f"{code}/{coast}" for coast in coasts) or (code,)

    def list_steps(self, unit: Unit) -> frozenset[str]:
        """Return the places that a unit reaches in one step, without a convoy."""
        table = self.armies if unit.kind == ARMY else self.fleets
        return table.get(unit.place, frozenset())

    def list_near(self, unit: Unit) -> frozenset[str]:
        """Return the provinces that a unit reaches in one step, whatever the coast."""
        if unit.kind == ARMY:
            return self.armies.get(unit.place, frozenset())
        return self._provinces_by_sea.get(unit.place, frozenset())

    def list_seas_beside(self, code: str) -> frozenset[str]:
        """Return the provinces beside this one in which a fleet may convoy."""
        return self._beside[code]

    def describe(self, place: str) -> str:
        """Return the place with the province's name: PAR (Paris)."""
        return f"{place} ({self.provinces[province_of(place)].name})"


def province_of(place: str) -> str:
    """Return the province of a place."""
    return place.partition("/")[0]


def provinces_of(places: Iterable[str]) -> frozenset[str]:
    """Return the provinces of several places."""
    return frozenset(map(province_of, places))
