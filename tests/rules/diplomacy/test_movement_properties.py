"""Properties of every movement phase, whatever was ordered."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from pbm.rules.diplomacy.board import Unit
from pbm.rules.diplomacy.equations import Equations, Paradox, Question
from pbm.rules.diplomacy.legality import make_standing
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.movement import answer_all, sort_out
from pbm.rules.diplomacy.orders import Given, Hold, Move, Result, SupportHold, SupportMove
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, PlayedPhase, play
from tests.rules.diplomacy.random_phases import give_orders, give_paradoxes, strew

STANDARD = find_map("standard")
PHASES = 75


def random_phases(
    seed: int, rules: DiplomacyRules | None = None
) -> list[tuple[PhaseState, list[Given]]]:
    rng = random.Random(seed)
    states = [strew(STANDARD, rng, rules) for _ in range(PHASES)]
    return [(state, give_orders(state, rng)) for state in states]


@pytest.mark.parametrize("paradox", Paradox)
def test_every_unit_ends_in_one_place_or_is_dislodged(paradox: Paradox) -> None:
    for state, given in random_phases(11, DiplomacyRules(paradox=paradox)):
        played = play(state, given)
        units = [*played.state.units, *(each.unit for each in played.dislodged)]
        provinces = Counter(unit.province for unit in played.state.units)
        assert max(provinces.values()) == 1
        assert Counter((u.power, u.kind) for u in units) == Counter(
            (u.power, u.kind) for u in state.units
        )
        assert len(played.judged) == len(given)
        for each in played.dislodged:
            assert each.unit in state.units
            assert each.unit.province in provinces


def test_a_unit_is_dislodged_only_by_more() -> None:
    for state, given in random_phases(12):
        played = play(state, given)
        at = state.standing.at
        moved = {
            each.order.province
            for each in played.judged
            if isinstance(each.order, Move) and each.result is Result.DONE
        }
        for each in played.dislodged:
            assert at[each.by].power != each.unit.power
            assert each.by in moved
            assert each.unit.province not in moved
            assert 1 + count_attack(played, each.by, each.unit) > 1 + count_hold(played, each.unit)


def count_attack(played: PlayedPhase, by: str, unit: Unit) -> int:
    """The supports for the attack of those who are not the unit's own power."""
    return sum(
        isinstance(each.order, SupportMove)
        and each.result is Result.DONE
        and each.order.other == by
        and each.power != unit.power
        for each in played.judged
    )


def count_hold(played: PlayedPhase, unit: Unit) -> int:
    return sum(
        isinstance(each.order, SupportHold)
        and each.result is Result.DONE
        and each.order.other == unit.place
        for each in played.judged
    )


def test_powers_are_alike() -> None:
    """Under other names the same happens."""
    names = [power.name for power in STANDARD.powers]
    other = dict(zip(names, [*names[3:], *names[:3]], strict=True))
    for state, given in random_phases(13):
        units = tuple(sorted(replace(unit, power=other[unit.power]) for unit in state.units))
        renamed = [replace(each, power=other[each.power]) for each in given]
        ours, theirs = play(state, given), play(replace(state, units=units), renamed)
        assert [each.result for each in ours.judged] == [each.result for each in theirs.judged]
        assert sorted(replace(unit, power=other[unit.power]) for unit in ours.state.units) == list(
            theirs.state.units
        )


def test_it_does_not_matter_who_orders_first() -> None:
    rng = random.Random(1)
    for state, given in random_phases(14):
        mixed = rng.sample(given, len(given))
        ours, theirs = play(state, given), play(state, mixed)
        assert set(ours.judged) == set(theirs.judged)
        assert ours.state.units == theirs.state.units


class Counting(Equations):
    """Equations that count how often they are asked, and let their answers be checked."""

    asked = 0

    def evaluate(self, question: Question) -> bool | None:
        self.asked += 1
        return super().evaluate(question)


def solve(state: PhaseState, given: list[Given], paradox: Paradox) -> Counting:
    orders, _ = sort_out(state.standing, given)
    holding = {code: Hold(unit.kind, unit.place) for code, unit in state.standing.at.items()}
    equations = Counting(state.standing, {**holding, **orders}, paradox)
    answer_all(equations)
    return equations


def test_nests_of_paradoxes_are_resolved_with_a_bounded_number_of_looks() -> None:
    rng, paradoxes = random.Random(15), 0
    for _ in range(PHASES):
        state = strew(STANDARD, rng)
        given = give_paradoxes(state, rng)
        solved = {paradox: solve(state, given, paradox) for paradox in Paradox}
        for equations in solved.values():
            assert equations.answers.keys() == set(equations.questions)
            assert equations.asked < 2_000
        paradoxes += solved[Paradox.SZYKMAN].answers != solved[Paradox.ALL_HOLD].answers
    assert paradoxes > 0


def test_where_one_set_of_answers_alone_is_right_it_is_taken() -> None:
    """All sets are tried, of phases with few questions."""
    rng, alone, several = random.Random(17), 0, 0
    for number in range(400):
        state = strew(STANDARD, rng)
        given = give_orders(state, rng) if number % 2 else give_paradoxes(state, rng)
        equations = solve(state, rng.sample(given, min(len(given), 8)), Paradox.SZYKMAN)
        if not 2 <= len(equations.questions) <= 8:
            continue
        answers, right = equations.answers, []
        for guess in product((True, False), repeat=len(equations.questions)):
            equations.answers = dict(zip(equations.questions, guess, strict=True))
            if all(equations.evaluate(each) is equations.answers[each] for each in answers):
                right.append(equations.answers)
        assert len(right) != 1 or right == [answers]
        alone += len(right) == 1
        several += len(right) > 1
    assert min(alone, several) > 0


def test_every_answer_satisfies_its_equation_unless_fleets_were_told_not_to_convoy() -> None:
    for state, given in random_phases(16):
        equations = solve(state, given, Paradox.SZYKMAN)
        for question, answer in equations.answers.items():
            if equations.evaluate(question) is not answer:
                assert question[0] == "convoy"
                assert not answer


def test_the_biggest_ring_moves() -> None:
    """A circle through as many provinces as there are units."""
    circle = "ALB GRE BUL RUM UKR MOS STP FIN SWE DEN KIE HOL BEL PIC BRE GAS SPA MAR PIE VEN TRI"
    codes = circle.split()
    powers = [power.name for power in STANDARD.powers]
    units = [Unit(powers[n % 7], "A", code) for n, code in enumerate(codes)]
    state = replace(strew(STANDARD, random.Random(0)), units=tuple(sorted(units)))
    given = [
        Given(unit.power, Move("A", unit.place, codes[(n + 1) % len(codes)]))
        for n, unit in enumerate(units)
    ]
    assert {each.result for each in play(state, given).judged} == {Result.DONE}
    held = [each for each in given if str(each.order) != "A SWE - DEN"]
    assert {each.result for each in play(state, held).judged} == {Result.BOUNCED}


def test_units_are_found_by_province() -> None:
    standing = make_standing(STANDARD, [Unit("Russia", "F", "STP/SC")])
    assert standing.at["STP"].place == "STP/SC"
