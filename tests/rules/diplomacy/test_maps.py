"""Maps: those that come with the game, and a sentence for each fault of a map file."""

from __future__ import annotations

from math import dist

import pytest

from pbm.rules.diplomacy.board import GameMap, Season, Spot, Unit, province_of
from pbm.rules.diplomacy.maps import NAMES, MapError, find_map, read_map
from pbm.rules.diplomacy.phases import set_up

SMALL = """
title    Strait
first    Spring 1901
victory  2

power    Red
home     AAA
units    A AAA
power    Blue Bluish
home     BBB
units    F BBB/NC

centres  AAA BBB CCC
neutral  CCC

sea      SEE The Sea
fleet    AAA BBB/NC BBB/SC CCC
coast    AAA Aland
army     BBB
fleet    SEE
coast    BBB Beeland
army     AAA CCC
fleet/NC SEE
fleet/SC SEE CCC
coast    CCC Ceeland
army     BBB
fleet    SEE BBB/SC
"""


DRAWN = ("standard", "colonial", "modern", "ancmed")
"""The maps with areas of their own; the others are like the first."""
APART = {
    "colonial": {("ANG", "CON"), ("CEB", "LOW"), ("KYO", "KYU")},
    "ancmed": {("ALE", "SIN"), ("AUS", "LIB"), ("MAU", "SAG"), ("NEA", "SIC")},
}
"""Neighbours across a strait, or at a point where four meet: their areas cannot touch."""
SHORTEST, LONGEST = 0.13, 0.12
"""The shortest border of neighbours, and the longest of others, which meet at a corner."""


def no_file(name: str) -> str:
    raise MapError(f"There is no map {name}.")


@pytest.mark.parametrize("name", NAMES)
def test_the_maps_are_whole(name: str) -> None:
    found = find_map(name)
    sizes = {"ancmed": (79, 34, 18), "colonial": (119, 58, 30), "modern": (141, 64, 33)}
    sizes["western"] = (75, 34, 11)
    size = len(found.provinces), len(found.centres), found.victory
    assert size == sizes.get(name, (75, 34, 18))
    assert {*found.provinces} <= {*found.spots}


def test_fleet_rome_differs_in_one_unit() -> None:
    standard, other = find_map("standard"), find_map("fleetrome")
    units = [{unit for power in each.powers for unit in power.units} for each in (standard, other)]
    assert units[0] ^ units[1] == {Unit("Italy", "A", "ROM"), Unit("Italy", "F", "ROM")}
    assert other.power("Italy").homes == standard.power("Italy").homes


def test_chaos_has_a_power_for_each_centre() -> None:
    chaos = find_map("chaos")
    assert [home for power in chaos.powers for home in power.homes] == sorted(chaos.centres)
    assert (chaos.season, chaos.year, chaos.anywhere) == (Season.WINTER, 1900, True)


def test_a_small_map() -> None:
    found = read_map(SMALL, "strait", no_file)
    assert found.power("Blue").adjective == "Bluish"
    assert found.power("Red").adjective == "Red"
    assert found.list_places("BBB") == ("BBB/NC", "BBB/SC")
    assert found.list_near(Unit("Red", "F", "SEE")) == {"AAA", "BBB", "CCC"}
    assert found.list_seas_beside("BBB") == {"SEE"}


def test_a_name_that_is_no_map() -> None:
    with pytest.raises(MapError, match="There is no map atlantis; there are standard, fleetrome"):
        find_map("atlantis")


FAULTS = [
    ("title    Strait\n", "", "The map has no title."),
    ("first    Spring 1901\n", "", "The map does not say when it begins: first Spring 1901."),
    ("victory  2", "victory  4", "Nobody can win with 4 of 3 centres."),
    ("victory  2", "victory  two", "Line 4 cannot be read: 'victory  two'"),
    ("fleet    SEE BBB/SC", "fleet    SEE", "BBB/SC has CCC as a neighbour for a fleet, but CCC "
     "does not have BBB/SC."),
    ("army     BBB\nfleet    SEE\n", "army     BBB CCC\nfleet    SEE\n",
     "AAA has CCC as a neighbour for an army, but CCC does not have AAA."),
    ("army     AAA CCC", "army     AAA CCC DDD",
     "BBB has a neighbour DDD, which is not on the map."),
    ("army     AAA CCC", "army     AAA CCC SEE",
     "BBB has a neighbour SEE, where no army can stand."),
    ("army     AAA CCC", "army     AAA BBB CCC", "BBB is its own neighbour."),
    ("neutral  CCC", "", "CCC is a centre without a home: no power's, and not neutral."),
    ("neutral  CCC", "neutral  CCC AAA", "AAA is neutral, and a home of Red."),
    ("neutral  CCC", "neutral  CCC SEE", "SEE is neutral, but no centre."),
    ("home     AAA", "home     AAA SEE", "SEE is a home of Red, but no centre."),
    ("home     AAA", "home     AAA BBB", "BBB is a home of both Red and Blue."),
    ("home     AAA\n", "", "Red has no home."),
    ("centres  AAA BBB CCC", "centres  AAA BBB CCC DDD", "DDD is a centre, but not on the map."),
    ("centres  AAA BBB CCC", "centres  AAA BBB CCC SEE", "SEE is a centre at sea."),
    ("units    A AAA", "units    A DDD", "Red has A DDD, but DDD is not on the map."),
    ("units    A AAA", "units    A SEE", "Red has A SEE, where no army can stand."),
    ("units    A AAA", "units    F BBB", "Red has F BBB, where no fleet can stand."),
    ("units    A AAA", "units    A BBB", "Blue has F BBB/NC, but Red has a unit there."),
    ("units    A AAA", "units    AAA", "Red has a unit that cannot be read: AAA"),
    ("sea      SEE", "land     SEE", "SEE is inland, where no fleet can stand."),
    ("coast    AAA", "sea      AAA", "AAA is a sea, where no army can stand."),
    ("army     BBB\nfleet    SEE\n", "fleet    SEE\n", "AAA has no line for armies."),
    ("army     BBB\nfleet    SEE\n", "army     BBB\n", "AAA has no line for fleets."),
    ("fleet/NC SEE\n", "fleet/NC SEE\nfleet    SEE\n",
     "BBB has coasts and a line for fleets without a coast."),
    ("coast    CCC", "land     DDD Dryland\narmy\ncoast    CCC",
     "DDD cannot be reached from SEE."),
    ("coast    CCC", "coast    AAA Again\narmy\nfleet\ncoast    CCC", "AAA is there twice."),
    ("fleet    AAA BBB/NC BBB/SC CCC\n", "fleet    AAA BBB/NC BBB/SC CCC\nconvoys\n",
     "SEE is no coast; only for one does the map say that fleets convoy there."),
    ("title    Strait", "like     atlantis", "There is no map atlantis."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), FAULTS, ids=[each[2] for each in FAULTS])
def test_a_fault_gets_its_sentence(old: str, new: str, sentence: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(MapError) as raised:
        read_map(SMALL.replace(old, new), "strait", no_file)
    assert sentence in raised.value.faults


def test_fleets_convoy_on_a_coast_where_the_map_says_so() -> None:
    text = SMALL.replace("fleet/SC SEE CCC\n", "fleet/SC SEE CCC\nconvoys\n")
    found = read_map(text, "strait", no_file)
    assert found.provinces["BBB"].convoys
    assert found.list_seas_beside("CCC") == {"SEE", "BBB"}


def test_two_powers_have_their_own_centres_alone() -> None:
    state = set_up(find_map("franceaustria"))
    assert [power.name for power in state.game_map.powers] == ["Austria", "France"]
    assert {*state.owners} == {"BUD", "TRI", "VIE", "BRE", "MAR", "PAR"}


def measure_borders(found: GameMap) -> dict[tuple[str, str], float]:
    """How long the border of each two areas is that have one."""
    owners = dict[frozenset[Spot], list[str]]()
    for code, area in found.areas.items():
        for side in zip(area, (*area[1:], area[0]), strict=True):
            owners.setdefault(frozenset(side), []).append(code)
    borders = dict[tuple[str, str], float]()
    for ends, codes in owners.items():
        assert len(codes) <= 2, (ends, codes)
        if len(codes) == 2:
            one, other = sorted(codes)
            borders[one, other] = borders.get((one, other), 0.0) + dist(*ends)
    return borders


@pytest.mark.parametrize("name", DRAWN)
def test_areas_touch_where_provinces_are_neighbours(name: str) -> None:
    found = find_map(name)
    borders = measure_borders(found)
    near = {
        (min(pair), max(pair))
        for table in (found.armies, found.fleets)
        for place, others in table.items()
        for other in others
        for pair in ((province_of(place), province_of(other)),)
    }
    apart = {pair for pair in near if borders.get(pair, 0.0) < SHORTEST}
    assert apart == APART.get(name, set())
    assert not {pair for pair, length in borders.items() if pair not in near and length > LONGEST}


@pytest.mark.parametrize("name", DRAWN)
def test_units_stand_within_their_areas(name: str) -> None:
    found = find_map(name)
    assert {*found.stands} == {*found.names} == {*found.areas} == {*found.provinces}
    assert {code for code, spot in found.stands.items() if not is_in(spot, found.areas[code])} == (
        set()
    )


def is_in(spot: Spot, area: tuple[Spot, ...]) -> bool:
    """Whether a point lies in an area: a line from it to the right crosses its outline once, or
    three times ..."""
    (x, y), crossed = spot, False
    for (a, b), (c, d) in zip(area, (*area[1:], area[0]), strict=True):
        if (b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a):
            crossed = not crossed
    return crossed


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("area AAA 1 1, 3 1, 2 3", "BBB has no outline, and others have: area BBB 3 4, 4 4, 4 5"),
        ("area AAA 1 1, 3 1", "The outline of AAA has fewer than 3 points."),
        ("area ZZZ 1 1, 3 1, 2 3", "ZZZ has an outline, but is not on the map."),
        ("area AAA 1 1, 3, 2 3", "cannot be read: 'area AAA 1 1, 3, 2 3'"),
        ("name ZZZ 1 1", "ZZZ has a name or unit in the picture, but is not on the map."),
        ("impassable 1 1\nmore 2 2", "The outline of impassable land has fewer than 3 points."),
        ("power Red\ncountry CCC", "CCC is a centre, and so in no list of the rest of a country."),
    ],
)
def test_faults_of_areas(lines: str, fault: str) -> None:
    with pytest.raises(MapError) as refused:
        read_map(f"{SMALL}\n{lines}\n", "strait", no_file)
    assert fault in str(refused.value)
