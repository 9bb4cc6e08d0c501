"""Orders as people write them: one reading or a refusal that says what the unit may do."""

from __future__ import annotations

import random

import pytest

from pbm.rules import AmbiguousMove, IllegalMove, InvalidMove, MoveError
from pbm.rules.diplomacy.board import Season, Unit
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.order_choices import check_order, list_power_orders
from pbm.rules.diplomacy.order_reader import read_typed_order
from pbm.rules.diplomacy.orders import Dislodged
from pbm.rules.diplomacy.phases import PhaseState, Stage, set_up
from pbm.rules.diplomacy.province_names import find_names
from tests.rules.diplomacy.random_phases import strew

STANDARD = find_map("standard")
SPRING = set_up(STANDARD)


def at_sea() -> PhaseState:
    """England with an army to convoy, France with fleets off Spain."""
    units = ["England A LON", "England F NTH", "England F ENG", "France F MAO", "France A MAR"]
    return stand(units)


def stand(
    texts: list[str], stage: Stage = Stage.MOVEMENT, season: Season = Season.FALL
) -> PhaseState:
    units = tuple(sorted(Unit(*text.split()) for text in texts))
    return PhaseState(STANDARD, 1901, season, stage, units, SPRING.owners)


def read(text: str, power: str = "France", state: PhaseState = SPRING) -> str:
    return str(read_typed_order(text, state, power))


def refusal(text: str, power: str = "France", state: PhaseState = SPRING) -> str:
    with pytest.raises(MoveError) as refused:
        read_typed_order(text, state, power)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR-BUR", "A PAR - BUR"),
        ("a par bur", ""),
        ("A PAR -> BUR", "A PAR - BUR"),
        ("A Par \u2192 Bur", "A PAR - BUR"),
        ("A PAR \u2013 BUR.", "A PAR - BUR"),
        ("Army Paris to Burgundy", "A PAR - BUR"),
        ("army in Paris moves to Burgundy", "A PAR - BUR"),
        ("Paris attacks Burgundy", "A PAR - BUR"),
        ("move A PAR to BUR", "A PAR - BUR"),
        ("F PAR - BUR", "A PAR - BUR"),
        ("par m bur", "A PAR - BUR"),
        ("A Paris - Burgandy", "A PAR - BUR"),
        ("A Marseiles - Spian", "A MAR - SPA"),
        ("A MAR - SPA(sc)", "A MAR - SPA"),
        ("F Brest - Mid-Atlantic Ocean", "F BRE - MAO"),
        ("F Bre - Mid Atlantic", "F BRE - MAO"),
        ("F BRE-MID", "F BRE - MAO"),
        ("F Bre-ECH", "F BRE - ENG"),
        ("F Bre - Eng. Ch.", "F BRE - ENG"),
        ("Fleet Brest holds", "F BRE H"),
        ("A PAR stands", "A PAR H"),
        ("hold a par", "A PAR H"),
        ("France: A PAR H", "A PAR H"),
        ("French army Paris h", "A PAR H"),
        ("A MAR S A PAR - BUR", "A MAR S A PAR - BUR"),
        ("A Mar S Par-Bur", "A MAR S A PAR - BUR"),
        ("Army Marseilles supports the French army in Paris to Burgundy", "A MAR S A PAR - BUR"),
        ("A PAR S F BRE - PIC", "A PAR S F BRE - PIC"),
        ("A PAR SUPPORTS F BRE HOLD", "A PAR S F BRE"),
    ],
)
def test_an_order_is_read(text: str, order: str) -> None:
    if order:
        assert read(text) == order
    else:
        assert "cannot be read" in refusal(text)


@pytest.mark.parametrize(
    ("text", "power", "order"),
    [
        ("A LON-NWY", "England", "A LON - NWY"),
        ("A Lon - NTH - Nwy", "England", "A LON - NWY"),
        ("A LON - YOR VIA", "England", "A LON - YOR VIA"),
        ("A London to Yorkshire via convoy", "England", "A LON - YOR VIA"),
        ("A LON - NWY by convoy", "England", "A LON - NWY"),
        ("F NTH C A LON-NWY", "England", "F NTH C A LON - NWY"),
        ("F North Sea convoys Army London to Norway", "England", "F NTH C A LON - NWY"),
        ("F NTS c Lon - Nor", "England", "F NTH C A LON - NWY"),
        ("F Mid-Atlantic Ocean -> Spain (sc)", "France", "F MAO - SPA/SC"),
        ("F MAO-SPA/NC", "France", "F MAO - SPA/NC"),
        ("F mao - spain north coast", "France", "F MAO - SPA/NC"),
        ("F mao - spa sc", "France", "F MAO - SPA/SC"),
        ("A MAR S F MAO - SPA", "France", "A MAR S F MAO - SPA"),
    ],
)
def test_orders_at_sea_are_read(text: str, power: str, order: str) -> None:
    assert read(text, power, at_sea()) == order


def test_retreats_and_winter_orders_are_read() -> None:
    unit = Unit("France", "A", "BUR")
    state = PhaseState(
        *(STANDARD, 1901, Season.FALL, Stage.RETREATS, SPRING.units, SPRING.owners),
        dislodged=(Dislodged(unit, "MUN", ("GAS", "PIC")),),
    )
    for text in ("A BUR R GAS", "A BUR - GAS", "A Burgundy retreats to Gascony", "retreat bur gas"):
        if text == "retreat bur gas":
            assert "may retreat to GAS or PIC, or disband" in refusal(text, state=state)
        else:
            assert read(text, state=state) == "A BUR R GAS"
    assert read("disband a bur", state=state) == "A BUR D"
    winter = stand(["France A SPA"], Stage.ADJUSTMENTS, Season.WINTER)
    for text in ("A PAR B", "build a par", "Build army Paris", "B A PAR"):
        assert read(text, state=winter) == "A PAR B"
    assert read("waive", state=winter) == "WAIVE"
    assert "could be A MAR B or F MAR B" in refusal("build mar", state=winter)
    said = refusal("A PAR - BUR", state=winter)
    assert "You may build 2 units: A BRE, F BRE, A MAR, F MAR or A PAR." in said


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("A PAR - LON", IllegalMove, "A PAR (Paris) cannot go to LON (London)."),
        ("A PAR - LON", IllegalMove, "The army may go to BRE, BUR, GAS or PIC."),
        ("A MUN - BUR", IllegalMove, "The unit in MUN (Munich) is German: A MUN"),
        ("A BUR - PAR", IllegalMove, "in BUR (Burgundy). Your units are A MAR, A PAR and F BRE."),
        ("F LON - NTH", IllegalMove, "is English: F LON. Your units are A MAR, A PAR and F BRE."),
        ("A XYZ - PAR", InvalidMove, "map: 'A XYZ - PAR'. Your units are A MAR, A PAR and F BRE."),
        ("hold", InvalidMove, "A PAR - BUR. Your units are A MAR, A PAR and F BRE."),
        ("A PAR - XYZ", InvalidMove, "There is no province 'xyz' on this map"),
        ("A PAR - XYZ", InvalidMove, "A PAR (Paris) may hold, "),
        ("A PAR", InvalidMove, "or go to BRE, BUR, GAS or PIC."),
        ("A PAR - BUR or PIC", InvalidMove, "cannot be read as an order"),
        ("or A PAR H", InvalidMove, "There is no province 'or'"),
        ("A PAR - BUR?", InvalidMove, "cannot be read as an order"),
        ("hello there", InvalidMove, "One looks like this: A PAR - BUR"),
        ("F BRE - P", InvalidMove, "There is no province 'p'"),
        ("x" * 300, InvalidMove, "is longer than an order"),
        ("", InvalidMove, "cannot be read as an order"),
    ],
)
def test_a_refusal_says_what_the_unit_may_do(text: str, kind: type, says: str) -> None:
    with pytest.raises(kind) as refused:
        read_typed_order(text, SPRING, "France")
    assert says in str(refused.value)


def test_a_word_with_several_legal_readings_is_refused() -> None:
    with pytest.raises(AmbiguousMove, match="F EDI - NTH or F EDI - NWG: write one of them"):
        read_typed_order("F Edi - Nor", SPRING, "England")
    assert read("F Lon - Nor", "England") == "F LON - NTH"


def test_every_order_is_read_as_it_is_recorded_and_in_long_names() -> None:
    rng = random.Random(3)
    for _ in range(4):
        state = strew(STANDARD, rng)
        for power in STANDARD.powers:
            orders = list_power_orders(state, power.name)
            for order in rng.sample(orders, min(30, len(orders))):
                assert check_order(state, power.name, order) == order
                assert read_typed_order(str(order).lower(), state, power.name) == order
                words = [
                    STANDARD.provinces[word.partition("/")[0]].name
                    + (f" ({word.partition('/')[2]})" if "/" in word else "")
                    if word.partition("/")[0] in STANDARD.provinces
                    else word
                    for word in str(order).split()
                ]
                assert read_typed_order(" ".join(words), state, power.name) == order


def test_no_two_provinces_have_one_name() -> None:
    names = find_names(STANDARD)
    for code, province in STANDARD.provinces.items():
        for text in (code, province.name, *province.also):
            words = tuple(text.lower().replace("-", " ").split())
            assert set(names.find(words)) == {code}, text
