"""A little of each attack that needs no time; the rest is `python -m tools.attacks`."""

from __future__ import annotations

import pytest

from tools.attacks.catalogue import ATTACKS, BROKEN, OK, Attack, Run, carry_out
from tools.attacks.families import FAMILIES

LONG = {
    "C1-argon2",
    "H1b",
    "I1",
    "M8",
    "X1",
    "X2",
    "X3",
    "X4",
    "bombs",
    "clicks",
    "ends",
    "secrets",
}
"""Attacks of which even a little takes long."""


def test_every_attack_has_a_name_of_its_own() -> None:
    names = [each.name for each in ATTACKS]
    assert len(names) == len({*names})
    assert {each.family for each in ATTACKS} == {*FAMILIES}


def test_an_attack_that_succeeds_is_told() -> None:
    def succeeds(run: Run) -> str:
        for case in run.some(range(9)):
            assert case < 4, "the fifth got in"
        return "nothing"

    result = carry_out(Attack("x", "y", "z", succeeds, False), short=False)
    assert (result.state, result.tries) == (BROKEN, 5)
    assert "the fifth got in" in result.row


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each.name, marks=pytest.mark.long if each.name in LONG else ())
        for each in ATTACKS
        if each.in_suite
    ],
)
def test_a_little_of(name: str) -> None:
    (chosen,) = [each for each in ATTACKS if each.name == name]
    result = carry_out(chosen, short=True)
    assert result.state == OK, result.said
    assert result.tries > 0
