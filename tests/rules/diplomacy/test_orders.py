"""Orders: each has one spelling, and what cannot be ordered is refused with a sentence."""

from __future__ import annotations

import random

import pytest

from pbm.rules import IllegalMove, InvalidMove
from pbm.rules.diplomacy.board import Unit
from pbm.rules.diplomacy.legality import UnitsOnMap, check_movement, make_standing
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.orders import read_order
from tests.rules.diplomacy.random_phases import strew

STANDARD = find_map("standard")


def stand(text: str) -> UnitsOnMap:
    """Units written "France: A PAR, F MAO; England: A LON"."""
    units = []
    for part in text.split(";"):
        power, _, listed = part.strip().partition(": ")
        units += [Unit(power, *each.split()) for each in listed.split(", ")]
    return make_standing(STANDARD, units)


@pytest.mark.parametrize(
    "text",
    [
        "A PAR H",
        "A PAR - BUR",
        "A LON - BEL VIA",
        "F MAO - SPA/SC",
        "A PAR S A MAR",
        "A PAR S A MAR - BUR",
        "F POR S F MAO - SPA/NC",
        "F ENG C A LON - BEL",
        "A PAR R GAS",
        "A PAR D",
        "A PAR B",
        "F STP/NC B",
        "WAIVE",
    ],
)
def test_an_order_is_written_as_it_is_read(text: str) -> None:
    assert str(read_order(text, STANDARD)) == text


def test_every_legal_order_is_read_and_legal() -> None:
    rng = random.Random(5)
    for _ in range(10):
        state = strew(STANDARD, rng)
        standing = state.standing
        for power in STANDARD.powers:
            for order in state.list_orders(power.name):
                assert read_order(str(order), STANDARD) == order
                assert check_movement(standing, power.name, order) == order


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a par - bur", "'a par - bur' is not an order. One looks like this: A PAR - BUR"),
        ("A PAR", "'A PAR' is not an order. One looks like this: A PAR - BUR"),
        ("A PAR - XYZ", "There is no province 'XYZ' on this map."),
        ("A PAR - BRE/NC", "BRE (Brest) has one coast only: write BRE"),
        ("F MAO - SPA/WC", "SPA (Spain) has the coasts SPA/NC and SPA/SC."),
    ],
)
def test_what_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(InvalidMove) as raised:
        read_order(text, STANDARD)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("units", "order", "sentence"),
    [
        ("France: A PAR", "A BUR H", "No unit stands in BUR (Burgundy). Your unit is A PAR."),
        (
            "England: A PAR",
            "A PAR H",
            "The unit in PAR (Paris) is English: A PAR",
        ),
        (
            "France: A PAR",
            "A PAR - MOS",
            "A PAR (Paris) cannot go to MOS (Moscow). The army may go to BRE, BUR, GAS or PIC.",
        ),
        (
            "France: A PAR",
            "A PAR - PAR",
            "A PAR (Paris) is there already. The army may go to BRE, BUR, GAS or PIC.",
        ),
        (
            "France: F POR",
            "F POR - SPA",
            "F POR (Portugal) can go to either coast of SPA (Spain): write SPA/NC or SPA/SC",
        ),
        (
            "France: F GAS",
            "F GAS - SPA/SC",
            "F GAS (Gascony) cannot go to SPA/SC (Spain). The fleet may go to BRE, MAO or SPA/NC.",
        ),
        (
            "France: A BRE",
            "A BRE - GAS VIA",
            "No fleets stand where they could convoy A BRE to GAS (Gascony).",
        ),
        (
            "France: F BRE",
            "F BRE - GAS VIA",
            "F BRE (Brest) is a fleet, and only armies are convoyed.",
        ),
        (
            "France: A PAR, A MAR",
            "A PAR S A MAR - SPA",
            "A PAR (Paris) gives support only where it could go itself, not in SPA (Spain). "
            "The army may go to BRE, BUR, GAS or PIC.",
        ),
        (
            "France: A PAR, A SPA",
            "A PAR S A SPA - BUR",
            "A PAR (Paris) cannot support that: A SPA cannot go to BUR (Burgundy).",
        ),
        (
            "France: A PAR",
            "A PAR S A PAR",
            "A PAR (Paris) cannot support or convoy itself.",
        ),
        (
            "France: A BRE, A PAR",
            "A PAR C A BRE - LON",
            "A PAR (Paris) cannot convoy: only a fleet at sea can.",
        ),
        (
            "France: F BRE, F ENG",
            "F ENG C A BRE - LON",
            "F BRE is a fleet, and only armies are convoyed.",
        ),
        (
            "France: A BRE, F NTH",
            "F NTH C A BRE - LON",
            "F NTH (North Sea) is not needed in any convoy from BRE (Brest) to LON (London).",
        ),
        ("France: A PAR", "A PAR B", "A PAR B is not an order for the movement of units."),
    ],
)
def test_what_cannot_be_ordered(units: str, order: str, sentence: str) -> None:
    with pytest.raises(IllegalMove) as raised:
        check_movement(stand(units), "France", read_order(order, STANDARD))
    assert str(raised.value) == sentence


def test_an_army_is_told_where_fleets_could_convoy_it() -> None:
    order = read_order("A WAL - PAR", STANDARD)
    with pytest.raises(IllegalMove) as raised:
        check_movement(stand("England: A WAL, F IRI"), "England", order)
    assert str(raised.value).endswith("The army may go to LON, LVP or YOR.")


def test_an_order_is_completed() -> None:
    standing = stand("France: F GAS, F SPA/SC, A PAR")
    for text, meant in [
        ("F GAS - SPA", "F GAS - SPA/NC"),
        ("F SPA/NC - LYO", "F SPA/SC - LYO"),
        ("A SPA - WES", "F SPA/SC - WES"),
        ("F PAR H", "A PAR H"),
    ]:
        order = check_movement(standing, "France", read_order(text, STANDARD))
        assert str(order) == meant
