"""The Diplomacy Adjudicator Test Cases, under their numbers: movement and retreats from `datc.txt`,
builds, disbandments and civil disorder below."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbm.rules.diplomacy.adjustments import Removal
from pbm.rules.diplomacy.board import Season, Unit
from pbm.rules.diplomacy.equations import Paradox
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.orders import Given, Result, read_order
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, Stage, play

STANDARD = find_map("standard")
POWERS = {
    "U": "Austria",
    "E": "England",
    "F": "France",
    "G": "Germany",
    "I": "Italy",
    "R": "Russia",
    "T": "Turkey",
}
RESULTS = {
    "+": Result.DONE,
    "-": Result.BOUNCED,
    "~": Result.NO_CONVOY,
    "x": Result.CUT,
    "?": Result.UNMATCHED,
    "!": Result.ILLEGAL,
    "=": Result.LOST,
}


@dataclass
class Case:
    """A case as it is written: orders with their results, units, retreats to compare."""

    title: str
    units: dict[str, Unit] = field(default_factory=dict)
    orders: list[tuple[str, str, Result]] = field(default_factory=list)
    dislodged: set[str] = field(default_factory=set)
    options: list[tuple[str, str, set[str]]] = field(default_factory=list)
    retreats: list[tuple[str, str, Result]] = field(default_factory=list)

    @property
    def rules(self) -> DiplomacyRules:
        rule = re.search(r"\[(.+)\]", self.title)
        return DiplomacyRules(paradox=Paradox(rule[1])) if rule else DiplomacyRules()

    def read(self, power: str, text: str, *, retreating: bool) -> None:
        """Read one line of the case."""
        word, _, rest = text.partition(" ")
        if word in ("to", "into", "not"):
            self.options.append((word, self.orders[-1][1].split()[1], set(rest.split())))
            return
        if word == "at":
            kind, place = rest.split()
            self.units[place[:3]] = Unit(power, kind, place)
            return
        match = re.fullmatch(r"(.+) ([-+~x?!=])(\*?)", text)
        assert match is not None, text
        order, result, lost = match.groups()
        if retreating:
            self.retreats.append((power, order, RESULTS[result]))
            return
        self.orders.append((power, order, RESULTS[result]))
        kind, place = order.split()[:2]
        self.units.setdefault(place[:3], Unit(power, kind, place))
        if lost:
            self.dislodged.add(place[:3])


def read_cases() -> list[Case]:
    text = Path(__file__).with_name("datc.txt").read_text(encoding="utf-8")
    cases, power, retreating = list[Case](), "", False
    for line in text.splitlines():
        if line.startswith("6."):
            cases.append(Case(line))
            retreating = False
        elif line == "retreats":
            retreating = True
        elif line and not line.startswith("#"):
            power = POWERS[line[0]] if line[0] != " " else power
            cases[-1].read(power, line[1:].strip(), retreating=retreating)
    return cases


CASES = read_cases()


def given(orders: list[tuple[str, str, Result]]) -> list[Given]:
    return [Given(power, read_order(text, STANDARD)) for power, text, _ in orders]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_moves_and_retreats(case: Case) -> None:
    units = tuple(sorted(case.units.values()))
    start = PhaseState(STANDARD, 1901, Season.SPRING, Stage.MOVEMENT, units, {}, rules=case.rules)
    moved = play(start, given(case.orders))
    found = [
        (each.result, text) for each, (_, text, _) in zip(moved.judged, case.orders, strict=True)
    ]
    assert found == [(result, text) for _, text, result in case.orders]
    after = moved.state
    lost = {each.unit.province: set(each.options) for each in moved.dislodged}
    assert set(lost) == case.dislodged
    for word, place, options in case.options:
        there = lost[place[:3]]
        if word == "to":
            assert there == options
        assert not (options & there if word == "not" else options - there)
    if case.retreats:
        retreated = play(after, given(case.retreats))
        assert [each.result for each in retreated.judged] == [each[2] for each in case.retreats]
        moves = {text for _, text, result in case.retreats if result is Result.DONE}
        assert len(retreated.state.units) == len(after.units) + len(moves)


def test_every_case_is_here() -> None:
    last = {"A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16}
    wanted = {f"6.{section}.{n}" for section, most in last.items() for n in range(1, most + 1)}
    assert {case.title.split()[0] for case in CASES} == wanted - {"6.B.14"}


def winter(units: str, owners: dict[str, str], removal: Removal = Removal.RULES_2023) -> PhaseState:
    """A winter with units written "Russia: A LVN, F SWE; Turkey: A CON"."""
    made = [
        Unit(power.strip(), *unit.split())
        for part in filter(None, units.split(";"))
        for power, _, listed in [part.partition(":")]
        for unit in listed.split(",")
    ]
    held = {code: power for power, codes in owners.items() for code in codes.split()}
    return PhaseState(
        STANDARD,
        1901,
        Season.WINTER,
        Stage.ADJUSTMENTS,
        tuple(sorted(made)),
        dict(sorted(held.items())),
        rules=DiplomacyRules(removal=removal),
    )


BUILDS = [
    ("6.B.14", "", {"Russia": "STP"}, "Russia", {"F STP B": "!"}, set()),
    (
        "6.I.1",
        "Germany: A BUR, A RUH",
        {"Germany": "KIE MUN BEL"},
        "Germany",
        {"A WAR B": "!", "A KIE B": "+", "A MUN B": "#"},
        {"A KIE"},
    ),
    ("6.I.2", "", {"Russia": "MOS"}, "Russia", {"F MOS B": "!"}, set()),
    (
        "6.I.3",
        "Germany: A BER",
        {"Germany": "BER KIE"},
        "Germany",
        {"A BER B": "!"},
        set(),
    ),
    (
        "6.I.4",
        "Russia: F STP/SC",
        {"Russia": "STP MOS"},
        "Russia",
        {"A STP/NC B": "!"},
        set(),
    ),
    ("6.I.5", "", {"Russia": "BER", "Germany": "MUN"}, "Germany", {"A BER B": "!"}, set()),
    ("6.I.6", "", {"Germany": "WAR MUN"}, "Germany", {"A WAR B": "!"}, set()),
]


@pytest.mark.parametrize(
    ("units", "owners", "power", "orders", "built"),
    [case[1:] for case in BUILDS],
    ids=[case[0] for case in BUILDS],
)
def test_builds(
    units: str, owners: dict[str, str], power: str, orders: dict[str, str], built: set[str]
) -> None:
    results = {**RESULTS, "#": Result.EXCESS}
    state = winter(units, owners)
    assert state.count_due(power) > 0
    played = play(state, [Given(power, read_order(text, STANDARD)) for text in orders])
    assert [each.result for each in played.judged] == [results[r] for r in orders.values()]
    assert {str(unit) for unit in set(played.state.units) - set(state.units)} == built


def test_6_i_7_a_second_build_in_one_centre() -> None:
    state = winter("", {"Russia": "MOS SEV"})
    build = Given("Russia", read_order("A MOS B", STANDARD))
    played = play(state, [build, build])
    assert [each.result for each in played.judged] == [Result.DONE, Result.ILLEGAL]
    assert [str(unit) for unit in played.state.units] == ["A MOS"]


def test_6_j_1_too_many_disbandments() -> None:
    state = winter("France: A PAR, A PIC", {"France": "PAR"})
    orders = [read_order(f"{unit} D", STANDARD) for unit in ("F LYO", "A PIC", "A PAR")]
    played = play(state, [Given("France", order) for order in orders])
    assert [each.result for each in played.judged] == [
        Result.ILLEGAL,
        Result.DONE,
        Result.EXCESS,
    ]
    assert [str(unit) for unit in played.state.units] == ["A PAR"]


def test_6_j_2_the_same_unit_twice() -> None:
    state = winter("France: A PAR, A GAS, A BEL", {"France": "PAR"})
    order = Given("France", read_order("A PAR D", STANDARD))
    played = play(state, [order, order])
    assert [each.result for each in played.judged] == [Result.DONE, Result.ILLEGAL]
    assert [str(unit) for unit in played.state.units] == ["A GAS"]


CIVIL_DISORDER = [
    ("6.J.3", "Russia: A LVN, A SWE", {"Russia": "STP"}, "A SWE"),
    ("6.J.4", "Russia: A LVN, A UKR", {"Russia": "MOS"}, "A LVN"),
    ("6.J.5", "Russia: F SKA, F BER", {"Russia": "STP"}, "F BER"),
    ("6.J.6", "Russia: F BOT, F NTH", {"Russia": "MUN"}, "F BOT"),
    ("6.J.7", "Russia: A BOH, F SKA, F NTH", {"Russia": "STP WAR"}, "F NTH"),
    ("6.J.8", "Russia: A TYR, F BAL", {"Russia": "WAR"}, "A TYR"),
    ("6.J.9 south", "Russia: A GRE, A SEV, F BAL", {"Russia": "STP SEV"}, "A GRE"),
    ("6.J.9 north", "Russia: A GRE, A SEV, F SKA", {"Russia": "STP SEV"}, "A GRE"),
    ("6.J.10", "Italy: A GRE, A PIE", {"Italy": "NAP"}, "A PIE"),
    ("6.J.11", "Italy: A WAR, A TUS", {"Italy": "WAR"}, "A TUS"),
]


@pytest.mark.parametrize(
    ("units", "owners", "lost"),
    [case[1:] for case in CIVIL_DISORDER],
    ids=[case[0] for case in CIVIL_DISORDER],
)
def test_civil_disorder(units: str, owners: dict[str, str], lost: str) -> None:
    state = winter(units, owners)
    played = play(state, [])
    assert {str(unit) for unit in set(state.units) - set(played.state.units)} == {lost}


@pytest.mark.parametrize(
    ("units", "owners", "lost"),
    [
        ("Russia: A LVN, A SWE", {"Russia": "STP"}, "A SWE"),
        ("Russia: F SKA, F BER", {"Russia": "STP"}, "F BER"),
        ("Russia: F SKA, F NTH", {"Russia": "MOS"}, "F NTH"),
        ("Russia: A BOH, F SKA, F NTH", {"Russia": "STP WAR"}, "F NTH"),
        ("Russia: A TYR, F BAL", {"Russia": "WAR"}, "A TYR"),
        ("Italy: A GRE, A PIE", {"Italy": "NAP"}, "A GRE"),
        ("Italy: A WAR, A TUS", {"Italy": "WAR"}, "A WAR"),
    ],
)
def test_civil_disorder_by_the_rules_of_2000(units: str, owners: dict[str, str], lost: str) -> None:
    """Distances are those from the home centres, whoever owns them."""
    state = winter(units, owners, Removal.RULES_2000)
    played = play(state, [])
    assert {str(unit) for unit in set(state.units) - set(played.state.units)} == {lost}


def test_every_case_of_builds_and_disorder_is_here() -> None:
    """6.I and 6.J, and the one of coasts that is about a build: as rows, or as tests of their
    own."""
    named = {str(case[0]).split()[0] for case in (*BUILDS, *CIVIL_DISORDER)}
    tests = [re.match(r"test_6_([ij])_(\d+)_", name) for name in globals()]
    named |= {f"6.{found[1].upper()}.{found[2]}" for found in tests if found is not None}
    last = {"I": 7, "J": 11}
    wanted = {f"6.{section}.{n}" for section, most in last.items() for n in range(1, most + 1)}
    assert named == wanted | {"6.B.14"}
