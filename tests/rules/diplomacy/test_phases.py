"""The game from phase to phase: seasons, retreats, centres, builds, the end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbm.rules.diplomacy.board import Season, Unit
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.orders import Given, Result, read_order
from pbm.rules.diplomacy.phases import PhaseState, PlayedPhase, Stage, play, set_up
from tests.rules.diplomacy.random_phases import give_orders, strew

STANDARD = find_map("standard")


def step(state: PhaseState, **orders: str) -> PlayedPhase:
    """Adjudicate with the orders of each power, written with commas between them."""
    given = [
        Given(power, read_order(text.strip(), state.game_map))
        for power, listed in orders.items()
        for text in listed.split(",")
    ]
    return play(state, given)


def winter(units: str, owners: dict[str, str]) -> PhaseState:
    """A fall before a winter: units written "Germany A KIE, Russia F SEV"."""
    placed = tuple(sorted(Unit(*each.split()) for each in units.split(", ")))
    return PhaseState(STANDARD, 1901, Season.FALL, Stage.MOVEMENT, placed, owners)


def test_the_first_year() -> None:
    state = set_up(STANDARD)
    assert (state.code, state.name) == ("S1901M", "Spring 1901, movement")
    assert len(state.list_powers_to_order()) == 7
    state = step(state, Germany="F KIE - DEN, A MUN - RUH, A BER - KIE").state
    assert state.code == "F1901M"
    state = step(state, Germany="A RUH - HOL, A KIE S A RUH - HOL").state
    assert state.code == "W1901A"
    assert set(state.list_centres("Germany")) == {"BER", "KIE", "MUN", "DEN", "HOL"}
    assert state.list_powers_to_order() == ("Germany",)
    assert state.count_due("Germany") == 2
    assert {str(order) for order in state.list_orders("Germany")} == {
        "A BER B",
        "F BER B",
        "A MUN B",
        "WAIVE",
    }
    played = step(state, Germany="F BER B, WAIVE")
    assert [each.result for each in played.judged] == [Result.DONE, Result.DONE]
    assert played.state.code == "S1902M"
    assert len(played.state.list_units("Germany")) == 4
    assert not play(played.state, []).judged


def test_a_year_without_changes_has_no_winter() -> None:
    state = play(play(set_up(STANDARD), []).state, []).state
    assert state.code == "S1902M"


def test_centres_change_hands_after_the_retreats_of_the_fall() -> None:
    state = winter("Germany A BEL, France A BUR, France A PIC", {"BEL": "Germany"})
    state = step(state, France="A BUR - BEL, A PIC S A BUR - BEL").state
    assert (state.code, state.list_centres("Germany")) == ("F1901R", ("BEL",))
    assert state.list_powers_to_order() == ("Germany",)
    assert [str(order) for order in state.list_orders("Germany")] == [
        "A BEL R HOL",
        "A BEL R RUH",
        "A BEL D",
    ]
    played = step(state, Germany="A BEL R HOL")
    assert played.state.owners == {"BEL": "France", "HOL": "Germany"}
    assert played.gone == ()


def test_a_centre_that_is_left_in_spring_stays() -> None:
    state = replace(winter("Russia A GAL", {}), season=Season.SPRING)
    state = step(state, Russia="A GAL - RUM").state
    state = step(state, Russia="A RUM - UKR").state
    assert "RUM" not in state.owners


def test_a_unit_without_retreat_is_gone_at_once() -> None:
    state = replace(
        winter("England F POR, France F SPA/SC, France F MAO", {}), season=Season.SPRING
    )
    played = step(state, France="F SPA/SC - POR, F MAO S F SPA/SC - POR")
    assert [str(each.unit) for each in played.dislodged] == ["F POR"]
    assert [str(unit) for unit in played.gone] == ["F POR"]
    assert played.state.code == "F1901M"


def test_a_unit_that_is_not_ordered_to_retreat_is_disbanded() -> None:
    state = winter("Germany A BEL, France A BUR, France A PIC", {})
    state = step(state, France="A BUR - BEL, A PIC S A BUR - BEL").state
    played = play(state, [])
    assert [str(unit) for unit in played.gone] == ["A BEL"]
    assert len(played.state.units) == 2


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("A BEL R BUR",
         "A BEL cannot retreat to BUR (Burgundy). It may retreat to HOL or RUH, or disband."),
        ("A HOL D", "No unit was dislodged in HOL (Holland)."),
        ("A BEL H", "A BEL H is not an order for dislodged units: they retreat or disband."),
    ],
)  # fmt: skip
def test_retreats_that_are_refused(order: str, sentence: str) -> None:
    state = winter("Germany A BEL, France A BUR, France A PIC", {})
    state = step(state, France="A BUR - BEL, A PIC S A BUR - BEL").state
    (judged,) = step(state, Germany=order).judged
    assert (judged.result, judged.reason) == (Result.ILLEGAL, sentence)
    (judged,) = step(state, France="A BEL D").judged
    assert judged.reason == "The unit dislodged in BEL (Belgium) is German: A BEL"


def test_a_fleet_retreats_to_its_only_coast() -> None:
    state = winter("France F MAR, Italy A PIE, Italy F LYO, Italy A GAS", {})
    state = step(state, Italy="A PIE - MAR, F LYO S A PIE - MAR").state
    played = step(state, France="F MAR R SPA")
    assert str(played.judged[0].order) == "F MAR R SPA/SC"
    assert Unit("France", "F", "SPA/SC") in played.state.units


def test_the_later_order_counts_in_a_movement_and_a_retreat() -> None:
    state = winter("Germany A BEL, France A BUR, France A PIC", {})
    played = step(state, France="A BUR - MUN, A BUR - BEL, A PIC S A BUR - BEL, A BUR - MOS")
    assert [each.result for each in played.judged] == [
        Result.REPLACED,
        Result.DONE,
        Result.DONE,
        Result.ILLEGAL,
    ]
    played = step(played.state, Germany="A BEL D, A BEL R HOL")
    assert [each.result for each in played.judged] == [Result.REPLACED, Result.DONE]


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (
            "A BER B",
            "Germany cannot build in BER (Berlin): it builds in an empty home centre that it owns. "
            "There it has MUN.",
        ),
        ("F MUN B", "MUN (Munich) is inland, where no fleet can stand."),
        ("A RUH D", "Germany has no unit to disband."),
        ("A RUH H", "A RUH H is not an order for the winter: units are built or disbanded."),
    ],
)
def test_builds_that_are_refused(order: str, sentence: str) -> None:
    state = play(winter("Germany A RUH", {"MUN": "Germany", "DEN": "Germany"}), []).state
    (judged,) = step(state, Germany=order).judged
    assert (judged.result, judged.reason) == (Result.ILLEGAL, sentence)


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("A RUH B", "Germany has no unit to build."),
        ("WAIVE", "Germany has no unit to build."),
        ("A PIC D", "The unit in PIC (Picardy) is French: A PIC"),
        ("A MUN D", "No unit stands in MUN (Munich)."),
    ],
)
def test_disbandments_that_are_refused(order: str, sentence: str) -> None:
    state = play(winter("Germany A RUH, France A PIC", {"BRE": "France"}), []).state
    (judged,) = step(state, Germany=order).judged
    assert (judged.result, judged.reason) == (Result.ILLEGAL, sentence)


def test_whoever_has_enough_centres_and_more_than_others_wins() -> None:
    centres = STANDARD.centres
    held = {code: "Turkey" for code in centres[:17]} | {code: "Russia" for code in centres[17:]}
    state = play(winter("Turkey A GAL, Russia A UKR", held), []).state
    assert not state.winner
    taken = next(code for code in centres[17:] if code != "RUM")
    state = winter("Turkey A GAL, Russia A UKR", held | {taken: "Turkey"})
    state = play(state, []).state
    assert (state.winner, state.list_powers_to_order(), state.list_orders("Turkey")) == (
        "Turkey",
        (),
        [],
    )
    with pytest.raises(ValueError, match="over"):
        play(state, [])


def test_chaos_begins_with_builds_everywhere() -> None:
    state = set_up(find_map("chaos"))
    assert state.code == "W1900A"
    assert len(state.list_powers_to_order()) == 34
    state = step(state, Paris="A PAR B", Brest="F BRE B").state
    assert state.code == "S1901M"
    state = step(state, Paris="A PAR - BUR").state
    state = step(state, Paris="A BUR - MAR").state
    assert {str(order) for order in state.list_orders("Paris")} == {"A PAR B", "WAIVE"}


def test_games_go_on_with_random_orders() -> None:
    rng = random.Random(3)
    for name in ("standard", "chaos"):
        state = set_up(find_map(name))
        codes = []
        for _ in range(40):
            codes.append(state.code)
            state = play(state, give_orders(state, rng)).state
            for power in state.game_map.powers:
                own = state.list_units(power.name)
                if state.season is Season.SPRING and state.stage is Stage.MOVEMENT:
                    assert len(own) <= len(state.list_centres(power.name))
        assert len(set(codes)) == 40


def test_nobody_need_order_anything() -> None:
    rng = random.Random(4)
    for _ in range(20):
        state = strew(STANDARD, rng)
        for _ in range(4):
            state = play(state, []).state
        assert state.year > 1901
