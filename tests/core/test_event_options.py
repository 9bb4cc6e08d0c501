"""The options of events: which of their words say what."""

from __future__ import annotations

import pytest

from pbm.core.clock import DAY
from pbm.core.refusal import Refusal
from pbm.features.events.options import read_event

NOW = 1_772_366_400.0


@pytest.mark.parametrize("words", ["", "-tournament", "-tourn"])
def test_a_clock_is_chosen_for_an_event_that_names_none(words: str) -> None:
    plain = read_event(["swiss", "fivepairs", "--ends=2026-04-09", "--rounds=3"], NOW)
    terms = read_event(f"swiss fivepairs {words} --ends=2026-04-09 --rounds=3".split(), NOW)
    assert terms.board.control == plain.board.control
    assert terms.ends is not None
    assert terms.board.control.forfeit == round((terms.ends - terms.begins) / DAY / 3 / 4)


@pytest.mark.parametrize("option", ["--nag=3", "-forfeittime=9", "--tot=30", "--time=10d+1d"])
def test_a_clock_that_an_event_names_is_kept(option: str) -> None:
    terms = read_event(f"swiss fivepairs {option} --ends=2026-04-09 --rounds=3".split(), NOW)
    control = terms.board.control
    assert (
        control.nag == 3.0,
        control.forfeit == 9.0,
        control.total == 30.0,
        control.bank == 10.0,
    ) == tuple(option.startswith(name) for name in ("--nag", "-forfeit", "--tot", "--time"))


def test_tie_breaks_are_those_of_2024_if_asked() -> None:
    terms = read_event(["swiss", "hex", "--tiebreak=2024"], NOW)
    assert (terms.rules["edition"], terms.rules["breaks"]) == ("2024", ())
    some = read_event(["roundrobin", "hex", "--tiebreak=Direct,cut-1"], NOW)
    assert some.rules["breaks"] == ("direct", "cut1", "lots")
    assert "edition" not in read_event(["swiss", "hex"], NOW).rules
    for kind, value, why in (
        ("swiss", "cut1,cut1", "--tiebreak is written --tiebreak=2024, or with some of cut1, buch"),
        ("swiss", "lots", "--tiebreak is written"),
        ("ladder", "2024", "--tiebreak is for a round robin, Swiss, league or league of teams"),
        ("roundrobin", "2024 --seats=3", "with more than two seats"),
    ):
        game = "hex" if "seats" not in value else "cradle"
        with pytest.raises(Refusal) as told:
            read_event([kind, game, *f"--tiebreak={value}".split()], NOW)
        assert told.value.text.startswith(why)
