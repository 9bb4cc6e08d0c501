"""Some hundred phases of Diplomacy; `python -m tools.oracles.diplomacy_phases` compares 5,000."""

import warnings

import pytest

from pbm.rules.diplomacy.maps import find_map
from tools.oracles.diplomacy_phases import compare

PHASES = 300


@pytest.mark.long
def test_phases_end_as_those_of_the_oracle() -> None:
    found = compare(PHASES, seed=1)
    assert found.total() - found["left out"] >= PHASES
    assert found["left out"] < PHASES / 4
    assert min(found["movement"], found["retreats"], found["adjustments"]) > 0


def test_the_standard_map_is_that_of_the_oracle() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from diplomacy.engine.map import Map

        theirs = Map("standard")
    ours = find_map("standard")
    assert set(ours.centres) == set(theirs.scs)
    assert {power.name.upper(): set(power.homes) for power in ours.powers} == {
        power: set(homes) for power, homes in theirs.homes.items() if power != "UNOWNED"
    }
    assert {power.name.upper(): set(map(str, power.units)) for power in ours.powers} == {
        power: set(units) for power, units in theirs.units.items() if units
    }
    names = {code: name for name, code in theirs.loc_name.items() if code in ours.provinces}
    assert {code: each.name.upper() for code, each in ours.provinces.items()} == names
    places = {place for place in theirs.locs if place.upper() != "SWI"}
    assert {place.upper() for place in places} == {*ours.provinces, *ours.fleets}
    for kind, table in (("A", ours.armies), ("F", ours.fleets)):
        for place, near in table.items():
            for other in {*ours.provinces, *ours.fleets}:
                if kind == "F" and other in ours.provinces and ours.provinces[other].coasts:
                    continue
                if kind == "A" and "/" in other:
                    continue
                wanted = bool(theirs.abuts(kind, place, "-", other))
                assert (other in near) == wanted, (kind, place, other)
